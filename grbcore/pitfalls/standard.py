"""Graphs as the Pitfalls paper takes them: undirected, connected, binary features."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from grbcore.datasets import DatasetError
from grbcore.datasets.reading import csr
from grbcore.pitfalls.paper import TRAIN

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Standard:
    """An undirected connected graph without loops or weights, binary features, and labels."""

    name: str
    indptr: Ints  # (n + 1,) int64
    indices: Ints  # (2|E|,) int64, sorted within each row
    feature_indptr: Ints  # (n + 1,) int64
    feature_indices: Ints  # (z,) int64: which features each node has, sorted within each row
    features: int
    labels: Ints  # (n,) int64, 0..classes-1

    @property
    def nodes(self) -> int:
        return len(self.labels)

    @property
    def edges(self) -> int:
        """Undirected edges, without self-loops."""
        return len(self.indices) // 2

    @property
    def looped_edges(self) -> int:
        """Undirected edges and a loop at each node, as Table 3 counts them."""
        return self.edges + self.nodes

    @property
    def classes(self) -> int:
        return int(self.labels.max()) + 1

    @property
    def degrees(self) -> Ints:
        return np.diff(self.indptr)

    @property
    def label_rate(self) -> float:
        """The share of nodes that are trained on."""
        return TRAIN * self.classes / self.nodes

    @property
    def density(self) -> float:
        """Edges with loops among half of all pairs of nodes, as Table 3 has it."""
        return 2 * self.looped_edges / self.nodes**2

    @property
    def digest(self) -> str:
        """SHA-256 over the arrays: what a study's runs are runs of."""
        found = hashlib.sha256(f"{self.features}".encode())
        for array in (self.indptr, self.indices, self.feature_indptr, self.feature_indices):
            found.update(np.ascontiguousarray(array, np.int64).tobytes())
        found.update(self.labels.tobytes())
        return found.hexdigest()


def standardise(
    name: str, adjacency: Any, features: Any, labels: Any, *, rarest: int = 1
) -> Standard:
    """A graph as the paper takes it.

    Directions, weights, repeats and self-loops are dropped; the largest connected component is
    kept (of several the one with the lowest node); a feature is there where it is above 0; classes
    are numbered anew where some are gone.  Classes with fewer than ``rarest`` nodes are removed
    and the component taken again, until none is left: the paper does so once, on CoraFull, where
    that is enough.

    Args:
        name: what it is called.
        adjacency: a scipy matrix (n, n).
        features: a scipy matrix or an array (n, d) of numbers.
        labels: (n,) whole numbers from 0.
        rarest: the smallest class that stays, in nodes.

    Raises:
        DatasetError: shapes that do not fit, labels below 0, or no node that is left.
    """
    graph = sparse.csr_matrix(adjacency)
    words = sparse.csr_matrix(features)
    found = np.asarray(labels)
    nodes = graph.shape[0]
    if graph.shape != (nodes, nodes) or words.shape[0] != nodes or found.shape != (nodes,):
        shapes = f"adjacency {graph.shape}, features {words.shape}, labels {found.shape}"
        raise DatasetError(f"{name}: found {shapes}, allowed: (n, n), (n, d) and (n,)")
    if found.dtype.kind not in "iu" or (nodes and found.min() < 0):
        raise DatasetError(f"{name}: found labels of {found.dtype}, allowed: whole numbers from 0")
    kept = np.arange(nodes)
    graph = graph.astype(bool)
    graph = graph + graph.T
    while True:
        kept = kept[_largest(graph[kept][:, kept])] if len(kept) else kept
        sizes = np.bincount(found[kept], minlength=1)
        rare = sizes[found[kept]] < rarest
        if not rare.any():
            break
        kept = kept[~rare]
    if not len(kept):
        raise DatasetError(f"{name}: found no class of {rarest} nodes, allowed: one or more")
    inner = graph[kept][:, kept].tocoo()
    pairs = np.stack([inner.row, inner.col]).astype(np.int64)
    indptr, indices = csr(pairs, len(kept))
    there = (words[kept] > 0).tocsr()
    there.sort_indices()
    classes = np.unique(found[kept])
    return Standard(
        name=name,
        indptr=indptr,
        indices=indices,
        feature_indptr=there.indptr.astype(np.int64),
        feature_indices=there.indices.astype(np.int64),
        features=int(words.shape[1]),
        labels=np.searchsorted(classes, found[kept]).astype(np.int64),
    )


def _largest(graph: Any) -> Ints:
    """The nodes of the largest connected component, sorted."""
    _, component = connected_components(graph, directed=False)
    return np.flatnonzero(component == np.bincount(component).argmax())
