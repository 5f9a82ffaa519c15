"""A board's cells between some attacks and some defenses, for tables and matrices."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import ColumnElement, Row, and_, or_, select
from sqlalchemy.orm import Session, load_only

from grbcore.results import CLEAN
from grbcore.store.queries import RESULT
from grbcore.store.tables import CellRow


def window(
    session: Session,
    board_id: str,
    protocol: str,
    attacks: Collection[str],
    defenses: Collection[str],
) -> Sequence[CellRow]:
    """The current cells between these attacks (`CLEAN` among them, perhaps) and defenses."""
    query = (
        select(CellRow)
        .options(load_only(*(getattr(CellRow, name) for name in RESULT)))
        .where(_between(board_id, protocol, attacks, defenses))
    )
    return session.scalars(query.order_by(CellRow.id)).all()


def packed_window(
    session: Session,
    board_id: str,
    protocol: str,
    attacks: Collection[str],
    defenses: Collection[str],
) -> Sequence[Row[str | None, str, str, str, bytes | None]]:
    """As `window`: attack (None is without one), defense, id, state and packed counts of each."""
    query = select(
        CellRow.attack_id, CellRow.defense_id, CellRow.id, CellRow.state, CellRow.counts
    ).where(_between(board_id, protocol, attacks, defenses))
    return session.execute(query).all()


def with_hits(session: Session, ids: Collection[str]) -> dict[str, CellRow]:
    """These cells by id, with where their hits are kept."""
    wanted = (CellRow.id, CellRow.state, CellRow.hits_sha256)
    query = select(CellRow).options(load_only(*wanted)).where(CellRow.id.in_(ids))
    return {cell.id: cell for cell in session.scalars(query)}


def _between(
    board_id: str, protocol: str, attacks: Collection[str], defenses: Collection[str]
) -> ColumnElement[bool]:
    """The current cells of these rows and columns of a board."""
    rows: ColumnElement[bool] = CellRow.attack_id.in_(
        [attack for attack in attacks if attack != CLEAN]
    )
    if CLEAN in attacks:
        rows = or_(rows, CellRow.attack_id.is_(None))
    return and_(
        CellRow.board_id == board_id,
        CellRow.protocol == protocol,
        CellRow.place == "current",
        CellRow.defense_id.in_(defenses),
        rows,
    )
