"""Label propagation: a floor that sees the edges and no features."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from grbcore.datasets.dataset import Dataset
from grbcore.graph import Graph
from grbcore.spmm import Pattern, product


class LabelPropagation(nn.Module):
    """Training labels spread over the edges: ``F <- alpha S F + (1 - alpha) Y``, from F = Y.

    ``S = D^-1/2 A D^-1/2``; Y has a one at each training node's label.  A `GraphModel` without
    weights, so nothing to train.  Nodes that no label reaches have logits of 0.  It belongs to one
    dataset: the original nodes keep their ids and injected ones come after them, so it is not
    equivariant to their order.

    It is not in the registry of architectures: its only tensors would be the labels of a board,
    which nobody needs to upload.

    Source: Zhou et al., Learning with Local and Global Consistency, 2004, Section 2.
    """

    labels: Tensor
    places: Tensor

    def __init__(self, dataset: Dataset, *, alpha: float = 0.9, steps: int = 50) -> None:
        """``alpha`` in 0..1 is how much comes from the neighbours in each of ``steps``."""
        super().__init__()
        if not 0 <= alpha <= 1:
            raise ValueError(f"alpha: found {alpha}, allowed: 0 to 1")
        if steps < 0:
            raise ValueError(f"steps: found {steps}, allowed: 0 or more")
        self.alpha = alpha
        self.steps = steps
        self.nodes = dataset.nodes
        self.classes = dataset.classes
        self.register_buffer("places", torch.tensor(dataset.train))
        self.register_buffer("labels", torch.tensor(dataset.labels[dataset.train]))

    def forward(self, graph: Graph, edge_weight: Tensor | None = None) -> Tensor:
        return self.propagate(graph.pattern, self.embed(graph.features), edge_weight)

    def embed(self, features: Tensor) -> Tensor:
        """Zeros (m, c): features say nothing, and no row knows whose it is."""
        return features.new_zeros(features.shape[0], self.classes)

    def propagate(
        self, pattern: Pattern, hidden: Tensor, edge_weight: Tensor | None = None
    ) -> Tensor:
        """The training labels added to ``hidden`` (n, c), and spread: (n, c).

        Raises:
            ValueError: the graph has fewer nodes than the dataset.
        """
        if pattern.size < self.nodes:
            raise ValueError(
                f"pattern: found {pattern.size} nodes, allowed: the {self.nodes} of the dataset "
                "and what is injected after them"
            )
        known = F.one_hot(self.labels, self.classes).to(hidden.dtype)
        start = hidden.index_add(0, self.places, known)
        values = _normalised(pattern, edge_weight)
        spread = start
        for _ in range(self.steps):
            spread = self.alpha * product(pattern, values, spread) + (1 - self.alpha) * start
        return spread


def _normalised(pattern: Pattern, edge_weight: Tensor | None) -> Tensor:
    """Values of D^-1/2 A D^-1/2: (z,); 0 in rows whose weights sum to 0."""
    if edge_weight is None:
        edge_weight = torch.ones(pattern.entries, device=pattern.col.device)
    degree = edge_weight.new_zeros(pattern.size).index_add(0, pattern.row, edge_weight)
    scale = torch.where(degree > 0, degree, 1).rsqrt() * (degree > 0)
    return edge_weight * scale[pattern.row] * scale[pattern.col]
