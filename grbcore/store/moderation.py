"""What an admin does to a single submission or cell; each leaves a line in the audit log."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Session

from grbcore.store import audit, marks, recovery
from grbcore.store.audit import Via
from grbcore.store.locks import lock_board
from grbcore.store.reevaluation import NotPossible
from grbcore.store.tables import CellRow, Submission


def hide(
    session: Session,
    row: Submission,
    *,
    user_id: str | None,
    via: Via,
    reason: str | None = None,
    now: datetime,
) -> None:
    """`marks.hide`, on record; a second time changes nothing."""
    if _is_hidden(session, row):
        return
    marks.hide(session, row, now=now)
    _record(session, row, "hide", user_id=user_id, via=via, reason=reason, now=now)


def show(
    session: Session,
    row: Submission,
    *,
    user_id: str | None,
    via: Via,
    reason: str | None = None,
    now: datetime,
) -> None:
    """`marks.show`, on record; a second time changes nothing."""
    if not _is_hidden(session, row):
        return
    marks.show(session, row, now=now)
    _record(session, row, "show", user_id=user_id, via=via, reason=reason, now=now)


def revalidate(
    session: Session,
    row: Submission,
    *,
    user_id: str | None,
    via: Via,
    reason: str | None = None,
    now: datetime,
) -> None:
    """`recovery.revalidate`, on record.

    Raises:
        NotPossible: it does not wait for its validation.
    """
    if not recovery.revalidate(session, row.id):
        raise NotPossible(
            "state", f"submission {row.id}: found state {row.state}, allowed: received"
        )
    _record(session, row, "revalidate", user_id=user_id, via=via, reason=reason, now=now)


def requeue(
    session: Session,
    row: CellRow,
    *,
    user_id: str | None,
    via: Via,
    reason: str | None = None,
    now: datetime,
) -> None:
    """`recovery.requeue`, on record.

    Raises:
        NotPossible: the cell is not dead.
    """
    if not recovery.requeue(session, row.id, now):
        raise NotPossible("state", f"cell {row.id}: found state {row.state}, allowed: dead")
    audit.record(
        session,
        user_id=user_id,
        via=via,
        action="cell.requeue",
        subject_kind="cell",
        subject_id=row.id,
        reason=reason,
        now=now,
    )


def _is_hidden(session: Session, row: Submission) -> bool:
    """Whether it is hidden; that stays so until the transaction ends."""
    lock_board(session, row.board_id)
    session.refresh(row)
    return row.hidden_at is not None


def _record(
    session: Session,
    row: Submission,
    action: str,
    *,
    user_id: str | None,
    via: Via,
    reason: str | None,
    now: datetime,
) -> None:
    audit.record(
        session,
        user_id=user_id,
        via=via,
        action=f"submission.{action}",
        subject_kind="submission",
        subject_id=row.id,
        reason=reason,
        now=now,
    )
