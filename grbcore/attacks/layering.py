"""Topologies in which injected nodes are joined to each other too, as SPEIT makes them.

An edge between two injected nodes counts for the limits of both.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grbcore.scenario import InjectionBudget

Ints = NDArray[np.int64]


def random_inter(
    targets: Ints, first: int, *, budget: InjectionBudget, rng: np.random.Generator
) -> Ints:
    """Edges (2, e) int64: each target once, what is left of the budget among the injected nodes.

    Source: SPEIT, KDD Cup 2020; GRB's code, mode "random-inter", which draws the injected node of
    each target by chance.  Here: dealt in turn, so that none has more than one edge above another.
    """
    if min(budget.nodes, budget.edges_per_node, targets.shape[0]) == 0:
        return np.zeros((2, 0), np.int64)
    edges, spare = _once(targets, first, budget.nodes, budget.edges_per_node, rng)
    return np.concatenate([edges, interlinked(spare, first, rng=rng)], axis=1)


def multi_layer(
    targets: Ints, first: int, *, budget: InjectionBudget, rng: np.random.Generator
) -> Ints:
    """Edges (2, e) int64: nine tenths of the nodes at the targets, one tenth behind them.

    Nodes of the first layer are joined to targets, each target once, and to each other, with nine
    tenths of their edges; the rest goes to the second layer, whose nodes keep the same limit.
    Fewer than ten nodes are all of the first layer.
    Source: SPEIT, KDD Cup 2020; GRB's code, mode "multi-layer", whose second layer may be joined to
    a node twice and past its limit.  Here: each pair once, both limits kept.
    """
    if min(budget.nodes, budget.edges_per_node, targets.shape[0]) == 0:
        return np.zeros((2, 0), np.int64)
    behind = budget.nodes // 10
    front = budget.nodes - behind
    limit = max(1, budget.edges_per_node * 9 // 10)
    edges, spare = _once(targets, first, front, limit, rng)
    inner = interlinked(spare, first, rng=rng)
    used = np.bincount(np.concatenate([edges[0], inner.ravel()]) - first, minlength=front)
    left = budget.edges_per_node - used
    parts = [edges, inner]
    for node in range(first + front, first + budget.nodes):
        partners = _widest(left, rng)[: budget.edges_per_node]
        left[partners] -= 1
        parts.append(np.stack([np.full(partners.shape[0], node), first + partners]))
    return np.concatenate(parts, axis=1)


def interlinked(spare: Ints, first: int, *, rng: np.random.Generator) -> Ints:
    """Edges (2, e) int64 among nodes ``first``, ``first + 1`` ... with at most ``spare`` (k,) each.

    The node with most to spare is joined to those with most to spare after it, until none is left
    that could be joined; ties are broken by chance.  It uses up everything wherever some graph
    does, but for one end where the sum is odd.  Source: Havel 1955; Hakimi 1962.
    """
    left = spare.copy()
    parts = [np.zeros((2, 0), np.int64)]
    while (order := _widest(left, rng)).shape[0] > 1:
        node, partners = order[0], order[1 : 1 + left[order[0]]]
        left[node] = 0
        left[partners] -= 1
        parts.append(first + np.stack([np.full(partners.shape[0], node), partners]))
    return np.concatenate(parts, axis=1)


def _once(
    targets: Ints, first: int, nodes: int, limit: int, rng: np.random.Generator
) -> tuple[Ints, Ints]:
    """Edges (2, e) that reach each target once, in turn, and what each node has left (k,)."""
    reached = rng.permutation(targets)[: nodes * limit]
    turns = np.arange(reached.shape[0], dtype=np.int64) % nodes
    return np.stack([first + turns, reached]), limit - np.bincount(turns, minlength=nodes)


def _widest(left: Ints, rng: np.random.Generator) -> Ints:
    """The nodes that have something left, those with most first, ties by chance."""
    order = np.lexsort((rng.permutation(left.shape[0]), -left))
    chosen: Ints = order[left[order] > 0]
    return chosen
