"""Models that alternate one fixed sparse matrix with maps of each node alone."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Protocol, final

from torch import Tensor

from grbcore.models.model import Model
from grbcore.spmm import Pattern, product


@dataclass(frozen=True, eq=False)
class Aggregation:
    """The sparse matrix by which a model mixes nodes: every layer multiplies by it."""

    pattern: Pattern
    values: Tensor | None  # (z,) float32, None for ones
    transposed: Tensor | None = None  # the transpose's values, where they are known

    def times(self, hidden: Tensor) -> Tensor:
        """The matrix times ``hidden`` (n, h), differentiable in it and in the values."""
        return product(self.pattern, self.values, hidden, transposed=self.transposed)


class Own(Protocol):
    """What the rows that are being updated held before."""

    @property
    def hidden(self) -> Tensor:
        """What the layer before left: (m, h)."""
        ...

    @property
    def first(self) -> Tensor:
        """What `Model.embed` gave: (m, h0)."""
        ...


@dataclass(frozen=True, eq=False)
class Whole:
    """`Own` of all nodes."""

    hidden: Tensor
    first: Tensor


class Layered(Model):
    """Abstract: ``hidden = update(layer, N hidden)``, ``hops`` times, N being `aggregation`'s.

    A model that says so is attacked by gradients that visit only the rows that matter
    (`grbcore.attacks.live`).
    """

    @property
    @abstractmethod
    def hops(self) -> int:
        """How often the matrix is multiplied by."""

    @abstractmethod
    def aggregation(self, pattern: Pattern, edge_weight: Tensor | None = None) -> Aggregation:
        """N for these edges; its pattern has the given one's entries and perhaps the diagonal."""

    @abstractmethod
    def update(self, layer: int, aggregated: Tensor, own: Own) -> Tensor:
        """Row by row in evaluation mode: (m, h) to (m, h'); the last layer's are the logits.

        ``aggregated`` may be overwritten.  ``own`` has rows for the same nodes; what is not read
        costs nothing.
        """

    @final
    def propagate(
        self, pattern: Pattern, hidden: Tensor, edge_weight: Tensor | None = None
    ) -> Tensor:
        aggregation = self.aggregation(pattern, edge_weight)
        first = hidden
        for layer in range(self.hops):
            hidden = self.update(layer, aggregation.times(hidden), Whole(hidden, first))
        return hidden
