"""PRBCD: projected randomised block coordinate descent."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from grbcore.attacks.modification.descent import BlockDescent, Keeping, State
from grbcore.attacks.modification.relaxation import largest, project
from grbcore.graph import Graph
from grbcore.scenario import ModificationBudget


@dataclass(frozen=True)
class PRBCD(BlockDescent):
    """Gradient ascent on the shares of a random block of pairs, projected to the budget.

    After each of the first ``resampling`` steps the block is renewed: pairs with a share stay (at
    most half of the block), the others are drawn again from all allowed pairs.  The best whole
    flips of all steps are the start of the last ones, and at the end compete with ``samples``
    random choices.  Memory is O(edges + block).
    Source: Geisler et al., Robustness of Graph Neural Networks at Scale (NeurIPS 2021),
    Algorithm 1, with the learning rate of PyG's ``PRBCDAttack``.  Paper: the tanh of the
    logits' margin.  PyG: pairs of all nodes; shares start at 1e-7.  Here: the margin of the
    probabilities, PyG's default; only pairs with an end among the targets; shares start at 0.
    """

    def keep(self, graph: Graph, budget: ModificationBudget) -> Keeping:
        return _Global(budget.flips)


class _Global(Keeping):
    def __init__(self, flips: int) -> None:
        self.flips = flips

    def project(self, state: State, shares: Tensor) -> Tensor:
        return project(shares, self.flips)

    def whole(self, state: State) -> Tensor:
        return largest(state.shares, self.flips)

    def legal(self, state: State, choice: Tensor) -> bool:
        return bool(choice.sum() <= self.flips)
