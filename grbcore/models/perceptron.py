"""What models share that classify each node alone before anything mixes nodes."""

from __future__ import annotations

from itertools import pairwise

from torch import Tensor, nn
from torch.nn import functional as F

from grbcore.architectures import Parameters
from grbcore.models.layers import Norms, dropout, glorot
from grbcore.models.model import Model


class Perceptron(Model):
    """Abstract: linear layers, ReLU and dropout between them, up to the logits of each row.

    With layer normalisation there is a norm before every linear layer, the last one included:
    GRB's Tables 6-10 count it so for APPNP.
    """

    def __init__(
        self, parameters: Parameters, features: int, classes: int, *, dropout: float = 0.5
    ) -> None:
        super().__init__(parameters)
        widths = [features, *parameters.hidden, classes]
        self.linears = nn.ModuleList(
            glorot(nn.Linear(wide, width)) for wide, width in pairwise(widths)
        )
        self.norms = Norms(widths[:-1], layer_norm=parameters.layer_norm)
        self.dropout = dropout

    def embed(self, features: Tensor) -> Tensor:
        """Row by row: (m, d) to logits (m, c)."""
        hidden = features
        for index, linear in enumerate(self.linears):
            if index:
                hidden = dropout(F.relu(hidden), self.dropout, self.training)
            hidden = linear(self.norms.at(index, hidden))
        return hidden
