"""How alike the ends of each edge are, in memory O(nodes × features + edges)."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from grbcore.spmm import Pattern, entry_products, multiply


def inner(pattern: Pattern, rows: Tensor) -> Tensor:
    """For each entry (i, j) the inner product of ``rows[i]`` and ``rows[j]``, (n, d): (z,).

    Differentiable once in ``rows``.
    """
    result: Tensor = _Inner.apply(rows, pattern)  # type: ignore[no-untyped-call]
    return result


class _Inner(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, rows: Tensor, pattern: Pattern) -> Tensor:
        ctx.pattern = pattern
        ctx.save_for_backward(rows)
        return entry_products(pattern, rows, rows)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        (rows,) = ctx.saved_tensors
        pattern: Pattern = ctx.pattern
        both = grad + grad[pattern.reverse]  # a row is the left end of some and the right of others
        return multiply(pattern.rowptr, pattern.col, both, rows), None


def tanimoto(pattern: Pattern, rows: Tensor) -> Tensor:
    """For each entry (i, j) ``x·y / (x·x + y·y - x·y)`` of its rows, (n, d): (z,).

    On features of 0 and 1 this is the Jaccard index, and it is defined for all others, from -1/3
    to 1; 0 where both rows are zero.
    """
    products = inner(pattern, rows)
    squares = rows.square().sum(dim=1)
    union = squares[pattern.row] + squares[pattern.col] - products
    return products / union.clamp_min(torch.finfo(union.dtype).tiny)
