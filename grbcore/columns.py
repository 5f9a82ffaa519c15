"""Many cells at once: their results as arrays, so that a million of them are ranked quickly.

`rank_columns` gives what `leaderboard.rank` gives of the same cells, bit by bit: metrics are
computed by the same function, over the same rows in the same order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grbcore.leaderboard import Arena, Leaderboard, Row, ordered, worst_of
from grbcore.metrics import Accuracies, Metrics, Score, per_repeat
from grbcore.results import CLEAN, Cell
from grbcore.scenario import (
    BUDGETS,
    DIFFICULTIES,
    MEAN,
    SIDES,
    Difficulty,
    Side,
    judged_as,
    parts_of,
    scale_with,
)

_ABSENT = -1
_COUNTS, _ERRORS = np.dtype("<i4"), np.dtype("<f8")
#: Entries whose metrics are computed together: their accuracies stay in the processor's cache.
_TOGETHER = 64

Places = NDArray[np.intp]
Counts = NDArray[Any]  # int32 counts, or of boards of errors their means, float64
Shares = NDArray[np.float64]


def pack(
    correct: Mapping[Difficulty, Sequence[int]],
    total: Mapping[Difficulty, int],
    errors: Mapping[Difficulty, Sequence[float]] | None = None,
) -> bytes:
    """A cell's results in few bytes: for each difficulty the targets, then a count per repeat.

    ``(D, 1 + k)`` int32, little endian, D the difficulties of the scale that these are of and k the
    most repeats of any difficulty; -1 where there is none.  Of mean ``errors``, in place of counts,
    all are float64.
    """
    values: Mapping[Difficulty, Sequence[float]] = correct if errors is None else errors
    most = max((len(found) for found in values.values()), default=0)
    scale = scale_with(next(iter(values), DIFFICULTIES[0]))
    packed = np.full((len(scale), 1 + most), _ABSENT, _dtype(errors is not None))
    for place, difficulty in enumerate(scale):
        found = values.get(difficulty)
        if found is not None:
            packed[place, 0] = total[difficulty]
            packed[place, 1 : 1 + len(found)] = found
    return packed.tobytes()


def cell_of(
    attack: str,
    defense: str,
    packed: bytes,
    scale: tuple[Difficulty, ...],
    *,
    errors: bool = False,
) -> Cell:
    """The cell whose results `pack` was given.

    ``scale`` holds the difficulties of the cell's board; ``errors`` says that it is one of errors.
    """
    values: dict[Difficulty, Any] = {}
    total: dict[Difficulty, int] = {}
    found = np.frombuffer(packed, _dtype(errors)).reshape(len(scale), -1).tolist()
    for difficulty, (targets, *of) in zip(scale, found, strict=True):
        if targets != _ABSENT:
            values[difficulty] = tuple(one for one in of if one != _ABSENT)
            total[difficulty] = int(targets)
    if errors:
        return Cell(attack, defense, {}, total, errors=values)
    return Cell(attack, defense, values, total)


def _dtype(errors: bool) -> np.dtype[Any]:
    return _ERRORS if errors else _COUNTS


def shares(
    packed: Sequence[bytes], difficulty: Difficulty, *, errors: bool = False
) -> tuple[Shares, Shares]:
    """Of each of these packed cells the accuracy, or mean error, at a difficulty, and its spread
    over repeats.

    At `MEAN` it is the mean over budgets, in each repeat first.

    Returns:
        (n,) float64 each: mean and population standard deviation over the repeats; NaN where the
        attack does not carry the difficulty, the latter also where there is one repeat.
    """
    means, spreads = np.full((2, len(packed)), np.nan)
    scale = scale_with(difficulty)
    lengths = np.fromiter(map(len, packed), np.intp, len(packed))
    for length in np.unique(lengths):
        alike = np.flatnonzero(lengths == length)
        joined = b"".join(packed[place] for place in alike.tolist())
        counts = np.frombuffer(joined, _dtype(errors)).reshape(alike.size, len(scale), -1)
        found = counts[:, [scale.index(budget) for budget in parts_of(difficulty)]]
        there = np.asarray((found[:, :, 0] != _ABSENT).all(axis=1))
        repeats = (found[:, :, 1:] != _ABSENT).sum(axis=2).max(axis=1)
        for number in np.unique(repeats[there]):
            of = (repeats == number) & there
            values = _shares(found[of, :, : 1 + number])[0].mean(axis=1)
            means[alike[of]] = values.mean(axis=1)
            spreads[alike[of]] = values.std(axis=1) if number > 1 else np.nan
    return means, spreads


class Columns:
    """The results of cells between these attacks (the row without one among them) and defenses.

    Cells of other entries only tell which difficulties an attack carries.
    """

    def __init__(
        self,
        attacks: Iterable[str],
        defenses: Iterable[str],
        repeats: int,
        scale: tuple[Difficulty, ...],
        *,
        errors: bool = False,
    ) -> None:
        self.repeats = repeats
        self.scale = scale
        self.errors = errors
        self.attacks: dict[str, int] = {}
        self.defenses: dict[str, int] = {}
        # as in `pack`: (D, attacks, defenses, 1 + R), with room for more of both
        shape = len(scale), 0, 0, 1 + repeats
        self.counts: Counts = np.full(shape, _ABSENT, _dtype(errors))
        self.carried = np.zeros((len(scale), 0), np.bool_)
        self.admit(attacks, defenses)

    def admit(self, attacks: Iterable[str], defenses: Iterable[str]) -> None:
        """Make room for cells of these entries too."""
        for known, names in ((self.attacks, (*attacks, CLEAN)), (self.defenses, defenses)):
            for name in names:
                known.setdefault(name, len(known))
        _, rows, columns, width = self.counts.shape
        if len(self.attacks) <= rows and len(self.defenses) <= columns:
            return
        more = [
            room if needed <= room else needed + (needed // 4 if room else 0)
            for needed, room in ((len(self.attacks), rows), (len(self.defenses), columns))
        ]
        before, carried = self.counts, self.carried
        self.counts = np.full((len(self.scale), *more, width), _ABSENT, before.dtype)
        self.counts[:, :rows, :columns] = before
        self.carried = np.zeros((len(self.scale), more[0]), np.bool_)
        self.carried[:, :rows] = carried

    def copy(self) -> Columns:
        """The same cells, to be changed on their own."""
        other = self.empty()
        other.counts[:] = self.counts
        other.carried[:] = self.carried
        return other

    def empty(self) -> Columns:
        """Columns of the same entries, without cells."""
        other = Columns((), (), self.repeats, self.scale, errors=self.errors)
        other.attacks, other.defenses = dict(self.attacks), dict(self.defenses)
        other.counts = np.full_like(self.counts, _ABSENT)
        other.carried = np.zeros_like(self.carried)
        return other

    def present(self, attacks: Sequence[str], defenses: Sequence[str]) -> NDArray[np.bool_]:
        """(attacks, defenses): whether there is a cell between them, at any difficulty."""
        found = np.ix_(places(self.attacks, attacks), places(self.defenses, defenses))
        there: NDArray[np.bool_] = (self.counts[:, :, :, 0] != _ABSENT).any(axis=0)[found]
        return there

    def differ(self, other: Columns) -> NDArray[np.bool_]:
        """(attacks, defenses): where these and other columns of the same entries both have a cell,
        with other counts at some difficulty."""
        both = [(cells.counts[:, :, :, 0] != _ABSENT).any(axis=0) for cells in (self, other)]
        unlike = (self.counts != other.counts).any(axis=(0, 3))
        return np.asarray(both[0] & both[1] & unlike)

    def means(self, rows: Places, columns: Places, difficulty: Difficulty) -> NDArray[np.float64]:
        """The accuracies, or errors, of the cells at these places, over all repeats; NaN where
        none is."""
        if difficulty == MEAN:
            every = [self.means(rows, columns, budget) for budget in parts_of(difficulty)]
            return np.asarray(np.mean(every, axis=0))
        counts = self.counts[self.scale.index(difficulty), rows, columns]
        found, there = counts[:, 1:], counts[:, 1:] != _ABSENT
        of = there.sum(axis=1) * (1 if self.errors else counts[:, 0])
        with np.errstate(invalid="ignore"):
            shares = found.sum(axis=1, where=there) / of
        return np.where(counts[:, 0] == _ABSENT, np.nan, shares)

    def clear(self, attacks: Iterable[str], defenses: Iterable[str]) -> None:
        """Forget the cells of these entries."""
        self.counts[:, [self.attacks[name] for name in attacks]] = _ABSENT
        self.counts[:, :, [self.defenses[name] for name in defenses]] = _ABSENT

    def add(self, attacks: Sequence[str], defenses: Sequence[str], packed: bytes) -> None:
        """Cells between the attacks and defenses that stand at the same place.

        ``packed`` holds their counts, all of one length.

        Raises:
            ValueError: a cell has neither one repeat nor the board's.
        """
        self.put(places(self.attacks, attacks), places(self.defenses, defenses), packed)

    def put(self, rows: Places, columns: Places, packed: bytes) -> None:
        """As `add`, with the places of the entries; -1 is one that is not here."""
        if not rows.size:
            return
        counts: Counts = np.frombuffer(packed, self.counts.dtype)
        counts = counts.reshape(rows.size, len(self.scale), -1)
        if (rows < 0).any():
            rows, columns, counts = rows[rows >= 0], columns[rows >= 0], counts[rows >= 0]
        there = counts[:, :, 0] != _ABSENT
        for difficulty in range(len(self.scale)):
            self.carried[difficulty, rows[there[:, difficulty]]] = True
        if (columns < 0).any():
            known = columns >= 0
            rows, columns, counts, there = rows[known], columns[known], counts[known], there[known]
        found = (counts[:, :, 1:] != _ABSENT).sum(axis=2)
        wrong = found[there & (found != 1) & (found != self.repeats)]
        if wrong.size:
            raise ValueError(f"repeats: found {wrong[0]}, allowed: 1 or {self.repeats}")
        width = min(counts.shape[2], 1 + self.repeats)
        self.counts[:, rows, columns, :width] = counts[:, :, :width].transpose(1, 0, 2)
        self.counts[:, rows, columns, width:] = _ABSENT


def places(known: Mapping[str, int], names: Sequence[str]) -> Places:
    """Where these entries stand; -1 for one that is not known."""
    return np.fromiter((known.get(name, -1) for name in names), np.intp, len(names))


def columns(arena: Arena, cells: Iterable[Cell]) -> Columns:
    """These cells as columns; of a pair that is there twice the last counts."""
    found = columns_of(arena)
    for cell in {(cell.attack, cell.defense): cell for cell in cells}.values():
        packed = pack(cell.correct, cell.total, cell.errors if arena.errors else None)
        found.add([cell.attack], [cell.defense], packed)
    return found


def columns_of(arena: Arena, sides: Sequence[Side] = SIDES) -> Columns:
    """Columns without cells, with room for those that rank these sides."""
    attacks, defenses = list(arena.defense_counterparts), list(arena.attack_counterparts)
    if "attack" in sides:
        attacks += arena.attacks
    if "defense" in sides:
        defenses += arena.defenses
    return Columns(attacks, defenses, arena.repeats, arena.difficulties, errors=arena.errors)


def rank_columns(
    arena: Arena, cells: Columns, side: Side, difficulty: Difficulty | None = None
) -> Leaderboard:
    """As `leaderboard.rank`."""
    rows = rows_of(arena, cells, side)
    return ordered(rows, side, difficulty or arena.ranked, errors=arena.errors)


def rows_of(arena: Arena, cells: Columns, side: Side) -> list[Row]:
    """The rows of a ranking, in no order; the one without an attack is last of the attacks."""
    names = arena.defenses if side == "defense" else (*arena.attacks, CLEAN)
    mine = cells.defenses if side == "defense" else cells.attacks
    stands = places(mine, names)
    judged = judged_as(side, errors=arena.errors)
    metrics: dict[str, dict[Difficulty, Metrics]] = {name: {} for name in names}
    worst: dict[str, dict[Difficulty, str]] = {name: {} for name in names}
    for first in range(0, len(names), _TOGETHER):
        some = slice(first, first + _TOGETHER)
        blocks: dict[Difficulty, tuple[Counts, Sequence[str]]] = {}
        for at, difficulty in enumerate(arena.difficulties):
            block, others = _block(arena, cells, side, at, stands[some])
            blocks[difficulty] = block[:, None], others
        if arena.difficulties == BUDGETS and len({tuple(of) for _, of in blocks.values()}) == 1:
            every = np.concatenate([block for block, _ in blocks.values()], axis=1)
            blocks[MEAN] = every, blocks[BUDGETS[0]][1]
        for difficulty, (block, others) in blocks.items():
            for name, found in zip(names[some], _metrics(block, judged), strict=True):
                if found is not None:
                    metrics[name][difficulty], place = found
                    worst[name][difficulty] = others[place]
    if side == "attack":
        return [Row(None, name, metrics[name], None, worst[name]) for name in names]
    clean = _without_attack(cells, stands)
    if arena.difficulties == BUDGETS:
        for alone in clean:
            if len(alone) == len(BUDGETS):
                mean = np.mean([score.mean for score in alone.values()], axis=0)
                alone[MEAN] = Score(float(mean), None)
    return [
        Row(None, name, metrics[name], alone, worst[name])
        for name, alone in zip(names, clean, strict=True)
    ]


def accuracies_of(
    cells: Columns, difficulty: Difficulty, attacks: Sequence[str], defenses: Sequence[str]
) -> Accuracies:
    """(attacks, defenses, R): the accuracies, or errors, between them, one repeat standing for all;
    NaN where there is no cell.  At `MEAN` the repeats of each budget follow one another."""
    stands = np.ix_(places(cells.attacks, attacks), places(cells.defenses, defenses))
    found = []
    for one in parts_of(difficulty):
        counts = cells.counts[cells.scale.index(one)][stands]
        shares, _ = _shares(counts)
        shares[counts[:, :, 0] == _ABSENT] = np.nan
        found.append(shares)
    return np.concatenate(found, axis=2)


def _block(
    arena: Arena, cells: Columns, side: Side, at: int, stands: Places
) -> tuple[Counts, Sequence[str]]:
    """(entries, n, 1 + R): at one difficulty, the counts behind the scores of these entries; and
    the n counterparts."""
    if side == "attack":
        counted = places(cells.defenses, arena.attack_counterparts)
        found: Counts = cells.counts[at][np.ix_(stands, counted)]
        return found, arena.attack_counterparts
    counted = places(cells.attacks, arena.defense_counterparts)
    carried = cells.carried[at, counted]
    chosen = np.append(counted[carried], cells.attacks[CLEAN])
    rows: Counts = cells.counts[at][np.ix_(chosen, stands)]
    names = [name for name, there in zip(arena.defense_counterparts, carried, strict=True) if there]
    return rows.transpose(1, 0, 2), (*names, CLEAN)


def _metrics(counts: Counts, side: Side) -> list[tuple[Metrics, int] | None]:
    """As `metrics.summarise` for each entry, with the row that is worst for it; None where there is
    no cell, or one is missing.

    Args:
        counts: (entries, b, n, 1 + R), over whose b difficulties each metric is averaged
    """
    n = counts.shape[2]
    found: list[tuple[Metrics, int] | None] = [None] * len(counts)
    whole = np.flatnonzero((counts[..., 0] != _ABSENT).all(axis=(1, 2)))
    if not n or not whole.size:
        return found
    shares, single = _shares(counts if whole.size == len(counts) else counts[whole])
    more = np.asarray((~single).any(axis=(1, 2)))
    values = per_repeat(shares, side).mean(axis=1)
    means, spreads = values.mean(axis=2).tolist(), values.std(axis=2).tolist()
    worst_rows = worst_of(shares.mean(axis=1), side).tolist()
    for place, mean, spread, repeated, row in zip(
        whole, means, spreads, more, worst_rows, strict=True
    ):
        weighted, average, three, worst = (
            Score(m, s if repeated else None) for m, s in zip(mean, spread, strict=True)
        )
        found[place] = Metrics(weighted, average, three, worst, n), row
    return found


def _without_attack(cells: Columns, stands: Places) -> list[dict[Difficulty, Score]]:
    """Of each of these defenses the accuracy without an attack."""
    found: list[dict[Difficulty, Score]] = [{} for _ in stands]
    for at, difficulty in enumerate(cells.scale):
        counts = cells.counts[at, cells.attacks[CLEAN], stands]
        there = np.flatnonzero(counts[:, 0] != _ABSENT)
        shares, single = _shares(counts[there])
        means = np.where(single, shares[:, 0], shares.mean(axis=1))
        for place, mean in zip(there, means.tolist(), strict=True):
            found[place][difficulty] = Score(mean, None)
    return found


def _shares(counts: Counts) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Accuracies (..., R) of counts (..., 1 + R), and which of them are one repeat for all."""
    shares = _each(counts)
    if shares.shape[-1] == 1:
        return shares, np.ones(shares.shape[:-1], np.bool_)
    single = counts[..., 2] == _ABSENT
    shares[single] = shares[single][:, :1]
    return shares, single


def _each(counts: Counts) -> NDArray[np.float64]:
    """Accuracies (..., R) of counts (..., 1 + R); errors are means already."""
    if counts.dtype == _ERRORS:
        return np.array(counts[..., 1:])
    return np.asarray(counts[..., 1:] / counts[..., :1])
