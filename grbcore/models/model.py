"""What the engine asks of a model."""

from __future__ import annotations

from typing import Protocol, Self

import torch
from torch import Tensor

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
