"""How central a node is: degree, betweenness and eigenvector centrality, all sparse."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from grbcore.attacks.modification.spectrum import adjacency, leading
from grbcore.spmm import Pattern

Floats = NDArray[np.float64]

#: Graphs of at most so many nodes get their exact betweenness.
EXACT = 4096

#: On larger ones shortest paths are counted from so many random nodes.
SOURCES = 256

_AT_ONCE = 64  # sources whose paths are counted together


def degree(pattern: Pattern, rng: np.random.Generator) -> Floats:
    """The number of neighbours: (n,)."""
    result: Floats = pattern.degrees.cpu().numpy().astype(np.float64)
    return result


def betweenness(pattern: Pattern, rng: np.random.Generator) -> Floats:
    """The number of shortest paths between others through each node, in expectation: (n,).

    Source: Brandes, A Faster Algorithm for Betweenness Centrality (2001), level by level for many
    sources at once; Brandes and Pich (2007) for the sampling of sources.
    """
    nodes = pattern.size
    sources = np.arange(nodes) if nodes <= EXACT else rng.choice(nodes, SOURCES, replace=False)
    matrix = adjacency(pattern)
    total = np.zeros(nodes)
    for start in range(0, sources.shape[0], _AT_ONCE):
        total += _dependencies(matrix, sources[start : start + _AT_ONCE])
    # Each pair is counted from both ends.
    result: Floats = total / 2 * (nodes / max(sources.shape[0], 1))
    return result


def _dependencies(matrix: sp.csr_array, sources: NDArray[np.int64]) -> Floats:
    """The summed dependency of the sources on each node: (n,)."""
    nodes, width = matrix.shape[0], sources.shape[0]
    paths = np.zeros((nodes, width))
    paths[sources, np.arange(width)] = 1
    frontier = paths.copy()
    levels = [frontier > 0]
    seen = frontier > 0
    while levels[-1].any():
        frontier = np.where(seen, 0, matrix @ frontier)
        paths += frontier
        levels.append(frontier > 0)
        seen |= levels[-1]
    dependency = np.zeros((nodes, width))
    for upper, lower in zip(levels[-2::-1], levels[:0:-1], strict=True):
        shares = np.divide(1 + dependency, paths, out=np.zeros_like(paths), where=lower)
        dependency += np.where(upper, paths * (matrix @ shares), 0)
    dependency[sources, np.arange(width)] = 0
    result: Floats = dependency.sum(axis=1)
    return result


def eigenvector(pattern: Pattern, rng: np.random.Generator) -> Floats:
    """The entries of the adjacency's leading eigenvector, without sign: (n,)."""
    _, vectors = leading(adjacency(pattern), 1)
    result: Floats = np.abs(vectors[:, 0])
    return result


CENTRALITIES: Mapping[str, Callable[[Pattern, np.random.Generator], Floats]] = {
    "degree": degree,
    "betweenness": betweenness,
    "eigenvector": eigenvector,
}
