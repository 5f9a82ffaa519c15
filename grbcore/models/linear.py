"""What GCN shares with the defenses that have its layers and an aggregation of their own."""

from __future__ import annotations

from itertools import pairwise

from torch import Tensor, nn
from torch.nn import functional as F

from grbcore.architectures import Parameters
from grbcore.models.layers import Norms, dropout, glorot
from grbcore.models.model import Model


class LinearLayers(Model):
    """Abstract: GCN's linear layers, norms and dropout; a model says how it aggregates."""

    def __init__(
        self, parameters: Parameters, features: int, classes: int, *, dropout: float = 0.5
    ) -> None:
        super().__init__(parameters)
        widths = [features, *parameters.hidden, classes]
        self.convs = nn.ModuleList(
            glorot(nn.Linear(wide, width)) for wide, width in pairwise(widths)
        )
        self.norms = Norms(widths[:-2], layer_norm=parameters.layer_norm)
        self.dropout = dropout

    def embed(self, features: Tensor) -> Tensor:
        hidden: Tensor = self.convs[0](self.norms.at(0, features))
        return hidden

    def enter(self, index: int, hidden: Tensor) -> Tensor:
        """What layer ``index`` makes of the one before, ahead of aggregating: (n, h) to (n, h')."""
        hidden = dropout(F.relu(hidden), self.dropout, self.training)
        entered: Tensor = self.convs[index](self.norms.at(index, hidden))
        return entered
