"""Graph attention network."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from grbcore.architectures import HeadParameters
from grbcore.models.attention import attend
from grbcore.models.layers import Norms, dropout
from grbcore.models.stack import Convolution, Stack
from grbcore.spmm import Pattern


class GATConv(Convolution):
    """Attention over a node and its neighbours, with several heads side by side."""

    def __init__(self, wide: int, width: int, heads: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(heads * width, wide))
        self.source = nn.Parameter(torch.empty(heads, width))
        self.destination = nn.Parameter(torch.empty(heads, width))
        self.bias = nn.Parameter(torch.zeros(heads * width))
        for weight in (self.weight, self.source, self.destination):
            nn.init.xavier_uniform_(weight)

    def embed(self, features: Tensor) -> Tensor:
        return F.linear(features, self.weight)

    def propagate(self, pattern: Pattern, hidden: Tensor, edge_weight: Tensor | None) -> Tensor:
        """(n, heads * width) to the same, attended and the bias added."""
        return attend(pattern, hidden, self.source, self.destination, edge_weight) + self.bias


class GAT(Stack):
    """Attention layers with ELU, heads side by side; in the last layer the heads are averaged.

    Source: Velickovic et al., Graph Attention Networks, 2018, eqs. 5 and 6.  Paper: dropout of the
    input and of the attention too.  GRB's code: leaky ReLU, dropout between layers only, one head
    in the last layer.  Here: the paper's ELU and last layer, as GRB's parameter counts have it;
    dropout between layers only.
    """

    def __init__(
        self, parameters: HeadParameters, features: int, classes: int, *, dropout: float = 0.5
    ) -> None:
        super().__init__(parameters)
        heads = parameters.heads
        inputs = [features, *(heads * width for width in parameters.hidden)]
        outputs = [*parameters.hidden, classes]
        self.convs = nn.ModuleList(
            GATConv(wide, width, heads) for wide, width in zip(inputs, outputs, strict=True)
        )
        self.norms = Norms(inputs[:-1], layer_norm=parameters.layer_norm)
        self.dropout = dropout
        self.heads = heads

    def propagate(
        self, pattern: Pattern, hidden: Tensor, edge_weight: Tensor | None = None
    ) -> Tensor:
        for index in range(len(self.convs)):
            if index:
                hidden = dropout(F.elu(hidden), self.dropout, self.training)
                hidden = self.enter(index, hidden)
            hidden = self.conv(index).propagate(pattern, hidden, edge_weight)
        return hidden.view(hidden.shape[0], self.heads, -1).mean(dim=1)
