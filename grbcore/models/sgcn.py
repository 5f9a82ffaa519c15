"""Simplified graph convolution, as GRB stacks it."""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from grbcore.architectures import SGCNParameters
from grbcore.models.layers import Norms, dropout, glorot
from grbcore.models.model import Model
from grbcore.spmm import Pattern, normalise, product


class SGCN(Model):
    """A linear layer with ReLU, convolutions ``tanh((N^k X) W + b)``, and a linear layer.

    ``N = D^-1/2 (A + I) D^-1/2``.  The input is always normalised; with ``layer_norm`` so is what
    goes into each convolution.  Source: Wu et al., Simplifying GCNs, 2019, for ``N^k X W``; how
    GRB's Tables 6-10 stack and count it.  GRB's code: with one hidden layer no convolution is
    left.  Here: that is refused.
    """

    def __init__(
        self, parameters: SGCNParameters, features: int, classes: int, *, dropout: float = 0.5
    ) -> None:
        super().__init__(parameters)
        widths = [features, *parameters.hidden, classes]
        self.convs = nn.ModuleList(
            glorot(nn.Linear(wide, width)) for wide, width in pairwise(widths)
        )
        self.norm = nn.LayerNorm(features)
        self.norms = Norms(widths[1:-2], layer_norm=parameters.layer_norm)
        self.hops = parameters.hops
        self.dropout = dropout

    def embed(self, features: Tensor) -> Tensor:
        hidden: Tensor = self.convs[0](self.norm(features))
        return dropout(F.relu(hidden), self.dropout, self.training)

    def propagate(
        self, pattern: Pattern, hidden: Tensor, edge_weight: Tensor | None = None
    ) -> Tensor:
        values = normalise(pattern, edge_weight)
        looped = pattern.looped.pattern
        symmetric = values if edge_weight is None else None
        *middle, last = list(self.convs)[1:]
        for index, conv in enumerate(middle):
            hidden = self.norms.at(index, hidden)
            for _ in range(self.hops):
                hidden = product(looped, values, hidden, transposed=symmetric)
            hidden = torch.tanh(conv(hidden))
        logits: Tensor = last(dropout(hidden, self.dropout, self.training))
        return logits
