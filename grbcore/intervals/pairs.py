"""Two entries against each other on the same targets: their difference, and tests of many pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erfc, sqrt

import numpy as np
from numpy.typing import NDArray

from grbcore.intervals.deviations import Spread, interval


@dataclass(frozen=True, slots=True)
class Difference:
    """How much higher the first is than the second, and the 95 % interval of that."""

    mean: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def difference(first: Spread, second: Spread) -> Difference:
    """The paired difference of two entries drawn with the same `Sampling`, number by number."""
    found = first - second
    return Difference(found.mean, *interval(found))


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
