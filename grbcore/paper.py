"""The paper's table over any choice of attacks, defenses and difficulties.

Rows are attack x difficulty and the row without an attack, columns the defenses; beside each row
the attack's Avg, 3-Max and Weighted over the chosen defenses, below each column the defense's Avg,
3-Min and Weighted over the chosen attacks and the clean row.

Source: GRB, Section 4.3 and Tables 13-17; red and blue there mark the best results of attacks and
of defenses in each difficulty.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from grbcore.metrics import METRICS, Accuracies, Score, per_repeat
from grbcore.results import CLEAN, Cell
from grbcore.scenario import BUDGETS, DIFFICULTIES, MEAN, Difficulty, Side, judged_as, parts_of

#: The metrics that the paper prints: all of `metrics.METRICS` but the worst case.
Printed = Literal["weighted", "average", "three"]
PRINTED: tuple[Printed, ...] = ("weighted", "average", "three")

Preset = Literal["brief", "main", "complete", "no-defenses"]
#: What is the same in a small board has the name that comes first.
PRESETS: tuple[Preset, ...] = ("main", "brief", "complete", "no-defenses")

#: Families that do nothing against an attack: the paper's models, without layer normalisation and
#: without adversarial training.
PLAIN = frozenset(("GCN", "GAT", "GIN", "APPNP", "TAGCN", "GraphSAGE", "SGCN"))

#: At most so many attacks, and so many defenses, stand in one table.
MOST = 100

#: So many of a side the complete table has at most: the paper's boards have 26 defenses.
COMPLETE = 30


class Choice(NamedTuple):
    """What stands in a table, in its order; the row without an attack is always there."""

    attacks: tuple[str, ...]
    defenses: tuple[str, ...]
    difficulties: tuple[Difficulty, ...]


def preset(
    name: Preset,
    attacks: Sequence[str],
    defenses: Sequence[str],
    families: Mapping[str, str],
    choices: tuple[Difficulty, ...] = DIFFICULTIES,
) -> Choice:
    """A choice that has a name.

    ``main`` is the paper's: the five strongest attacks, the ten best defenses, all difficulties.
    ``brief`` has three and five of them at the last only, ``complete`` everything (30 of a side at
    most), ``no-defenses`` the five strongest attacks against models that do nothing against them.

    Args:
        attacks: ids, the strongest first.
        defenses: ids, the best first.
        families: of the defenses, by id.
        choices: the board's difficulties, the last that which ranks.
    """
    ranked = tuple(attacks), tuple(defenses)
    if name == "brief":
        return Choice(ranked[0][:3], ranked[1][:5], choices[-1:])
    if name == "complete":
        return Choice(ranked[0][:COMPLETE], ranked[1][:COMPLETE], choices)
    if name == "no-defenses":
        plain = tuple(one for one in defenses if families.get(one) in PLAIN)
        return Choice(ranked[0][:5], plain[:COMPLETE], choices)
    return Choice(ranked[0][:5], ranked[1][:10], choices)


@dataclass(frozen=True, slots=True)
class Draws:
    """One number per repeat, (R,) float64; ``repeated`` is false where one stands for all.

    ``score`` is their mean and population standard deviation.
    """

    values: Accuracies
    repeated: bool
    score: Score


@dataclass(frozen=True, slots=True)
class Value:
    """A number of the table, as a fraction.

    ``difference`` is its distance from the base, ``relative`` that as a part of the base's number;
    both are taken in each repeat and averaged then, None without a base (``relative`` where the
    base is 0 in some repeat).  ``best_attack``: no chosen attack leaves this defense less at
    this difficulty (of a metric: none has a lower one).  ``best_defense``: no chosen defense keeps
    more.
    """

    draws: Draws
    difference: Score | None = None
    relative: Score | None = None
    best_attack: bool = False
    best_defense: bool = False


Key = tuple[str, Difficulty, str]  # attack, difficulty, defense
K = TypeVar("K", bound=tuple[str, ...])


@dataclass(frozen=True, slots=True)
class Table:
    """The numbers of a choice.

    ``cells`` by attack (`CLEAN` among them), difficulty and defense.  ``attacks`` and ``defenses``
    hold the metrics by entry, difficulty and metric.  ``rows`` and ``columns`` count what is behind
    the metrics: rows of each difficulty (for defenses), and defenses (for attacks).
    """

    choice: Choice
    cells: Mapping[Key, Value]
    attacks: Mapping[tuple[str, Difficulty, Printed], Value]
    defenses: Mapping[tuple[str, Difficulty, Printed], Value]
    rows: Mapping[Difficulty, int]
    columns: int


def table(
    choice: Choice,
    cells: Iterable[Cell],
    repeats: int,
    base: str | None = None,
    *,
    errors: bool = False,
) -> Table:
    """The paper's table: metrics in each repeat first, then mean and std over repeats.

    At `MEAN` cells and metrics are the means of those at every budget, in each repeat first.
    An attack that lacks a difficulty has no row there and counts for no defense there; an entry
    that lacks a cell of the choice has no metric.

    Args:
        choice: what stands in it.
        cells: measured cells; those of other entries are left out.
        repeats: of the board; a cell with a single repeat stands in all of them.
        base: the attack (or `CLEAN`) or the defense that differences are taken from.
        errors: the cells hold errors, of which a defense wants few.

    Raises:
        ValueError: a cell has neither one repeat nor the board's.
    """
    difficulties, attacks, defenses = _axes(choice)
    several = tuple(one for one in difficulties if one != MEAN)
    if MEAN in difficulties:
        several = (*several, *(one for one in BUDGETS if one not in several))
    by_itself = choice._replace(difficulties=several)
    measured = _measured(by_itself, cells, repeats)
    attacking, defending, rows = _metrics(by_itself, measured, errors)
    measured, attacking, defending = (
        _chosen(one, several, difficulties) for one in (measured, attacking, defending)
    )
    rows = {at: rows[BUDGETS[0] if at == MEAN else at] for at in difficulties}
    sign = -1.0 if errors else 1.0  # what is best for a defense is the largest
    return Table(
        choice,
        _values(
            [(attack, at, defense) for at, attack, defense in product(*_axes(choice))],
            measured,
            _of_base(measured, choice, base),
            red=_strongest(sign * measured.means),
            blue=_best(sign * measured.means, axis=2),
        ),
        _values(
            [(entry, at, name) for at, entry, name in product(difficulties, attacks, PRINTED)],
            attacking,
            _row(attacking, attacks, base),
            red=_strongest(sign * attacking.means),
        ),
        _values(
            [(entry, at, name) for at, entry, name in product(difficulties, defenses, PRINTED)],
            defending,
            _row(defending, defenses, base),
            blue=_best(sign * defending.means, axis=1),
        ),
        rows,
        len(defenses),
    )


class Firsts(NamedTuple):
    """The cells that are the strongest attacks of their columns, and the best of their rows."""

    attacks: list[str]
    defenses: list[str]


def firsts(means: Mapping[tuple[str, str, str], float], *, errors: bool = False) -> Firsts:
    """Of a matrix at one difficulty the best, as `table` marks them.

    Args:
        means: accuracies by attack (`CLEAN` among them), defense and the cell's id.
        errors: they are errors, of which a defense wants few.
    """
    if errors:
        means = {key: -mean for key, mean in means.items()}
    low: dict[str, float] = {}
    high: dict[str, float] = {}
    for (attack, defense, _), mean in means.items():
        high[attack] = max(mean, high.get(attack, mean))
        if attack != CLEAN:
            low[defense] = min(mean, low.get(defense, mean))
    return Firsts(
        [key[2] for key, mean in means.items() if key[0] != CLEAN and mean == low[key[1]]],
        [key[2] for key, mean in means.items() if mean == high[key[0]]],
    )


def wins(found: Table, side: Side) -> dict[str, dict[Difficulty, int]]:
    """Of each entry of a side, how often it is best (shared firsts count), by difficulty.

    For a defense over the rows of the chosen attacks and the clean one, for an attack over the
    chosen defenses.
    """
    entries = found.choice.defenses if side == "defense" else found.choice.attacks
    place, mark = (2, "best_defense") if side == "defense" else (0, "best_attack")
    count = {entry: dict.fromkeys(found.choice.difficulties, 0) for entry in entries}
    for key, value in found.cells.items():
        if getattr(value, mark):
            count[str(key[place])][key[1]] += 1
    return count


class _Numbers:
    """Numbers of a grid (T, …) with one value per repeat; NaN where there is none.

    ``values`` (T, …, R) float64, ``means`` and ``repeated`` (T, …).
    """

    def __init__(self, values: Accuracies, repeated: NDArray[np.bool_]) -> None:
        self.values, self.repeated = values, repeated
        self.means: Accuracies = values.mean(axis=-1)


def _axes(choice: Choice) -> tuple[tuple[Difficulty, ...], tuple[str, ...], tuple[str, ...]]:
    return choice.difficulties, (*choice.attacks, CLEAN), choice.defenses


def _measured(choice: Choice, cells: Iterable[Cell], repeats: int) -> _Numbers:
    """The accuracies (T, attacks and the clean row, defenses, R)."""
    difficulties, attacks, defenses = _axes(choice)
    rows = {name: place for place, name in enumerate(attacks)}
    columns = {name: place for place, name in enumerate(defenses)}
    where: list[tuple[int, int, int]] = []
    shares: list[tuple[float, ...]] = []
    repeated = np.zeros((len(difficulties), len(rows), len(columns)), np.bool_)
    for cell in cells:
        row, column = rows.get(cell.attack), columns.get(cell.defense)
        if row is None or column is None:
            continue
        carried = cell.carried
        for place, at in enumerate(difficulties):
            if at not in carried:
                continue
            found = cell.accuracy(at)
            if len(found) not in (1, repeats):
                raise ValueError(f"repeats: found {len(found)}, allowed: 1 or {repeats}")
            where.append((place, row, column))
            shares.append(found if len(found) == repeats else found * repeats)
            repeated[place, row, column] = len(found) > 1
    values = np.full((*repeated.shape, repeats), np.nan)
    if where:
        values[tuple(np.array(where).T)] = np.array(shares)
    return _Numbers(values, repeated)


def _metrics(
    choice: Choice, measured: _Numbers, errors: bool
) -> tuple[_Numbers, _Numbers, dict[Difficulty, int]]:
    """Those of attacks (T, attacks and the clean row, 3) and of defenses, and how many rows."""
    there = ~np.isnan(measured.means)
    carried: NDArray[np.bool_] = np.asarray(there.any(axis=2))
    carried[:, -1] = True
    _, attacks, defenses = there.shape
    shape = len(there), len(PRINTED), measured.values.shape[-1]
    found = [np.full((shape[0], n, *shape[1:]), np.nan) for n in (attacks, defenses)]
    printed = [METRICS.index(name) for name in PRINTED]
    sides = judged_as("attack", errors=errors), judged_as("defense", errors=errors)
    for at, values in enumerate(measured.values if defenses else ()):
        full: NDArray[np.bool_] = np.asarray(there[at].all(axis=1))
        if full.any():
            found[0][at, full] = per_repeat(values[full], sides[0])[:, printed]
        full = np.asarray(there[at, carried[at]].all(axis=0))
        if full.any():
            below = values[carried[at]][:, full].transpose(1, 0, 2)
            found[1][at, full] = per_repeat(below, sides[1])[:, printed]
    attacking, defending = (
        _Numbers(values, np.stack([measured.repeated.any(axis=axis)] * len(printed), axis=-1))
        for values, axis in zip(found, (2, 1), strict=True)
    )
    rows = dict(zip(choice.difficulties, carried.sum(axis=1).tolist(), strict=True))
    return attacking, defending, rows


def _chosen(
    found: _Numbers, several: Sequence[Difficulty], wanted: Sequence[Difficulty]
) -> _Numbers:
    """The numbers at the difficulties that are wanted; at `MEAN` those of every budget together."""
    values, repeated = [], []
    for difficulty in wanted:
        at = [several.index(one) for one in parts_of(difficulty)]
        values.append(found.values[at].mean(axis=0))
        repeated.append(found.repeated[at].any(axis=0))
    shape = 0, *found.values.shape[1:]
    if not wanted:
        return _Numbers(np.empty(shape), np.empty(shape[:-1], np.bool_))
    return _Numbers(np.stack(values), np.stack(repeated))


def _of_base(measured: _Numbers, choice: Choice, base: str | None) -> _Numbers | None:
    """The number of each cell's base: of its row where the base is a defense, or of its column."""
    if base in choice.defenses:
        place = choice.defenses.index(base)
        return _Numbers(measured.values[:, :, [place]], measured.repeated[:, :, [place]])
    return _row(measured, _axes(choice)[1], base)


def _row(found: _Numbers, names: Sequence[str], base: str | None) -> _Numbers | None:
    if base not in names:
        return None
    place = names.index(base)
    return _Numbers(found.values[:, [place]], found.repeated[:, [place]])


def _best(means: Accuracies, axis: int) -> NDArray[np.bool_]:
    """The largest along this axis; what is first together is marked alike."""
    known: Accuracies = np.where(np.isnan(means), -np.inf, means)
    first: NDArray[np.bool_] = known == known.max(axis=axis, keepdims=True, initial=-np.inf)
    return first & ~np.isnan(means)


def _strongest(means: Accuracies) -> NDArray[np.bool_]:
    """The smallest of the attacks; the row without one, which is the last, is none."""
    return np.pad(_best(-means[:, :-1], axis=1), [(0, 0), (0, 1), (0, 0)])


def _values(
    keys: Sequence[K],
    found: _Numbers,
    base: _Numbers | None,
    *,
    red: NDArray[np.bool_] | None = None,
    blue: NDArray[np.bool_] | None = None,
) -> dict[K, Value]:
    """The numbers by these keys, with their distances from the base; without it there is none."""
    places = np.flatnonzero(~np.isnan(found.means))
    values = found.values.reshape(-1, found.values.shape[-1])[places]
    repeated = found.repeated.reshape(-1)[places]
    nothing: Sequence[Score | None] = [None] * len(places)
    differences, parts = nothing, nothing
    if base is not None:
        of = np.broadcast_to(base.values, found.values.shape).reshape(-1, values.shape[1])[places]
        both = repeated | np.broadcast_to(base.repeated, found.repeated.shape).reshape(-1)[places]
        known, whole = ~np.isnan(of[:, 0]), np.all(of > 0, axis=1)
        differences = _where(known, _scores(values - of, both))
        parts = _where(whole, _scores((values - of) / np.where(whole[:, None], of, 1.0), both))
    draws = map(Draws, values, repeated.tolist(), _scores(values, repeated))
    marks = (nothing if one is None else one.reshape(-1)[places].tolist() for one in (red, blue))
    return {
        keys[place]: Value(one, difference, part, bool(attack), bool(defense))
        for place, one, difference, part, attack, defense in zip(
            places.tolist(), draws, differences, parts, *marks, strict=True
        )
    }


def _scores(values: Accuracies, repeated: NDArray[np.bool_]) -> list[Score]:
    """`metrics.score` of each row of (n, R) float64; of one at a time a large table takes long."""
    several = values.shape[1] > 1
    means, spreads = values.mean(axis=1).tolist(), values.std(axis=1).tolist()
    return [
        Score(mean, spread if more and several else None)
        for mean, spread, more in zip(means, spreads, repeated.tolist(), strict=True)
    ]


def _where(known: NDArray[np.bool_], scores: Sequence[Score]) -> list[Score | None]:
    return [one if there else None for one, there in zip(scores, known.tolist(), strict=True)]
