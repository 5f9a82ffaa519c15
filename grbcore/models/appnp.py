"""Approximate personalised propagation of neural predictions."""

from __future__ import annotations

from torch import Tensor

from grbcore.architectures import APPNPParameters
from grbcore.models.perceptron import Perceptron
from grbcore.spmm import Pattern, normalise, product


class APPNP(Perceptron):
    """A perceptron's logits Z, then ``hops`` times ``H <- (1 - alpha) N H + alpha Z``, from H = Z.

    ``N = D^-1/2 (A + I) D^-1/2``.  Source: Gasteiger et al., Predict then Propagate, 2019, eq. 4.
    Paper: each step teleports to the first prediction Z.  GRB's code: to the H before, after a
    ReLU on the logits.  Here: the paper's.
    """

    def __init__(
        self, parameters: APPNPParameters, features: int, classes: int, *, dropout: float = 0.5
    ) -> None:
        super().__init__(parameters, features, classes, dropout=dropout)
        self.hops = parameters.hops
        self.alpha = parameters.alpha

    def propagate(
        self, pattern: Pattern, hidden: Tensor, edge_weight: Tensor | None = None
    ) -> Tensor:
        values = normalise(pattern, edge_weight) * (1 - self.alpha)
        looped = pattern.looped.pattern
        symmetric = values if edge_weight is None else None
        teleported = self.alpha * hidden
        for _ in range(self.hops):
            hidden = product(looped, values, hidden, transposed=symmetric) + teleported
        return hidden
