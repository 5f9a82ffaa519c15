"""What went wrong lately, by whose fault and how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import ColumnElement, and_, func, select
from sqlalchemy.orm import Session

from grbcore.store.line import current, stopped
from grbcore.store.presence import stays
from grbcore.store.tables import BoardRow, CellRow, Submission

#: What "lately" means.
DAY = timedelta(days=1)

Family = Literal["submission", "infrastructure"]
Work = Literal["validation", "cells"]
#: rejected, failed: final.  dead, stopped: wait for an admin.  retried: will be tried again.
#: recovered: done in spite of tries that were spoiled.
Outcome = Literal["rejected", "failed", "dead", "stopped", "retried", "recovered"]


@dataclass(frozen=True, slots=True)
class Failures:
    """How often something went wrong within the last day, by whose fault and how it ended."""

    family: Family
    work: Work
    code: str
    outcome: Outcome
    count: int


def failures(session: Session, boards: Sequence[str], now: datetime) -> list[Failures]:
    """Every kind of failure that there was within the last day."""
    found = []
    outcomes: tuple[tuple[str, Family, Outcome], ...] = (
        ("failed", "submission", "failed"),
        ("dead", "infrastructure", "dead"),
    )
    rejected = session.scalar(
        select(func.count())
        .select_from(Submission)
        .where(Submission.state == "rejected", Submission.validated_at >= now - DAY)
    )
    found.append(Failures("submission", "validation", "invalid-file", "rejected", rejected or 0))
    for state, family, outcome in outcomes:
        counted = session.execute(
            select(CellRow.error_code, func.count())
            .where(ended(boards, state, now), CellRow.place == "current")
            .group_by(CellRow.error_code)
            .order_by(CellRow.error_code)
        )
        found += [
            Failures(family, "cells", code or "unknown", outcome, count) for code, count in counted
        ]
    spoiled = session.execute(
        select(CellRow.error_code, func.count())
        .join(BoardRow, current())
        .where(CellRow.state.in_(("queued", "running")), CellRow.attempts > 0)
        .group_by(CellRow.error_code)
        .order_by(CellRow.error_code)
    )
    found += [
        Failures("infrastructure", "cells", code or "unknown", "retried", count)
        for code, count in spoiled
    ]
    recovered = session.scalar(
        select(func.count())
        .select_from(CellRow)
        .where(ended(boards, "done", now), CellRow.attempts > 0)
    )
    found.append(Failures("infrastructure", "cells", "any", "recovered", recovered or 0))
    found += _spoiled_validations(session)
    return [kind for kind in found if kind.count]


def _spoiled_validations(session: Session) -> list[Failures]:
    spoiled = select(func.count()).select_from(Submission).where(Submission.attempts > 0, stays())
    given_up = session.scalar(spoiled.where(stopped()))
    retried = session.scalar(
        spoiled.where(Submission.state.in_(("received", "validating")), ~stopped())
    )
    return [
        Failures("infrastructure", "validation", "no-answer", "stopped", given_up or 0),
        Failures("infrastructure", "validation", "no-answer", "retried", retried or 0),
    ]


def ended(boards: Sequence[str], state: str, now: datetime) -> ColumnElement[bool]:
    """Cells that reached this state within the last day; the boards are named for the index."""
    return and_(
        CellRow.board_id.in_(boards), CellRow.state == state, CellRow.finished_at >= now - DAY
    )
