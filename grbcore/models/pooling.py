"""The largest value among a node's neighbours, with its gradient by hand."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from grbcore.spmm import Pattern

_MAX = 2  # embedding_bag's number for it
_VALUES = 1 << 24  # weighted values held at once


def pool(pattern: Pattern, hidden: Tensor, edge_weight: Tensor | None = None) -> Tensor:
    """For each node and column the maximum over its neighbours, 0 where it has none: (n, h).

    ``hidden`` (n, h) float32 holds nothing below 0.  ``edge_weight`` (z,), 0 or more, multiplies a
    neighbour's values, so that 0 stands for an edge that is not there.  Differentiable once in
    both: all of a gradient goes to the neighbour that has the maximum, the first of equals.
    """
    result: Tensor = _Pool.apply(hidden, edge_weight, pattern)  # type: ignore[no-untyped-call]
    return result


class _Pool(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, hidden: Tensor, weight: Tensor | None, pattern: Pattern) -> Tensor:
        ctx.pattern = pattern
        if pattern.entries == 0:
            ctx.save_for_backward(hidden, weight, hidden.new_zeros(hidden.shape, dtype=torch.int64))
            return torch.zeros_like(hidden)
        pooled, winner = (
            _largest(hidden, pattern.col, pattern.rowptr)
            if weight is None
            else _largest_weighted(hidden, weight, pattern)
        )
        ctx.save_for_backward(hidden, weight, winner)
        return pooled

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, Tensor | None, None]:
        hidden, weight, winner = ctx.saved_tensors
        pattern: Pattern = ctx.pattern
        grad = grad * (pattern.degrees > 0)[:, None]  # a node without neighbours has no winner
        grad_hidden, grad_weight = torch.zeros_like(hidden), None
        if pattern.entries == 0:
            return grad_hidden, None if weight is None else torch.zeros_like(weight), None
        if weight is None:
            return grad_hidden.scatter_add_(0, winner, grad), None, None
        node = pattern.col[winner]
        if ctx.needs_input_grad[1]:
            won = (grad * hidden.gather(0, node)).flatten()
            grad_weight = torch.zeros_like(weight).index_add_(0, winner.flatten(), won)
        return grad_hidden.scatter_add_(0, node, grad * weight[winner]), grad_weight, None


def _largest(table: Tensor, index: Tensor, rowptr: Tensor) -> tuple[Tensor, Tensor]:
    """Maximum of the rows of ``table`` named in each part of ``index``, and the row it is in."""
    found = torch.embedding_bag(table, index, rowptr, False, _MAX, False, None, True)
    return found[0], found[3]


def _largest_weighted(hidden: Tensor, weight: Tensor, pattern: Pattern) -> tuple[Tensor, Tensor]:
    """As `_largest` of the weighted neighbours, some columns at a time; the winner is an entry."""
    every = torch.arange(pattern.entries, device=hidden.device)
    columns = max(1, _VALUES // pattern.entries)
    parts = [
        _largest(part[pattern.col] * weight[:, None], every, pattern.rowptr)
        for part in torch.split(hidden, columns, dim=1)
    ]
    return torch.cat([p[0] for p in parts], dim=1), torch.cat([p[1] for p in parts], dim=1)
