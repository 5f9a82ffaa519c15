"""Which entries have cells with targets whose logits were not finite: the few that are marked."""

from __future__ import annotations

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from grbcore.results import CLEAN
from grbcore.scenario import Side
from grbcore.store import queries
from grbcore.store.tables import CellRow


def marked(
    session: Session, board_id: str, protocol: str, side: Side, seen: ColumnElement[bool]
) -> dict[str, tuple[int, int]]:
    """Of the entries of a side that have such: how many of their cells have targets without finite
    logits, and the most of these in one repeat; `CLEAN` is an attack too."""
    # no bare column, by whose index SQLite would walk over every cell
    column = CellRow.attack_id if side == "attack" else CellRow.defense_id
    mine = func.coalesce(column, CLEAN).label("entry")
    query = (
        select(mine, func.count(), func.max(CellRow.not_finite_most))
        .where(queries.counted(board_id, protocol), CellRow.not_finite_most.is_not(None), seen)
        .group_by("entry")
    )
    return {entry: (cells, most or 0) for entry, cells, most in session.execute(query)}
