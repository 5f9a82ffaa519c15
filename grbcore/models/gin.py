"""Graph isomorphism network."""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from grbcore.architectures import Parameters
from grbcore.models.layered import Aggregation, Layered, Own
from grbcore.models.layers import Norms, glorot, relu_dropout
from grbcore.spmm import Pattern


class GINConv(nn.Module):
    """``BN(W2 relu(W1 ((1 + eps) x + A x)))``, W1 applied before the sum, which is the same."""

    def __init__(self, wide: int, width: int) -> None:
        super().__init__()
        self.eps = nn.Parameter(torch.zeros(1))
        self.linears = nn.ModuleList(
            [glorot(nn.Linear(wide, width)), glorot(nn.Linear(width, width))]
        )
        self.batch_norm = nn.BatchNorm1d(width)

    def embed(self, features: Tensor) -> Tensor:
        """``W1 x``, row by row: (m, d) to (m, h)."""
        first = self.linears[0]
        assert isinstance(first, nn.Linear)
        return F.linear(features, first.weight)

    def mix(self, aggregated: Tensor, hidden: Tensor) -> Tensor:
        """Of ``A hidden`` and ``hidden``, both (m, h), the convolution's output (m, h)."""
        first = self.linears[0]
        assert isinstance(first, nn.Linear)
        summed = aggregated + (1 + self.eps) * hidden + first.bias
        result: Tensor = self.batch_norm(self.linears[1](summed.relu_()))
        return result


class GIN(Layered):
    """GIN convolutions on the unnormalised adjacency, then a head of two linear layers.

    Source: Xu et al., How Powerful are Graph Neural Networks, eq. 4.1, with a learned eps, as GRB
    has it.  ``dropout`` follows each convolution.
    """

    def __init__(
        self, parameters: Parameters, features: int, classes: int, *, dropout: float = 0.5
    ) -> None:
        super().__init__(parameters)
        widths = [features, *parameters.hidden]
        last = widths[-1]
        self.convs = nn.ModuleList(GINConv(wide, width) for wide, width in pairwise(widths))
        self.head = nn.ModuleList([glorot(nn.Linear(last, last)), glorot(nn.Linear(last, classes))])
        self.norms = Norms(widths[:-1], layer_norm=parameters.layer_norm)
        self.dropout = dropout

    def embed(self, features: Tensor) -> Tensor:
        return self._enter(0, features)

    @property
    def hops(self) -> int:
        return len(self.convs)

    def aggregation(self, pattern: Pattern, edge_weight: Tensor | None = None) -> Aggregation:
        return Aggregation(pattern, edge_weight)

    def update(self, layer: int, aggregated: Tensor, own: Own) -> Tensor:
        mixed = self._conv(layer).mix(aggregated, own.hidden)
        hidden = relu_dropout(mixed, self.dropout, self.training)
        if layer + 1 < len(self.convs):
            return self._enter(layer + 1, hidden)
        hidden = relu_dropout(self.head[0](hidden), self.dropout, self.training)
        logits: Tensor = self.head[1](hidden)
        return logits

    def _enter(self, layer: int, hidden: Tensor) -> Tensor:
        return self._conv(layer).embed(self.norms.at(layer, hidden))

    def _conv(self, layer: int) -> GINConv:
        conv = self.convs[layer]
        assert isinstance(conv, GINConv)
        return conv
