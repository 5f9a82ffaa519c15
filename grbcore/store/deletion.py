"""Deleting a submission: what tells whose it was goes, that there was one stays."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, and_, or_, select, update
from sqlalchemy.orm import Session

from grbcore.store import audit, holdouts, notices, uploads
from grbcore.store.audit import Via
from grbcore.store.locks import lock_board
from grbcore.store.publishing import keep_for_good
from grbcore.store.queue import free_validation
from grbcore.store.reevaluation import NotPossible
from grbcore.store.registration import drop_open_cells
from grbcore.store.tables import CellRow, HoldoutCell, Submission
from grbcore.store.visibility import is_public

#: The name of an entry that was deleted.
NAME = "(deleted)"


def delete_submission(
    session: Session,
    submission_id: str,
    *,
    user_id: str | None,
    via: Via,
    reason: str | None,
    now: datetime,
) -> frozenset[str]:
    """Delete an entry; the blobs that it names no more, for `orphans.remove` after the commit.

    The row stays as an anonymous attempt of its user, and so do the numbers of its finished cells.
    Its open cells go, whoever works on it loses the lease, and newcomers that waited for it are
    settled.  The same bytes are a new attempt from now on.  A second time changes nothing.

    Raises:
        NotPossible: the entry is a reference.
    """
    board_id = session.scalars(
        select(Submission.board_id).where(Submission.id == submission_id)
    ).one()
    board = lock_board(session, board_id)
    locked = select(Submission).where(Submission.id == submission_id)
    row = session.scalars(
        locked.with_for_update(of=Submission).execution_options(populate_existing=True)
    ).one()
    if row.is_reference:
        raise NotPossible("reference", "a reference can't be deleted, an admin may hide it")
    if row.deleted_at is not None:
        return frozenset()
    left = _blobs(session, row)
    details = {"side": row.side, "board": row.board_id, "state": row.state}
    if row.state == "validating":
        free_validation(row)
    _forget(row)
    row.deleted_at = now
    keep_for_good(row, now)
    if is_public(row, now):
        board.revision += 1
        board.changed_at = now
    session.flush()
    forgotten = update(CellRow).where(_takes_part(row))
    forgotten = forgotten.values(hits_sha256=None, confusion=None, margins=None, log=None)
    session.execute(forgotten.execution_options(synchronize_session=False))
    blamed = and_(CellRow.newcomer_id == row.id, CellRow.state == "failed")
    quoting = update(CellRow).where(blamed).values(reason=None)
    session.execute(quoting.execution_options(synchronize_session=False))
    holdouts.forget(session, row.id)
    notices.forget(session, row.id)
    uploads.forget(session, row.id)
    drop_open_cells(session, row, now)
    audit.record(
        session,
        user_id=user_id,
        via=via,
        action="submission.delete",
        subject_kind="submission",
        subject_id=row.id,
        reason=reason,
        details=details,
        now=now,
    )
    return left


def _forget(row: Submission) -> None:
    row.name, row.authors, row.description = NAME, NAME, ""
    row.team = row.paper_url = row.code_url = row.surrogate = None
    row.shift = row.dismissed = None
    row.violations, row.reason, row.log = [], None, None  # they quote the file
    row.sha256, row.canonical, row.sketch = f"deleted-{row.id}", None, None
    if row.family.startswith("other:"):  # the user's own words
        row.family = "other"


def _takes_part(row: Submission) -> ColumnElement[bool]:
    return or_(CellRow.attack_id == row.id, CellRow.defense_id == row.id)


def _blobs(session: Session, row: Submission) -> frozenset[str]:
    hits = select(CellRow.hits_sha256).where(_takes_part(row))
    held_out = select(HoldoutCell.hits_sha256).where(HoldoutCell.defense_id == row.id)
    found = session.scalars(hits.union(held_out))
    return frozenset({row.sha256, *(digest for digest in found if digest)})
