"""What applying a re-evaluation would do to a board: pure computation over its cells."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from grbcore.results import CLEAN, Cell
from grbcore.store import queries
from grbcore.store.registration import Pair, counterpart
from grbcore.store.tables import BoardRow, CellRow, Reevaluation, Submission


@dataclass(frozen=True, slots=True)
class Effects:
    """What changes: which results count afterwards, and which entries leave their rank."""

    before: Mapping[Pair, Cell]
    after: Mapping[Pair, Cell]
    failed: Mapping[str, str]  # entries that are to blame for a failed cell -> the reason
    waiting: frozenset[str]  # entries that lack cells under a new protocol

    @property
    def leaving(self) -> frozenset[str]:
        return self.waiting | frozenset(self.failed)


def shadow_cells(session: Session, job_id: str) -> Sequence[CellRow]:
    """The cells of a re-evaluation that is neither applied nor cancelled."""
    query = select(CellRow).where(CellRow.reevaluation_id == job_id, CellRow.place == "shadow")
    return session.scalars(
        query.order_by(CellRow.id).execution_options(populate_existing=True)
    ).all()


def effects(session: Session, board: BoardRow, job: Reevaluation) -> Effects:
    """What the re-evaluation would change if it were applied as it is now."""
    shadows = shadow_cells(session, job.id)
    results = queries.results(session, board.id, board.protocol) if board.protocol else []
    before = {_pair(cell): cell for cell in results}
    done = {
        (row.attack_id, row.defense_id): queries.as_cell(
            row.attack_id, row.defense_id, row.correct, row.total
        )
        for row in shadows
        if row.state == "done"
    }
    failed = {row.newcomer_id: str(row.reason) for row in shadows if row.state == "failed"}
    if job.protocol == board.protocol:
        return Effects(before, {**before, **done}, failed, frozenset())
    ranked = session.execute(
        select(Submission.id, Submission.side).where(Submission.board_id == board.id, counterpart())
    ).all()
    stay = [(entry, side) for entry, side in ranked if entry not in failed]
    return Effects(before, done, failed, frozenset(lacking(required(stay), done)))


def required(entries: Iterable[tuple[str, str]]) -> list[Pair]:
    """Every cell that entries (id, side) need against each other, the clean ones first."""
    listed = list(entries)
    attacks = [entry for entry, side in listed if side == "attack"]
    defenses = [entry for entry, side in listed if side == "defense"]
    clean: list[Pair] = [(None, defense) for defense in defenses]
    return clean + [(attack, defense) for defense in defenses for attack in attacks]


def lacking(needed: Iterable[Pair], done: Collection[Pair]) -> set[str]:
    """As few entries as will do, without which no pair is missing: the worst goes first."""
    missing: dict[str, set[Pair]] = {}
    for pair in needed:
        if pair not in done:
            for entry in filter(None, pair):
                missing.setdefault(entry, set()).add(pair)
    gone: set[str] = set()
    while missing:
        worst = max(missing, key=lambda entry: (len(missing[entry]), entry))
        for pair in missing.pop(worst):
            for entry in filter(None, pair):
                if entry in missing:
                    missing[entry].discard(pair)
        missing = {entry: pairs for entry, pairs in missing.items() if pairs}
        gone.add(worst)
    return gone


def _pair(cell: Cell) -> Pair:
    return (None if cell.attack == CLEAN else cell.attack, cell.defense)
