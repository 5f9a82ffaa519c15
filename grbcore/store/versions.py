"""What the boards' current results were measured with: protocols, evaluators, devices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from grbcore.store.tables import CellRow, Reevaluation


@dataclass(frozen=True, slots=True)
class Measured:
    """Current finished cells of one board that were measured alike."""

    board_id: str
    protocol: str
    evaluator: int | None
    torch: str | None
    device: str | None
    cells: int
    oldest: datetime | None  # when the first of them was finished


def measured(session: Session) -> Sequence[Measured]:
    """Current cells that are done, by board and by what they were measured with."""
    torch = CellRow.versions["torch"].as_string()
    keys = (
        CellRow.board_id, CellRow.protocol, CellRow.evaluator_version, torch, CellRow.device
    )  # fmt: skip
    query = (
        select(*keys, func.count(), func.min(CellRow.finished_at))
        .where(CellRow.place == "current", CellRow.state == "done")
        .group_by(*keys)
        .order_by(CellRow.board_id, CellRow.protocol, CellRow.evaluator_version)
    )
    return [Measured(*row) for row in session.execute(query)]


def open_jobs(session: Session) -> dict[str, int]:
    """How many re-evaluations of each board are not decided yet."""
    query = (
        select(Reevaluation.board_id, func.count())
        .where(Reevaluation.state.in_(("proposed", "running", "ready")))
        .group_by(Reevaluation.board_id)
    )
    return {board_id: count for board_id, count in session.execute(query)}
