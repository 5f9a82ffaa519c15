"""Results without the packed counts that rankings read: none is written so, but a hand may err."""

from __future__ import annotations

from sqlalchemy import ColumnElement, and_, func, select, update
from sqlalchemy.orm import Session

from grbcore.columns import pack
from grbcore.store.tables import BoardRow, CellRow

#: So many results are read at once.
_AT_ONCE = 5000


def uncounted(session: Session) -> int:
    """How many results have no packed counts."""
    return session.scalar(select(func.count()).select_from(CellRow).where(_lacks())) or 0


def recount(session: Session) -> int:
    """Pack the counts of results that lack them; how many that was.

    Boards whose rankings may change get a new revision.
    """
    count = 0
    boards: set[str] = set()
    results = CellRow.correct, CellRow.total, CellRow.errors
    query = select(CellRow.id, CellRow.board_id, *results).where(_lacks())
    while rows := session.execute(query.limit(_AT_ONCE)).all():
        packed = [
            {"id": row.id, "counts": pack(row.correct, row.total, row.errors)} for row in rows
        ]
        session.execute(update(CellRow), packed)
        boards |= {row.board_id for row in rows}
        count += len(rows)
    raised = update(BoardRow).where(BoardRow.id.in_(boards))
    session.execute(raised.values(revision=BoardRow.revision + 1))
    return count


def _lacks() -> ColumnElement[bool]:
    return and_(CellRow.counts.is_(None), CellRow.correct.is_not(None), CellRow.total.is_not(None))
