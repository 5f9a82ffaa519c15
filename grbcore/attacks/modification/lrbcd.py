"""LRBCD: PRBCD that also keeps a budget at each node."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from grbcore.attacks.arguments import weight
from grbcore.attacks.attack import Ints
from grbcore.attacks.modification.descent import BlockDescent, Keeping, State
from grbcore.attacks.modification.relaxation import project_locally
from grbcore.graph import Graph
from grbcore.scenario import ModificationBudget


@dataclass(frozen=True)
class LRBCD(BlockDescent):
    """Locally constrained randomised block coordinate descent.

    As `PRBCD`, but at most ``floor(local_factor * degree)`` flips touch a node, target or not, so
    that no node's neighbourhood is changed beyond recognition.  Nodes of degree 1 are left alone
    at the usual factor of a half.
    Source: Gosch et al., Adversarial Training for Graph Neural Networks: Pitfalls, Solutions, and
    New Directions (NeurIPS 2023), Section 4.
    """

    local_factor: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        weight(self, "local_factor")

    def keep(self, graph: Graph, budget: ModificationBudget) -> Keeping:
        degrees = graph.pattern.degrees.cpu().numpy()
        return _Local(budget.flips, (self.local_factor * degrees).astype(np.int64))


class _Local(Keeping):
    def __init__(self, flips: int, local: Ints) -> None:
        self.flips = flips
        self.local = local  # (n,)

    def project(self, state: State, shares: Tensor) -> Tensor:
        return project_locally(shares, state.ends, self.flips, self.local)

    def whole(self, state: State) -> Tensor:
        """Greedy: of the largest shares those that still fit."""
        left = self.local.copy()
        choice = torch.zeros_like(state.shares)
        remaining = self.flips
        positive = torch.nonzero(state.shares > 0)[:, 0]
        order = positive[state.shares[positive].argsort(descending=True, stable=True)]
        for index in order.tolist():
            if remaining == 0:
                break
            one, other = state.ends[:, index]
            if left[one] > 0 and left[other] > 0:
                left[one] -= 1
                left[other] -= 1
                remaining -= 1
                choice[index] = 1
        return choice

    def legal(self, state: State, choice: Tensor) -> bool:
        ends = state.ends[:, choice.cpu().numpy() > 0]
        touched = np.bincount(ends.ravel(), minlength=self.local.shape[0])
        return bool(ends.shape[1] <= self.flips and (touched <= self.local).all())
