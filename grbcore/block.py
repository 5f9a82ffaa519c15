"""A block of a sparse matrix: chosen rows and columns of it, as a factor of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from grbcore.spmm import Pattern, multiply


@dataclass(frozen=True, eq=False)
class Rows:
    """Compressed rows, in numbers of their own: ``m`` rows, column j being the j-th chosen one."""

    rowptr: Tensor  # (m + 1,) int64
    col: Tensor  # (z,) int64
    values: Tensor | None  # (z,) float32, None for ones

    def times(self, dense: Tensor) -> Tensor:
        """The product with ``dense`` (columns, h), without a gradient: (m, h)."""
        return multiply(self.rowptr, self.col, self.values, dense)


@dataclass(frozen=True, eq=False)
class Block:
    """The entries in chosen rows and columns, with the transpose for gradients."""

    forward: Rows
    backward: Rows

    def times(self, dense: Tensor, plus: Tensor) -> Tensor:
        """The block (m, c) times ``dense`` (c, h), and ``plus`` (m, h): (m, h).

        Differentiable once, in ``dense`` alone.
        """
        result: Tensor = _Times.apply(dense, plus, self)  # type: ignore[no-untyped-call]
        return result


class _Times(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, dense: Tensor, plus: Tensor, block: Block) -> Tensor:
        ctx.block = block
        return block.forward.times(dense).add_(plus)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None]:
        block: Block = ctx.block
        return block.backward.times(grad.contiguous()), None, None


def neighbours(pattern: Pattern, nodes: Tensor) -> Tensor:
    """Which nodes have an entry in the rows of ``nodes`` (m,): (n,) bool."""
    found = torch.zeros(pattern.size, dtype=torch.bool, device=nodes.device)
    entries, _ = _entries(pattern, nodes)
    found[pattern.col[entries]] = True
    return found


def rows_of(pattern: Pattern, values: Tensor | None, rows: Tensor, columns: Tensor) -> Rows:
    """The entries in ``rows`` (m,) and ``columns`` (c,), both distinct node ids."""
    place = torch.full((pattern.size,), -1, dtype=torch.int64, device=rows.device)
    place[columns] = torch.arange(columns.shape[0], device=rows.device)
    entries, degrees = _entries(pattern, rows)
    col = place[pattern.col[entries]]
    kept = col >= 0
    before = torch.cat([kept.new_zeros(1, dtype=torch.int64), kept.cumsum(0)])
    ends = torch.cat([degrees.new_zeros(1), degrees.cumsum(0)])
    return Rows(before[ends], col[kept], None if values is None else values[entries[kept]])


def block(
    pattern: Pattern,
    values: Tensor | None,
    rows: Tensor,
    columns: Tensor,
    *,
    transposed: Tensor | None = None,
) -> Block:
    """The block of ``rows`` (m,) and ``columns`` (c,) of the matrix with these ``values`` (z,).

    ``transposed`` are the transpose's values where they are known (for a symmetric matrix,
    ``values`` itself).
    """
    if transposed is None and values is not None:
        transposed = values[pattern.reverse]
    return Block(
        rows_of(pattern, values, rows, columns), rows_of(pattern, transposed, columns, rows)
    )


def _entries(pattern: Pattern, rows: Tensor) -> tuple[Tensor, Tensor]:
    """Positions of the entries of ``rows``, row after row, and how many each row has."""
    degrees = pattern.degrees[rows]
    before = degrees.cumsum(0) - degrees
    shift = torch.repeat_interleave(pattern.rowptr[rows] - before, degrees)
    return shift + torch.arange(shift.shape[0], device=rows.device), degrees
