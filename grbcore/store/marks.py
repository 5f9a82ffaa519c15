"""Marks beside a submission's state: withdrawn by its owner, hidden by an admin."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Session

from grbcore.store.locks import lock_board
from grbcore.store.registration import leave, rejoin
from grbcore.store.tables import Submission


class NotAllowed(Exception):
    """A mark that this submission can't get; the text says why."""


def withdraw(session: Session, submission: Submission, *, now: datetime) -> None:
    """Take an entry out of both rankings and, from the next revision, out of the counterparts.

    A second time changes nothing.

    Raises:
        NotAllowed: the entry is a reference.
    """
    if submission.is_reference:
        raise NotAllowed("a reference can't be withdrawn, an admin may hide it")
    if _mark(session, submission, "withdrawn_at", now, now=now):
        leave(session, submission.id, now)


def hide(session: Session, submission: Submission, *, now: datetime) -> None:
    """As `withdraw`, by an admin; a hidden reference still counts in the reference view."""
    if _mark(session, submission, "hidden_at", now, now=now):
        leave(session, submission.id, now)


def show(session: Session, submission: Submission, *, now: datetime) -> None:
    """Undo `hide`; the entry ranks again once it is evaluated against whom it missed."""
    if _mark(session, submission, "hidden_at", None, now=now):
        rejoin(session, submission.id, now)


def _mark(
    session: Session, submission: Submission, mark: str, value: datetime | None, *, now: datetime
) -> bool:
    """Set or clear a mark under the board's lock; whether that changed anything."""
    board = lock_board(session, submission.board_id)
    session.refresh(submission)
    if (getattr(submission, mark) is None) == (value is None):
        return False
    setattr(submission, mark, value)
    board.revision += 1
    board.changed_at = now
    session.flush()
    return True
