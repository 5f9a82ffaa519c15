"""What models share that are a stack of convolutions, each in two steps."""

from __future__ import annotations

from abc import ABC, abstractmethod

from torch import Tensor, nn

from grbcore.graph import Graph
from grbcore.models.layers import Norms
from grbcore.spmm import Pattern


class Convolution(nn.Module, ABC):
    """Abstract: what is done to each node alone, then what mixes nodes."""

    @abstractmethod
    def embed(self, features: Tensor) -> Tensor:
        """Row by row: (m, d) to (m, h)."""

    @abstractmethod
    def propagate(self, pattern: Pattern, hidden: Tensor, edge_weight: Tensor | None) -> Tensor:
        """Over the edges, ``edge_weight`` (z,) weighing them: (n, h) to (n, h)."""


class Stack(nn.Module, ABC):
    """Abstract: convolutions with a norm before each; a model says how it goes on from the first.

    A `grbcore.models.GraphModel`.
    """

    convs: nn.ModuleList
    norms: Norms

    def forward(self, graph: Graph, edge_weight: Tensor | None = None) -> Tensor:
        return self.propagate(graph.pattern, self.embed(graph.features), edge_weight)

    def embed(self, features: Tensor) -> Tensor:
        return self.enter(0, features)

    @abstractmethod
    def propagate(
        self, pattern: Pattern, hidden: Tensor, edge_weight: Tensor | None = None
    ) -> Tensor:
        """From the first embedding (n, h) to logits (n, c)."""

    def enter(self, index: int, hidden: Tensor) -> Tensor:
        """``hidden``, normalised and embedded by convolution ``index``."""
        return self.conv(index).embed(self.norms.at(index, hidden))

    def conv(self, index: int) -> Convolution:
        """The convolution of this index."""
        conv = self.convs[index]
        assert isinstance(conv, Convolution)
        return conv
