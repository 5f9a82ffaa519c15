"""Entries against each other on the same targets: their differences, and tests of many pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erfc, sqrt

import numpy as np
from numpy.typing import NDArray

from grbcore.intervals.deviations import LEVEL, Spread, averaged, interval, spread
from grbcore.intervals.sampling import Counts, Sampling
from grbcore.scenario import Side


@dataclass(frozen=True, slots=True)
class Difference:
    """How much higher the first is than the second, and the 95 % interval of that."""

    mean: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Paired:
    """An entry against the first of those compared.

    ``difference`` (4,) is how much higher its metrics are, in the order of `metrics.METRICS`;
    ``p_value`` that of `wilcoxon` on all their hits, corrected by `holm` for all the pairs;
    ``apart`` (4,) says by which metrics the two differ by more than chance.
    """

    difference: Difference
    p_value: float
    apart: NDArray[np.bool_]


def paired(
    entries: Sequence[Sequence[Sequence[Counts]]], sampling: Sampling, side: Side
) -> list[Paired]:
    """Each but the first against the first, by metrics averaged over difficulties.

    Two differ where the interval of their difference leaves 0 out.  Of several pairs one in twenty
    would do so by chance, so then the corrected p-value must be below 0.05 too.

    Args:
        entries: of each, at each of these difficulties, the hits, as `spread` takes them, the
            counterparts in the same order; several difficulties have the same targets.
        sampling: for all of them.
        side: which side they are on; of errors see `scenario.judged_as`.
    """
    first, *others = (
        averaged([spread(rows, sampling, side) for rows in parts]) for parts in entries
    )
    sums, *more = (
        _sums([row for rows in parts for row in rows], len(sampling.repeats)) for parts in entries
    )
    p_values = holm([wilcoxon(one - sums) for one in more])
    found = []
    for other, p_value in zip(others, p_values, strict=True):
        distance = difference(other, first)
        apart = (distance.low > 0) | (distance.high < 0)
        if len(others) > 1:
            apart &= p_value < 1 - LEVEL
        found.append(Paired(distance, p_value, apart))
    return found


def difference(first: Spread, second: Spread) -> Difference:
    """The paired difference of two entries drawn with the same `Sampling`, number by number."""
    found = first - second
    return Difference(found.mean, *interval(found))


def _sums(rows: Sequence[Counts], repeats: int) -> NDArray[np.float64]:
    """(groups,): the hits of all rows and repeats; a single repeat stands in all of them."""
    return np.asarray(
        sum(row.sum(axis=0, dtype=np.float64) * (repeats // len(row)) for row in rows), np.float64
    )


def wilcoxon(differences: NDArray[np.float64]) -> float:
    """Two-sided p-value of Wilcoxon's signed ranks: are differences per target around zero?

    Args:
        differences: (targets,), such as the share of repeats in which one entry hits a target, less
            the other's.

    Targets without a difference are left out and equal ones share their rank; the normal
    approximation, without a correction for continuity.  With one repeat all differences are of one
    size, and this is McNemar's test.
    """
    found = differences[differences != 0]
    if not found.size:
        return 1.0
    _, place, times = np.unique(np.abs(found), return_inverse=True, return_counts=True)
    ranks = (np.cumsum(times) - (times - 1) / 2)[place]
    count = len(found)
    middle = count * (count + 1) / 4
    variance = count * (count + 1) * (2 * count + 1) / 24 - (times**3 - times).sum() / 48
    return erfc(abs(float(ranks[found > 0].sum()) - middle) / sqrt(2 * variance))


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values of several tests, so corrected that below 0.05 stays rare for all of them.

    Source: Holm, A simple sequentially rejective multiple test procedure (1979).
    """
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for passed, place in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - passed) * p_values[place]))
        corrected[place] = largest
    return corrected
