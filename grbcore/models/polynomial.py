"""Learned polynomials of the adjacency matrix: GPRGNN and EvenNet."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from grbcore.architectures import PolynomialParameters
from grbcore.models.layers import dropout
from grbcore.models.perceptron import Perceptron
from grbcore.spmm import Pattern, normalise, product


class Polynomial(Perceptron):
    """Abstract: a perceptron's logits, then a learned polynomial; dropout before each of both."""

    def embed(self, features: Tensor) -> Tensor:
        return super().embed(dropout(features, self.dropout, self.training))


class GPRGNN(Polynomial):
    """``sum_k gamma_k N^k H`` with ``N = D^-1/2 (A + I) D^-1/2``, H a perceptron's logits.

    The coefficients are learned, from those of personalised PageRank: ``gamma_k = a (1 - a)^k``
    and ``gamma_K = (1 - a)^K``.
    Source: Chien et al., Adaptive Universal Generalized PageRank Graph Neural Network, ICLR 2021,
    Section 3; the authors' code for dropout and K = 10, a = 0.1.
    """

    def __init__(
        self, parameters: PolynomialParameters, features: int, classes: int, *, dropout: float = 0.5
    ) -> None:
        super().__init__(parameters, features, classes, dropout=dropout)
        powers = torch.arange(parameters.hops + 1)
        gammas = parameters.alpha * (1 - parameters.alpha) ** powers
        gammas[-1] = (1 - parameters.alpha) ** parameters.hops
        self.gammas = nn.Parameter(gammas)

    def propagate(
        self, pattern: Pattern, hidden: Tensor, edge_weight: Tensor | None = None
    ) -> Tensor:
        values = normalise(pattern, edge_weight)
        looped = pattern.looped.pattern
        symmetric = values if edge_weight is None else None
        hidden = dropout(hidden, self.dropout, self.training)
        result = self.gammas[0] * hidden
        for gamma in self.gammas[1:]:
            hidden = product(looped, values, hidden, transposed=symmetric)
            result = result + gamma * hidden
        return result


class EvenNet(Polynomial):
    """``sum_k w_k P^2k H`` with ``P = D^-1/2 A D^-1/2``: even powers only, no self-loops.

    Odd hops, where a neighbour of another class misleads, are left out.  The coefficients are
    learned, from ``w_k = a (1 - a)^2k``, k = 0..K/2.
    Source: Lei et al., EvenNet: Ignoring Odd-Hop Neighbors Improves Robustness of Graph Neural
    Networks, NeurIPS 2022, Section 4; the authors' code for dropout and K = 10, a = 0.1.
    """

    def __init__(
        self, parameters: PolynomialParameters, features: int, classes: int, *, dropout: float = 0.5
    ) -> None:
        super().__init__(parameters, features, classes, dropout=dropout)
        powers = 2 * torch.arange(parameters.hops // 2 + 1)
        self.gammas = nn.Parameter(parameters.alpha * (1 - parameters.alpha) ** powers)

    def propagate(
        self, pattern: Pattern, hidden: Tensor, edge_weight: Tensor | None = None
    ) -> Tensor:
        values = _unlooped(pattern, edge_weight)
        symmetric = values if edge_weight is None else None
        hidden = dropout(hidden, self.dropout, self.training)
        result = self.gammas[0] * hidden
        for gamma in self.gammas[1:]:
            hidden = product(pattern, values, hidden, transposed=symmetric)
            hidden = product(pattern, values, hidden, transposed=symmetric)
            result = result + gamma * hidden
        return result


def _unlooped(pattern: Pattern, edge_weight: Tensor | None) -> Tensor:
    """Values of D^-1/2 A D^-1/2: (z,) float32; a node without neighbours has a row of zeros."""
    if edge_weight is None:
        scale = pattern.degrees.clamp(min=1).to(torch.float32).rsqrt()
        return scale[pattern.row] * scale[pattern.col]
    degree = edge_weight.new_zeros(pattern.size).index_add(0, pattern.row, edge_weight)
    scale = torch.where(degree > 0, degree, 1).rsqrt()
    return edge_weight * scale[pattern.row] * scale[pattern.col]
