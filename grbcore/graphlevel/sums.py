"""Sums over neighbours of many small graphs at once, with gradients."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from grbcore.spmm import multiply


@dataclass(frozen=True, eq=False)
class Sums:
    """A sparse matrix (rows, columns) that sums rows of what it is given, with its transpose."""

    rowptr: Tensor  # (rows + 1,) int64
    col: Tensor  # (z,) int64
    values: Tensor | None  # (z,), or ones
    back: Sums | None  # the transpose; None: it is symmetric

    @staticmethod
    def of(
        row: Tensor, column: Tensor, shape: tuple[int, int], values: Tensor | None = None
    ) -> Sums:
        """With entries at ``row`` and ``column`` (z,)."""
        return _compressed(
            row, column, shape[0], values, _compressed(column, row, shape[1], values, None)
        )

    @staticmethod
    def symmetric(row: Tensor, column: Tensor, size: int) -> Sums:
        """Of ones, each entry there in both directions."""
        return _compressed(row, column, size, None, None)

    def __call__(self, x: Tensor) -> Tensor:
        """Of (columns, …, h): (rows, …, h).  Differentiable once."""
        found: Tensor = _Summed.apply(x, self)  # type: ignore[no-untyped-call]
        return found

    @torch.no_grad()
    def plain(self, x: Tensor) -> Tensor:
        """The same without a gradient."""
        values = None if self.values is None else self.values.to(x.dtype)
        found = multiply(self.rowptr, self.col, values, x.flatten(1))
        return found.reshape(len(found), *x.shape[1:])

    @property
    def transpose(self) -> Sums:
        return self.back or self


class _Summed(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, sums: Sums) -> Tensor:
        ctx.back = sums.transpose
        return sums.plain(x)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, slope: Tensor) -> tuple[Tensor, None]:
        return ctx.back.plain(slope.contiguous()), None


def _compressed(
    row: Tensor, column: Tensor, rows: int, values: Tensor | None, back: Sums | None
) -> Sums:
    ends = torch.bincount(row, minlength=rows).cumsum(0)
    order = torch.argsort(row, stable=True)
    own = None if values is None else values[order]
    return Sums(torch.cat([ends.new_zeros(1), ends]), column[order], own, back)


@dataclass(frozen=True, eq=False)
class Said:
    """What senders say, each thing once, and who hears it.

    A sender's message depends on it and on the kind of an edge alone, so that a node of many
    edges of one kind says one thing.  There are U of them, ascending by sender and then by kind.
    """

    sender: Tensor  # (U,) int64
    kind: Tensor  # (U,) int64: a row of ``palette``
    palette: Tensor  # (K, e) int64: the values of each kind
    senders: int  # n
    heard: Sums  # (receivers, U)

    @staticmethod
    def over(edges: Tensor, values: Tensor, shape: tuple[int, int]) -> Said:
        """Of edges (2, M), from senders to receivers, with ``values`` (M, e).

        ``shape``: how many senders and receivers there are.
        """
        sender, receiver = edges
        palette, kind = kinds(values)
        many = max(len(palette), 1)
        said, which = torch.unique(sender * many + kind, return_inverse=True)
        heard = Sums.of(receiver, which, (shape[1], len(said)))
        return Said(said // many, said % many, palette, shape[0], heard)

    @cached_property
    def says(self) -> Sums:
        """Sums (n, U) over what each sender says."""
        here = torch.arange(len(self.sender))
        return _compressed(self.sender, here, self.senders, None, None)

    @cached_property
    def all_say_one(self) -> bool:
        """Whether every sender says one thing, as there is one kind of edge."""
        return len(self.palette) == 1 and len(self.sender) == self.senders

    def messages(self, x: Tensor, table: Tensor) -> Tensor:
        """Σ_j A_ji ReLU(x_j + e_ji) of senders (n, …, h), edges embedded by ``table`` (rows, h).

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
        return said.heard.plain(sent)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, slope: Tensor) -> tuple[Tensor | None, Tensor | None, None]:
        said: Said = ctx.said
        (sent,) = ctx.saved_tensors
        slope = said.heard.transpose.plain(slope.contiguous()).mul_(sent > 0)
        to_x = to_colours = None
        if ctx.needs_input_grad[0]:
            to_x = slope if said.all_say_one else said.says.plain(slope)
        if ctx.needs_input_grad[1]:
            each = slope.flatten(1, -2).sum(1) if slope.ndim > 2 else slope
            to_colours = each.new_zeros(ctx.kinds, each.shape[1]).index_add(0, said.kind, each)
        return to_x, to_colours, None


def _added(x: Tensor, colours: Tensor, said: Said) -> Tensor:
    if said.all_say_one:
        return x + colours
    own = colours.index_select(0, said.kind)
    shape = (len(own), *[1] * (x.ndim - 2), own.shape[-1])
    return x.index_select(0, said.sender).add_(own.reshape(shape))


def kinds(values: Tensor) -> tuple[Tensor, Tensor]:
    """The different rows (K, e) of ``values`` (M, e), and which each is: (M,) int64."""
    if values.shape[1] == 1:
        palette, kind = torch.unique(values[:, 0], return_inverse=True)
        return palette[:, None], kind
    palette, kind = torch.unique(values, dim=0, return_inverse=True)
    return palette, kind
