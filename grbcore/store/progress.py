"""How far submissions are, read for any number of them with the same few queries."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session, load_only

from grbcore.store import line, queries
from grbcore.store.tables import Submission, User
from grbcore.store.visibility import Viewer, cells_seen_by, may_see
from grbcore.store.waiting import Place, places

#: A submission's id, and who asks how far it is.
Watched = tuple[str, Viewer]


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


def progress(
    session: Session, watched: Collection[Watched], now: datetime
) -> dict[Watched, Progress]:
    """How far each of these submissions is; one that its viewer does not see is left out.

    Viewers are what they are now: a suspended one is anybody, and one who is no admin any more sees
    what users see.  Nobody becomes more than they were when they asked.
    """
    moving = load_only(
        Submission.user_id,
        Submission.state,
        Submission.reason,
        Submission.is_reference,
        Submission.visibility,
        Submission.public_at,
        Submission.withdrawn_at,
        Submission.hidden_at,
        Submission.deleted_at,
    )
    ids = {submission_id for submission_id, _ in watched}
    asked = select(Submission).where(Submission.id.in_(ids)).options(moving)
    entries = {entry.id: entry for entry in session.scalars(asked)}
    eyes = _now(session, [viewer for _, viewer in watched if viewer is not None])
    seen = [
        (name, viewer)
        for name, viewer in watched
        if name in entries and may_see(entries[name], eyes.get(viewer), now)
    ]
    counts = _counts(session, [(name, eyes.get(viewer)) for name, viewer in seen], now)
    pending = {name for name, _ in seen if entries[name].state in queries.PENDING}
    stand = _places(session, pending, now) if pending else {}
    return {
        (name, viewer): Progress(
            entries[name], counts[_eyes(eyes.get(viewer))].get(name, {}), stand.get(name)
        )
        for name, viewer in seen
    }


def _now(session: Session, viewers: Collection[User]) -> dict[Viewer, Viewer]:
    """What these users, read some time ago, are to be taken for now."""
    if not viewers:
        return {}
    asked = select(User).where(User.id.in_({viewer.id for viewer in viewers}))
    rows = {row.id: row for row in session.scalars(asked) if row.is_active}
    found: dict[Viewer, Viewer] = {}
    for viewer in viewers:
        row = rows.get(viewer.id)
        lost = row is not None and viewer.role == "admin" != row.role
        found[viewer] = viewer if row is not None and not lost else row
    return found


def _eyes(viewer: Viewer) -> tuple[str, str] | None:
    """The same for viewers who see the same."""
    return None if viewer is None else (viewer.id, viewer.role)


def _counts(
    session: Session, watched: Collection[Watched], now: datetime
) -> dict[tuple[str, str] | None, dict[str, dict[str, int]]]:
    """The cells by state that each viewer sees of each submission; one query for each viewer."""
    asked: dict[tuple[str, str] | None, tuple[Viewer, set[str]]] = {}
    for name, viewer in watched:
        asked.setdefault(_eyes(viewer), (viewer, set()))[1].add(name)
    return {
        eyes: queries.cell_counts(session, ids, cells_seen_by(viewer, now))
        for eyes, (viewer, ids) in asked.items()
    }


def _places(session: Session, ids: Collection[str], now: datetime) -> dict[str, Place]:
    waiters = line.waiters(session)
    if not any(waiter.submission_id in ids for waiter in waiters):
        return {}
    pace = line.pace(session, {waiter.board_id for waiter in waiters}, now)
    return places(ids, waiters, pace)
