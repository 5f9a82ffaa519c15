"""The pairs that an attacker may flip, numbered, so that they are drawn and never listed."""

from __future__ import annotations

import logging
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from grbcore.attacks.attack import Ints
from grbcore.graph import Graph
from grbcore.perturbation import Modification
from grbcore.scenario import ModificationBudget

logger = logging.getLogger(__name__)

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]

_NONE = np.zeros(0, np.int64)


class Pairs:
    """Every undirected pair with an end among the targets, numbered 0..size-1.

    Targets come first in an order of the nodes, so that pair (a, b) of places a < b is allowed
    where a is a target's; row a holds n - 1 - a pairs.  Memory is O(nodes + edges), however many
    pairs there are.
    """

    def __init__(self, graph: Graph, targets: Ints) -> None:
        nodes = graph.nodes
        wanted = np.zeros(nodes, bool)
        wanted[targets] = True
        self.targets = np.flatnonzero(wanted)
        self.nodes = np.concatenate([self.targets, np.flatnonzero(~wanted)])
        self.place = np.empty(nodes, np.int64)
        self.place[self.nodes] = np.arange(nodes)
        row = np.arange(self.targets.shape[0] + 1)
        self.starts = row * (2 * nodes - row - 1) // 2
        ends = np.stack([graph.pattern.row.cpu().numpy(), graph.col.cpu().numpy()])
        ends = ends[:, (ends[0] < ends[1]) & wanted[ends].any(axis=0)]
        self.existing = np.sort(self.numbers(ends))  # (e,) int64: the edges among the pairs

    @property
    def size(self) -> int:
        return int(self.starts[-1])

    def ends(self, numbers: Ints) -> Ints:
        """The nodes of numbered pairs: (2, k) int64, the lower first."""
        row = np.searchsorted(self.starts, numbers, side="right") - 1
        column = numbers - self.starts[row] + row + 1
        ends: Ints = np.sort(np.stack([self.nodes[row], self.nodes[column]]), axis=0)
        return ends

    def numbers(self, ends: Ints) -> Ints:
        """The numbers (k,) of pairs (2, k) int64, each with an end among the targets."""
        low, high = np.sort(self.place[ends], axis=0)
        numbers: Ints = self.starts[low] + high - low - 1
        return numbers

    def present(self, numbers: Ints) -> Mask:
        """Which of the numbered pairs are edges of the clean graph."""
        return among(numbers, self.existing)

    def draw(self, count: int, rng: np.random.Generator, *, without: Ints = _NONE) -> Ints:
        """Up to ``count`` distinct pairs at random, none of those in ``without``: (k,) int64.

        Fewer only where there are no more.
        """
        want = min(count, self.size - without.shape[0])
        barred = np.sort(without)
        return distinct(
            self.size, want, lambda numbers: ~among(numbers, barred), rng, barred=barred.shape[0]
        )

    def draw_external(self, count: int, labels: Ints, rng: np.random.Generator) -> Ints:
        """Up to ``count`` distinct non-edges between nodes of different ``labels`` (n,).

        Numbered are (target, partner) with the partner among the nodes of other labels, which are
        an interval less where nodes are sorted by label; of two targets only the first counts.
        """
        nodes = labels.shape[0]
        sorted_nodes = np.argsort(labels, kind="stable")
        low = np.searchsorted(labels[sorted_nodes], labels[self.targets], side="left")
        high = np.searchsorted(labels[sorted_nodes], labels[self.targets], side="right")
        ends = np.concatenate([[0], np.cumsum(nodes - (high - low))])

        def pairs(numbers: Ints) -> Ints:
            at = np.searchsorted(ends, numbers, side="right") - 1
            rest = numbers - ends[at]
            other = sorted_nodes[np.where(rest < low[at], rest, rest + high[at] - low[at])]
            return np.stack([self.targets[at], other])

        def legal(numbers: Ints) -> Mask:
            target, other = pairs(numbers)
            mask: Mask = (self.place[target] < self.place[other]) & ~self.present(
                self.numbers(np.stack([target, other]))
            )
            return mask

        edges = self.ends(self.existing)
        joined = int((labels[edges[0]] != labels[edges[1]]).sum())
        counts = np.bincount(labels[self.targets], minlength=int(labels.max(initial=0)) + 1)
        between = (self.targets.shape[0] ** 2 - int((counts**2).sum())) // 2  # of two targets
        available = int(ends[-1]) - between - joined
        found = distinct(
            int(ends[-1]), min(count, available), legal, rng, barred=between // 2 + joined
        )
        return self.numbers(pairs(found))

    def modification(self, numbers: Ints, attack: str, budget: ModificationBudget) -> Modification:
        """The flips of these pairs; what was spent of the budget goes to the log."""
        found = Modification(np.ascontiguousarray(self.ends(numbers)))
        removed = int(self.present(numbers).sum())
        logger.info(
            "%s: %d of %d flips spent, %d edges added, %d removed",
            attack,
            numbers.shape[0],
            budget.flips,
            numbers.shape[0] - removed,
            removed,
        )
        return found


def spent(graph: Graph, modification: Modification) -> tuple[int, int]:
    """How many edges a modification adds to the clean graph, and how many it removes."""
    low, high = np.sort(modification.flips, axis=0)
    edges = graph.pattern.row.cpu().numpy() * graph.nodes + graph.col.cpu().numpy()
    removed = int(among(low * graph.nodes + high, edges).sum())
    return modification.flips.shape[1] - removed, removed


def among(numbers: Ints, ascending: Ints) -> Mask:
    """Which of ``numbers`` are in an ascending array."""
    if ascending.shape[0] == 0:
        return np.zeros(numbers.shape[0], bool)
    at = np.searchsorted(ascending, numbers).clip(max=ascending.shape[0] - 1)
    mask: Mask = ascending[at] == numbers
    return mask


def distinct(
    size: int,
    want: int,
    legal: Callable[[Ints], Mask],
    rng: np.random.Generator,
    *,
    barred: int,
) -> Ints:
    """``want`` distinct numbers below ``size`` at random, all ``legal``: (want,) int64.

    At least ``want`` are legal, and about ``barred`` are not.  Where most of them are wanted or
    barred all are listed, which then costs no more than the answer; else they are drawn until
    enough are legal, each with a chance of a half or better.
    """
    if want <= 0:
        return _NONE
    if size <= 4 * (want + barred):
        every = np.arange(size)
        return rng.permutation(every[legal(every)])[:want]
    found = _NONE
    while (missing := want - found.shape[0]) > 0:
        fresh = np.unique(rng.integers(size, size=2 * missing + 16))
        fresh = fresh[legal(fresh) & ~np.isin(fresh, found)]
        found = np.concatenate([found, rng.permutation(fresh)[:missing]])
    return found
