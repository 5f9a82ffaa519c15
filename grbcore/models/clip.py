"""GCN on features that are held within what training saw."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from grbcore.architectures.defenses import QuantileParameters
from grbcore.models.gcn import GCN

LARGEST = torch.finfo(torch.float32).max


class Clip(nn.Module):
    """Clamps each feature to quantiles of its values in the first pass of training.

    They are set once, so that attacks in adversarial training don't widen them, if it has a warm-up
    of one epoch at least, and travel with the weights.  Before training nothing is clamped.
    """

    low: Tensor
    high: Tensor

    def __init__(self, features: int, quantile: float) -> None:
        super().__init__()
        self.quantile = quantile
        self.register_buffer("low", torch.full((features,), -LARGEST))
        self.register_buffer("high", torch.full((features,), LARGEST))

    def forward(self, features: Tensor) -> Tensor:
        """(m, d) to the same, clamped."""
        if self.training and features.shape[0] and bool((self.low == -LARGEST).all()):
            self._fit(features.detach())
        return features.clamp(self.low, self.high)

    def _fit(self, features: Tensor) -> None:
        beyond = int(self.quantile * (features.shape[0] - 1))
        self.low.copy_(features.kthvalue(1 + beyond, dim=0).values)
        self.high.copy_(features.kthvalue(features.shape[0] - beyond, dim=0).values)


class GCNClip(GCN):
    """A GCN whose features are clamped to the training nodes' quantiles, feature by feature.

    Source: GRB, Section 2.2 (defenses that preprocess features), which gives no formula.  Here:
    order statistics at ``quantile`` and ``1 - quantile``.
    """

    def __init__(
        self, parameters: QuantileParameters, features: int, classes: int, *, dropout: float = 0.5
    ) -> None:
        super().__init__(parameters, features, classes, dropout=dropout)
        self.clip = Clip(features, parameters.quantile)

    def embed(self, features: Tensor) -> Tensor:
        return super().embed(self.clip(features))
