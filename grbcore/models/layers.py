"""Layers that several models share."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
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
    threshold = min(max(round(rate * 256), 1), 255)
    entries = hidden.numel()
    draws = torch.empty((entries + 7) // 8, dtype=torch.int64).random_(-(2**63), None)
    kept = draws.view(torch.uint8)[:entries].view(hidden.shape) >= threshold
    return hidden * kept.to(hidden.dtype).mul_(256 / (256 - threshold))
