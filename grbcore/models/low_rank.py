"""A low-rank matrix in place of an adjacency, kept as its factors."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from grbcore.spmm import Pattern, product

Floats = NDArray[np.float64]

#: Singular values closer than this, relative to the larger, are taken for equal.
TIE = 1e-6

#: Nodes in one block of a sum over nodes.
BLOCK = 256


@dataclass(frozen=True, eq=False)
class LowRank:
    """The symmetric matrix ``Q C Qᵀ``: vectors Q, core C."""

    vectors: Tensor  # (n, r) float32, orthonormal columns
    core: Tensor  # (r, r) float32

    def product(self, dense: Tensor) -> Tensor:
        """The matrix times ``dense`` (n, h): (n, h), in O(n r h), alike for any thread count."""
        if dense.shape[1] == 1:  # a product with one vector is shared by threads in other pieces
            return self.product(dense.expand(-1, 2))[:, :1]
        return self.vectors @ (self.core @ self.coordinates(dense))

    def coordinates(self, dense: Tensor) -> Tensor:
        """``Qᵀ dense`` (r, h), summed over blocks of nodes whose size is fixed: one product over
        all of them is cut by the number of threads, and so rounded otherwise by each.
        """
        pairs = zip(torch.split(self.vectors, BLOCK), torch.split(dense, BLOCK), strict=True)
        return torch.stack([part.T @ values for part, values in pairs]).sum(0)


def truncated(pattern: Pattern, rank: int, edge_weight: Tensor | None = None) -> LowRank:
    """The adjacency's truncated singular value decomposition.

    The adjacency A is symmetric (the weight of an undirected edge is the mean of its two entries
    of ``edge_weight`` (z,)), so its singular values are its eigenvalues' sizes, and with
    eigenvectors Q and eigenvalues L the decomposition is ``U = Q, S = |L|, V = Q sign(L)``.  The
    ``rank`` largest are kept, less those that equal the first left out: which of these came first
    would be chance.  Kept with the pattern, which it outlives by nothing.

    Differentiable in ``edge_weight`` as the projection ``Q Qᵀ A Q Qᵀ``, Q being held: the terms
    by which Q turns are left out.
    """
    if edge_weight is None:
        return _of_pattern(pattern, rank)
    weight = (edge_weight + edge_weight[pattern.reverse]) / 2
    if bool((weight == 1).all()):
        found = _of_pattern(pattern, rank)
    else:
        found = _factors(pattern, weight.detach().double().cpu().numpy(), rank)
    if not weight.requires_grad:
        return found
    projected = found.coordinates(product(pattern, weight, found.vectors))
    return LowRank(found.vectors, found.core + (projected - projected.detach()))


_KEPT: WeakKeyDictionary[Pattern, dict[int, LowRank]] = WeakKeyDictionary()


def _of_pattern(pattern: Pattern, rank: int) -> LowRank:
    kept = _KEPT.setdefault(pattern, {})
    if rank not in kept:
        kept[rank] = _factors(pattern, np.ones(pattern.entries), rank)
    return kept[rank]


def _factors(pattern: Pattern, weight: Floats, rank: int) -> LowRank:
    values, vectors = _leading(pattern, weight, rank + 1)
    order = np.argsort(-np.abs(values), kind="stable")
    sizes = np.abs(values[order])
    floor = sizes[rank] if sizes.shape[0] > rank else 0.0
    largest = sizes.max(initial=0.0)
    kept = order[sizes > max(floor * (1 + TIE), largest * TIE)]
    core = torch.diag(torch.from_numpy(values[kept].astype(np.float32)))
    basis = torch.from_numpy(np.ascontiguousarray(vectors[:, kept]).astype(np.float32))
    device = pattern.col.device
    return LowRank(basis.to(device), core.to(device))


def _leading(pattern: Pattern, weight: Floats, count: int) -> tuple[Floats, Floats]:
    """At least ``count`` eigenvalues, the largest in size, and their vectors; all there are of a
    small matrix, which is solved densely.  Deterministic.
    """
    from scipy import sparse  # here, for what only looks models up starts without it
    from scipy.sparse.linalg import ArpackNoConvergence, eigsh

    size = pattern.size
    if not weight.any():
        return np.zeros(0), np.zeros((size, 0))
    rowptr, col = pattern.rowptr.cpu().numpy(), pattern.col.cpu().numpy()
    matrix = sparse.csr_matrix((weight, col, rowptr), shape=(size, size))
    if size <= 4 * count:
        values, vectors = np.linalg.eigh(matrix.toarray())
        return values, vectors
    start = np.random.default_rng(0).standard_normal(size)
    try:
        values, vectors = eigsh(matrix, k=count, which="LM", v0=start)
    except ArpackNoConvergence as stopped:  # those that converged are a projection all the same
        values, vectors = stopped.eigenvalues, stopped.eigenvectors
    return values, vectors
