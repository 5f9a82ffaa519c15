"""Perceptrons over rows that may each stand for several alike ones, and their batch norms.

While they learn, what lies between two linear maps is computed in blocks that stay in the cache.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from grbcore.graphlevel.models.linear import Linear, add_products, affine

#: Numbers of a block, of which a few are at hand at a time: 384 KiB in single precision.
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
    return _Two(Linear(inputs, hidden), Norm(hidden), nn.ReLU(), Linear(hidden, outputs))


def perceptron(inputs: int, hidden: int, outputs: int, layers: int) -> Rows:
    """Linear maps with ReLU and, behind it, batch norm between them."""
    parts: list[nn.Module] = [Linear(inputs, hidden)]
    widths = [*[hidden] * (layers - 1), outputs]
    for a, b in pairwise(widths):
        parts += [nn.ReLU(), Norm(a), Linear(a, b)]
    return (_Two if layers == 2 else Rows)(*parts)


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
        self.learn(mean, variance, total)
        return cast(Tensor, found)

    def learn(self, mean: Tensor, variance: Tensor, total: float) -> None:
        """Those of a batch of ``total`` rows, of each column, into the running statistics."""
        assert self.running_mean is not None and self.running_var is not None
        assert self.num_batches_tracked is not None
        self.num_batches_tracked.add_(1)
        part = self.momentum
        if part is None:
            part = 1 / float(self.num_batches_tracked)
        self.running_mean.lerp_(mean, part)
        self.running_var.lerp_(variance * (total / (total - 1)), part)


class _Two(Rows):
    """Two linear maps, with a ReLU and a batch norm between them in either order."""

    def forward(self, x: Tensor, counts: Tensor | None = None) -> Tensor:
        rows = x.reshape(-1, x.shape[-1])
        total = float(len(rows) if counts is None else counts.sum())
        if not self.training or total <= 1 or len(self) != 4:
            return super().forward(x, counts)
        first, *between, last = self
        ahead = isinstance(between[0], nn.ReLU)
        norm = between[ahead]
        assert isinstance(norm, Norm)
        each = torch.ones(len(rows)) if counts is None else counts
        found, mean, variance = _Between.apply(  # type: ignore[no-untyped-call]
            rows,
            each.to(rows.dtype) / total,
            (norm.eps, ahead),
            *first.parameters(),
            *norm.parameters(),
            *last.parameters(),
        )
        norm.learn(mean, variance, total)
        return cast(Tensor, found).reshape(*x.shape[:-1], found.shape[-1])


class _Normed(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, x: Tensor, share: Tensor, weight: Tensor, bias: Tensor, eps: float
    ) -> tuple[Tensor, Tensor, Tensor]:
        moments = _Moments(share)
        for rows in _blocks(x):
            moments.add(x[rows], rows)
        mean, variance = moments.found()
        spread = (variance + eps).rsqrt()
        scale = weight * spread
        ctx.save_for_backward(x, share, mean, spread, scale)
        ctx.mark_non_differentiable(mean, variance)
        return torch.addcmul(bias - mean * scale, x, scale), mean, variance

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, slope: Tensor, *none: Tensor) -> tuple[Tensor | None, ...]:
        x, share, mean, spread, scale = ctx.saved_tensors
        to_bias, to_weight = torch.zeros_like(mean), torch.zeros_like(mean)
        for rows in _blocks(x):
            to_bias += slope[rows].sum(0)
            to_weight += torch.linalg.vecdot(slope[rows], x[rows] - mean, dim=0)
        to_weight *= spread
        to_x = torch.empty_like(x)
        for rows in _blocks(x):
            shared = _of_statistics(x[rows] - mean, share[rows], spread * to_weight, to_bias)
            torch.sub(slope[rows], shared, out=to_x[rows]).mul_(scale)
        return to_x, None, to_weight, to_bias, None


class _Between(torch.autograd.Function):
    """Linear, ReLU and batch norm in either order, linear; and the norm's mean and variance."""

    @staticmethod
    def forward(
        ctx: Any,
        x: Tensor,
        share: Tensor,
        how: tuple[float, bool],
        *weights: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        first, first_bias, weight, bias, last, last_bias = weights
        eps, ahead = how
        hidden = x.new_empty(len(x), len(first))
        moments = _Moments(share)
        for rows in _blocks(hidden):
            part = affine(hidden[rows], x[rows], first, first_bias)
            moments.add(part.relu_() if ahead else part, rows)
        mean, variance = moments.found()
        spread = (variance + eps).rsqrt()
        scale = weight * spread
        shift = bias - mean * scale
        found = x.new_empty(len(x), len(last))
        scaled, moved = last * scale, torch.addmv(last_bias, last, shift)
        for rows in _blocks(hidden):
            if ahead:
                affine(found[rows], hidden[rows], scaled, moved)
            else:
                part = torch.addcmul(shift, hidden[rows], scale).relu_()
                affine(found[rows], part, last, last_bias)
        ctx.ahead = ahead
        ctx.save_for_backward(x, share, hidden, mean, spread, *weights)
        ctx.mark_non_differentiable(mean, variance)
        return found, mean, variance

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, slope: Tensor, *none: Tensor) -> tuple[Tensor | None, ...]:
        x, share, hidden, mean, spread, *weights = ctx.saved_tensors
        first, first_bias, weight, bias, last, _ = weights
        slope = slope.contiguous()
        scale = weight * spread
        to_last, to_last_bias = torch.zeros_like(last), slope.sum(0)
        to_weight, to_bias = torch.zeros_like(weight), torch.zeros_like(bias)
        if ctx.ahead:
            for rows in _blocks(hidden):
                add_products(to_last, slope[rows], hidden[rows] - mean)
            to_last *= spread
            to_weight, to_bias = (last * to_last).sum(0), to_last_bias @ last
            to_last = torch.addr(to_last * weight, to_last_bias, bias)
            scaled = last * scale
        else:
            shift = bias - mean * scale
            inner = torch.empty_like(hidden)
            for rows in _blocks(hidden):
                part = torch.addcmul(shift, hidden[rows], scale).relu_()
                add_products(to_last, slope[rows], part)
                back = _through(affine(inner[rows], slope[rows], last.T), part)
                to_bias += back.sum(0)
                to_weight += torch.linalg.vecdot(back, hidden[rows] - mean, dim=0)
            to_weight *= spread
        to_first, to_first_bias = torch.zeros_like(first), torch.zeros_like(first_bias)
        to_x = torch.empty_like(x) if ctx.needs_input_grad[0] else None
        for rows in _blocks(hidden):
            part = hidden[rows]
            shared = _of_statistics(
                part - mean, share[rows], scale * spread * to_weight, scale * to_bias
            )
            if ctx.ahead:
                back = affine(torch.empty_like(part), slope[rows], scaled.T)
                back = _through(back.sub_(shared), part)
            else:
                back = inner[rows].mul_(scale).sub_(shared)
            to_first_bias += back.sum(0)
            add_products(to_first, back, x[rows])
            if to_x is not None:
                affine(to_x[rows], back, first.T)
        return to_x, None, None, to_first, to_first_bias, to_weight, to_bias, to_last, to_last_bias


class _Moments:
    """Mean and variance of rows that ``share`` (n,), of sum 1, weighs, block by block.

    Around the mean of the first block, which is near enough for little to cancel: the square of its
    distance from the mean is at most the variance times how many blocks of its weight there are.
    """

    def __init__(self, share: Tensor) -> None:
        self._share = share
        self._centre: Tensor | None = None
        self._away = self._squares = torch.zeros((), dtype=share.dtype)

    def add(self, part: Tensor, rows: slice) -> None:
        """Rows ``part`` (k, h), which are those numbered ``rows``."""
        share = self._share[rows]
        if self._centre is None:
            self._centre = share @ part / share.sum()
        centred = part - self._centre
        self._away = self._away + share @ centred
        self._squares = self._squares + share @ centred.square_()

    def found(self) -> tuple[Tensor, Tensor]:
        """Mean and variance (h,)."""
        assert self._centre is not None
        return self._centre + self._away, self._squares - self._away.square()


def _of_statistics(centred: Tensor, share: Tensor, slope: Tensor, plain: Tensor) -> Tensor:
    """What rows' slopes lose as the statistics move with them; written over ``centred``."""
    return centred.mul_(slope).add_(plain).mul_(share[:, None])


def _through(slope: Tensor, found: Tensor) -> Tensor:
    """The slope through a ReLU of which ``found`` came; written over ``slope``."""
    back: Tensor = torch.ops.aten.threshold_backward.grad_input(slope, found, 0, grad_input=slope)
    return back


def _blocks(x: Tensor) -> Iterator[slice]:
    size = max(_BLOCK // max(x.shape[1], 1), 1)
    return (slice(start, start + size) for start in range(0, len(x), size))
