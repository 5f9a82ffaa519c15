"""Where a defense is right: hits by degree or size, margin and class, before and after attack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from grbcore.margins import EDGES, UNKNOWN, Margins
from grbcore.scoring import Hits

Ints = NDArray[np.int64]

#: At most so many groups of degrees, of about as many targets each.
GROUPS = 6


@dataclass(frozen=True, slots=True)
class Group:
    """Targets whose degree, size, margin in percents, or class is ``low`` to ``high``.

    ``correct`` has one count per repeat.
    """

    low: int
    high: int
    targets: int
    correct: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """Targets by what was predicted without and with an attack, one count per repeat.

    ``kept``: right in both; ``lost``: right before only; ``gained``: right after only; ``missed``:
    wrong in both.
    """

    kept: tuple[int, ...]
    lost: tuple[int, ...]
    gained: tuple[int, ...]
    missed: tuple[int, ...]


def degree_groups(degrees: Ints, groups: int = GROUPS) -> Ints:
    """To which group each target belongs: equal degrees are never parted.

    Args:
        degrees: (t,) int64, t at least 1.
        groups: at most so many, of about as many targets each.

    Returns:
        (t,) int64, ascending with the degree; some numbers may be nobody's.
    """
    edges = np.unique(np.quantile(degrees, np.linspace(0, 1, groups + 1), method="higher"))
    place = np.searchsorted(edges, degrees, side="right") - 1
    return np.asarray(np.clip(place, 0, max(len(edges) - 2, 0)), np.int64)


def by_degree(degrees: Ints, hits: Hits, groups: int = GROUPS) -> list[Group]:
    """Hits by the degree of the targets in the clean graph, the lowest first.

    Args:
        degrees: (t,) int64, of the targets; of whole graphs how many nodes they have.
        hits: (R, t) bool, in their order.
        groups: see `degree_groups`.
    """
    return _grouped(degrees, degree_groups(degrees, groups), hits)


@dataclass(frozen=True, slots=True)
class Average:
    """Targets whose degree is ``low`` to ``high``, and their accuracy in each repeat, (R,)."""

    low: int
    high: int
    targets: int
    values: NDArray[np.float64]


def average_by_degree(degrees: Ints, cells: Sequence[Hits], repeats: int) -> list[Average]:
    """The mean over several cells of the accuracy by degree, the lowest degrees first.

    Args:
        degrees: (t,) int64, of the targets.
        cells: one or more of (R or 1, t) bool; a single repeat stands in all of them.
        repeats: R.
    """
    group = degree_groups(degrees)
    found = []
    for one in np.unique(group):
        of = group == one
        shares = [np.broadcast_to(hits[:, of].mean(axis=1), repeats) for hits in cells]
        low, high = int(degrees[of].min()), int(degrees[of].max())
        found.append(Average(low, high, int(of.sum()), np.mean(shares, axis=0)))
    return found


def by_margin(margins: Margins, hits: Hits) -> list[Group]:
    """Hits by how sure the same defense was of the targets on the clean graph, the least first.

    Groups lie between `margins.EDGES`, those without a target left out: ``low`` is the lowest
    percent of the group, ``high`` its highest.  Targets whose margin is not known are in none.

    Args:
        margins: (t,) uint8, percents.
        hits: (R, t) bool, in their order.
    """
    found = []
    for low, above in pairwise(EDGES):
        of = (margins >= low) & (margins < above) & (margins != UNKNOWN)
        if of.any():
            found.append(Group(low, above - 1, int(of.sum()), _counts(hits[:, of])))
    return found


def by_class(labels: Ints, hits: Hits) -> list[Group]:
    """Hits by the true class of the targets; (t,) int64 and (R, t) bool."""
    return _grouped(labels, labels, hits)


def pooled(cells: Sequence[Sequence[Group]], repeats: int) -> list[Group]:
    """The groups of several cells together, the lowest first: targets and hits are added up.

    Args:
        cells: the groups of each, all by the same; a single repeat stands in all of them.
        repeats: R.
    """
    targets: Counter[tuple[int, int]] = Counter()
    correct: dict[tuple[int, int], Ints] = {}
    for one in chain.from_iterable(cells):
        span = (one.low, one.high)
        targets[span] += one.targets
        counts = np.broadcast_to(np.array(one.correct), repeats)
        correct[span] = correct.get(span, np.zeros(repeats, np.int64)) + counts
    return [Group(*span, targets[span], tuple(correct[span].tolist())) for span in sorted(targets)]


def change(before: Hits, after: Hits) -> Change:
    """What an attack changed: (R or 1, t) bool without it, (R, t) with it."""
    earlier = np.broadcast_to(before, after.shape)
    pairs = {
        "kept": earlier & after,
        "lost": earlier & ~after,
        "gained": ~earlier & after,
        "missed": ~earlier & ~after,
    }
    return Change(**{name: _counts(found) for name, found in pairs.items()})


def _grouped(values: Ints, group: Ints, hits: Hits) -> list[Group]:
    found = []
    for one in np.unique(group):
        of = group == one
        low, high = int(values[of].min()), int(values[of].max())
        found.append(Group(low, high, int(of.sum()), _counts(hits[:, of])))
    return found


def _counts(hits: Hits) -> tuple[int, ...]:
    return tuple(int(count) for count in hits.sum(axis=1))
