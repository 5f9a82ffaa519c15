"""Which workers there are: each writes a row of its own, with every heartbeat."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import ColumnElement, delete, select, update
from sqlalchemy.orm import Session

from grbcore.needs import NEEDS, Need
from grbcore.store.leases import LEASE, is_alive
from grbcore.store.tables import WorkerRow

#: The row of a worker that was not heard of for so long is removed.
FORGOTTEN = timedelta(days=1)

#: alive: heard of within one lease.  lost: it should be there and is not.
State = Literal["alive", "lost", "stopped"]


@dataclass(frozen=True, slots=True)
class Identity:
    """What does not change while a worker runs."""

    owner: str  # host/pid/uuid
    device: str
    versions: Mapping[str, str]
    started_at: datetime
    takes: tuple[Need, ...] = NEEDS  # boards that it works for


def beat(
    session: Session, identity: Identity, *, avoided: Mapping[str, str], now: datetime
) -> None:
    """Write that this worker is there, and which boards it leaves to others and why."""
    row = session.get(WorkerRow, identity.owner)
    if row is None:
        row = WorkerRow(
            id=identity.owner,
            device=identity.device,
            takes=list(identity.takes),
            versions=dict(identity.versions),
            started_at=identity.started_at,
        )
        session.add(row)
    row.avoided, row.heartbeat_at = dict(avoided), now
    session.flush()


def sign_off(session: Session, owner: str, now: datetime) -> None:
    """Write that this worker has stopped, in good order."""
    session.execute(
        update(WorkerRow)
        .where(WorkerRow.id == owner, WorkerRow.stopped_at.is_(None))
        .values(stopped_at=now)
    )


def retire_predecessors(
    session: Session, host: str, alive: Callable[[str], bool], now: datetime
) -> None:
    """Write that those workers of this host have stopped that are not ``alive``.

    ``alive`` says it of a worker's name, ``host/pid/uuid``.
    """
    rows = session.scalars(
        select(WorkerRow).where(
            WorkerRow.id.startswith(f"{host}/", autoescape=True), WorkerRow.stopped_at.is_(None)
        )
    )
    for row in rows:
        if not alive(row.id):
            row.stopped_at = now
    session.flush()


def forgotten(now: datetime) -> ColumnElement[bool]:
    """Whether nothing was heard of a worker for longer than anybody wants to know."""
    return WorkerRow.heartbeat_at < now - FORGOTTEN


def forget(session: Session, now: datetime) -> int:
    """Remove the rows of workers that are long gone; how many that was."""
    gone = session.scalars(select(WorkerRow.id).where(forgotten(now))).all()
    session.execute(delete(WorkerRow).where(forgotten(now)))
    return len(gone)


def state(row: WorkerRow, now: datetime) -> State:
    """Whether a worker is there."""
    if row.stopped_at is not None:
        return "stopped"
    return "alive" if now - row.heartbeat_at <= LEASE else "lost"


def known(session: Session, *, limit: int = 100) -> Sequence[WorkerRow]:
    """Workers, those that should be there first, then by their last heartbeat, newest first."""
    newest = (WorkerRow.stopped_at.is_not(None), WorkerRow.heartbeat_at.desc(), WorkerRow.id)
    return session.scalars(select(WorkerRow).order_by(*newest).limit(limit)).all()


def unstopped(session: Session) -> Sequence[str]:
    """The names of all workers that should be there."""
    return session.scalars(select(WorkerRow.id).where(WorkerRow.stopped_at.is_(None))).all()


def taken(session: Session, now: datetime) -> list[frozenset[str]]:
    """What each worker takes that was heard of within one lease."""
    found = session.scalars(select(WorkerRow.takes).where(is_alive(now)))
    return [frozenset(takes) for takes in found]
