"""What a re-evaluation would change, shown before it is applied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy.orm import Session

from grbcore.catalog import Board
from grbcore.leaderboard import Arena, Leaderboard, rank
from grbcore.results import CLEAN, Cell
from grbcore.scenario import Difficulty, Side
from grbcore.store import queries
from grbcore.store.effects import Effects, effects, shadow_cells
from grbcore.store.locks import take_time
from grbcore.store.registration import Pair
from grbcore.store.session import now as clock
from grbcore.store.tables import BoardRow, CellRow, Reevaluation
from grbcore.store.views import View, arena
from grbcore.store.visibility import kept

#: So many of the largest differences are shown.
LARGEST = 20


@dataclass(frozen=True, slots=True)
class Change:
    """One entry's rank and Weighted (0..1), now and afterwards; None where it has none."""

    id: str
    rank_before: int | None
    rank_after: int | None
    weighted_before: float | None
    weighted_after: float | None


@dataclass(frozen=True, slots=True)
class Difference:
    """A cell's accuracy (0..1, mean over repeats), now and afterwards."""

    attack: str | None  # None: the clean graph
    defense: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Unmeasured:
    """A cell without a new result: failed by the ``blamed`` entry, or dead by infrastructure."""

    cell: str
    attack: str | None
    defense: str
    state: str
    blamed: str | None
    code: str | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Public:
    """What everybody may know of it: of the cells between public entries alone."""

    cells: int  # that are computed once more
    changed: int  # of all, whose counts differ


@dataclass(frozen=True, slots=True)
class Preview:
    """Everything that applying would change, at one board revision.

    Ranks are those that everybody sees; the rest is of private entries too.
    """

    revision: int
    view: View
    difficulty: Difficulty
    unfinished: int  # cells that are not computed yet
    changed: int  # cells whose counts differ, at any difficulty
    public: Public
    ranks: Mapping[Side, tuple[Change, ...]]
    largest: tuple[Difference, ...]
    unmeasured: tuple[Unmeasured, ...]
    failing: tuple[str, ...]  # entries that will have failed
    waiting: tuple[str, ...]  # entries that will be evaluating until their cells are done

    @property
    def moved(self) -> int:
        """How many entries get another rank, or lose theirs."""
        return sum(
            change.rank_before != change.rank_after
            for changes in self.ranks.values()
            for change in changes
        )


def preview(
    session: Session, board: Board, job: Reevaluation, *, view: View, difficulty: Difficulty
) -> Preview:
    """What applying this re-evaluation now would change on its board."""
    take_time(session)
    row = session.get_one(BoardRow, job.board_id)
    found = effects(session, row, job)
    unseen = kept(session, board.id, clock())
    entries = [entry for entry in queries.entries(session, board.id) if entry.id not in unseen]
    now = arena(entries, repeats=board.repeats, view=view)
    then = arena(
        [entry for entry in entries if entry.id not in found.leaving],
        repeats=board.repeats,
        view=view,
    )
    shadows = shadow_cells(session, job.id)
    sides: tuple[Side, Side] = ("defense", "attack")
    return Preview(
        revision=row.revision,
        view=view,
        difficulty=difficulty,
        unfinished=sum(cell.state in ("queued", "running") for cell in shadows),
        changed=sum(_differs(found, pair) for pair in found.after),
        public=Public(
            cells=sum(unseen.isdisjoint((cell.attack_id, cell.defense_id)) for cell in shadows),
            changed=sum(unseen.isdisjoint(pair) and _differs(found, pair) for pair in found.after),
        ),
        ranks={side: _changes(now, then, found, side, difficulty) for side in sides},
        largest=_largest(found, difficulty),
        unmeasured=tuple(_unmeasured(cell) for cell in shadows if cell.state in ("failed", "dead")),
        failing=tuple(sorted(found.failed)),
        waiting=tuple(sorted(found.waiting)),
    )


def _changes(
    now: Arena, then: Arena, found: Effects, side: Side, difficulty: Difficulty
) -> tuple[Change, ...]:
    """Entries in the order of their new ranks; those that have none any more come last."""
    before = _standing(rank(now, found.before.values(), side, difficulty))
    after = _standing(rank(then, found.after.values(), side, difficulty))
    none = (None, None)
    changes = []
    for entry in {**after, **before}:
        (old, weighted), (new, weighted_new) = before.get(entry, none), after.get(entry, none)
        changes.append(Change(entry, old, new, weighted, weighted_new))
    return tuple(changes)


def _standing(board: Leaderboard) -> dict[str, tuple[int | None, float | None]]:
    standing: dict[str, tuple[int | None, float | None]] = {}
    for row in board.rows:
        metrics = row.metrics.get(board.difficulty)
        if row.id != CLEAN:
            standing[row.id] = row.rank, metrics.weighted.mean if metrics else None
    return standing


def _largest(found: Effects, difficulty: Difficulty) -> tuple[Difference, ...]:
    differences = []
    for (attack, defense), cell in found.after.items():
        old = found.before.get((attack, defense))
        if old is None or difficulty not in cell.correct or difficulty not in old.correct:
            continue
        before, after = _mean(old, difficulty), _mean(cell, difficulty)
        if before != after:
            differences.append(Difference(attack, defense, before, after))
    differences.sort(key=lambda one: (-abs(one.after - one.before), one.defense, one.attack or ""))
    return tuple(differences[:LARGEST])


def _differs(found: Effects, pair: Pair) -> bool:
    old, new = found.before.get(pair), found.after[pair]
    return old is not None and (old.correct != new.correct or old.total != new.total)


def _mean(cell: Cell, difficulty: Difficulty) -> float:
    counts = cell.correct[difficulty]
    return sum(counts) / (len(counts) * cell.total[difficulty])


def _unmeasured(cell: CellRow) -> Unmeasured:
    blamed = cell.newcomer_id if cell.state == "failed" else None
    return Unmeasured(
        cell.id,
        cell.attack_id,
        cell.defense_id,
        cell.state,
        blamed,
        cell.error_code,
        cell.reason,
    )
