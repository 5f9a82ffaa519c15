"""Eigenvalues of a graph's normalised adjacency, and how a flip moves them to first order."""

from __future__ import annotations

from typing import Literal

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.linalg import eigsh

from grbcore.attacks.attack import Ints
from grbcore.spmm import Pattern

Floats = NDArray[np.float64]

#: ``algebraic``: the largest; ``magnitude``: the largest without their sign.
Which = Literal["algebraic", "magnitude"]

_DENSE = 64  # matrices of at most so many rows are solved whole


def adjacency(pattern: Pattern) -> sp.csr_array:
    """The matrix of a pattern, its entries 1."""
    rowptr, col = pattern.rowptr.cpu().numpy(), pattern.col.cpu().numpy()
    return sp.csr_array((np.ones(col.shape[0]), col, rowptr), shape=(pattern.size, pattern.size))


def leading(matrix: sp.csr_array, rank: int, which: Which = "algebraic") -> tuple[Floats, Floats]:
    """The ``rank`` leading eigenvalues (k,), largest first, and vectors (n, k) of a symmetric one.

    All of them where the matrix has no more rows.  The iteration starts from a fixed vector, so
    that the same matrix gives the same result.
    """
    size = matrix.shape[0]
    if size <= max(_DENSE, rank + 1):
        values, vectors = np.linalg.eigh(matrix.toarray())
    else:
        start = np.random.default_rng(0).standard_normal(size)
        short = "LA" if which == "algebraic" else "LM"
        values, vectors = eigsh(matrix, k=rank, which=short, v0=start)
    order = np.argsort(-np.abs(values) if which == "magnitude" else -values, kind="stable")[:rank]
    return values[order], vectors[:, order]


class Spectrum:
    """The leading generalised eigenpairs ``(A + I) u = l D u`` of a graph.

    D are the degrees, the node itself counted; vectors are scaled to ``u' D u = 1``.  Eigenvalues
    are those of ``D^-1/2 (A + I) D^-1/2``.
    """

    def __init__(self, pattern: Pattern, rank: int, which: Which) -> None:
        scale = 1 / np.sqrt(pattern.degrees.cpu().numpy() + 1.0)
        looped = adjacency(pattern) + sp.eye_array(pattern.size, format="csr")
        scaling = sp.diags_array(scale, format="csr")
        self.values, vectors = leading(sp.csr_array(scaling @ looped @ scaling), rank, which)
        self.vectors = scale[:, None] * vectors

    def after(self, pairs: Ints, change: Floats) -> Floats:
        """The eigenvalues after each single flip, to first order: (p, k).

        ``pairs`` (2, p) int64 are flipped, ``change`` (p,) being 1 for an edge that is added and
        -1 for one that is removed.
        Source: Bojchevski and Günnemann, Adversarial Attacks on Node Embeddings via Graph
        Poisoning (ICML 2019), Theorem 2: ``l' = l + dw (2 u_i u_j - l (u_i^2 + u_j^2))``.
        """
        one, other = self.vectors[pairs[0]], self.vectors[pairs[1]]
        moved = 2 * one * other - self.values * (one**2 + other**2)
        result: Floats = self.values + change[:, None] * moved
        return result
