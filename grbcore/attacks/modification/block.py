"""Some pairs of a graph as variables: how much of each is flipped, and what that does."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from grbcore.attacks.attack import Ints
from grbcore.attacks.features import Surrogate
from grbcore.attacks.modification.losses import Loss
from grbcore.graph import Graph
from grbcore.spmm import Pattern


@dataclass(frozen=True, eq=False)
class Block:
    """The clean graph joined with pairs, each flipped by a share p in [0, 1].

    The pattern holds the clean edges and the pairs; an absent pair weighs p, an existing one
    1 - p.  Memory is O(edges + pairs).
    """

    pattern: Pattern
    base: Tensor  # (z,) float32: 1 where the clean graph has an entry
    places: Tensor  # (2, b) int64: the entries of each pair, one for each direction
    sign: Tensor  # (b,) float32: 1 for a pair that is absent, -1 for one that exists

    @staticmethod
    def of(graph: Graph, pairs: Ints) -> Block:
        """The block of distinct undirected ``pairs`` (2, b) int64."""
        size = graph.nodes
        ends = torch.from_numpy(pairs).to(graph.device)
        clean = graph.pattern.row * size + graph.col
        keys = torch.stack([ends[0] * size + ends[1], ends[1] * size + ends[0]])
        absent = ~torch.isin(keys[0], clean)
        union, _ = torch.cat([clean, keys[:, absent].flatten()]).sort()
        row, col = union // max(size, 1), union % max(size, 1)
        counts = torch.bincount(row, minlength=size)
        rowptr = torch.cat([counts.new_zeros(1), counts.cumsum(0)])
        base = torch.zeros(union.shape[0], device=graph.device)
        base[torch.searchsorted(union, clean)] = 1
        sign = torch.where(absent, 1.0, -1.0).to(graph.device)
        return Block(Pattern(rowptr, col), base, torch.searchsorted(union, keys), sign)

    def weights(self, shares: Tensor) -> Tensor:
        """The edge weights (z,) for shares (b,), differentiable."""
        change = self.sign * shares
        return self.base.index_add(0, self.places.flatten(), torch.cat([change, change]))


class Objective:
    """What the attacker raises: a loss of his surrogate on the targets, against its own labels."""

    def __init__(self, surrogate: Surrogate, loss: Loss) -> None:
        self.surrogate = surrogate
        self.loss = loss

    def of(self, block: Block, shares: Tensor) -> Tensor:
        """The loss (scalar) where the pairs of the block are flipped by these shares."""
        frozen = self.surrogate
        logits = frozen.model.propagate(block.pattern, frozen.hidden, block.weights(shares))
        return self.loss(logits[frozen.targets], frozen.labels)

    def gradient(self, block: Block, shares: Tensor) -> Tensor:
        """How much each pair raises the loss per share flipped: (b,).

        Both directions of a pair count together, and an edge that is removed counts with its
        sign, so a positive value always means that flipping on raises the loss.
        """
        leaf = shares.clone().requires_grad_()
        value = self.of(block, leaf)
        if not value.requires_grad:  # the model does not look at edges
            return torch.zeros_like(shares)
        (gradient,) = torch.autograd.grad(value, leaf)
        return gradient.nan_to_num(0.0)

    def value(self, block: Block, shares: Tensor) -> float:
        """The loss as a number."""
        with torch.no_grad():
            return float(self.of(block, shares))
