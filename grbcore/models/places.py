"""Sparse matrices that need not be symmetric: products and distances, with gradients."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from grbcore.spmm import Pattern, entry_products, multiply

_GATHERED = 1 << 23  # entries times width that are gathered at a time


@dataclass(frozen=True, eq=False)
class Places:
    """Where a square sparse matrix has entries, and where its transpose has them."""

    pattern: Pattern
    transposed: Pattern
    order: Tensor  # (z,) int64: which entry of `pattern` each entry of `transposed` is

    @staticmethod
    def of(pattern: Pattern) -> Places:
        """For any rows and columns, ``pattern.col`` ascending within each row."""
        order = torch.argsort(pattern.col, stable=True)
        counts = torch.bincount(pattern.col, minlength=pattern.size)
        rowptr = torch.cat([counts.new_zeros(1), torch.cumsum(counts, 0)])
        return Places(pattern, Pattern(rowptr, pattern.row[order]), order)

    @staticmethod
    def symmetric(pattern: Pattern) -> Places:
        """For a pattern that holds each entry in both directions."""
        return Places(pattern, pattern, pattern.reverse)


def row_sums(pattern: Pattern, values: Tensor) -> Tensor:
    """Sum of the values (z,) of each row: (n,), differentiable."""
    return values.new_zeros(pattern.size).index_add(0, pattern.row, values)


def softmax(pattern: Pattern, scores: Tensor) -> Tensor:
    """Softmax of the scores (z,) within each row: (z,), differentiable."""
    top = torch.segment_reduce(scores.detach(), "max", offsets=pattern.rowptr, unsafe=True)
    weights = (scores - top[pattern.row]).exp()
    return weights / row_sums(pattern, weights)[pattern.row]


def product(places: Places, values: Tensor, dense: Tensor) -> Tensor:
    """The matrix with these values (z,) times ``dense`` (n, h): (n, h), differentiable in both."""
    result: Tensor = _Product.apply(values, dense, places)  # type: ignore[no-untyped-call]
    return result


def squared_distances(places: Places, left: Tensor, right: Tensor) -> Tensor:
    """For each entry (i, j) ``|left[i] - right[j]|^2``: (z,), differentiable in both (n, h).

    Gathers a part of the entries at a time, so that memory stays O(nodes * h + entries).
    """
    result: Tensor = _Distances.apply(left, right, places)  # type: ignore[no-untyped-call]
    return result


class _Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, values: Tensor, dense: Tensor, places: Places) -> Tensor:
        ctx.places = places
        ctx.save_for_backward(values, dense)
        return multiply(places.pattern.rowptr, places.pattern.col, values, dense)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, Tensor | None, None]:
        values, dense = ctx.saved_tensors
        places: Places = ctx.places
        grad = grad.contiguous()
        grad_values = grad_dense = None
        if ctx.needs_input_grad[0]:
            grad_values = entry_products(places.pattern, grad, dense)
        if ctx.needs_input_grad[1]:
            grad_dense = _transposed(places, values, grad)
        return grad_values, grad_dense, None


class _Distances(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, left: Tensor, right: Tensor, places: Places) -> Tensor:
        ctx.places = places
        ctx.save_for_backward(left, right)
        pattern = places.pattern
        found = left.new_empty(pattern.entries)
        chunk = max(1, _GATHERED // max(1, left.shape[1]))
        for start in range(0, pattern.entries, chunk):
            part = slice(start, start + chunk)
            gap = left[pattern.row[part]] - right[pattern.col[part]]
            found[part] = gap.square_().sum(dim=1)
        return found

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, Tensor | None, None]:
        left, right = ctx.saved_tensors
        places: Places = ctx.places
        pattern = places.pattern
        grad_left = grad_right = None
        if ctx.needs_input_grad[0]:
            pulled = multiply(pattern.rowptr, pattern.col, grad, right.contiguous())
            grad_left = 2 * (row_sums(pattern, grad)[:, None] * left - pulled)
        if ctx.needs_input_grad[1]:
            pulled = _transposed(places, grad, left.contiguous())
            columns = row_sums(places.transposed, grad[places.order])
            grad_right = 2 * (columns[:, None] * right - pulled)
        return grad_left, grad_right, None


def _transposed(places: Places, values: Tensor, dense: Tensor) -> Tensor:
    there = places.transposed
    return multiply(there.rowptr, there.col, values[places.order], dense)
