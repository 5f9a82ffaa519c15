"""Which entries have cells with targets whose logits were not finite: the few that are marked."""

from __future__ import annotations

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from grbcore.scenario import Side
from grbcore.store import queries
from grbcore.store.tables import CellRow


def marked(
    session: Session, board_id: str, protocol: str, side: Side, seen: ColumnElement[bool]
) -> dict[str, tuple[int, int]]:
    """Of the entries of a side that have such: how many of their cells have targets without finite
    logits, and the most of these in one repeat."""
    mine = CellRow.attack_id if side == "attack" else CellRow.defense_id
    query = (
        select(mine, func.count(), func.max(CellRow.not_finite_most))
        .where(queries.counted(board_id, protocol), CellRow.not_finite_most.is_not(None), seen)
        .where(mine.is_not(None))
        .group_by(mine)
    )
    return {entry: (cells, most) for entry, cells, most in session.execute(query)}
