"""Sums over neighbours of many small graphs at once, with gradients."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from grbcore.spmm import Pattern, multiply
from grbcore.spmm import product as product_of_rows

_Rows = tuple[Tensor, Tensor]  # compressed rows: where each begins, and what each takes


@dataclass(frozen=True, eq=False)
class Said:
    """What senders say, each thing once, and who hears it.

    A sender's message depends on it and on the kind of an edge alone, so that a node of many
    edges of one kind says one thing.  There are U of them, ascending by sender and then by kind.
    """

    sender: Tensor  # (U,) int64
    kind: Tensor  # (U,) int64: a row of `colours`
    palette: Tensor  # (K, e) int64: the values of each kind
    nodes: int  # n
    heard: _Rows  # n rows of 0..U
    hearers: _Rows  # U rows of 0..n

    @staticmethod
    def over(edges: Tensor, values: Tensor, nodes: int) -> Said:
        """Of edges (2, M), from and to, with ``values`` (M, e) among ``nodes`` nodes."""
        sender, receiver = edges
        palette, kind = torch.unique(values, dim=0, return_inverse=True)
        many = max(len(palette), 1)
        said, which = torch.unique(sender * many + kind, return_inverse=True)
        return Said(
            said // many,
            said % many,
            palette,
            nodes,
            _compressed(receiver, which, nodes),
            _compressed(which, receiver, len(said)),
        )

    @cached_property
    def says(self) -> _Rows:
        """n rows of 0..U: what each node says."""
        return _compressed(self.sender, torch.arange(len(self.sender)), self.nodes)

    @cached_property
    def all_say_one(self) -> bool:
        """Whether every node says one thing, as there is one kind of edge."""
        return len(self.palette) == 1 and len(self.sender) == self.nodes

    def messages(self, x: Tensor, table: Tensor) -> Tensor:
        """Σ_j A_ji ReLU(x_j + e_ji) of nodes (n, …, h), edges embedded by ``table`` (rows, h).

        Differentiable once.
        """
        colours = table[self.palette].sum(-2)
        found: Tensor = _Messages.apply(x, colours, self)  # type: ignore[no-untyped-call]
        return found


class _Messages(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, colours: Tensor, said: Said) -> Tensor:
        sent = _added(x, colours, said).relu_()
        ctx.said, ctx.kinds = said, len(colours)
        ctx.save_for_backward(sent)
        return _summed(said.heard, sent)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, slope: Tensor) -> tuple[Tensor | None, Tensor | None, None]:
        said: Said = ctx.said
        (sent,) = ctx.saved_tensors
        slope = _summed(said.hearers, slope.contiguous()).mul_(sent > 0)
        to_x = to_colours = None
        if ctx.needs_input_grad[0]:
            to_x = slope if said.all_say_one else _summed(said.says, slope)
        if ctx.needs_input_grad[1]:
            each = slope.flatten(1, -2).sum(1) if slope.ndim > 2 else slope
            to_colours = each.new_zeros(ctx.kinds, each.shape[1]).index_add(0, said.kind, each)
        return to_x, to_colours, None


def pattern(edges: Tensor, nodes: int) -> Pattern:
    """The sparse matrix (n, n) of edges (2, M), each there in both directions."""
    order = torch.argsort(edges[1] * nodes + edges[0])
    ends = torch.bincount(edges[1], minlength=nodes).cumsum(0)
    return Pattern(torch.cat([ends.new_zeros(1), ends]), edges[0][order])


def product(pattern: Pattern, x: Tensor) -> Tensor:
    """The sum over the neighbours of each node, of (n, …, h)."""
    return product_of_rows(pattern, None, x.flatten(1)).reshape(x.shape)


def _added(x: Tensor, colours: Tensor, said: Said) -> Tensor:
    if said.all_say_one:
        return x + colours
    own = colours.index_select(0, said.kind)
    shape = (len(own), *[1] * (x.ndim - 2), own.shape[-1])
    return x.index_select(0, said.sender).add_(own.reshape(shape))


def _summed(rows: _Rows, x: Tensor) -> Tensor:
    found = multiply(*rows, None, x.flatten(1))
    return found.reshape(len(found), *x.shape[1:])


def _compressed(row: Tensor, column: Tensor, rows: int) -> _Rows:
    ends = torch.bincount(row, minlength=rows).cumsum(0)
    return torch.cat([ends.new_zeros(1), ends]), column[torch.argsort(row, stable=True)]
