"""Graph convolutional network."""

from __future__ import annotations

from itertools import pairwise

from torch import Tensor, nn

from grbcore.architectures import Parameters
from grbcore.models.layered import Aggregation, Layered, Own
from grbcore.models.layers import Norms, glorot, relu_dropout
from grbcore.spmm import Pattern, normalise


class GCN(Layered):
    """Layers ``relu(N (X W + b))`` with ``N = D^-1/2 (A + I) D^-1/2``; the last one linear.

    Source: Kipf and Welling, 2017.  Paper: no bias; its authors' code adds one after N.  GRB's
    code and its published weights: before N.  Here: before N, as the published weights need.
    """

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

    @property
    def hops(self) -> int:
        return len(self.convs)

    def aggregation(self, pattern: Pattern, edge_weight: Tensor | None = None) -> Aggregation:
        values = normalise(pattern, edge_weight)
        symmetric = values if edge_weight is None else None
        return Aggregation(pattern.looped.pattern, values, symmetric)

    def update(self, layer: int, aggregated: Tensor, own: Own) -> Tensor:
        following = layer + 1
        if following == len(self.convs):
            return aggregated
        hidden = relu_dropout(aggregated, self.dropout, self.training)
        updated: Tensor = self.convs[following](self.norms.at(following, hidden))
        return updated
