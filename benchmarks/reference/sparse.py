"""Adjacencies as scipy matrices, and as torch COO tensors."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from grbcore.perturbation import Injection


def to_coo(matrix: sp.spmatrix) -> Tensor:
    found = sp.coo_matrix(matrix)
    places = torch.from_numpy(np.stack([found.row, found.col]).astype(np.int64))
    values = torch.from_numpy(found.data.astype(np.float32))
    return torch.sparse_coo_tensor(places, values, found.shape, check_invariants=False)


def symmetric(adjacency: sp.spmatrix) -> sp.spmatrix:
    """D^-1/2 (A + I) D^-1/2."""
    looped = sp.coo_matrix(adjacency + sp.eye(adjacency.shape[0]))
    scale = np.power(np.array(looped.sum(1)).flatten(), -0.5)
    diagonal = sp.diags(scale)
    return sp.coo_matrix(diagonal.dot(looped).dot(diagonal))


def injected(adjacency: sp.csr_matrix, injection: Injection) -> sp.csr_matrix:
    """The attacked adjacency, stacked from blocks."""
    size, new = adjacency.shape[0], injection.nodes
    rows, cols = injection.edges[0] - size, injection.edges[1]
    block = sp.csr_matrix((np.ones(rows.shape[0]), (rows, cols)), shape=(new, size + new))
    wide = sp.hstack([sp.vstack([adjacency, block[:, :size]]), block.T])
    return sp.csr_matrix(wide)
