"""What a re-evaluation would change, shown before it is applied."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import and_, func, or_, select
from sqlalchemy.orm import Session

from grbcore.catalog import Board
from grbcore.columns import rank_columns
from grbcore.leaderboard import Arena, Leaderboard
from grbcore.results import CLEAN
from grbcore.scenario import Difficulty, Side
from grbcore.store import queries
from grbcore.store.effects import Effects, effects, of_job
from grbcore.store.locks import take_time
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
    revived: tuple[str, ...]  # entries that had failed and will be evaluating, or ranked

    @property
    def moved(self) -> int:
        """How many entries get another rank, or lose theirs."""
        return sum(
            change.rank_before != change.rank_after
            for changes in self.ranks.values()
            for change in changes
        )


def preview(
    session: Session,
    board: Board,
    job: Reevaluation,
    *,
    view: View,
    difficulty: Difficulty,
    found: Effects | None = None,
) -> Preview:
    """What applying this re-evaluation now would change on its board; ``found``: where known."""
    take_time(session)
    row = session.get_one(BoardRow, job.board_id)
    found = found or effects(session, board, row, job)
    unseen = kept(session, board.id, clock())
    entries = [
        entry
        for entry in queries.heads(session, board.id, also=found.revived)
        if entry.id not in unseen
    ]
    now = arena(entries, board, view=view)
    then = arena(
        [entry for entry in entries if entry.id not in found.leaving],
        board,
        view=view,
        joining=found.joining,
    )
    changed = found.before.differ(found.after)
    sides: tuple[Side, Side] = ("defense", "attack")
    return Preview(
        revision=row.revision,
        view=view,
        difficulty=difficulty,
        unfinished=_unfinished(session, job),
        changed=int(changed.sum()),
        public=_public(session, job, found, changed, unseen),
        ranks={side: _changes(now, then, found, side, difficulty) for side in sides},
        largest=_largest(found, changed, difficulty),
        unmeasured=_unmeasured(session, job),
        failing=tuple(sorted(found.failed)),
        waiting=tuple(sorted(found.waiting)),
        revived=found.revived,
    )


def _public(
    session: Session,
    job: Reevaluation,
    found: Effects,
    changed: NDArray[np.bool_],
    unseen: Collection[str],
) -> Public:
    attack, defense = CellRow.attack_id, CellRow.defense_id
    seen = and_(or_(attack.is_(None), attack.not_in(unseen)), defense.not_in(unseen))
    cells = select(func.count()).select_from(CellRow).where(of_job(job.id), seen)
    rows = [place for name, place in found.before.attacks.items() if name not in unseen]
    columns = [place for name, place in found.before.defenses.items() if name not in unseen]
    return Public(session.scalar(cells) or 0, int(changed[np.ix_(rows, columns)].sum()))


def _changes(
    now: Arena, then: Arena, found: Effects, side: Side, difficulty: Difficulty
) -> tuple[Change, ...]:
    """Entries in the order of their new ranks; those that have none any more come last."""
    before = _standing(rank_columns(now, found.before, side, difficulty))
    after = _standing(rank_columns(then, found.after, side, difficulty))
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


def _largest(
    found: Effects, changed: NDArray[np.bool_], difficulty: Difficulty
) -> tuple[Difference, ...]:
    """The cells that change most at one difficulty."""
    rows, columns = np.nonzero(changed)
    before, after = (
        cells.means(rows, columns, difficulty) for cells in (found.before, found.after)
    )
    size = np.nan_to_num(np.abs(after - before))  # no number where one lacks the difficulty
    least = np.partition(size, -LARGEST)[-LARGEST] if size.size > LARGEST else 0.0
    attacks, defenses = list(found.before.attacks), list(found.before.defenses)
    differences = []
    for place in np.flatnonzero((size > 0) & (size >= least)):
        attack, defense = attacks[rows[place]], defenses[columns[place]]
        differences.append(
            Difference(
                None if attack == CLEAN else attack,
                defense,
                float(before[place]),
                float(after[place]),
            )
        )
    differences.sort(key=lambda one: (-abs(one.after - one.before), one.defense, one.attack or ""))
    return tuple(differences[:LARGEST])


def _unfinished(session: Session, job: Reevaluation) -> int:
    waits = and_(of_job(job.id), CellRow.state.in_(("queued", "running")))
    return session.scalar(select(func.count()).select_from(CellRow).where(waits)) or 0


def _unmeasured(session: Session, job: Reevaluation) -> tuple[Unmeasured, ...]:
    query = (
        select(
            CellRow.id,
            CellRow.attack_id,
            CellRow.defense_id,
            CellRow.state,
            CellRow.newcomer_id,
            CellRow.error_code,
            CellRow.reason,
        )
        .where(of_job(job.id), CellRow.state.in_(("failed", "dead")))
        .order_by(CellRow.id)
    )
    return tuple(
        Unmeasured(
            cell, attack, defense, state, newcomer if state == "failed" else None, code, reason
        )
        for cell, attack, defense, state, newcomer, code, reason in session.execute(query)
    )
