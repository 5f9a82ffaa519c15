"""What an admin does to a single submission or cell; each leaves a line in the audit log."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Protocol

from sqlalchemy.orm import Session

from grbcore.store import audit, marks, recovery
from grbcore.store.audit import Via
from grbcore.store.reevaluation import NotPossible
from grbcore.store.tables import CellRow, Submission


class OnRecord(Protocol):
    """A change to a submission that leaves a line in the audit log."""

    def __call__(
        self,
        session: Session,
        row: Submission,
        *,
        user_id: str | None,
        via: Via,
        reason: str | None = None,
        now: datetime,
    ) -> None: ...


def _marking(action: str, mark: Callable[..., bool]) -> OnRecord:
    def change(
        session: Session,
        row: Submission,
        *,
        user_id: str | None,
        via: Via,
        reason: str | None = None,
        now: datetime,
    ) -> None:
        if mark(session, row, now=now):
            _record(session, action, row, user_id=user_id, via=via, reason=reason, now=now)

    return change


#: `marks.hide` and `marks.show`, on record; a second time changes nothing.
hide, show = _marking("hide", marks.hide), _marking("show", marks.show)


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
        raise _other_state(row, "submission", "received")
    _record(session, "revalidate", row, user_id=user_id, via=via, reason=reason, now=now)


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
        raise _other_state(row, "cell", "dead")
    _record(session, "requeue", row, user_id=user_id, via=via, reason=reason, now=now)


def _other_state(row: Submission | CellRow, kind: str, allowed: str) -> NotPossible:
    return NotPossible("state", f"{kind} {row.id}: found state {row.state}, allowed: {allowed}")


def _record(session: Session, action: str, row: Submission | CellRow, **who: Any) -> None:
    kind = "cell" if isinstance(row, CellRow) else "submission"
    audit.record(session, action=f"{kind}.{action}", subject_kind=kind, subject_id=row.id, **who)
