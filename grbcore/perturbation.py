"""What an attack does to a graph: new nodes with edges, flipped edges, or changes of many graphs.

A perturbation never holds the original graph, so it can't touch what it may not change.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Injection:
    """New nodes with their features, and the edges that join them to the graph.

    In a graph of n nodes the k injected ones are n..n+k-1.  Each undirected edge stands once,
    its first end an injected node; an edge between two injected nodes may stand either way.
    """

    features: Floats  # (k, d) float32, in the normalised space of the board
    edges: Ints  # (2, e) int64, new node -> any node

    @staticmethod
    def empty(dimensions: int) -> Injection:
        """The injection that changes nothing, for features of ``dimensions`` columns."""
        return Injection(np.zeros((0, dimensions), np.float32), np.zeros((2, 0), np.int64))

    @property
    def nodes(self) -> int:
        return int(self.features.shape[0])

    def digest(self) -> str:
        """SHA-256 of the canonical form: edges sorted, so that order does not matter."""
        low, high = np.sort(self.edges, axis=0)
        order = np.lexsort((high, low))
        hasher = hashlib.sha256(b"injection")
        hasher.update(np.ascontiguousarray(np.stack([low, high])[:, order], "<i8").tobytes())
        hasher.update(np.ascontiguousarray(self.features, "<f4").tobytes())
        return hasher.hexdigest()


@dataclass(frozen=True, slots=True, eq=False)
class Modification:
    """Undirected edges that are added where absent and removed where present."""

    flips: Ints  # (2, f) int64, each undirected pair once

    @staticmethod
    def empty() -> Modification:
        """The modification that changes nothing."""
        return Modification(np.zeros((2, 0), np.int64))

    def digest(self) -> str:
        """SHA-256 of the canonical form: pairs sorted, so that order does not matter."""
        low, high = np.sort(self.flips, axis=0)
        order = np.lexsort((high, low))
        hasher = hashlib.sha256(b"modification")
        hasher.update(np.ascontiguousarray(np.stack([low, high])[:, order], "<i8").tobytes())
        return hasher.hexdigest()


@dataclass(frozen=True, slots=True, eq=False)
class GraphChanges:
    """What is flipped and changed in each of G test graphs; ids are local to the graph.

    The three pointers (G + 1,) say which columns of the ``flips``, the ``node_changes`` and the
    ``edge_changes`` are each graph's.  `grbcore.graphlevel.Changes` is the same of one graph.
    """

    graph_ptr: Ints
    node_ptr: Ints
    edge_ptr: Ints
    flips: Ints  # (2, F) int64, u < v, each pair of a graph once
    node_changes: Ints  # (3, A) int64: node, feature, new value
    edge_changes: Ints  # (4, B) int64: u, v, feature, new value; also those of added edges

    @staticmethod
    def empty(graphs: int) -> GraphChanges:
        """What changes nothing in this many graphs."""
        pointer = np.zeros(graphs + 1, np.int64)
        parts = (np.zeros((rows, 0), np.int64) for rows in (2, 3, 4))
        return GraphChanges(pointer, pointer, pointer, *parts)

    def digest(self) -> str:
        """SHA-256 of the canonical form: the columns of each graph sorted."""
        hasher = hashlib.sha256(b"graphs")
        for pointer, part in (
            (self.graph_ptr, self.flips),
            (self.node_ptr, self.node_changes),
            (self.edge_ptr, self.edge_changes),
        ):
            owner = np.repeat(np.arange(len(pointer) - 1), np.diff(pointer))
            order = np.lexsort((*part[::-1], owner))
            hasher.update(np.ascontiguousarray(pointer, "<i8").tobytes())
            hasher.update(np.ascontiguousarray(part[:, order], "<i8").tobytes())
        return hasher.hexdigest()


Perturbation = Injection | Modification | GraphChanges


def of_nodes(perturbation: Perturbation) -> Injection | Modification:
    """The same, of one graph whose nodes are judged.

    Raises:
        ValueError: it is of whole graphs.
    """
    if isinstance(perturbation, GraphChanges):
        raise ValueError("perturbation: found GraphChanges, allowed: Injection or Modification")
    return perturbation
