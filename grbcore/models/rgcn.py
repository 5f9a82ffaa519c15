"""Robust graph convolutional network: Gaussians in place of hidden vectors."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from grbcore.architectures.defenses import SampleParameters
from grbcore.models.layers import Norms, dropout, glorot
from grbcore.models.model import Model
from grbcore.spmm import Pattern, normalise, product

#: Of the Kullback-Leibler term and of the first layer's squared weights; DeepRobust's port.
DIVERGENCE, DECAY = 5e-4, 5e-4
SMALLEST = 1e-8  # variance under a logarithm or a root; DeepRobust's port


class GaussianConv(nn.Module):
    """``elu(W m + b)`` of a mean and ``relu(W' v + b')`` of a variance, row by row."""

    def __init__(self, wide: int, width: int) -> None:
        super().__init__()
        self.mean = glorot(nn.Linear(wide, width))
        self.variance = glorot(nn.Linear(wide, width))

    def forward(self, mean: Tensor, variance: Tensor) -> tuple[Tensor, Tensor]:
        """Two of (n, h) to two of (n, h')."""
        return F.elu(self.mean(mean)), F.relu(self.variance(variance))

    def first(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """The Gaussians of plain vectors (m, d), mean and variance of one map: two of (m, h)."""
        hidden = self.mean(features)
        return F.elu(hidden), F.relu(hidden)


class RGCN(Model):
    """Means go through ``D^-1/2 (A + I) D^-1/2``, variances through ``D^-1 (A + I) D^-1``.

    Each node is weighed down by its variance, ``exp(-variance)``.  The logits are drawn from the
    last layer's Gaussian: once for each node in training; in evaluation `samples` times, the
    noise coming from ``seed`` alone, and the logits are the logarithm of the mean **probability**.
    (The mean of the logits themselves would tend to the Gaussian's mean, as if nothing had been
    drawn; the mean probability is the classifier's expected prediction.)  Noise is drawn on the
    CPU, so that a seed means the same on every device.

    Layer normalisation, which the paper lacks, treats a Gaussian as an affine map does: the
    factor of a mean multiplies the variance squared.

    Source: Zhu et al., Robust Graph Convolutional Networks Against Adversarial Attacks, KDD 2019,
    Section 4.  Paper: a layer weighs what enters it, aggregates, maps and bends; the first layer
    has a map for each of mean and variance and does not aggregate; the logits are one draw.
    DeepRobust's port: a layer maps, bends, weighs and aggregates, the first one too, from two maps.
    GRB's code: as the port, but the first layer's one map gives both, ``elu(h)`` and ``relu(h)``,
    and another ELU follows each aggregation but the last; there is no KL term, and each evaluation
    draws anew.  Here: the port's order, GRB's first layer, the paper's KL term, biases, no second
    ELU, and many draws in evaluation.  The one map is what makes
    the model robust, since ``h exp(-h)`` holds down whatever is large: on grb-cora, one seed, the
    published gia attack leaves 72 % with it and 40 to 44 % with two maps, at the same clean
    accuracy.  The second map of the first layer is in GRB's parameter counts, so it is in the
    state dict, and nothing reads it.
    """

    def __init__(
        self, parameters: SampleParameters, features: int, classes: int, *, dropout: float = 0.5
    ) -> None:
        super().__init__(parameters)
        widths = [features, *parameters.hidden, classes]
        self.convs = nn.ModuleList(GaussianConv(wide, width) for wide, width in pairwise(widths))
        self.norms = Norms(widths[:-2], layer_norm=parameters.layer_norm)
        self.dropout = dropout
        self.samples = parameters.samples
        self.seed = 0
        self._divergence: Tensor | None = None

    def embed(self, features: Tensor) -> Tensor:
        """(m, d) to the weighed means and variances of the first layer, side by side: (m, 2h)."""
        mean, variance = self._first.first(self.norms.at(0, features))
        if self.training:
            self._divergence = divergence(mean, variance)
        return torch.cat(_weighed(mean, variance), dim=1)

    def propagate(
        self, pattern: Pattern, hidden: Tensor, edge_weight: Tensor | None = None
    ) -> Tensor:
        values = normalise(pattern, edge_weight)
        # The variance of a weighted sum takes the weights' squares: D^-1 (A + I) D^-1.
        squares = values.square()
        looped = pattern.looped.pattern
        symmetric = (values, squares) if edge_weight is None else (None, None)

        def mix(mean: Tensor, variance: Tensor) -> tuple[Tensor, Tensor]:
            return (
                product(looped, values, mean, transposed=symmetric[0]),
                product(looped, squares, variance, transposed=symmetric[1]),
            )

        mean, variance = mix(*(half.contiguous() for half in hidden.chunk(2, dim=1)))
        for index in range(1, len(self.convs)):
            mean, variance = self._normalised(index, mean, variance)
            mean = dropout(mean, self.dropout, self.training)
            variance = dropout(variance, self.dropout, self.training)
            mean, variance = mix(*_weighed(*self.convs[index](mean, variance)))
        deviation = (variance + SMALLEST).sqrt()
        if self.training:
            return mean + torch.randn_like(mean) * deviation
        return self._expected(mean, deviation)

    def penalty(self) -> Tensor:
        """The loss's own terms, of the training pass before: KL divergence and weight decay.

        Paper: sums over the nodes, of the cross-entropy and of the divergence alike.  DeepRobust's
        port: the mean cross-entropy, the sum of the divergence's means over dimensions, so that
        its weight grows with the graph.  Here: the mean cross-entropy and the mean divergence,
        which is the paper's loss over the number of nodes; the weights' term as in the code.

        Raises:
            ValueError: no pass in training mode came before.
        """
        if self._divergence is None:
            raise ValueError("penalty: found no pass before it, allowed: after one in training")
        return DIVERGENCE * self._divergence + DECAY * self._first.mean.weight.square().sum()

    @property
    def _first(self) -> GaussianConv:
        conv = self.convs[0]
        assert isinstance(conv, GaussianConv)
        return conv

    def _normalised(self, index: int, mean: Tensor, variance: Tensor) -> tuple[Tensor, Tensor]:
        if index >= len(self.norms):
            return mean, variance
        norm = self.norms[index]
        assert isinstance(norm, nn.LayerNorm)
        spread = mean.var(dim=1, unbiased=False, keepdim=True) + norm.eps
        normalised: Tensor = norm(mean)
        return normalised, variance * norm.weight.square() / spread

    def _expected(self, mean: Tensor, deviation: Tensor) -> Tensor:
        noise = torch.Generator().manual_seed(self.seed)
        total: Tensor | None = None
        for _ in range(self.samples):
            drawn = torch.randn(mean.shape, generator=noise).to(mean.device)
            scores = F.log_softmax(mean + drawn * deviation, dim=1)
            total = scores if total is None else torch.logaddexp(total, scores)
        assert total is not None
        return total - math.log(self.samples)

    def __getstate__(self) -> dict[str, Any]:
        """What is copied: everything but the last pass's term, which belongs to its graph."""
        return {**self.__dict__, "_divergence": None}


def divergence(mean: Tensor, variance: Tensor) -> Tensor:
    """KL of ``N(mean, diag(variance))`` from ``N(0, I)``, each (n, h), averaged over the nodes."""
    terms = mean.square() + variance - (variance + SMALLEST).log() - 1
    return 0.5 * terms.sum(dim=1).mean()


def _weighed(mean: Tensor, variance: Tensor) -> tuple[Tensor, Tensor]:
    attention = torch.exp(-variance)
    return mean * attention, variance * attention * attention
