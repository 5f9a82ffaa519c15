"""Graph isomorphism network."""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from grbcore.architectures import Parameters
from grbcore.models.layers import Norms, dropout, glorot
from grbcore.models.stack import Convolution, Stack
from grbcore.spmm import Pattern, product


class GINConv(Convolution):
    """``BN(W2 relu(W1 ((1 + eps) x + A x)))``, W1 applied before the sum, which is the same."""

    def __init__(self, wide: int, width: int) -> None:
        super().__init__()
        self.eps = nn.Parameter(torch.zeros(1))
        self.linears = nn.ModuleList(
            [glorot(nn.Linear(wide, width)), glorot(nn.Linear(width, width))]
        )
        self.batch_norm = nn.BatchNorm1d(width)

    def embed(self, features: Tensor) -> Tensor:
        first = self.linears[0]
        assert isinstance(first, nn.Linear)
        return F.linear(features, first.weight)

    def propagate(self, pattern: Pattern, hidden: Tensor, edge_weight: Tensor | None) -> Tensor:
        first = self.linears[0]
        assert isinstance(first, nn.Linear)
        summed = product(pattern, edge_weight, hidden) + (1 + self.eps) * hidden + first.bias
        result: Tensor = self.batch_norm(self.linears[1](F.relu(summed)))
        return result


class GIN(Stack):
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

    def propagate(
        self, pattern: Pattern, hidden: Tensor, edge_weight: Tensor | None = None
    ) -> Tensor:
        for index in range(len(self.convs)):
            if index:
                hidden = self.enter(index, hidden)
            hidden = F.relu(self.conv(index).propagate(pattern, hidden, edge_weight))
            hidden = dropout(hidden, self.dropout, self.training)
        hidden = dropout(F.relu(self.head[0](hidden)), self.dropout, self.training)
        logits: Tensor = self.head[1](hidden)
        return logits
