"""Random perturbations of small graphs, and the values that features may take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal, get_args

import numpy as np

from grbcore.graphlevel.changes import Changes
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.graphlevel.graphs import AttributedGraph, Ints

Kind = Literal["remove", "add", "rewire", "nodes", "edges"]

#: Every kind of random change.
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Values:
    """The values that an attack may give to each feature of nodes and of edges."""

    nodes: tuple[tuple[int, ...], ...]
    edges: tuple[tuple[int, ...], ...]

    @staticmethod
    def of(dataset: GraphDataset) -> Values:
        """Those that occur in the dataset.  Source: the thesis, section 5.3."""
        nodes = np.concatenate([graph.nodes for graph in dataset.graphs])
        edges = np.concatenate([graph.values for graph in dataset.graphs])
        return Values(_occurring(nodes), _occurring(edges))

    def of_an_edge(self) -> Ints:
        """All features of an added edge, one combination a row (F, e)."""
        return np.array(list(product(*self.edges)), np.int64).reshape(-1, len(self.edges))


def _occurring(table: Ints) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(np.unique(column).tolist()) for column in table.T)


def random_changes(
    graph: AttributedGraph, kind: Kind, k: int, *, values: Values, rng: np.random.Generator
) -> Changes:
    """``k`` random changes of one kind; fewer where the graph has no room for k.

    An added edge carries the features of a random edge of the graph, a rewired one keeps its own
    and one of its ends.  Of features one value changes, of ``k`` nodes or edges.
    Source: the thesis, section 4.3.1.  Its released code writes the new features to the first k
    nodes.  Here: to the k nodes that were drawn.
    """
    if kind == "remove":
        chosen = rng.choice(graph.m, min(k, graph.m), replace=False)
        return _flipped(graph.edges[:, chosen])
    if kind == "add":
        absent = absent_pairs(graph)
        if not graph.m:
            return Changes.empty()  # there are no features to draw from
        pairs = absent[:, rng.choice(absent.shape[1], min(k, absent.shape[1]), replace=False)]
        carried = graph.values[rng.integers(0, graph.m, pairs.shape[1])]
        return _flipped(pairs, pairs, carried)
    if kind == "rewire":
        return _rewired(graph, k, rng)
    if kind == "nodes":
        node, feature, value = _changed(graph.nodes, k, values.nodes, rng)
        return Changes(
            Changes.empty().flips, np.stack([node, feature, value]), Changes.empty().edge_changes
        )
    edge, feature, value = _changed(graph.values, k, values.edges, rng)
    found = np.stack([*graph.edges[:, edge], feature, value])
    return Changes(Changes.empty().flips, Changes.empty().node_changes, found)


def absent_pairs(graph: AttributedGraph) -> Ints:
    """The pairs u < v (2, n(n-1)/2 - m) that are no edges, sorted."""
    u, v = np.triu_indices(graph.n, 1)
    absent = ~graph.adjacency()[u, v]
    return np.stack([u[absent], v[absent]])


def _flipped(pairs: Ints, added: Ints | None = None, carried: Ints | None = None) -> Changes:
    """These pairs flipped; those of them that are ``added`` carry features (a, e)."""
    changes = Changes.empty().edge_changes
    if added is not None and carried is not None:
        features = carried.shape[1]
        columns = np.tile(np.arange(features), added.shape[1])
        changes = np.stack([*np.repeat(added, features, axis=1), columns, carried.ravel()])
    return Changes(pairs, Changes.empty().node_changes, changes)


def _rewired(graph: AttributedGraph, k: int, rng: np.random.Generator) -> Changes:
    adjacency = graph.adjacency()
    removed: list[tuple[int, int]] = []
    added: list[tuple[int, int]] = []
    carried: list[Ints] = []
    for edge in rng.permutation(graph.m):
        if len(added) == k:
            break
        stays, goes = rng.permutation(graph.edges[:, edge])
        # not to itself, not to a neighbour of then, of now, or of before
        free = ~adjacency[stays]
        free[stays] = False
        if not free.any():
            continue
        new = rng.choice(np.flatnonzero(free))
        adjacency[stays, new] = adjacency[new, stays] = True
        removed.append((min(stays, goes), max(stays, goes)))
        added.append((min(stays, new), max(stays, new)))
        carried.append(graph.values[edge])
    if not added:
        return Changes.empty()
    return _flipped(np.array(removed + added).T, np.array(added).T, np.array(carried))


def _changed(
    table: Ints, k: int, allowed: Sequence[tuple[int, ...]], rng: np.random.Generator
) -> tuple[Ints, Ints, Ints]:
    """Rows, features and new values: of each of k rows one of its single changes, uniformly."""
    rows, features, found = [], [], []
    for row in rng.choice(len(table), min(k, len(table)), replace=False):
        options = [
            (feature, value)
            for feature, values in enumerate(allowed)
            for value in values
            if value != table[row, feature]
        ]
        if options:
            feature, value = options[rng.integers(len(options))]
            rows.append(row)
            features.append(feature)
            found.append(value)
    return np.array(rows, np.int64), np.array(features, np.int64), np.array(found, np.int64)
