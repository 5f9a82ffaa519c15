"""An adjacency given as a sparse matrix or as edges, checked: undirected, unweighted, no loops."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from grbcore.datasets.reading import csr

Ints = NDArray[np.int64]


def undirected(adjacency: Any, nodes: int | None, faults: list[str]) -> tuple[Ints, Ints] | None:
    """Row pointers and sorted columns, both directions of each edge; None where there are faults.

    A matrix is anything with ``tocsr``, as scipy's are; it must be symmetric.  Anything else is
    taken as edges (2, e), each in one direction or in both.  ``nodes`` is how many there are by
    the features, None where that is not known.
    """
    before = len(faults)
    if hasattr(adjacency, "tocsr"):
        pairs = _entries(adjacency, nodes, faults)
    else:
        pairs = _pairs(adjacency, faults)
    if pairs is None or nodes is None:
        return None
    if pairs.size and not 0 <= pairs.min() <= pairs.max() < nodes:
        worst = pairs.min() if pairs.min() < 0 else pairs.max()
        faults.append(f"adjacency: found node {worst}, allowed: 0..{nodes - 1}")
        return None
    loops = pairs[0] == pairs[1]
    if loops.any():
        node = pairs[0][loops][0]
        faults.append(f"adjacency: found {loops.sum()} self-loops, as at node {node}, allowed: 0")
    keys = np.sort(pairs[0] * nodes + pairs[1])
    again = keys[1:][keys[1:] == keys[:-1]]
    if again.size:
        row, column = divmod(int(again[0]), nodes)
        faults.append(f"adjacency: found edge ({row}, {column}) twice, allowed: each edge once")
    if hasattr(adjacency, "tocsr"):
        _check_symmetry(pairs, keys, nodes, faults)
    return None if len(faults) > before else csr(pairs, nodes)


def _check_symmetry(pairs: Ints, keys: Ints, nodes: int, faults: list[str]) -> None:
    alone = ~np.isin(pairs[1] * nodes + pairs[0], keys)
    if alone.any():
        row, column = pairs[:, alone][:, 0]
        found = f"({row}, {column}) without ({column}, {row})"
        faults.append(f"adjacency: found {found}, allowed: a symmetric matrix")


def _entries(adjacency: Any, nodes: int | None, faults: list[str]) -> Ints | None:
    """The places of a sparse matrix's entries: (2, z)."""
    matrix = adjacency.tocsr()
    shape = tuple(matrix.shape)
    if shape != (nodes, nodes) if nodes is not None else shape[0] != shape[1]:
        size = "n" if nodes is None else nodes
        faults.append(f"adjacency: found shape {shape}, allowed: ({size}, {size})")
        return None
    weights = np.asarray(matrix.data)
    if weights.dtype.kind not in "fiub":
        faults.append(f"adjacency: found weights of {weights.dtype}, allowed: 1")
        return None
    other = weights[~(weights == 1)]
    if other.size:
        faults.append(f"adjacency: found weight {other[0]}, allowed: 1 on every entry stored")
    indptr = np.asarray(matrix.indptr, np.int64)
    rows = np.repeat(np.arange(shape[0]), np.diff(indptr))
    return np.stack([rows, np.asarray(matrix.indices, np.int64)])


def _pairs(adjacency: Any, faults: list[str]) -> Ints | None:
    pairs = np.asarray(adjacency)
    if pairs.ndim != 2 or pairs.shape[0] != 2 or pairs.dtype.kind not in "iu":
        found = f"{pairs.dtype} of shape {pairs.shape}"
        allowed = "a sparse matrix, or edges as whole numbers of shape (2, e)"
        faults.append(f"adjacency: found {found}, allowed: {allowed}")
        return None
    return pairs.astype(np.int64)


def simple(pairs: Any, nodes: int) -> Any:
    """Edges (2, e) without self-loops, each pair once, whatever its direction.

    What is no list of edges between these nodes stays as it is, for `undirected` to refuse.
    """
    found = np.asarray(pairs)
    if found.ndim != 2 or found.shape[0] != 2 or found.dtype.kind not in "iu":
        return pairs
    if found.size and not 0 <= found.min() <= found.max() < nodes:
        return pairs
    ends = np.sort(found.astype(np.int64), axis=0)
    return np.unique(ends[:, ends[0] != ends[1]], axis=1)
