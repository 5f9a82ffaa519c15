"""What a board showed before: re-evaluations that were applied, results that were replaced."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import and_, func, or_, select
from sqlalchemy.orm import Session

from grbcore.store import line
from grbcore.store.previews import Preview
from grbcore.store.reevaluation import OPEN
from grbcore.store.tables import BoardRow, CellRow, Reevaluation, Submission
from grbcore.store.visibility import cells_seen_by, seen_by
from grbcore.store.waiting import cells_of_newcomer


@dataclass(frozen=True, slots=True)
class Earlier:
    """A result that no ranking counts any more, since the moment ``until``, where that is known."""

    cell: CellRow
    until: datetime | None


@dataclass(frozen=True, slots=True)
class Versions:
    """What replaced a cell and when, and what was there before it, newest first."""

    until: datetime | None
    next: CellRow | None
    earlier: tuple[Earlier, ...]


def applied(
    session: Session, board_id: str, *, before: str | None = None, limit: int
) -> Sequence[Reevaluation]:
    """The re-evaluations that changed this board, latest first, from after the id ``before``."""
    query = select(Reevaluation).where(
        Reevaluation.board_id == board_id, Reevaluation.state == "applied"
    )
    if before is not None:
        moment = select(Reevaluation.decided_at).where(Reevaluation.id == before).scalar_subquery()
        query = query.where(
            or_(
                Reevaluation.decided_at < moment,
                and_(Reevaluation.decided_at == moment, Reevaluation.id < before),
            )
        )
    newest = (Reevaluation.decided_at.desc(), Reevaluation.id.desc())
    return session.scalars(query.order_by(*newest).limit(limit)).all()


def coming(session: Session, board: BoardRow) -> Reevaluation | None:
    """The re-evaluation that moves this board to another protocol, where one is undecided."""
    query = select(Reevaluation).where(
        Reevaluation.board_id == board.id,
        Reevaluation.state.in_(OPEN),
        Reevaluation.protocol != board.protocol,
    )
    return session.scalars(query.order_by(Reevaluation.id.desc()).limit(1)).first()


def reached(session: Session, job: Reevaluation, now: datetime) -> tuple[int, int]:
    """The cells of a re-evaluation and how many are finished, of those that everybody sees."""
    if job.state == "proposed":
        counts = line.counterparts(session, seen_by(None, now)).get(job.board_id, {})
        return counts.get("defense", 0) * cells_of_newcomer("defense", counts), 0
    open_cells = CellRow.state.in_(("queued", "running"))
    query = select(func.count(), func.count().filter(~open_cells)).where(
        CellRow.reevaluation_id == job.id, cells_seen_by(None, now)
    )
    cells, finished = session.execute(query).one()
    return cells, finished


def versions(session: Session, cell: CellRow, protocol: str | None) -> Versions:
    """The other results of this cell's pair; ``protocol`` is the board's."""
    query = select(CellRow).where(
        CellRow.defense_id == cell.defense_id,
        CellRow.attack_id.is_not_distinct_from(cell.attack_id),
        CellRow.place != "shadow",
        CellRow.finished_at.is_not(None) | (CellRow.protocol == protocol),
    )
    left = _left(session, cell.board_id)
    found = [
        Earlier(row, row.replaced_at or left.get(row.protocol)) for row in session.scalars(query)
    ]

    def order(one: Earlier) -> tuple[bool, float, str]:
        """By when they ceased to count; the one that counts comes last."""
        counts = one.cell.place == "current" and one.cell.protocol == protocol
        return (counts, one.until.timestamp() if one.until else 0.0, one.cell.id)

    found.sort(key=order)
    ids = [one.cell.id for one in found]
    if cell.id not in ids:
        return Versions(None, None, ())
    index = ids.index(cell.id)
    later, earlier = found[index + 1 :], found[:index]
    # one that infrastructure stopped never was a result
    shown = tuple(one for one in reversed(earlier) if one.cell.state != "dead")
    return Versions(found[index].until if later else None, later[0].cell if later else None, shown)


def _left(session: Session, board_id: str) -> dict[str, datetime]:
    """When the board left each protocol that it does not have any more."""
    moves = session.execute(
        select(Reevaluation.outcome, Reevaluation.decided_at)
        .where(Reevaluation.board_id == board_id, Reevaluation.state == "applied")
        .order_by(Reevaluation.decided_at)
    )
    return {
        outcome["from_protocol"]: at
        for outcome, at in moves
        if outcome["from_protocol"] != outcome["protocol"]
    }


def spoken_of(found: Preview) -> set[str]:
    """The ids of the entries that a preview names."""
    named = {change.id for changes in found.ranks.values() for change in changes}
    named |= {*found.failing, *found.waiting, *found.revived}
    pairs = [(cell.attack, cell.defense) for cell in found.largest]
    pairs += [(cell.attack, cell.defense) for cell in found.unmeasured]
    return named | {entry for pair in pairs for entry in pair if entry is not None}


def entries_of(session: Session, ids: Collection[str]) -> dict[str, Submission]:
    """These submissions by id, whatever their state."""
    rows = session.scalars(select(Submission).where(Submission.id.in_(ids)))
    return {row.id: row for row in rows}
