"""Multi-layer perceptron and logistic regression: floors that no edge can move."""

from __future__ import annotations

from torch import Tensor

from grbcore.models.perceptron import Perceptron
from grbcore.spmm import Pattern


class Floor(Perceptron):
    """Abstract: a perceptron that mixes nothing, so that no change of the edges matters."""

    def propagate(
        self, pattern: Pattern, hidden: Tensor, edge_weight: Tensor | None = None
    ) -> Tensor:
        """``hidden`` itself; its gradient in ``edge_weight`` is zero, not missing."""
        return hidden if edge_weight is None else hidden + 0 * edge_weight.sum()


class MLP(Floor):
    """A multi-layer perceptron on each node's own features."""


class LogReg(Floor):
    """Multinomial logistic regression on each node's own features: an MLP without hidden layers."""
