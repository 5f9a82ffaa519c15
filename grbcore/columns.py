"""Many cells at once: their counts as arrays, so that a board of a million cells is ranked quickly.

`rank_columns` gives what `leaderboard.rank` gives of the same cells, bit by bit: the metrics of an
entry are computed by the same function, over the same rows in the same order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from grbcore.leaderboard import Arena, Leaderboard, Row, ordered
from grbcore.metrics import Metrics, Score, per_repeat, score
from grbcore.results import CLEAN, Cell
from grbcore.scenario import DIFFICULTIES, SIDES, Difficulty, Side

_ABSENT = -1
_DTYPE = np.dtype("<i4")


def pack(correct: Mapping[Difficulty, Sequence[int]], total: Mapping[Difficulty, int]) -> bytes:
    """A cell's counts in few bytes: for each difficulty the targets, then a count per repeat.

    ``(4, 1 + k)`` int32, little endian, k the most repeats of any difficulty; -1 where there is
    none.
    """
    most = max((len(counts) for counts in correct.values()), default=0)
    packed = np.full((len(DIFFICULTIES), 1 + most), _ABSENT, _DTYPE)
    for place, difficulty in enumerate(DIFFICULTIES):
        counts = correct.get(difficulty)
        if counts is not None:
            packed[place, 0] = total[difficulty]
            packed[place, 1 : 1 + len(counts)] = counts
    return packed.tobytes()


class Columns:
    """The accuracies of cells between these attacks (the row without one among them) and defenses.

    Cells of other entries only tell which difficulties an attack carries.
    """

    def __init__(self, attacks: Iterable[str], defenses: Iterable[str], repeats: int) -> None:
        self.repeats = repeats
        self.attacks = {name: place for place, name in enumerate(dict.fromkeys((*attacks, CLEAN)))}
        self.defenses = {name: place for place, name in enumerate(dict.fromkeys(defenses))}
        shape = (len(DIFFICULTIES), len(self.attacks), len(self.defenses))
        self.accuracy: NDArray[np.float64] = np.full((*shape, repeats), np.nan)
        self.repeated = np.zeros(shape, np.bool_)  # a count for each repeat, not one for all
        self.carried = np.zeros((len(DIFFICULTIES), len(self.attacks)), np.bool_)

    def add(self, defense: str, attacks: Iterable[str], packed: bytes) -> None:
        """The cells of one defense; ``packed`` holds those of the attacks, all of one length.

        Raises:
            ValueError: a cell has neither one repeat nor the board's.
        """
        places = np.fromiter((self.attacks.get(name, -1) for name in attacks), np.intp)
        if not places.size:
            return
        counts = np.frombuffer(packed, _DTYPE).reshape(places.size, len(DIFFICULTIES), -1)
        known = places >= 0
        if not known.all():
            places, counts = places[known], counts[known]
        column = self.defenses.get(defense)
        for difficulty in range(len(DIFFICULTIES)):
            here = counts[:, difficulty]
            there = here[:, 0] != _ABSENT
            self.carried[difficulty, places[there]] = True
            if column is not None and there.any():
                self._fill(difficulty, column, places[there], here[there])

    def _fill(
        self, difficulty: int, column: int, places: NDArray[np.intp], counts: NDArray[np.int32]
    ) -> None:
        found = (counts[:, 1:] != _ABSENT).sum(axis=1)
        wrong = found[(found != 1) & (found != self.repeats)]
        if wrong.size:
            raise ValueError(f"repeats: found {wrong[0]}, allowed: 1 or {self.repeats}")
        shares = counts[:, 1:].astype(np.float64) / counts[:, :1]
        single = found == 1
        filled = np.repeat(shares[:, :1], self.repeats, axis=1)
        if not single.all():
            filled[~single] = shares[~single][:, : self.repeats]
        self.accuracy[difficulty, places, column] = filled
        self.repeated[difficulty, places, column] = found > 1


def columns(arena: Arena, cells: Iterable[Cell]) -> Columns:
    """These cells as columns; of a pair that is there twice the last counts."""
    found = columns_of(arena)
    for cell in {(cell.attack, cell.defense): cell for cell in cells}.values():
        found.add(cell.defense, [cell.attack], pack(cell.correct, cell.total))
    return found


def columns_of(arena: Arena, sides: Sequence[Side] = SIDES) -> Columns:
    """Columns without cells, with room for those that rank these sides."""
    attacks, defenses = list(arena.defense_counterparts), list(arena.attack_counterparts)
    if "attack" in sides:
        attacks += arena.attacks
    if "defense" in sides:
        defenses += arena.defenses
    return Columns(attacks, defenses, arena.repeats)


def rank_columns(
    arena: Arena, cells: Columns, side: Side, difficulty: Difficulty = "full"
) -> Leaderboard:
    """As `leaderboard.rank`."""
    return ordered(rows_of(arena, cells, side), side, difficulty)


def rows_of(arena: Arena, cells: Columns, side: Side) -> list[Row]:
    """The rows of a ranking, in no order; the one without an attack is last of the attacks."""
    if side == "defense":
        return _defenses(arena, cells)
    return _attacks(arena, cells)


def _defenses(arena: Arena, cells: Columns) -> list[Row]:
    counted = _places(cells.attacks, arena.defense_counterparts)
    clean = cells.attacks[CLEAN]
    chosen = [
        np.append(counted[cells.carried[at, counted]], clean) for at in range(len(DIFFICULTIES))
    ]
    metrics = _Metrics("defense")
    without: dict[str, dict[Difficulty, Score]] = {}
    for name in arena.defenses:
        column = cells.defenses[name]
        without[name] = {}
        for at, difficulty in enumerate(DIFFICULTIES):
            rows = cells.accuracy[at, chosen[at], column]
            metrics.add(name, difficulty, rows, cells.repeated[at, chosen[at], column])
            alone = cells.accuracy[at, clean, column]
            if not np.isnan(alone[0]):
                repeats = alone if cells.repeated[at, clean, column] else alone[:1]
                without[name][difficulty] = score(np.array(repeats), repeated=False)
    found = metrics.all()
    return [Row(None, name, found.get(name, {}), without[name]) for name in arena.defenses]


def _attacks(arena: Arena, cells: Columns) -> list[Row]:
    counted = _places(cells.defenses, arena.attack_counterparts)
    names = (*arena.attacks, CLEAN)
    metrics = _Metrics("attack")
    for name in names:
        place = cells.attacks[name]
        for at, difficulty in enumerate(DIFFICULTIES):
            rows = cells.accuracy[at, place, counted]
            metrics.add(name, difficulty, rows, cells.repeated[at, place, counted])
    found = metrics.all()
    return [Row(None, name, found.get(name, {}), None) for name in names]


def _places(known: Mapping[str, int], names: Sequence[str]) -> NDArray[np.intp]:
    return np.array([known[name] for name in names], np.intp)


class _Metrics:
    """As `metrics.summarise` for many entries; means and deviations are computed in one go."""

    def __init__(self, side: Side) -> None:
        self._side: Side = side
        self._values: list[NDArray[np.float64]] = []
        self._about: list[tuple[str, Difficulty, int, bool]] = []

    def add(
        self,
        name: str,
        difficulty: Difficulty,
        rows: NDArray[np.float64],
        repeated: NDArray[np.bool_],
    ) -> None:
        """(n, R) accuracies of an entry; nothing where there is none, or one is missing."""
        if not rows.size or np.isnan(rows).any():
            return
        # the order of a sum depends on how its numbers lie
        self._values.append(per_repeat(np.ascontiguousarray(rows), self._side))
        more = bool(repeated.any()) and rows.shape[1] > 1
        self._about.append((name, difficulty, len(rows), more))

    def all(self) -> dict[str, dict[Difficulty, Metrics]]:
        """What was added, by name and difficulty."""
        found: dict[str, dict[Difficulty, Metrics]] = {}
        if not self._values:
            return found
        values = np.stack(self._values)
        means, spreads = values.mean(axis=2).tolist(), values.std(axis=2).tolist()
        for (name, difficulty, n, repeated), mean, spread in zip(
            self._about, means, spreads, strict=True
        ):
            weighted, average, three = (
                Score(m, s if repeated else None) for m, s in zip(mean, spread, strict=True)
            )
            found.setdefault(name, {})[difficulty] = Metrics(weighted, average, three, n)
        return found
