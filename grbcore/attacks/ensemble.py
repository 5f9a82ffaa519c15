"""Several surrogates as one, for attacks that shall transfer."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from grbcore.graph import Graph
from grbcore.models.model import GraphModel
from grbcore.spmm import Pattern


class Ensemble(nn.Module):
    """A `GraphModel` whose logits are the mean of its members' log-probabilities.

    Each member thus has the same say, however large its logits are.  Attacks differentiate it and
    take their labels from it like from any model.
    Source: Liu et al., Delving into Transferable Adversarial Examples (ICLR 2017), who average
    probabilities; the mean of their logarithms does not fade where one member is sure.
    """

    def __init__(self, models: Sequence[GraphModel]) -> None:
        """Of models for the same features and classes; they are shared, not copied.

        Raises:
            ValueError: there are none.
        """
        super().__init__()
        if not models:
            raise ValueError("models: found none, allowed: one or more")
        self.models = nn.ModuleList(models)  # type: ignore[arg-type]
        self._widths: list[int] = []

    def forward(self, graph: Graph, edge_weight: Tensor | None = None) -> Tensor:
        return self.propagate(graph.pattern, self.embed(graph.features), edge_weight)

    def embed(self, features: Tensor) -> Tensor:
        """What the members embed, side by side: (m, d) to (m, sum of their widths)."""
        parts = [model.embed(features) for model in self._members()]
        self._widths = [part.shape[1] for part in parts]  # the same each time
        return torch.cat(parts, dim=1)

    def propagate(
        self, pattern: Pattern, hidden: Tensor, edge_weight: Tensor | None = None
    ) -> Tensor:
        """The rest, from what `embed` gave: to the mean log-probabilities (n, c).

        Raises:
            ValueError: ``hidden`` is not of `embed`'s width, or members differ in their classes.
        """
        if hidden.shape[1] != sum(self._widths):
            allowed = f"{sum(self._widths)} columns, from embed of this ensemble"
            raise ValueError(f"hidden: found {hidden.shape[1]} columns, allowed: {allowed}")
        parts = zip(self._members(), torch.split(hidden, self._widths, dim=1), strict=True)
        found = [model.propagate(pattern, part, edge_weight) for model, part in parts]
        classes = sorted({logits.shape[1] for logits in found})
        if len(classes) > 1:
            raise ValueError(f"models: found ones of {classes} classes, allowed: of as many")
        return torch.stack([F.log_softmax(logits, dim=1) for logits in found]).mean(dim=0)

    def _members(self) -> list[GraphModel]:
        return list(self.models)  # type: ignore[arg-type]
