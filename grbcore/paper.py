"""The paper's table over any choice of attacks, defenses and difficulties.

Rows are attack x difficulty and the row without an attack, columns the defenses; beside each row
the attack's Avg, 3-Max and Weighted over the chosen defenses, below each column the defense's Avg,
3-Min and Weighted over the chosen attacks and the clean row.

Source: GRB, Section 4.3 and Tables 13-17; red and blue there mark the best results of attacks and
of defenses in each difficulty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeVar

import numpy as np

from grbcore.metrics import METRICS, Accuracies, Score, per_repeat
from grbcore.results import CLEAN, Cell
from grbcore.scenario import DIFFICULTIES, Difficulty, Side

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
    name: Preset, attacks: Sequence[str], defenses: Sequence[str], families: Mapping[str, str]
) -> Choice:
    """A choice that has a name.

    ``main`` is the paper's: the five strongest attacks, the ten best defenses, all difficulties.
    ``brief`` has three and five of them at full only, ``complete`` everything (30 of a side at
    most), ``no-defenses`` the five strongest attacks against models that do nothing against them.

    Args:
        attacks: ids, the strongest first.
        defenses: ids, the best first.
        families: of the defenses, by id.
    """
    ranked = tuple(attacks), tuple(defenses)
    if name == "brief":
        return Choice(ranked[0][:3], ranked[1][:5], ("full",))
    if name == "complete":
        return Choice(ranked[0][:COMPLETE], ranked[1][:COMPLETE], DIFFICULTIES)
    if name == "no-defenses":
        plain = tuple(one for one in defenses if families.get(one) in PLAIN)
        return Choice(ranked[0][:5], plain[:COMPLETE], DIFFICULTIES)
    return Choice(ranked[0][:5], ranked[1][:10], DIFFICULTIES)


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


def table(choice: Choice, cells: Iterable[Cell], repeats: int, base: str | None = None) -> Table:
    """The paper's table: metrics in each repeat first, then mean and std over repeats.

    An attack that lacks a difficulty has no row there and counts for no defense there; an entry
    that lacks a cell of the choice has no metric.

    Args:
        choice: what stands in it.
        cells: measured cells; those of other entries are left out.
        repeats: of the board; a cell with a single repeat stands in all of them.
        base: the attack (or `CLEAN`) or the defense that differences are taken from.

    Raises:
        ValueError: a cell has neither one repeat nor the board's.
    """
    measured = _measured(choice, cells, repeats)
    carried = {(attack, difficulty) for attack, difficulty, _ in measured}
    defending: dict[tuple[str, Difficulty, Printed], Draws] = {}
    attacking: dict[tuple[str, Difficulty, Printed], Draws] = {}
    rows = {}
    for at in choice.difficulties:
        present = [one for one in choice.attacks if (one, at) in carried]
        rows[at] = len(present) + 1
        for defense in choice.defenses:
            keys = [(attack, at, defense) for attack in (*present, CLEAN)]
            defending |= _metrics(defense, at, [measured.get(key) for key in keys], "defense")
        for attack in (*present, CLEAN):
            keys = [(attack, at, defense) for defense in choice.defenses]
            attacking |= _metrics(attack, at, [measured.get(key) for key in keys], "attack")
    found = Table(
        choice,
        _against(measured, lambda key: _base_cell(key, choice, base)),
        _against(attacking, lambda key: (base or "", *key[1:])),
        _against(defending, lambda key: (base or "", *key[1:])),
        rows,
        len(choice.defenses),
    )
    return _marked(found)


class Firsts(NamedTuple):
    """The cells that are the strongest attacks of their columns, and the best of their rows."""

    attacks: list[str]
    defenses: list[str]


def firsts(means: Mapping[tuple[str, str, str], float]) -> Firsts:
    """Of a matrix at one difficulty the best, as `table` marks them.

    Args:
        means: accuracies by attack (`CLEAN` among them), defense and the cell's id.
    """
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


def _measured(choice: Choice, cells: Iterable[Cell], repeats: int) -> dict[Key, Draws]:
    attacks, defenses = {*choice.attacks, CLEAN}, set(choice.defenses)
    keys: list[Key] = []
    rows: list[tuple[float, ...]] = []
    repeated: list[bool] = []
    for cell in cells:
        if cell.attack not in attacks or cell.defense not in defenses:
            continue
        for at in choice.difficulties:
            if at in cell.correct:
                values = cell.accuracy(at)
                if len(values) not in (1, repeats):
                    raise ValueError(f"repeats: found {len(values)}, allowed: 1 or {repeats}")
                keys.append((cell.attack, at, cell.defense))
                rows.append(values if len(values) == repeats else values * repeats)
                repeated.append(len(values) > 1)
    filled = np.array(rows, np.float64).reshape(-1, repeats)
    return dict(zip(keys, _draws(filled, repeated), strict=True))


def _draws(values: Accuracies, repeated: Sequence[bool]) -> list[Draws]:
    """Of each row of (n, R) float64."""
    scores = _scores(values, repeated)
    return [Draws(*one) for one in zip(values, repeated, scores, strict=True)]


def _scores(values: Accuracies, repeated: Sequence[bool]) -> list[Score]:
    """`metrics.score` of each row of (n, R) float64; of one at a time a large table takes long."""
    several = values.shape[1] > 1
    means, spreads = values.mean(axis=1).tolist(), values.std(axis=1).tolist()
    return [
        Score(mean, spread if more and several else None)
        for mean, spread, more in zip(means, spreads, repeated, strict=True)
    ]


def _metrics(
    entry: str, at: Difficulty, found: Sequence[Draws | None], side: Side
) -> dict[tuple[str, Difficulty, Printed], Draws]:
    rows = [one for one in found if one is not None]
    if not rows or len(rows) != len(found):
        return {}
    every = per_repeat(np.stack([one.values for one in rows]), side)
    repeated = any(one.repeated for one in rows)
    draws = dict(zip(METRICS, _draws(every, [repeated] * len(METRICS)), strict=True))
    return {(entry, at, name): draws[name] for name in PRINTED}


def _base_cell(key: Key, choice: Choice, base: str | None) -> Key:
    attack, at, defense = key
    return (attack, at, base) if base in choice.defenses else (base or "", at, defense)


def _against(numbers: Mapping[K, Draws], other: Callable[[K], tuple[str, ...]]) -> dict[K, Value]:
    """The numbers with their distances from others; without the other there is none."""
    by_key: Mapping[tuple[str, ...], Draws] = dict(numbers.items())
    found = {key: Value(draws) for key, draws in numbers.items()}
    bases = {key: one for key in numbers if (one := by_key.get(other(key))) is not None}
    if not bases:
        return found
    base = np.stack([one.values for one in bases.values()])
    distance = np.stack([numbers[key].values for key in bases]) - base
    repeated = [numbers[key].repeated or one.repeated for key, one in bases.items()]
    whole = np.all(base > 0, axis=1)
    parts = _scores(distance / np.where(whole[:, None], base, 1.0), repeated)
    for key, difference, part, there in zip(
        bases, _scores(distance, repeated), parts, whole.tolist(), strict=True
    ):
        found[key] = Value(numbers[key], difference, part if there else None)
    return found


def _marked(found: Table) -> Table:
    """The table with the best of each difficulty marked; what is first together is marked alike."""
    low: dict[tuple[str, ...], float] = {}
    high: dict[tuple[str, ...], float] = {}
    for (attack, at, defense), value in found.cells.items():
        mean = value.draws.score.mean
        high[attack, at] = max(mean, high.get((attack, at), mean))
        if attack != CLEAN:
            low[at, defense] = min(mean, low.get((at, defense), mean))
    for (entry, at, name), value in found.attacks.items():
        if entry != CLEAN:
            mean = value.draws.score.mean
            low["", at, name] = min(mean, low.get(("", at, name), mean))
    for (_, at, name), value in found.defenses.items():
        mean = value.draws.score.mean
        high["", at, name] = max(mean, high.get(("", at, name), mean))
    cells = {
        key: _mark(
            value,
            attack=key[0] != CLEAN and value.draws.score.mean == low[key[1], key[2]],
            defense=value.draws.score.mean == high[key[0], key[1]],
        )
        for key, value in found.cells.items()
    }
    attacks = {
        key: _mark(
            value, attack=key[0] != CLEAN and value.draws.score.mean == low["", key[1], key[2]]
        )
        for key, value in found.attacks.items()
    }
    defenses = {
        key: _mark(value, defense=value.draws.score.mean == high["", key[1], key[2]])
        for key, value in found.defenses.items()
    }
    return replace(found, cells=cells, attacks=attacks, defenses=defenses)


def _mark(value: Value, *, attack: bool = False, defense: bool = False) -> Value:
    # not `dataclasses.replace`, which takes four times as long, for tens of thousands of cells
    return Value(value.draws, value.difference, value.relative, attack, defense)
