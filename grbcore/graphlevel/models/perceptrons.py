"""Perceptrons over rows that may each stand for several alike ones, and their batch norms."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from grbcore.graphlevel.models.linear import Linear

#: Numbers of a block that is at hand at a time, so that it stays in the cache: 384 KiB.
_BLOCK = 96 * 1024


class Rows(nn.Sequential):
    """Modules applied to each row of the last dimension, whatever stands before it."""

    def forward(self, x: Tensor, counts: Tensor | None = None) -> Tensor:
        """Of rows (…, h); with ``counts`` (k,) of rows (k, h) that stand for several each.

        A batch norm that can't count has no place here: see `Norm`.
        """
        rows = x.reshape(-1, x.shape[-1])
        for part in self:
            rows = part(rows, counts) if isinstance(part, Norm) else part(rows)
        return rows.reshape(*x.shape[:-1], rows.shape[-1])


def two_layers(inputs: int, hidden: int, outputs: int) -> Rows:
    """Linear, batch norm, ReLU, linear."""
    return Rows(Linear(inputs, hidden), Norm(hidden), nn.ReLU(), Linear(hidden, outputs))


def perceptron(inputs: int, hidden: int, outputs: int, layers: int) -> Rows:
    """Linear maps with ReLU and, behind it, batch norm between them."""
    widths = [inputs, *[hidden] * (layers - 1), outputs]
    parts: list[nn.Module] = [Linear(inputs, widths[1])]
    for a, b in pairwise(widths[1:]):
        parts += [nn.ReLU(), Norm(a), Linear(a, b)]
    return Rows(*parts)


def normed(width: int) -> Rows:
    """Batch norm over all nodes."""
    return Rows(Norm(width))


class Norm(nn.BatchNorm1d):
    """Batch norm over rows that may each stand for several alike ones."""

    def __init__(self, width: int) -> None:
        super().__init__(width)

    def forward(self, x: Tensor, counts: Tensor | None = None) -> Tensor:
        """Of rows (k, h), row i ``counts[i]`` times; each once where it is None.

        Only statistics of the batch depend on the counts.
        """
        total = None if counts is None else float(counts.sum())
        if counts is None or total is None or total == 1 or not self.training:
            return super().forward(x)
        found, mean, variance = _Normed.apply(  # type: ignore[no-untyped-call]
            x, counts.to(x.dtype) / total, self.weight, self.bias, self.eps
        )
        assert self.running_mean is not None and self.running_var is not None
        assert self.num_batches_tracked is not None
        self.num_batches_tracked.add_(1)
        part = self.momentum
        if part is None:
            part = 1 / float(self.num_batches_tracked)
        self.running_mean.lerp_(mean, part)
        self.running_var.lerp_(variance * (total / (total - 1)), part)
        return cast(Tensor, found)


class _Normed(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, x: Tensor, share: Tensor, weight: Tensor, bias: Tensor, eps: float
    ) -> tuple[Tensor, Tensor, Tensor]:
        mean, variance = _moments(x, share)
        spread = (variance + eps).rsqrt()
        scale = weight * spread
        ctx.eps = eps
        ctx.save_for_backward(x, share, weight, mean, spread)
        ctx.mark_non_differentiable(mean, variance)
        return torch.addcmul(bias - mean * scale, x, scale), mean, variance

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, slope: Tensor, *none: Tensor) -> tuple[Tensor | None, ...]:
        x, share, weight, mean, spread = ctx.saved_tensors
        laid = [slope, x]
        if not x.is_contiguous():  # columns one after another, which it knows as channels
            laid = [part.T[None] for part in laid]
        _, to_weight, to_bias = torch.ops.aten.native_batch_norm_backward(
            *laid, weight, None, None, mean, spread, True, ctx.eps, [False, True, True]
        )
        scale = weight * spread
        times = scale * spread * to_weight
        plus = scale * to_bias - mean * times
        to_x = torch.empty_like(x)
        for rows, moved in _blocks(x):
            torch.addcmul(plus, x[rows], times, out=moved)  # by the statistics
            own = torch.mul(slope[rows], scale, out=to_x[rows])
            own.addcmul_(moved, share[rows, None], value=-1)
        return to_x, None, to_weight, to_bias, None


def _moments(x: Tensor, share: Tensor) -> tuple[Tensor, Tensor]:
    """Mean and variance (h,) of rows ``x`` (n, h) that ``share`` (n,), of sum 1, weighs.

    Around the mean of the first block, which is near enough for little to cancel: the square of its
    distance from the mean is at most the variance times how many blocks of its weight there are.
    """
    first, _ = next(_blocks(x))
    weight = share[first].sum().clamp(min=torch.finfo(x.dtype).tiny)  # of counts of 0, too
    centre = share[first] @ x[first] / weight
    away, squares = torch.zeros_like(centre), torch.zeros_like(centre)
    for rows, centred in _blocks(x):
        torch.sub(x[rows], centre, out=centred)
        away += share[rows] @ centred
        squares += share[rows] @ centred.square_()
    return centre + away, (squares - away.square()).clamp(min=0)


def _blocks(x: Tensor) -> Iterator[tuple[slice, Tensor]]:
    """Which rows each has, and as much room, the same each time, laid out as they are."""
    size = max(_BLOCK // max(x.shape[1], 1), 1)
    room = torch.empty_like(x[:size], memory_format=torch.preserve_format)
    for start in range(0, len(x), size):
        yield slice(start, start + size), room[: len(x) - start]
