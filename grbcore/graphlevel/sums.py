"""Sums over neighbours of many small graphs at once, with gradients."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from grbcore.spmm import multiply


@dataclass(frozen=True, eq=False)
class Compressed:
    """A sparse matrix in compressed rows; products with it have no gradient."""

    rowptr: Tensor  # (rows + 1,) int64
    col: Tensor  # (z,) int64
    values: Tensor | None  # (z,), or ones

    @staticmethod
    def of(row: Tensor, column: Tensor, rows: int, values: Tensor | None = None) -> Compressed:
        """With entries at ``row`` and ``column`` (z,)."""
        from scipy import sparse  # here, for what only looks models up starts without it

        every = np.arange(len(row) + 1)
        ones = np.ones(len(row), dtype=np.int8)
        counted = sparse.csc_array((ones, row.numpy(), every), shape=(rows, len(row))).tocsr()
        order = torch.from_numpy(counted.indices).long()  # of each row, ascending: no sorting
        own = None if values is None else values[order]
        return Compressed(torch.from_numpy(counted.indptr).long(), column[order], own)

    @torch.no_grad()
    def times(self, x: Tensor) -> Tensor:
        """Of (columns, …, h): (rows, …, h)."""
        values = None if self.values is None else self.values.to(x.dtype)
        found = multiply(self.rowptr, self.col, values, x.flatten(1))
        return found.reshape(len(found), *x.shape[1:])


@dataclass(frozen=True, eq=False)
class Sums:
    """A sparse matrix and its transpose, so that products with it have a gradient."""

    matrix: Compressed
    transpose: Compressed

    @staticmethod
    def of(
        row: Tensor, column: Tensor, shape: tuple[int, int], values: Tensor | None = None
    ) -> Sums:
        """With entries at ``row`` and ``column`` (z,)."""
        rows, columns = shape
        return Sums(
            Compressed.of(row, column, rows, values), Compressed.of(column, row, columns, values)
        )

    @staticmethod
    def symmetric(row: Tensor, column: Tensor, size: int) -> Sums:
        """Of ones, each entry there in both directions."""
        both = Compressed.of(row, column, size)
        return Sums(both, both)

    def __call__(self, x: Tensor) -> Tensor:
        """Of (columns, …, h): (rows, …, h).  Differentiable once."""
        found: Tensor = _Summed.apply(x, self)  # type: ignore[no-untyped-call]
        return found


class _Summed(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, sums: Sums) -> Tensor:
        ctx.transpose = sums.transpose
        return sums.matrix.times(x)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        return ctx.transpose.times(grad.contiguous()), None


@dataclass(frozen=True, eq=False)
class Kinds:
    """Rows of values, of which many are the same."""

    palette: Tensor  # (K, e) int64: the different ones
    kind: Tensor  # (M,) int64: which each is

    @staticmethod
    def of(values: Tensor) -> Kinds:
        """Of ``values`` (M, e)."""
        if values.shape[1] == 1:  # several times as quick as whole rows
            palette, kind = torch.unique(values[:, 0], return_inverse=True)
            return Kinds(palette[:, None], kind)
        if not values.shape[1]:
            return Kinds(values[:1], torch.zeros(len(values), dtype=torch.int64))
        return Kinds(*torch.unique(values, dim=0, return_inverse=True))

    def __len__(self) -> int:
        return len(self.palette)

    def at(self, rows: Tensor) -> Kinds:
        """Those of some rows."""
        return Kinds(self.palette, self.kind[rows])


@dataclass(frozen=True, eq=False)
class Messages:
    """Σ_j A_ji ReLU(x_j + e_ji), each message computed once.

    It depends on its sender and on the kind of the edge alone, so that a node of many edges of
    one kind sends one message to all.  There are U of them, ascending by sender and then by kind.
    """

    sender: Tensor  # (U,) int64
    kind: Tensor  # (U,) int64: a row of ``palette``
    palette: Tensor  # (K, e) int64: the values of each kind
    senders: int  # n
    received: Sums  # (receivers, U)

    @staticmethod
    def over(edges: Tensor, kinds: Kinds, shape: tuple[int, int]) -> Messages:
        """Of edges (2, M), from senders to receivers, of these kinds.

        ``shape``: how many senders and receivers there are.
        """
        sender, receiver = edges
        many = max(len(kinds), 1)
        sent, which = torch.unique(sender * many + kinds.kind, return_inverse=True)
        received = Sums.of(receiver, which, (shape[1], len(sent)))
        return Messages(sent // many, sent % many, kinds.palette, shape[0], received)

    @cached_property
    def of_sender(self) -> Compressed:
        """Sums (n, U) over the messages of each sender."""
        return Compressed.of(self.sender, torch.arange(len(self.sender)), self.senders)

    @cached_property
    def one_each(self) -> bool:
        """Whether every sender sends one message, as there is one kind of edge."""
        return len(self.palette) == 1 and len(self.sender) == self.senders

    def __call__(self, x: Tensor, table: Tensor) -> Tensor:
        """From senders (n, …, h), edges embedded by ``table`` (rows, h).  Differentiable once."""
        found: Tensor = _Messages.apply(  # type: ignore[no-untyped-call]
            x, table[self.palette].sum(-2), self
        )
        return found


class _Messages(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, embedded: Tensor, messages: Messages) -> Tensor:
        if messages.one_each:
            sent = (x + embedded).relu_()
        else:
            own = embedded.index_select(0, messages.kind)
            shape = (len(own), *[1] * (x.ndim - 2), own.shape[-1])
            sent = x.index_select(0, messages.sender).add_(own.reshape(shape)).relu_()
        ctx.messages, ctx.kinds = messages, len(embedded)
        ctx.save_for_backward(sent)
        return messages.received.matrix.times(sent)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, Tensor | None, None]:
        messages: Messages = ctx.messages
        (sent,) = ctx.saved_tensors
        grad = messages.received.transpose.times(grad.contiguous()).mul_(sent > 0)
        to_x = to_embedded = None
        if ctx.needs_input_grad[0]:
            to_x = grad if messages.one_each else messages.of_sender.times(grad)
        if ctx.needs_input_grad[1]:
            each = grad.flatten(1, -2).sum(1) if grad.ndim > 2 else grad
            to_embedded = each.new_zeros(ctx.kinds, each.shape[1])
            to_embedded = to_embedded.index_add(0, messages.kind, each)
        return to_x, to_embedded, None
