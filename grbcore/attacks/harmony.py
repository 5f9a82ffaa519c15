"""The harmonious regulariser: injected nodes that resemble the neighbourhood they are put in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F

from grbcore.graph import Graph

Ints = NDArray[np.int64]

#: A target whose label is less likely than 1e-8 is lost; what would be won there counts no more.
LOST = 8 * 2.302585


@dataclass(frozen=True, eq=False)
class Harmony:
    """The mean homophily of injected nodes, to be raised together with the targets' loss.

    The homophily of node u is the cosine between its features and
    ``sum over its neighbours j of x_j / sqrt(d_j d_u)``, d being degrees on the attacked graph.
    Source: Chen et al., Understanding and Improving Graph Injection Attack by Promoting
    Unnoticeability (ICLR 2022): node-centric homophily and the harmonious adversarial objective.
    Released code: the neighbourhood's features are those of the start, kept as they were.  Here:
    what other injected nodes of the same batch contribute moves with them.
    """

    weight: float  # lambda, above 0
    settled: Tensor  # (k, d) float32: what neighbours contribute whose features are settled
    inner: Tensor  # (2, i) int64: row and column of each edge among the k nodes, both directions
    scale: Tensor  # (i,) float32: 1 / sqrt(d_j d_u) of each

    def homophily(self, features: Tensor) -> Tensor:
        """The homophily (k,) of injected nodes with ``features`` (k, d), each from -1 to 1.

        That of a node whose features are all 0 is 0, and its gradient too: the cosine's own grows
        without bound there, and an optimiser that remembers it would stand still afterwards.
        """
        around = self.settled
        if self.scale.shape[0]:
            row, col = self.inner
            around = around.index_add(0, row, self.scale[:, None] * features[col])
        cosine = F.cosine_similarity(features, around)
        return torch.where(features.detach().any(dim=1), cosine, torch.zeros_like(cosine))

    def losses(self, logits: Tensor, labels: Tensor, features: Tensor) -> Tensor:
        """What an attack raises for each target (t,): cross-entropy plus weighted homophily."""
        harm = F.cross_entropy(logits, labels, reduction="none").clamp(max=LOST)
        return harm + self.weight * self.homophily(features).mean()


def harmonious(
    weight: float, graph: Graph, nodes: int, edges: Ints, placed: Tensor | None = None
) -> Harmony | None:
    """The regulariser for the last of ``nodes`` injected nodes, None where ``weight`` is 0.

    ``edges`` (2, e) are all injected edges, ``placed`` (m, d) the features of the first m injected
    nodes, which are settled.  Memory is O(edges of the injection + nodes x features injected).

    Raises:
        ValueError: the weight is negative or not finite.
    """
    if not 0 <= weight < float("inf"):
        raise ValueError(f"harmony: found {weight}, allowed: 0 and above")
    if weight == 0:
        return None
    first = graph.nodes + (0 if placed is None else int(placed.shape[0]))
    ends = torch.tensor(edges, device=graph.device)
    row, col = torch.cat([ends, ends.flip(0)], dim=1)
    added = torch.bincount(col, minlength=graph.nodes + nodes)
    degrees = (F.pad(graph.pattern.degrees, (0, nodes)) + added).clamp(min=1).float()
    mine = row >= first
    row, col = row[mine], col[mine]
    scale = (degrees[row] * degrees[col]).rsqrt()
    within = col >= first
    outside = ~within
    features = graph.features if placed is None else torch.cat([graph.features, placed])
    size = graph.nodes + nodes - first
    around = features.new_zeros(size, features.shape[1])
    around.index_add_(0, row[outside] - first, scale[outside, None] * features[col[outside]])
    return Harmony(weight, around, torch.stack([row[within], col[within]]) - first, scale[within])
