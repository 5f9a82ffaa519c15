"""How long cells will take: medians of what was measured, else from the work of a prediction.

The work is the number of multiplications that the registry's formula gives: weights times nodes,
and widths times edges.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from grbcore.architectures import Scale, registered, work_of
from grbcore.scenario import scenario_of
from grbcore.store.tables import BoardRow, CellRow, Submission

#: So many of the latest cells are looked at.
MEASURED = 1000

#: Seconds of a cell per multiplication of one prediction where nothing was ever measured: what a
#: GCN needs on grb-cora with one core, twelve predictions per cell.
SECONDS_PER_WORK = 5e-10


@dataclass(frozen=True, slots=True)
class Estimates:
    """Seconds of a cell by architecture, and per multiplication for those never measured."""

    by_architecture: Mapping[str, float]
    per_work: float

    def seconds(self, board: BoardRow, contents: Mapping[str, Any]) -> float:
        """What one cell of a defense with these contents is expected to take."""
        measured = self.by_architecture.get(str(contents.get("architecture")))
        return (
            self.per_work * _work(board.id, board.facts, contents) if measured is None else measured
        )


def estimates(session: Session, board: BoardRow) -> Estimates:
    """Medians over the board's latest cells; the rate for the rest over every board's."""
    here: dict[str, list[float]] = {}
    for seconds, contents, *_ in _latest(session, board.id):
        here.setdefault(str(contents.get("architecture")), []).append(seconds)
    rates = [
        seconds / work
        for seconds, contents, facts, name in _latest(session, board.id if here else None)
        if (work := _work(name, facts, contents)) > 0
    ]
    return Estimates(
        {name: median(values) for name, values in here.items()},
        median(rates) if rates else SECONDS_PER_WORK,
    )


def _latest(
    session: Session, board_id: str | None
) -> list[tuple[float, dict[str, Any], dict[str, Any] | None, str]]:
    query = (
        select(CellRow.seconds, Submission.contents, BoardRow.facts, BoardRow.id)
        .join(Submission, Submission.id == CellRow.defense_id)
        .join(BoardRow, BoardRow.id == CellRow.board_id)
        .where(CellRow.state == "done", CellRow.seconds.is_not(None))
        .order_by(CellRow.finished_at.desc())
        .limit(MEASURED)
    )
    if board_id is not None:
        query = query.where(CellRow.board_id == board_id)
    return [(float(row[0]), row[1], row[2], row[3]) for row in session.execute(query)]


def _work(board_id: str, facts: Mapping[str, Any] | None, contents: Mapping[str, Any]) -> int:
    """Multiplications of one prediction; 0 where the data or the architecture is unknown."""
    known = registered(scenario_of(board_id))
    architecture = known.get(str(contents.get("architecture")))
    if facts is None or architecture is None:
        return 0
    told = architecture.parameters.model_validate(contents["parameters"])
    return work_of(architecture, told, Scale.of(facts))
