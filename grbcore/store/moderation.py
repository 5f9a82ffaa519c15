"""What an admin does to a single submission or cell; each leaves a line in the audit log."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Protocol, TypeVar

from sqlalchemy.orm import Session

from grbcore.store import audit, marks, recovery
from grbcore.store.audit import Via
from grbcore.store.reevaluation import NotPossible
from grbcore.store.tables import CellRow, Submission

Subject = TypeVar("Subject", Submission, CellRow, contravariant=True)


class OnRecord(Protocol[Subject]):
    """A change to a submission or a cell that leaves a line in the audit log."""

    def __call__(
        self,
        session: Session,
        row: Subject,
        *,
        user_id: str | None,
        via: Via,
        reason: str | None = None,
        now: datetime,
    ) -> None: ...


def _on_record(
    action: str, change: Callable[[Session, Subject, datetime], bool], allowed: str | None = None
) -> OnRecord[Subject]:
    """A change that says whether it changed anything; where not, `NotPossible` is raised if it is
    of things in the state ``allowed`` only."""

    def changed(
        session: Session,
        row: Subject,
        *,
        user_id: str | None,
        via: Via,
        reason: str | None = None,
        now: datetime,
    ) -> None:
        if change(session, row, now):
            record(session, action, row, user_id=user_id, via=via, reason=reason, now=now)
        elif allowed is not None:
            found = f"{_kind(row)} {row.id}: found state {row.state}, allowed: {allowed}"
            raise NotPossible("state", found)

    return changed


def record(session: Session, action: str, row: Submission | CellRow, **who: Any) -> None:
    """Note what was done to it, as `audit.record` does; ``action`` without its kind."""
    kind = _kind(row)
    audit.record(session, action=f"{kind}.{action}", subject_kind=kind, subject_id=row.id, **who)


def _kind(row: Submission | CellRow) -> str:
    return "cell" if isinstance(row, CellRow) else "submission"


#: `marks.hide` and `marks.show`, on record; a second time changes nothing.
hide: OnRecord[Submission] = _on_record("hide", lambda s, row, now: marks.hide(s, row, now=now))
show: OnRecord[Submission] = _on_record("show", lambda s, row, now: marks.show(s, row, now=now))

#: `recovery.revalidate` and `recovery.requeue`, on record; `NotPossible` where nothing waits.
revalidate: OnRecord[Submission] = _on_record(
    "revalidate", lambda s, row, _: recovery.revalidate(s, row.id), "received"
)
requeue: OnRecord[CellRow] = _on_record(
    "requeue", lambda s, row, now: recovery.requeue(s, row.id, now), "dead"
)
