"""Topology adaptive graph convolutional network."""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from grbcore.architectures import TAGCNParameters
from grbcore.models.layers import Norms, dropout
from grbcore.models.stack import Convolution, Stack
from grbcore.spmm import Pattern, normalise, product


class TAGConv(Convolution):
    """``[X, N X, .., N^k X] W + b``, W applied before the powers of N, which is the same."""

    def __init__(self, wide: int, width: int, hops: int) -> None:
        super().__init__()
        self.hops = hops
        self.weight = nn.Parameter(torch.empty(width, (hops + 1) * wide))
        self.bias = nn.Parameter(torch.zeros(width))
        nn.init.xavier_uniform_(self.weight)

    def embed(self, features: Tensor) -> Tensor:
        """(m, wide) to (m, (hops + 1) * width), one power's part after another."""
        return F.linear(features, torch.cat(self.weight.chunk(self.hops + 1, dim=1)))

    def propagate(self, pattern: Pattern, hidden: Tensor, edge_weight: Tensor | None) -> Tensor:
        """(n, (hops + 1) * width) to (n, width), by Horner's rule: one product for each hop."""
        values = normalise(pattern, edge_weight)
        looped = pattern.looped.pattern
        symmetric = values if edge_weight is None else None
        *lower, summed = hidden.chunk(self.hops + 1, dim=1)
        summed = summed.contiguous()
        for part in reversed(lower):
            summed = product(looped, values, summed, transposed=symmetric) + part
        return summed + self.bias


class TAGCN(Stack):
    """Polynomials of ``N = D^-1/2 (A + I) D^-1/2``, ReLU between them; the last one linear.

    Source: Du et al., Topology Adaptive Graph Convolutional Networks, 2017, eq. 4.  Paper: N
    without the self-loops.  GRB's code: with them.  Here: with them.
    """

    def __init__(
        self, parameters: TAGCNParameters, features: int, classes: int, *, dropout: float = 0.5
    ) -> None:
        super().__init__(parameters)
        widths = [features, *parameters.hidden, classes]
        self.convs = nn.ModuleList(
            TAGConv(wide, width, parameters.hops) for wide, width in pairwise(widths)
        )
        self.norms = Norms(widths[:-2], layer_norm=parameters.layer_norm)
        self.dropout = dropout

    def propagate(
        self, pattern: Pattern, hidden: Tensor, edge_weight: Tensor | None = None
    ) -> Tensor:
        for index in range(len(self.convs)):
            if index:
                hidden = dropout(F.relu(hidden), self.dropout, self.training)
                hidden = self.enter(index, hidden)
            hidden = self.conv(index).propagate(pattern, hidden, edge_weight)
        return hidden
