"""Projecting relaxed graphs onto those that keep to a budget in expectation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

#: Bisections of μ, as in the thesis; the end within the budget is taken.
BISECTIONS = 18


@dataclass(frozen=True, eq=False)
class Blocks:
    """Which rows of a distribution belong to which feature, and which values are allowed."""

    member: Tensor  # (rows, features) 0 or 1
    allowed: Tensor  # (rows,) 0 or 1

    def others(self, a: Tensor, clean: Tensor) -> Tensor:
        """The chance (…, features) that each feature has not its clean value."""
        return (a * (1 - clean)) @ self.member

    def normalised(self, a: Tensor, clean: Tensor) -> Tensor:
        """Clamped to [0, 1], to allowed values and the clean ones, each feature's sum made 1.

        Where all is 0 it is the clean value, or any allowed one alike where ``clean`` is 0 too.
        """
        a = a.clamp(0, 1) * torch.maximum(self.allowed, clean)
        a = torch.where(self._sums(a) > 0, a, clean)
        a = torch.where(self._sums(a) > 0, a, self.allowed)
        return a / self._sums(a)

    def _sums(self, a: Tensor) -> Tensor:
        """The sum of each row's feature, for each row."""
        return (a @ self.member) @ self.member.T

    def shrunk(self, a: Tensor, clean: Tensor, mu: Tensor) -> Tensor:
        """The chance of other values of each feature less ``mu`` (…, 1), the rest the clean one's.

        ``clean`` is one-hot in each feature.
        """
        away = self.others(a, clean)
        keep = (1 - mu / away.where(away > 0, 1)).clamp(min=0) * (away > 0)
        moved = a * (1 - clean) * (keep @ self.member.T)
        return moved + clean * ((1 - moved @ self.member) @ self.member.T)


def spent_on_edges(adjacency: Tensor, clean: Tensor) -> Tensor:
    """Expected flips (B,) of relaxed edges (B, N, N): half the sum of |Ã - A|.  Equation 4.4."""
    return (adjacency - clean).abs().sum((-1, -2)) / 2


def project(adjacency: Tensor, clean: Tensor, budget: Tensor) -> Tensor:
    """The closest relaxed edges in [0, 1] within the expected ``budget`` (B,).  Equation 4.6.

    Shapes are (B, N, N); what comes in is symmetric, or what comes out is not.
    """
    adjacency = adjacency.clamp(0, 1)
    over = spent_on_edges(adjacency, clean) > budget

    def at(mu: Tensor) -> Tensor:
        return (adjacency + mu[:, None, None] * (2 * clean - 1)).clamp(0, 1)

    mu = _bisect(lambda mu: spent_on_edges(at(mu), clean) <= budget, budget)
    return torch.where(over[:, None, None], at(mu), adjacency)


@dataclass(frozen=True, eq=False)
class Relaxed:
    """Relaxed edges (B, N, N) with distributions of nodes (B, N, r) and edges (B, N, N, s)."""

    adjacency: Tensor
    nodes: Tensor
    edges: Tensor


@dataclass(frozen=True, eq=False)
class Attributed:
    """Projects edges and features together: clean graphs and the blocks of their features."""

    clean: Relaxed
    node_blocks: Blocks
    edge_blocks: Blocks

    def spent(self, relaxed: Relaxed) -> Tensor:
        """Expected changes (B,): flips, nodes' values, and values of edges that stay.

        Source: equations 4.4, 4.8 and 4.9, each undirected edge counted once.
        """
        nodes = self.node_blocks.others(relaxed.nodes, self.clean.nodes).sum((-1, -2))
        stays = self.clean.adjacency * relaxed.adjacency
        edges = self.edge_blocks.others(relaxed.edges, self.clean.edges).sum(-1)
        kept = (stays * edges).sum((-1, -2)) / 2
        return spent_on_edges(relaxed.adjacency, self.clean.adjacency) + nodes + kept

    def project(self, relaxed: Relaxed, budget: Tensor) -> Relaxed:
        """Every distribution nearer to the clean one by one μ, the least that keeps the budget.

        Paper: μ of an edge's features scaled by A·Ã.  Here: by the projected Ã, so that more μ
        never spends more and μ = 1 spends nothing.
        """
        start = Relaxed(
            relaxed.adjacency.clamp(0, 1),
            self.node_blocks.normalised(relaxed.nodes, self.clean.nodes),
            self._normalised_edges(relaxed.edges),
        )
        clean, spent = self.clean, self.spent(start)
        nodes = self.node_blocks.others(start.nodes, clean.nodes)
        edges = self.edge_blocks.others(start.edges, clean.edges)

        def fits(mu: Tensor) -> Tensor:
            # what `_nearer` would spend: chances of other values shrink by μ, an edge's by less
            adjacency = self._fewer(start.adjacency, mu)
            stays = clean.adjacency * adjacency
            kept = (edges - (mu[:, None, None] * stays)[..., None]).clamp(min=0).sum(-1)
            left = (nodes - mu[:, None, None]).clamp(min=0).sum((-1, -2))
            spent = spent_on_edges(adjacency, clean.adjacency)
            return spent + left + (stays * kept).sum((-1, -2)) / 2 <= budget

        return self._nearer(start, _bisect(fits, budget).where(spent > budget, 0))

    def _normalised_edges(self, edges: Tensor) -> Tensor:
        # where no edge is, the clean distribution is none in particular
        there = self.clean.adjacency[..., None] > 0
        return self.edge_blocks.normalised(edges, self.clean.edges * there)

    def _fewer(self, adjacency: Tensor, mu: Tensor) -> Tensor:
        return (adjacency + mu[:, None, None] * (2 * self.clean.adjacency - 1)).clamp(0, 1)

    def _nearer(self, start: Relaxed, mu: Tensor) -> Relaxed:
        clean = self.clean
        adjacency = self._fewer(start.adjacency, mu)
        scaled = (mu[:, None, None] * clean.adjacency * adjacency)[..., None]
        edges = self.edge_blocks.shrunk(start.edges, clean.edges, scaled)
        there = clean.adjacency[..., None] > 0
        return Relaxed(
            adjacency,
            self.node_blocks.shrunk(start.nodes, clean.nodes, mu[:, None, None]),
            torch.where(there, edges, start.edges),
        )


def _bisect(fits: Callable[[Tensor], Tensor], budget: Tensor) -> Tensor:
    """The least μ in [0, 1] for which ``fits(μ)``, from above, for each graph."""
    low, high = torch.zeros_like(budget), torch.ones_like(budget)
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        good = fits(middle)
        high, low = torch.where(good, middle, high), torch.where(good, low, middle)
    return high
