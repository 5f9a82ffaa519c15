"""How far re-evaluations are."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from grbcore.store.tables import CellRow


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a re-evaluation is."""

    queued: int
    running: int
    done: int
    failed: int
    dead: int

    @property
    def cells(self) -> int:
        return self.queued + self.running + self.done + self.failed + self.dead


def progress(session: Session, ids: Collection[str]) -> dict[str, Progress]:
    """How far these re-evaluations are; of one that is decided, what became of its cells."""
    query = (
        select(CellRow.reevaluation_id, CellRow.state, func.count())
        .where(CellRow.reevaluation_id.in_(ids))
        .group_by(CellRow.reevaluation_id, CellRow.state)
    )
    counts: dict[str | None, dict[str, int]] = {job_id: {} for job_id in ids}
    for job_id, state, count in session.execute(query):
        counts[job_id][state] = count
    words = ("queued", "running", "done", "failed", "dead")
    return {
        job_id: Progress(**{word: counts[job_id].get(word, 0) for word in words}) for job_id in ids
    }
