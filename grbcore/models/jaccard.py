"""GCN on the edges whose ends have similar features."""

from __future__ import annotations

import torch
from torch import Tensor

from grbcore.architectures.defenses import SimilarityParameters
from grbcore.models.linear import LinearLayers
from grbcore.models.similarity import tanimoto
from grbcore.spmm import Pattern, normalise, product


class GCNJaccard(LinearLayers):
    """A GCN without the edges whose similarity is below the threshold.

    Source: Wu et al., Adversarial Examples for Graph Data, 2019, Section 4.  Paper: the Jaccard
    index of 0/1 features.  DeepRobust: cosine where features are continuous.  Here: Tanimoto's
    extension, which is the Jaccard index on 0/1 features and takes all others.  The choice of
    edges is a step, so gradients flow through those that stay and not through the choice.
    """

    def __init__(
        self, parameters: SimilarityParameters, features: int, classes: int, *, dropout: float = 0.5
    ) -> None:
        super().__init__(parameters, features, classes, dropout=dropout)
        self.threshold = parameters.threshold
        self.features = features

    def embed(self, features: Tensor) -> Tensor:
        """(m, d) to the features themselves and the first layer's ``X W + b``: (m, d + h)."""
        return torch.cat([features, super().embed(features)], dim=1)

    def propagate(
        self, pattern: Pattern, hidden: Tensor, edge_weight: Tensor | None = None
    ) -> Tensor:
        features, hidden = hidden[:, : self.features], hidden[:, self.features :]
        kept = self.kept(pattern, features).to(hidden.dtype)
        weight = kept if edge_weight is None else kept * edge_weight
        values = normalise(pattern, weight)
        hidden = product(pattern.looped.pattern, values, hidden.contiguous())
        for index in range(1, len(self.convs)):
            hidden = product(pattern.looped.pattern, values, self.enter(index, hidden))
        return hidden

    def kept(self, pattern: Pattern, features: Tensor) -> Tensor:
        """Which edges stay: (z,) bool."""
        with torch.no_grad():
            return tanimoto(pattern, features.contiguous()) >= self.threshold
