"""Who is first: a pure function from measured cells to a ranking."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from grbcore.metrics import Metric, Metrics, Score, score, summarise
from grbcore.results import CLEAN, Cell
from grbcore.scenario import BUDGETS, DIFFICULTIES, MEAN, Difficulty, Side, judged_as


@dataclass(frozen=True, slots=True)
class Arena:
    """Which entries are ranked, and whom they are scored over.

    ``defense_counterparts`` are the attacks that a defense is scored over, the row without an
    attack always added; ``attack_counterparts`` the defenses that an attack is scored over.  In
    the reference view these are the board's frozen baselines.  ``difficulties`` are the board's;
    where they are budgets, `MEAN` is the mean of each metric over them.  ``errors`` says that less
    is better for a defense, as the board's metric does.
    """

    repeats: int
    attacks: tuple[str, ...]
    defenses: tuple[str, ...]
    attack_counterparts: tuple[str, ...]
    defense_counterparts: tuple[str, ...]
    difficulties: tuple[Difficulty, ...] = DIFFICULTIES
    errors: bool = False

    @property
    def ranked(self) -> Difficulty:
        """What its rankings are ordered by unless one chooses."""
        return MEAN if self.difficulties == BUDGETS else self.difficulties[-1]


@dataclass(frozen=True, slots=True)
class Row:
    """One entry of a ranking, with its metrics at every difficulty where it has any.

    ``rank`` is None where the entry has no score at the chosen difficulty, and for the row
    without an attack; ties share a rank.  ``clean`` is a defense's accuracy without an attack.
    ``worst`` names the counterpart that is worst for it, as `worst_of` finds it.
    """

    rank: int | None
    id: str
    metrics: Mapping[Difficulty, Metrics]
    clean: Mapping[Difficulty, Score] | None
    worst: Mapping[Difficulty, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A ranking by one metric: defenses descending, attacks ascending (lower is stronger); of
    errors the other way round."""

    side: Side
    difficulty: Difficulty
    rows: tuple[Row, ...]


Measured = Mapping[tuple[str, str], Cell]
Carried = set[tuple[str, Difficulty]]


def rank(
    arena: Arena, cells: Iterable[Cell], side: Side, difficulty: Difficulty | None = None
) -> Leaderboard:
    """The ranking of one side at one difficulty, or at what the arena's are ordered by.

    Metrics are computed in each repeat and then averaged.  A row with a single repeat is used in
    all of them.  At each difficulty the counterparts are those that carry it; an entry that lacks
    a cell against one of them has no score there.  The ranking of attacks ends with the row
    without an attack, unranked.
    """
    measured = {(cell.attack, cell.defense): cell for cell in cells}
    if side == "defense":
        # an attack has a difficulty in all of its cells or in none
        carried = {(cell.attack, name) for cell in measured.values() for name in cell.carried}
        rows = [_defense(arena, measured, carried, name) for name in arena.defenses]
    else:
        rows = [_attack(arena, measured, name) for name in arena.attacks]
        rows.append(_attack(arena, measured, CLEAN))
    return ordered(rows, side, difficulty or arena.ranked, errors=arena.errors)


def ordered(
    rows: Sequence[Row],
    side: Side,
    difficulty: Difficulty,
    metric: Metric = "weighted",
    *,
    errors: bool = False,
) -> Leaderboard:
    """These rows as a ranking; the one without an attack comes last, unranked."""
    falling = judged_as(side, errors=errors) == "defense"
    ranked = _ranked([row for row in rows if row.id != CLEAN], falling, difficulty, metric)
    return Leaderboard(side, difficulty, (*ranked, *(row for row in rows if row.id == CLEAN)))


def worst_of(accuracies: NDArray[np.float64], side: Side) -> NDArray[np.intp]:
    """Which of the rows (..., n, R) is worst for an entry by its mean over repeats: (...).

    For a defense the lowest accuracy, for an attack the highest (of errors see
    `scenario.judged_as`); of equal ones the first.
    """
    means = accuracies.mean(axis=-1).round(9)
    return np.asarray(means.argmin(axis=-1) if side == "defense" else means.argmax(axis=-1))


def _defense(arena: Arena, measured: Measured, carried: Carried, defense: str) -> Row:
    pairs = {
        difficulty: [
            (attack, defense)
            for attack in (*arena.defense_counterparts, CLEAN)
            if attack == CLEAN or (attack, difficulty) in carried
        ]
        for difficulty in arena.difficulties
    }
    metrics, worst = _metrics(arena, measured, pairs, "defense")
    without = measured.get((CLEAN, defense))
    alone = {
        difficulty: np.array(without.accuracy(difficulty))
        for difficulty in arena.difficulties
        if without is not None and difficulty in without.carried
    }
    if len(alone) == len(BUDGETS) and arena.difficulties == BUDGETS:
        alone[MEAN] = np.mean([*alone.values()], axis=0)
    clean = {name: score(values, repeated=False) for name, values in alone.items()}
    return Row(None, defense, metrics, clean, {name: pair[0] for name, pair in worst.items()})


def _attack(arena: Arena, measured: Measured, attack: str) -> Row:
    pairs = [(attack, defense) for defense in arena.attack_counterparts]
    metrics, worst = _metrics(arena, measured, dict.fromkeys(arena.difficulties, pairs), "attack")
    return Row(None, attack, metrics, None, {name: pair[1] for name, pair in worst.items()})


def _metrics(
    arena: Arena,
    measured: Measured,
    pairs: Mapping[Difficulty, Sequence[tuple[str, str]]],
    side: Side,
) -> tuple[dict[Difficulty, Metrics], dict[Difficulty, tuple[str, str]]]:
    """At each difficulty with all cells the metrics over its pairs, and which is the worst case."""
    metrics, worst = {}, {}
    judged = judged_as(side, errors=arena.errors)
    matrices, several = [], False
    for difficulty, some in pairs.items():
        cells = [measured.get(pair) for pair in some]
        found = [cell for cell in cells if cell is not None and difficulty in cell.carried]
        if not found or len(found) != len(some):
            continue
        rows = [cell.accuracy(difficulty) for cell in found]
        repeated = any(len(row) > 1 for row in rows)
        matrix = _matrix(rows, arena.repeats)
        metrics[difficulty] = summarise(matrix, judged, repeated=repeated)
        worst[difficulty] = some[int(worst_of(matrix, judged))]
        matrices.append(matrix)
        several = several or repeated
    alike = len({tuple(some) for some in pairs.values()}) == 1
    if arena.difficulties == BUDGETS and len(matrices) == len(BUDGETS) and alike:
        every = np.stack(matrices)
        metrics[MEAN] = summarise(every, judged, repeated=several)
        worst[MEAN] = pairs[BUDGETS[0]][int(worst_of(every.mean(axis=0), judged))]
    return metrics, worst


def _matrix(rows: Sequence[tuple[float, ...]], repeats: int) -> NDArray[np.float64]:
    """(n, R): a row with a single repeat stands in every column."""
    filled = []
    for row in rows:
        if len(row) not in (1, repeats):
            raise ValueError(f"repeats: found {len(row)}, allowed: 1 or {repeats}")
        filled.append(row if len(row) == repeats else row * repeats)
    return np.array(filled, np.float64)


def _ranked(
    rows: Sequence[Row], falling: bool, difficulty: Difficulty, metric: Metric
) -> list[Row]:
    """Sorted by the metric, ties sharing a rank; entries without a score come last."""
    sign = -1 if falling else 1

    def key(row: Row) -> tuple[bool, float, str]:
        metrics = row.metrics.get(difficulty)
        return metrics is None, sign * metrics.of(metric).mean if metrics else 0.0, row.id

    ordered: list[Row] = []
    for position, row in enumerate(sorted(rows, key=key), start=1):
        metrics = row.metrics.get(difficulty)
        place: int | None = position
        if metrics is None:
            place = None
        elif ordered:
            before = ordered[-1].metrics.get(difficulty)
            if before and before.of(metric).mean == metrics.of(metric).mean:
                place = ordered[-1].rank
        ordered.append(replace(row, rank=place))
    return ordered
