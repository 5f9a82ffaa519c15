"""Rectangular sparse matrices for many models side by side, and what of a graph a loss looks at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import sparse
from torch import Tensor
from torch.autograd.function import once_differentiable

from grbcore.spmm import multiply

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Rectangle:
    """Where a sparse (rows, columns) matrix has entries, and its transpose.

    ``values`` are the entries', None for ones; `reverse` says where each entry of the transpose
    stands in the matrix (None where it is used once, and ordering it would not pay).  `beside`
    puts copies on a diagonal, so that one product serves as many models, each on its own block of
    rows.
    """

    rowptr: Tensor  # (rows + 1,) int64
    col: Tensor  # (z,) int64
    columns: int
    below: Tensor | None  # (columns + 1,) int64: row pointers of the transpose
    reverse: Tensor | None  # (z,) int64
    values: Tensor | None = None  # (z,) float32
    _wide: dict[int, Rectangle] = field(default_factory=dict, repr=False)

    @staticmethod
    def of(rowptr: Ints, col: Ints, columns: int, values: NDArray[np.float32] | None = None,
           ) -> Rectangle:  # fmt: skip
        """A matrix from its compressed rows."""
        reverse = np.argsort(col, kind="stable")
        below = np.zeros(columns + 1, np.int64)
        np.cumsum(np.bincount(col, minlength=columns), out=below[1:])
        return Rectangle(
            torch.from_numpy(np.ascontiguousarray(rowptr)),
            torch.from_numpy(np.ascontiguousarray(col)),
            columns,
            torch.from_numpy(below),
            torch.from_numpy(reverse),
            None if values is None else torch.from_numpy(values),
        )

    @property
    def rows(self) -> int:
        return self.rowptr.shape[0] - 1

    @property
    def entries(self) -> int:
        return self.col.shape[0]

    @cached_property
    def row(self) -> Tensor:
        """Row of each entry: (z,) int64."""
        return torch.repeat_interleave(
            torch.arange(self.rows), self.rowptr.diff(), output_size=self.entries
        )

    def transposed(self, dense: Tensor, values: Tensor | None = None) -> Tensor:
        """The transpose times ``dense`` (rows, h), with other values if given: (columns, h)."""
        found = self.values if values is None else values
        if self.below is not None and self.reverse is not None:
            found = None if found is None else found[self.reverse]
            return multiply(self.below, self._upright, found, dense)
        numbers = torch.ones(self.entries) if found is None else found
        parts = (numbers.numpy(), self.col.numpy(), self.rowptr.numpy())
        matrix = sparse.csr_matrix(parts, shape=(self.rows, self.columns))
        return torch.from_numpy(matrix.T @ dense.numpy())

    @cached_property
    def _upright(self) -> Tensor:
        """Row of each entry of the transpose: (z,) int64."""
        assert self.reverse is not None
        return self.row[self.reverse]

    def beside(self, copies: int) -> Rectangle:
        """``copies`` of this on a diagonal: (copies * rows, copies * columns)."""
        if copies == 1:
            return self
        if copies not in self._wide:
            assert self.below is not None and self.reverse is not None
            self._wide.clear()  # fewer are asked for as runs end, and each is as large as all of it
            self._wide[copies] = Rectangle(
                _pointers(self.rowptr, copies),
                _blocks(self.col, copies, self.columns),
                copies * self.columns,
                _pointers(self.below, copies),
                _blocks(self.reverse, copies, self.entries),
                None if self.values is None else self.values.repeat(copies),
            )
        return self._wide[copies]

    def thinned(self, kept: Tensor) -> Rectangle:
        """Only the entries that are ``kept`` (z,) bool; its transpose is never put in order."""
        chosen = np.flatnonzero(kept.numpy())  # several times as fast as torch's nonzero
        rowptr = torch.from_numpy(np.searchsorted(chosen, self.rowptr.numpy()))
        place = torch.from_numpy(chosen)
        values = None if self.values is None else self.values[place]
        return Rectangle(rowptr, self.col[place], self.columns, None, None, values)

    def __matmul__(self, dense: Tensor) -> Tensor:
        """This times ``dense`` (columns, h) float32: (rows, h), differentiable in ``dense``."""
        found: Tensor = _Product.apply(dense, None, self)  # type: ignore[no-untyped-call]
        return found

    def weighted(self, values: Tensor, dense: Tensor) -> Tensor:
        """The same with other values (z,), in which it is differentiable too."""
        found: Tensor = _Product.apply(dense, values, self)  # type: ignore[no-untyped-call]
        return found

    def softmax(self, scores: Tensor) -> Tensor:
        """Softmax of ``scores`` (z,) over each row: (z,)."""
        found: Tensor = _Softmax.apply(scores, self)  # type: ignore[no-untyped-call]
        return found

    def largest(self, dense: Tensor) -> Tensor:
        """For each row and column of ``dense`` (columns, h) the largest that it reads: (rows, h).

        Equal ones share the gradient.
        """
        found: Tensor = _Largest.apply(dense, self)  # type: ignore[no-untyped-call]
        return found


def _pointers(rowptr: Tensor, copies: int) -> Tensor:
    return torch.cat([_blocks(rowptr[:-1], copies, int(rowptr[-1])), copies * rowptr[-1:]])


def _blocks(places: Tensor, copies: int, step: int) -> Tensor:
    return (places + step * torch.arange(copies)[:, None]).flatten()


class _Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, dense: Tensor, values: Tensor | None, matrix: Rectangle) -> Tensor:
        ctx.matrix = matrix
        ctx.save_for_backward(dense if ctx.needs_input_grad[1] else None, values)
        fixed = matrix.values if values is None else values
        return multiply(matrix.rowptr, matrix.col, fixed, dense)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, Tensor | None, None]:
        dense, values = ctx.saved_tensors
        matrix: Rectangle = ctx.matrix
        grad = grad.contiguous()
        grad_dense = grad_values = None
        if ctx.needs_input_grad[0]:
            grad_dense = matrix.transposed(grad, values)
        if ctx.needs_input_grad[1]:
            products = torch.ops.aten._embedding_bag_per_sample_weights_backward
            grad_values = products(
                grad, dense.contiguous(), matrix.col, matrix.rowptr[:-1], matrix.row, 0, -1
            )
        return grad_dense, grad_values, None


class _Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, scores: Tensor, matrix: Rectangle) -> Tensor:
        top = _reduce(matrix, scores, "max")
        weights = (scores - top[matrix.row]).exp_()
        shares = weights / _reduce(matrix, weights, "sum")[matrix.row]
        ctx.matrix = matrix
        ctx.save_for_backward(shares)
        return shares

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        (shares,) = ctx.saved_tensors
        weighted = shares * grad
        total = _reduce(ctx.matrix, weighted, "sum")[ctx.matrix.row]
        return weighted - shares * total, None


class _Largest(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, dense: Tensor, matrix: Rectangle) -> Tensor:
        read = dense[matrix.col]
        found = _reduce(matrix, read, "max")
        ctx.matrix = matrix
        ctx.save_for_backward(read == found[matrix.row])
        return found

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        (largest,) = ctx.saved_tensors
        matrix: Rectangle = ctx.matrix
        chosen = largest.to(grad.dtype)
        share = grad / _reduce(matrix, chosen, "sum")
        entries = chosen * share[matrix.row]
        assert matrix.below is not None and matrix.reverse is not None
        return multiply(matrix.below, matrix.reverse, None, entries), None


def _reduce(matrix: Rectangle, values: Tensor, how: str) -> Tensor:
    return torch.segment_reduce(values, how, offsets=matrix.rowptr, unsafe=True)


@dataclass(frozen=True, eq=False)
class Field:
    """What the logits of some nodes of a graph depend on, layer by layer.

    ``words`` are the features of the nodes that the first layer reads; ``hops`` lead from one
    layer's nodes to the next one's, the last to the nodes themselves.  Nothing else of the graph
    enters a loss on them, so nothing else is computed: an exact saving, no sampling.
    """

    words: Rectangle  # (m, d), ones
    hops: Sequence[Hop]
    nodes: int


@dataclass(frozen=True, eq=False)
class Hop:
    """A layer's edges, loops included, from its nodes to those of the next one."""

    edges: Rectangle  # (next, nodes); values of D^-1/2 (A + I) D^-1/2
    own: Tensor  # (next,) int64: where each of the next layer's nodes is among this one's
    size: Tensor  # (next,) float32: neighbours with the loop, all of which are among the nodes
    coordinates: Tensor  # (z, 2) float32: MoNet's, 1/sqrt(degree with the loop) of both ends

    @cached_property
    def mean(self) -> Rectangle:
        """The edges with values that average the neighbours, the loop among them."""
        return replace(self.edges, values=(1 / self.size)[self.edges.row], _wide={})

    @cached_property
    def selection(self) -> Rectangle:
        """Picks the next layer's nodes among this one's."""
        pointers = np.arange(len(self.own) + 1)
        return Rectangle.of(pointers, self.own.numpy(), self.edges.columns)


def field_of(
    indptr: Ints, indices: Ints, words: tuple[Ints, Ints], features: int, nodes: Ints, hops: int
) -> Field:
    """The field of ``nodes`` through this many hops.

    Args:
        indptr: row pointers (n + 1,) of a symmetric graph without loops.
        indices: columns, sorted within each row.
        words: row pointers and columns of the nodes' features.
        features: how many there are.
        nodes: node ids.
        hops: layers that look at neighbours; 0 for models without edges.
    """
    count = len(indptr) - 1
    ones = np.ones(len(indices), np.float32)
    looped = sparse.csr_matrix((ones, indices, indptr), shape=(count, count))
    looped = (looped + sparse.identity(count, np.float32, "csr")).tocsr()
    looped.sort_indices()
    root = 1 / np.sqrt(np.diff(looped.indptr)).astype(np.float64)
    found: list[Hop] = []
    inner = nodes
    for _ in range(hops):
        rows = looped[inner]
        outer = np.unique(rows.indices)
        col = np.searchsorted(outer, rows.indices).astype(np.int64)
        degree = np.diff(rows.indptr)
        ends = np.stack([np.repeat(root[inner], degree), root[rows.indices]], axis=1)
        edges = Rectangle.of(
            rows.indptr.astype(np.int64), col, len(outer), ends.prod(axis=1).astype(np.float32)
        )
        own = torch.from_numpy(np.searchsorted(outer, inner))
        size = torch.from_numpy(degree.astype(np.float32))
        found.insert(0, Hop(edges, own, size, torch.from_numpy(ends.astype(np.float32))))
        inner = outer
    whole = sparse.csr_matrix((np.ones(len(words[1]), np.int8), words[1], words[0]),
                              shape=(count, features))  # fmt: skip
    rows = whole[inner]
    read = Rectangle.of(rows.indptr.astype(np.int64), rows.indices.astype(np.int64), features)
    return Field(read, found, len(nodes))
