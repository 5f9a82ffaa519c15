"""How far submissions are, read for any number of them with the same few queries."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session, load_only

from grbcore.store import line, queries
from grbcore.store.tables import Submission
from grbcore.store.waiting import Place, places


@dataclass(frozen=True, slots=True)
class Progress:
    """What moves of a submission on its way."""

    entry: Submission  # its state, its reason and its marks
    cells: Mapping[str, int]  # state -> how many of its cells
    place: Place | None

    @property
    def final(self) -> bool:
        """Whether it goes no further: its end is reached, or it was taken out before."""
        entry = self.entry
        out = entry.withdrawn_at or entry.deleted_at or (entry.hidden_at and not entry.is_reference)
        return out is not None or entry.state not in queries.PENDING


def progress(session: Session, ids: Collection[str], now: datetime) -> dict[str, Progress]:
    """How far each of these submissions is; one that is unknown is left out."""
    moving = load_only(
        Submission.state,
        Submission.reason,
        Submission.is_reference,
        Submission.withdrawn_at,
        Submission.hidden_at,
        Submission.deleted_at,
    )
    entries = session.scalars(select(Submission).where(Submission.id.in_(ids)).options(moving))
    found = {entry.id: entry for entry in entries}
    counts = queries.cell_counts(session, list(found))
    pending = {name for name, entry in found.items() if entry.state in queries.PENDING}
    stand = _places(session, pending, now) if pending else {}
    return {
        name: Progress(entry, counts.get(name, {}), stand.get(name))
        for name, entry in found.items()
    }


def _places(session: Session, ids: Collection[str], now: datetime) -> dict[str, Place]:
    waiters = line.waiters(session)
    if not any(waiter.submission_id in ids for waiter in waiters):
        return {}
    pace = line.pace(session, {waiter.board_id for waiter in waiters}, now)
    return places(ids, waiters, pace)
