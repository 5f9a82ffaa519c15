"""Graph convolutional network."""

from __future__ import annotations

from torch import Tensor

from grbcore.models.layered import Aggregation, Layered, Own
from grbcore.models.layers import relu_dropout
from grbcore.models.linear import LinearLayers
from grbcore.spmm import Pattern, normalise


class GCN(LinearLayers, Layered):
    """Layers ``relu(N (X W + b))`` with ``N = D^-1/2 (A + I) D^-1/2``; the last one linear.

    Source: Kipf and Welling, 2017.  Paper: no bias; its authors' code adds one after N.  GRB's
    code and its published weights: before N.  Here: before N, as the published weights need.
    """

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
