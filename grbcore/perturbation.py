"""What an attack does to a graph: new nodes with edges, or flipped edges.

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


Perturbation = Injection | Modification
