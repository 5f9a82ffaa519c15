"""What the engine asks of a model, and what our own share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Protocol, Self, runtime_checkable

import torch
from torch import Tensor, nn

from grbcore.architectures import Parameters
from grbcore.graph import Graph
from grbcore.spmm import Pattern


class GraphModel(Protocol):
    """A node classifier in two steps: what is done to each node alone, then what mixes nodes.

    ``model(graph) == model.propagate(graph.pattern, model.embed(graph.features))``.  The split
    lets attacks and the evaluator compute the first, widest product once for the clean nodes.
    The model normalises the adjacency itself.
    """

    training: bool

    def __call__(self, graph: Graph, edge_weight: Tensor | None = None) -> Tensor:
        """Logits (n, c); ``edge_weight`` (z,) weighs the stored entries, differentiably."""
        ...

    def embed(self, features: Tensor) -> Tensor:
        """The part before any aggregation, row by row: (m, d) to (m, h)."""
        ...

    def propagate(
        self, pattern: Pattern, hidden: Tensor, edge_weight: Tensor | None = None
    ) -> Tensor:
        """The rest: (n, h) and the edges to logits (n, c)."""
        ...

    def to(self, device: torch.device | str) -> Self: ...

    def eval(self) -> Self: ...

    def requires_grad_(self, requires_grad: bool = True) -> Self: ...

    def state_dict(self) -> dict[str, torch.Tensor]: ...


@runtime_checkable
class Regularised(Protocol):
    """A model whose training loss has a term of its own."""

    def penalty(self) -> Tensor:
        """The term (scalar) of the forward pass before, in training mode; differentiable."""
        ...


@runtime_checkable
class Stochastic(Protocol):
    """A model that draws random numbers when it predicts.

    In evaluation mode they come from ``seed`` alone, anew in each pass, so that the same seed
    gives the same logits.  The evaluator sets it.
    """

    seed: int


def check_width(model: GraphModel, features: Tensor) -> None:
    """Refuse features (m, d) of another width than the model takes; nothing is computed.

    Raises:
        ValueError: it does not embed rows of this width, or is no model.
    """
    if not (hasattr(model, "embed") and hasattr(model, "propagate")):
        found = type(model).__name__
        raise ValueError(f"model: found {found}, allowed: a model, such as models.load gives")
    try:
        model.embed(features[:0])
    except RuntimeError:
        found = f"one that takes no features of width {features.shape[1]}"
        raise ValueError(f"model: found {found}, allowed: one for this graph") from None


class Model(nn.Module, ABC):
    """Abstract: a `GraphModel` of a registered architecture.  A model says how it embeds and mixes.

    ``configuration`` is what the architecture was told.
    """

    def __init__(self, configuration: Parameters) -> None:
        super().__init__()
        self.configuration = configuration

    def forward(self, graph: Graph, edge_weight: Tensor | None = None) -> Tensor:
        return self.propagate(graph.pattern, self.embed(graph.features), edge_weight)

    @abstractmethod
    def embed(self, features: Tensor) -> Tensor:
        """The part before any aggregation, row by row: (m, d) to (m, h)."""

    @abstractmethod
    def propagate(
        self, pattern: Pattern, hidden: Tensor, edge_weight: Tensor | None = None
    ) -> Tensor:
        """The rest: (n, h) and the edges to logits (n, c)."""
