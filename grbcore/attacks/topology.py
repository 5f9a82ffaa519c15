"""Which nodes to join: edges from injected nodes to targets."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from grbcore.scenario import InjectionBudget

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def balanced(
    targets: Ints, first: int, *, budget: InjectionBudget, rng: np.random.Generator
) -> Ints:
    """Random edges (2, e) int64 that reach every target once before any target twice.

    New nodes are ``first``, ``first + 1`` and so on; each gets ``budget.edges_per_node`` distinct
    targets, or all of them where there are fewer.
    GRB's code: each node draws its targets alone.  Here: dealt like cards, which is stronger by
    about five points on grb-cora at full.
    """

    def rounds() -> Iterator[Ints]:
        while True:
            yield rng.permutation(targets)

    return deal(rounds(), targets.shape[0], first, budget.nodes, budget.edges_per_node)


def deal(rounds: Iterator[Ints], size: int, first: int, nodes: int, edges_per_node: int) -> Ints:
    """Edges (2, e) from ``nodes`` new nodes, dealt in order from rounds of ``size`` targets.

    Each round holds the same distinct targets in an order of its own.  A node that begins in one
    round and ends in the next leaves what it already holds to the node after it.
    """
    each = min(edges_per_node, size)
    if nodes == 0 or each == 0:
        return np.zeros((2, 0), np.int64)
    hands = []
    deck = next(rounds)
    for _ in range(nodes):
        hand, deck = deck[:each], deck[each:]
        if hand.shape[0] < each:
            fresh = next(rounds)
            free = np.flatnonzero(~np.isin(fresh, hand))[: each - hand.shape[0]]
            hand, deck = np.concatenate([hand, fresh[free]]), np.delete(fresh, free)
        hands.append(hand)
    sources = np.repeat(np.arange(first, first + nodes, dtype=np.int64), each)
    return np.stack([sources, np.concatenate(hands)])


def vulnerability(probability: NDArray[np.float32], degrees: Ints, edges_per_node: int) -> Floats:
    """How much a new neighbour may move each target: (t,) float64, larger is more.

    ``probability`` (t,) is what the surrogate now gives the target's clean label, ``degrees`` (t,)
    the target's present degree.
    ``(p + 2) (0.9 / d + 0.1 / sqrt(d m))`` with d the degree, the node itself counted, and m the
    edges of an injected node: nodes of few neighbours first, among them those still standing.
    Source: Zou et al., TDGIA (KDD 2021), topological defective edge selection, with the constants
    of GRB's code.
    """
    counted = degrees.astype(np.float64) + 1
    defect = 0.9 / counted + 0.1 / np.sqrt(counted * max(edges_per_node, 1))
    result: Floats = (probability.astype(np.float64) + 2) * defect
    return result


def defective(
    targets: Ints,
    scores: Floats,
    labels: Ints,
    first: int,
    *,
    nodes: int,
    edges_per_node: int,
    rng: np.random.Generator,
) -> Ints:
    """Edges (2, e) int64 from ``nodes`` new nodes to the targets of the highest scores.

    Ties are broken by chance.  Each new node gets targets of all ``labels`` (t,) in the same
    proportion.  Where the edges outnumber the targets, every target is met before any twice.
    """
    size = targets.shape[0]
    each = min(edges_per_node, size)
    order = np.lexsort((rng.permutation(size), -scores))
    whole, rest = divmod(nodes * each, max(size, 1))

    def rounds() -> Iterator[Ints]:
        for _ in range(whole):
            yield _mixed(targets, labels, rng)
        best = order[:rest]
        others = order[rest:]
        yield np.concatenate(
            [_mixed(targets[best], labels[best], rng), _mixed(targets[others], labels[others], rng)]
        )

    return deal(rounds(), size, first, nodes, edges_per_node)


def _mixed(targets: Ints, labels: Ints, rng: np.random.Generator) -> Ints:
    """The targets in an order in which every stretch has all labels in the same proportion."""
    shuffled = rng.permutation(targets.shape[0])
    labels = labels[shuffled]
    place = np.empty(labels.shape[0])
    for label in np.unique(labels):
        where = np.flatnonzero(labels == label)
        place[where] = (np.arange(where.shape[0]) + 0.5) / where.shape[0]
    mixed: Ints = targets[shuffled][np.argsort(place, kind="stable")]
    return mixed
