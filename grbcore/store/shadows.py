"""Cells of re-evaluations, as far as the queue is concerned.

A shadow cell is leased, charged and finished as any other; it changes no submission.  Whoever ends
one, under the board's lock, asks here whether its re-evaluation is through.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import ColumnElement, and_, exists, select
from sqlalchemy.orm import Session

from grbcore.store.tables import CellRow, Reevaluation


def is_through() -> ColumnElement[bool]:
    """Whether a re-evaluation runs of which no cell waits or runs."""
    unfinished = exists().where(
        CellRow.reevaluation_id == Reevaluation.id,
        CellRow.place == "shadow",
        CellRow.state.in_(("queued", "running")),
    )
    return and_(Reevaluation.state == "running", ~unfinished)


def settle_jobs(session: Session, ids: Collection[str | None], now: datetime) -> int:
    """Make those of these re-evaluations ready that are through; how many that was."""
    rows = session.scalars(
        select(Reevaluation).where(Reevaluation.id.in_(ids), is_through()).with_for_update()
    ).all()
    for row in rows:
        row.state, row.ready_at = "ready", now
    session.flush()
    return len(rows)


def reopen(session: Session, job_id: str | None) -> None:
    """Let a re-evaluation run on, one of whose cells waits again."""
    job = (
        None
        if job_id is None
        else session.get(Reevaluation, job_id, with_for_update=True, populate_existing=True)
    )
    if job is not None and job.state == "ready":
        job.state, job.ready_at = "running", None
        session.flush()
