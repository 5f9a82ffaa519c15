"""Marks beside a submission's state: withdrawn by its owner, hidden by an admin."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Session

from grbcore.store.locks import lock_board
from grbcore.store.publishing import keep_for_good
from grbcore.store.quotas import give_back_unstarted
from grbcore.store.reevaluation import NotPossible
from grbcore.store.registration import leave, rejoin
from grbcore.store.tables import BoardRow, Submission
from grbcore.store.visibility import is_public


def withdraw(session: Session, submission: Submission, *, now: datetime) -> bool:
    """Take an entry out of both rankings and, from the next revision, out of the counterparts.

    One that is not public stays so for good.  Before any of its cells has begun it gives its place
    of the day back (`quotas`).  A second time changes nothing.  Whether this changed anything.

    Raises:
        NotPossible: the entry is a reference, or it was deleted.
    """
    board = _locked(session, submission)
    if submission.is_reference:
        raise NotPossible("reference", "a reference can't be withdrawn, an admin may hide it")
    if not _mark(session, board, submission, "withdrawn_at", now, now=now):
        return False
    keep_for_good(submission, now)
    give_back_unstarted(session, submission)
    leave(session, submission.id, now)
    return True


def hide(session: Session, submission: Submission, *, now: datetime) -> bool:
    """As `withdraw`, by an admin; a hidden reference still counts in the reference view."""
    board = _locked(session, submission)
    if not _mark(session, board, submission, "hidden_at", now, now=now):
        return False
    leave(session, submission.id, now)
    return True


def show(session: Session, submission: Submission, *, now: datetime) -> bool:
    """Undo `hide`; the entry ranks again once it is evaluated against whom it missed."""
    board = _locked(session, submission)
    if not _mark(session, board, submission, "hidden_at", None, now=now):
        return False
    rejoin(session, submission.id, now)
    return True


def refuse_deleted(submission: Submission) -> None:
    """Raise NotPossible for an entry that was deleted: nothing more can be done to it."""
    if submission.deleted_at is not None:
        raise NotPossible("deleted", f"submission {submission.id} was deleted")


def _locked(session: Session, submission: Submission) -> BoardRow:
    """The board's row, locked; the submission is read again, and must not be deleted."""
    board = lock_board(session, submission.board_id)
    session.refresh(submission)
    refuse_deleted(submission)
    return board


def _mark(
    session: Session,
    board: BoardRow,
    submission: Submission,
    mark: str,
    value: datetime | None,
    *,
    now: datetime,
) -> bool:
    """Set or clear a mark under the board's lock; whether that changed anything."""
    if (getattr(submission, mark) is None) == (value is None):
        return False
    setattr(submission, mark, value)
    if is_public(submission, now):
        board.revision += 1
        board.changed_at = now
    session.flush()
    return True
