"""Small attributed graphs: nodes and edges with categorical features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class AttributedGraph:
    """One undirected graph without self-loops; its edges are sorted, each stands once.

    A feature's value is the row of its table of embeddings, from 0.
    """

    nodes: Ints  # (n, d) int64, values of the nodes' features
    edges: Ints  # (2, m) int64, u < v, sorted by u, then v
    values: Ints  # (m, e) int64, values of the edges' features

    @staticmethod
    def of(nodes: Ints, edges: Ints, values: Ints) -> AttributedGraph:
        """A graph of edges in any order and direction.

        Raises:
            ValueError: shapes don't fit, an edge names no node, is a self-loop, or stands twice.
        """
        nodes, edges, values = (np.asarray(part, np.int64) for part in (nodes, edges, values))
        if nodes.ndim != 2 or len(nodes) == 0:
            raise ValueError(f"nodes: found shape {nodes.shape}, allowed: (n, d), n of 1 or more")
        if edges.ndim != 2 or len(edges) != 2:
            raise ValueError(f"edges: found shape {edges.shape}, allowed: (2, m)")
        if values.ndim != 2 or len(values) != edges.shape[1]:
            raise ValueError(f"values: found shape {values.shape}, allowed: ({edges.shape[1]}, e)")
        low, high = np.sort(edges, axis=0)
        if len(low) and not (low.min() >= 0 and high.max() < len(nodes)):
            raise ValueError(f"edges: found nodes outside, allowed: 0..{len(nodes) - 1}")
        if bool((low == high).any()):
            raise ValueError("edges: found a self-loop, allowed: none")
        order = np.lexsort((high, low))
        edges = np.stack([low, high])[:, order]
        if bool((np.diff(edges[0] * len(nodes) + edges[1]) == 0).any()):
            raise ValueError("edges: found an edge twice, allowed: each undirected edge once")
        return AttributedGraph(nodes, edges, values[order])

    @property
    def n(self) -> int:
        return int(self.nodes.shape[0])

    @property
    def m(self) -> int:
        return int(self.edges.shape[1])

    def keys(self) -> Ints:
        """u·n + v of each edge (m,), ascending."""
        found: Ints = self.edges[0] * self.n + self.edges[1]
        return found

    def adjacency(self) -> NDArray[np.bool_]:
        """The symmetric adjacency matrix (n, n)."""
        found = np.zeros((self.n, self.n), bool)
        found[self.edges[0], self.edges[1]] = found[self.edges[1], self.edges[0]] = True
        return found

    def permuted(self, order: Ints) -> AttributedGraph:
        """The same graph, its node ``order[i]`` now called i."""
        place = np.empty(self.n, np.int64)
        place[order] = np.arange(self.n)
        return AttributedGraph.of(self.nodes[order], place[self.edges], self.values)

    def same(self, other: AttributedGraph) -> bool:
        """Whether both are one graph with the same names of nodes."""
        parts = ((self.nodes, other.nodes), (self.edges, other.edges), (self.values, other.values))
        return all(np.array_equal(mine, theirs) for mine, theirs in parts)
