"""Personalised PageRank of every node, the nodes with most of it, and its gradient; no N x N."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import sparse
from torch import Tensor
from torch.autograd.function import once_differentiable

from grbcore.models.places import Places
from grbcore.spmm import Pattern

_ROWS = 256  # nodes whose walks are followed together
_TIED = 1e-9  # relative difference below which two shares count as the same
_DENSE = 1 << 22  # entries of a block of rows, dense, on the way back


def pagerank(
    pattern: Pattern, values: Tensor, *, teleport: float, neighbours: int, tolerance: float
) -> tuple[Places, Tensor]:
    """The ``neighbours`` largest entries of each row of ``t (I - (1 - t) N)^-1``, and where.

    ``values`` (z,) are those of N on ``pattern``, which holds the diagonal.  Walks are followed
    from each node; what is left of a walk at a node is dropped below ``tolerance``.  Nodes tied
    with the next smaller share are left out, so that the numbering of nodes decides nothing.
    Gives the places and the entries' values, float32, differentiable in ``values``: the choice of
    entries is taken as given, the entries that were not chosen as zero.

    Source: Gasteiger et al., Diffusion Improves Graph Learning, NeurIPS 2019, eqs. 1 and 2.
    """
    matrix = _matrix(pattern.rowptr, pattern.col, values.detach())
    chosen = _largest(matrix, teleport, neighbours, tolerance)
    places = Places.of(
        Pattern(
            torch.from_numpy(chosen.indptr.astype(np.int64)).to(values.device),
            torch.from_numpy(chosen.indices.astype(np.int64)).to(values.device),
        )
    )
    result: Tensor = _PageRank.apply(values, pattern, chosen, teleport)  # type: ignore[no-untyped-call]
    return places, result


class _PageRank(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, values: Tensor, pattern: Pattern, chosen: sparse.csr_matrix, teleport: float
    ) -> Tensor:
        ctx.pattern, ctx.chosen, ctx.teleport = pattern, chosen, teleport
        return torch.from_numpy(chosen.data).to(values)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None, None]:
        """``(1 - t) / t * R^T G R^T`` on the entries of N, R the chosen entries."""
        pattern: Pattern = ctx.pattern
        chosen: sparse.csr_matrix = ctx.chosen
        rowptr, col = pattern.rowptr.cpu().numpy(), pattern.col.cpu().numpy()
        pulled = sparse.csr_matrix(
            (grad.detach().cpu().numpy().astype(np.float64), chosen.indices, chosen.indptr),
            shape=chosen.shape,
        )
        found = np.zeros(col.shape[0])
        back = chosen.T.tocsr()
        rows = max(1, _DENSE // max(1, chosen.shape[0]))
        for start in range(0, chosen.shape[0], rows):
            part = slice(start, start + rows)
            ends = (pulled[part] @ back).toarray()
            reached = chosen[part]
            width = np.diff(rowptr)[reached.indices]
            entry = np.repeat(rowptr[reached.indices] - np.cumsum(width) + width, width)
            entry += np.arange(entry.shape[0])
            row = np.repeat(np.arange(reached.shape[0]), np.diff(reached.indptr))
            weight = np.repeat(reached.data, width) * ends[np.repeat(row, width), col[entry]]
            found += np.bincount(entry, weight, minlength=found.shape[0])
        found *= (1 - ctx.teleport) / ctx.teleport
        return torch.from_numpy(found).to(grad), None, None, None


def _matrix(rowptr: Tensor, col: Tensor, values: Tensor) -> sparse.csr_matrix:
    parts = (values.double().cpu().numpy(), col.cpu().numpy(), rowptr.cpu().numpy())
    size = rowptr.shape[0] - 1
    return sparse.csr_matrix(parts, shape=(size, size))


def _largest(
    matrix: sparse.csr_matrix, teleport: float, neighbours: int, tolerance: float
) -> sparse.csr_matrix:
    size = matrix.shape[0]
    blocks = []
    for start in range(0, size, _ROWS):
        nodes = np.arange(start, min(start + _ROWS, size))
        blocks.append(_rows(_walks(matrix, nodes, teleport, tolerance), neighbours))
    if not blocks:
        return sparse.csr_matrix((0, 0))
    return sparse.vstack(blocks, format="csr")


def _walks(
    matrix: sparse.csr_matrix, nodes: NDArray[np.int64], teleport: float, tolerance: float
) -> sparse.csr_matrix:
    """Rows of the PageRank matrix: (len(nodes), n)."""
    start = (np.ones(len(nodes)), (np.arange(len(nodes)), nodes))
    walking = sparse.csr_matrix(start, shape=(len(nodes), matrix.shape[0]))
    ended = teleport * walking
    for _ in range(math.ceil(math.log(tolerance) / math.log(1 - teleport))):
        walking = (1 - teleport) * (walking @ matrix)
        walking.data[walking.data < tolerance] = 0
        walking.eliminate_zeros()
        if walking.nnz == 0:
            break
        ended = ended + teleport * walking
    ended.sort_indices()
    return ended


def _rows(ended: sparse.csr_matrix, neighbours: int) -> sparse.csr_matrix:
    """Each row's largest entries."""
    kept = np.ones(ended.nnz, bool)
    for start, end in zip(ended.indptr[:-1], ended.indptr[1:], strict=True):
        shares, surplus = ended.data[start:end], end - start - neighbours
        if surplus > 0:
            next_smaller = np.partition(shares, surplus - 1)[surplus - 1]
            kept[start:end] = shares > next_smaller * (1 + _TIED)
    counts = np.add.reduceat(kept, ended.indptr[:-1], dtype=np.int64)
    indptr = np.concatenate([[0], np.cumsum(counts)])
    return sparse.csr_matrix((ended.data[kept], ended.indices[kept], indptr), shape=ended.shape)
