"""Layers that several models share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable
from torch.nn import functional as F


class Norms(nn.ModuleList):
    """GRB's layer normalisation: of the input and before every convolution but the last.

    Empty where a model has none.  Source: GRB, Section 3.4 (Five Defenses).
    """

    def __init__(self, widths: Sequence[int], *, layer_norm: bool) -> None:
        super().__init__(nn.LayerNorm(width) for width in widths if layer_norm)

    def at(self, index: int, hidden: Tensor) -> Tensor:
        """``hidden`` (n, h), normalised where convolution ``index`` has a norm before it."""
        if index < len(self):
            hidden = self[index](hidden)
        return hidden


def glorot(linear: nn.Linear) -> nn.Linear:
    """Glorot-uniform weights and a zero bias, in place."""
    nn.init.xavier_uniform_(linear.weight)
    if linear.bias is not None:
        nn.init.zeros_(linear.bias)
    return linear


def dropout(hidden: Tensor, rate: float, training: bool) -> Tensor:
    """Inverted dropout; the identity where not training.

    torch draws one Bernoulli number for each entry, which on the CPU costs more than the rest of
    a layer.  Here one byte decides, eight to a draw: the rate is rounded to 1/256.
    """
    if not training or rate <= 0:
        return hidden
    if hidden.is_cuda:
        return F.dropout(hidden, rate)
    kept, scale = _drawn(hidden, rate)
    return hidden * kept.to(hidden.dtype).mul_(scale)


def relu_dropout(hidden: Tensor, rate: float, training: bool) -> Tensor:
    """``dropout(relu(hidden))`` in the place of ``hidden``, which is overwritten.

    Only the result is kept for the gradient: what is above 0 was neither cut off nor dropped.
    """
    if not training or rate <= 0:
        return hidden.relu_()
    if hidden.is_cuda:
        return F.dropout(hidden.relu_(), rate)
    result: Tensor = _ReluDropout.apply(hidden, rate)  # type: ignore[no-untyped-call]
    return result


class _ReluDropout(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, hidden: Tensor, rate: float) -> Tensor:
        kept, ctx.scale = _drawn(hidden, rate)
        hidden.relu_()
        for part, chosen in zip(torch.split(hidden, _ROWS), torch.split(kept, _ROWS), strict=True):
            part.mul_(chosen.to(hidden.dtype).mul_(ctx.scale))
        ctx.mark_dirty(hidden)
        ctx.save_for_backward(hidden)
        return hidden

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        (result,) = ctx.saved_tensors
        passed: Tensor = torch.ops.aten.threshold_backward(grad, result, 0)
        return passed.mul_(ctx.scale), None


_ROWS = 4096  # at a time, so that they stay in the cache


def _drawn(hidden: Tensor, rate: float) -> tuple[Tensor, float]:
    """Which entries stay, and what they are multiplied by."""
    threshold = min(max(round(rate * 256), 1), 255)
    entries = hidden.numel()
    draws = torch.empty((entries + 7) // 8, dtype=torch.int64).random_(-(2**63), None)
    kept = draws.view(torch.uint8)[:entries].view(hidden.shape) >= threshold
    return kept, 256 / (256 - threshold)
