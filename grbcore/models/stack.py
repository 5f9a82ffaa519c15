"""What models share that are a stack of convolutions, each in two steps."""

from __future__ import annotations

from abc import ABC, abstractmethod

from torch import Tensor, nn

from grbcore.models.layers import Norms
from grbcore.models.model import Model
from grbcore.spmm import Pattern


class Convolution(nn.Module, ABC):
    """Abstract: what is done to each node alone, then what mixes nodes."""

    @abstractmethod
    def embed(self, features: Tensor) -> Tensor:
        """Row by row: (m, d) to (m, h)."""

    @abstractmethod
    def propagate(self, pattern: Pattern, hidden: Tensor, edge_weight: Tensor | None) -> Tensor:
        """Over the edges, ``edge_weight`` (z,) weighing them: (n, h) to (n, h)."""


class Stack(Model):
    """Abstract: convolutions with a norm before each; a model says how it goes on."""

    convs: nn.ModuleList
    norms: Norms

    def embed(self, features: Tensor) -> Tensor:
        return self.enter(0, features)

    def enter(self, index: int, hidden: Tensor) -> Tensor:
        """``hidden``, normalised and embedded by convolution ``index``."""
        return self.conv(index).embed(self.norms.at(index, hidden))

    def conv(self, index: int) -> Convolution:
        """The convolution of this index."""
        conv = self.convs[index]
        assert isinstance(conv, Convolution)
        return conv
