"""The deviations of one entry's scores over the draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grbcore.intervals.quantiles import Z, t_quantile
from grbcore.intervals.sampling import Counts, Floats, Sampling
from grbcore.metrics import per_repeat, weights
from grbcore.scenario import Side

#: How much of the distribution an interval spans.
LEVEL = 0.95

#: Up to so many rows are sorted by a network of minima and maxima, which is faster than sorting.
_NETWORK = 32


@dataclass(frozen=True, slots=True)
class Spread:
    """What is known of a number, or of several in the first axes.

    ``values`` (…, R) are those of the repeats, whose mean is the estimate; ``nodes`` (…, B) its
    deviations over draws of targets, ``repeats`` (…, B) those over repeats, normal ones.
    ``student`` (B,) is that of the `Sampling`.
    """

    values: NDArray[np.float64]
    nodes: Floats
    repeats: Floats
    student: Floats

    @property
    def mean(self) -> NDArray[np.float64]:
        """The estimates (…)."""
        return np.asarray(self.values.mean(axis=-1))

    @property
    def errors(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The variances (…) of the estimates: that over targets, and that over repeats."""
        nodes = self.nodes.var(axis=-1, dtype=np.float64)
        count = self.values.shape[-1]
        repeats = self.values.var(axis=-1) / (count - 1) if count > 1 else np.zeros_like(nodes)
        return nodes, repeats

    def __sub__(self, other: Spread) -> Spread:
        """The difference of two that were drawn alike."""
        return Spread(
            self.values - other.values,
            self.nodes - other.nodes,
            self.repeats - other.repeats,
            self.student,
        )

    def __getitem__(self, index: Any) -> Spread:
        """A part, by an index into the first axes."""
        return Spread(self.values[index], self.nodes[index], self.repeats[index], self.student)


def spread(rows: Sequence[Counts], sampling: Sampling, side: Side) -> Spread:
    """The four metrics of an entry, in the order of `metrics.METRICS`: (4, R) and (4, B).

    Args:
        rows: the hits of each counterpart, (R, groups) or (1, groups), as `grouped` gives them; a
            row with a single repeat stands in all.
        sampling: of the same targets.
        side: which side the entry is on; of errors see `scenario.judged_as`.
    """
    point, drawn = _drawn(rows, sampling)
    return _of(per_repeat(point, side), _metrics(drawn, side), sampling)


def cells(rows: Sequence[Counts], sampling: Sampling) -> Spread:
    """The accuracy of each cell: (n, R) and (n, B)."""
    return _of(*_drawn(rows, sampling), sampling)


def spread_and_cells(
    rows: Sequence[Counts], sampling: Sampling, side: Side
) -> tuple[Spread, Spread]:
    """Both from the same draws, which are what takes the time."""
    point, drawn = _drawn(rows, sampling)
    each = _of(point, drawn, sampling)  # before the draws are sorted in place
    return _of(per_repeat(point, side), _metrics(drawn, side), sampling), each


def together(spreads: Sequence[Spread]) -> Spread:
    """Several, in a new first axis."""
    return Spread(
        np.stack([one.values for one in spreads]),
        np.stack([one.nodes for one in spreads]),
        np.stack([one.repeats for one in spreads]),
        spreads[0].student,
    )


def averaged(spreads: Sequence[Spread]) -> Spread:
    """The mean of numbers that were drawn alike, such as one metric at each of several budgets.

    Each is a score of the same targets and of its own perturbations, repeat by repeat.
    """
    if len(spreads) == 1:
        return spreads[0]
    first, *others = spreads
    values, nodes, repeats = (
        sum((getattr(one, name) for one in others), getattr(first, name)) / len(spreads)
        for name in ("values", "nodes", "repeats")
    )
    return Spread(values, nodes, repeats, first.student)


def interval(found: Spread) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The ends (…) of the 95 % interval of each number.

    Few repeats tell little of their own spread: their deviations are widened, to the full
    ``t(R-1)/z`` where repeats are all that counts.  Where targets count too there are more degrees
    of freedom, ``f = (R-1) (T + V) / V``, T and V being the variances of the mean over targets and
    over repeats, and V is widened to ``(t(f)/z)^2 (T + V) - T``.  Satterthwaite's square of the
    fraction is too sure of itself where V is small by chance, `t(R-1)` throughout too careful.

    Source: after Satterthwaite, An approximate distribution of estimates of variance components
    (1946).
    """
    repeats = found.values.shape[-1]
    deviations: Floats = found.nodes
    if repeats > 1:
        over_nodes, over_repeats = found.errors
        both = over_nodes + over_repeats
        with np.errstate(divide="ignore", invalid="ignore"):
            freedom = (repeats - 1) * both / over_repeats
            wide = (t_quantile(freedom) / Z) ** 2 * both - over_nodes
            factor = np.sqrt(np.maximum(wide, 0) / over_repeats)
        factor = np.where(over_repeats > 0, factor, 1).astype(np.float32)
        deviations = np.asarray(deviations + factor[..., None] * found.repeats)
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(deviations, [tail, 1 - tail], axis=-1)
    return found.mean + low, found.mean + high


def _of(values: NDArray[np.float64], drawn: Floats, sampling: Sampling) -> Spread:
    """From values (…, R) and the same in each draw, (…, R, B)."""
    nodes = drawn.mean(axis=-2)
    nodes -= nodes.mean(axis=-1, keepdims=True)
    repeats = np.einsum("...rb,rb->...b", drawn, sampling.repeats)
    return Spread(values, nodes, repeats, sampling.student)


def _check(rows: Sequence[Counts], sampling: Sampling) -> None:
    groups, repeats = len(sampling.sizes), len(sampling.repeats)
    wrong = [row.shape for row in rows if row.shape not in ((1, groups), (repeats, groups))]
    if wrong or not rows:
        found = f"{wrong[0]}" if wrong else "no rows"
        raise ValueError(f"hits: found {found}, allowed: (1 or {repeats}, {groups})")


def _drawn(rows: Sequence[Counts], sampling: Sampling) -> tuple[NDArray[np.float64], Floats]:
    """The accuracies of each row in each repeat, (n, R), and in each draw, (n, R, B)."""
    _check(rows, sampling)
    counts = np.concatenate(rows).astype(np.float32)
    point = np.asarray(counts.sum(axis=1, dtype=np.float64) / sampling.sizes.sum())
    found = counts @ sampling.nodes
    found /= sampling.targets
    repeats = len(sampling.repeats)
    if len(found) == len(rows) * repeats:
        return point.reshape(len(rows), repeats), found.reshape(len(rows), repeats, -1)
    lengths = np.array([len(row) for row in rows])[:, None]
    within = np.where(lengths == 1, 0, np.arange(repeats))  # a single repeat stands in all
    places = np.cumsum(lengths)[:, None] - lengths + within
    return point[places], found[places]


def _metrics(drawn: Floats, side: Side) -> Floats:
    """As `metrics.per_repeat`, of (n, R, B): (4, R, B) float32."""
    ordered = _sorted(drawn)
    if side == "attack":
        ordered = ordered[::-1]
    shares = weights(len(ordered)).astype(np.float32)
    flat = ordered.reshape(len(ordered), -1)
    return np.stack(
        [
            (shares @ flat).reshape(ordered.shape[1:]),
            ordered.mean(axis=0),
            ordered[:3].mean(axis=0),
            ordered[0],
        ]
    )


def _sorted(rows: Floats) -> Floats:
    """Sorted along the first axis; may overwrite what it is given."""
    count = len(rows)
    if count > _NETWORK:
        lanes = np.ascontiguousarray(np.moveaxis(rows, 0, -1))
        lanes.sort(axis=-1)
        return np.ascontiguousarray(np.moveaxis(lanes, -1, 0))
    lower = np.empty_like(rows[0])
    for one, other in _comparisons(count):
        np.minimum(rows[one], rows[other], out=lower)
        np.maximum(rows[one], rows[other], out=rows[other])
        rows[one] = lower
    return rows


@cache
def _comparisons(count: int) -> tuple[tuple[int, int], ...]:
    """Batcher's odd-even merge sort of so many: which two are put in order, one after another.

    Source: Knuth, The Art of Computer Programming 3, 5.3.4, Algorithm M (5.2.2).
    """
    found = []
    first = 1
    while first < count:
        step = first
        while step >= 1:
            for begin in range(step % first, count - step, 2 * step):
                for at in range(begin, min(begin + step, count - step)):
                    if at // (2 * first) == (at + step) // (2 * first):
                        found.append((at, at + step))
            step //= 2
        first *= 2
    return tuple(found)
