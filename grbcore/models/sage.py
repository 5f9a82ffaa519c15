"""GraphSAGE with max-pooling."""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from grbcore.architectures import Parameters
from grbcore.models.layers import Norms, dropout, glorot
from grbcore.models.pooling import pool
from grbcore.models.stack import Convolution, Stack
from grbcore.spmm import Pattern


class SAGEConv(Convolution):
    """``W1 x + b1 + W2 max(relu(Wp x_j + bp)) + b2``, the maximum over the neighbours j."""

    def __init__(self, wide: int, width: int) -> None:
        super().__init__()
        self.pool = glorot(nn.Linear(wide, wide))
        self.own = glorot(nn.Linear(wide, width))
        self.neighbours = glorot(nn.Linear(wide, width))
        self.width = width

    def embed(self, features: Tensor) -> Tensor:
        """(m, wide) to (m, width + wide): a node's own part, and what its neighbours will see."""
        return torch.cat([self.own(features), F.relu(self.pool(features))], dim=1)

    def propagate(self, pattern: Pattern, hidden: Tensor, edge_weight: Tensor | None) -> Tensor:
        """(n, width + wide) to (n, width)."""
        own, seen = hidden[:, : self.width], hidden[:, self.width :]
        mixed: Tensor = own + self.neighbours(pool(pattern, seen.contiguous(), edge_weight))
        return mixed


class GraphSAGE(Stack):
    """Max-pooling convolutions over all neighbours, between them ReLU and rows of length 1.

    Source: Hamilton et al., Inductive Representation Learning on Large Graphs, 2017, eq. 3 and
    Algorithm 1, without sampling.  Paper: the maximum; each layer's rows are brought to length 1.
    GRB's code: the root of the sum of squares; the rows that enter a layer.  Here: the maximum; the
    rows of every layer but the last, whose are logits.
    """

    def __init__(
        self, parameters: Parameters, features: int, classes: int, *, dropout: float = 0.5
    ) -> None:
        super().__init__(parameters)
        widths = [features, *parameters.hidden, classes]
        self.convs = nn.ModuleList(SAGEConv(wide, width) for wide, width in pairwise(widths))
        self.norms = Norms(widths[:-2], layer_norm=parameters.layer_norm)
        self.dropout = dropout

    def propagate(
        self, pattern: Pattern, hidden: Tensor, edge_weight: Tensor | None = None
    ) -> Tensor:
        for index in range(len(self.convs)):
            if index:
                hidden = F.normalize(F.relu(hidden), dim=1)
                hidden = dropout(hidden, self.dropout, self.training)
                hidden = self.enter(index, hidden)
            hidden = self.conv(index).propagate(pattern, hidden, edge_weight)
        return hidden
