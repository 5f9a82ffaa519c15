"""What PRBCD and LRBCD share: ascent on the shares of a random block that is renewed."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from grbcore.attacks.arguments import check_call, positive, whole
from grbcore.attacks.attack import Ints, surrogate
from grbcore.attacks.features import Surrogate
from grbcore.attacks.modification.block import Block, Objective
from grbcore.attacks.modification.losses import loss
from grbcore.attacks.modification.pairs import Pairs
from grbcore.attacks.modification.relaxation import draws, strongest
from grbcore.graph import Graph
from grbcore.models.model import GraphModel
from grbcore.perturbation import Modification
from grbcore.scenario import ModificationBudget


@dataclass(frozen=True, eq=False)
class State:
    """The pairs of the present block and their shares."""

    numbers: Ints  # (b,) int64, ascending
    ends: Ints  # (2, b) int64
    block: Block
    shares: Tensor  # (b,) float32


@dataclass(frozen=True)
class BlockDescent(ABC):
    """Abstract: an attack says how shares keep to its budget, and the rest follows.

    Source: Geisler et al., Robustness of Graph Neural Networks at Scale (NeurIPS 2021),
    Algorithm 1.
    """

    block_size: int = 20_000
    steps: int = 125
    resampling: int = 100  # steps after each of which the block is renewed
    learning_rate: float = 1000.0
    samples: int = 20
    loss: str = "probability_margin"

    def __post_init__(self) -> None:
        loss(self.loss)
        whole(self, "block_size", "steps", least=1)
        whole(self, "resampling", "samples")
        positive(self, "learning_rate")

    @abstractmethod
    def keep(self, graph: Graph, budget: ModificationBudget) -> Keeping:
        """How shares keep to the budget on this graph."""

    def __call__(
        self,
        model: GraphModel | None,
        graph: Graph,
        targets: Ints,
        *,
        budget: ModificationBudget,
        rng: np.random.Generator,
    ) -> Modification:
        differentiated = surrogate(model)
        check_call(graph, targets, budget, ModificationBudget, rng)
        pairs = Pairs(graph, targets)
        if budget.flips == 0 or pairs.size == 0:
            return Modification.empty()
        objective = Objective(Surrogate(differentiated, graph, targets), loss(self.loss))
        keeping = self.keep(graph, budget)
        state = self._ascend(objective, pairs, keeping, graph, budget, rng)
        sampled = [c for c in draws(state.shares, self.samples, rng) if keeping.legal(state, c)]
        best = strongest(objective, state.block, [keeping.whole(state), *sampled])
        chosen = state.numbers[best.cpu().numpy() > 0]
        return pairs.modification(chosen, type(self).__name__, budget)

    def _ascend(
        self,
        objective: Objective,
        pairs: Pairs,
        keeping: Keeping,
        graph: Graph,
        budget: ModificationBudget,
        rng: np.random.Generator,
    ) -> State:
        """The best state met: the one whose whole flips have the highest loss."""
        state = _renewed(None, self._size(budget), pairs, graph, rng)
        best, highest = state, -math.inf
        for step in range(self.steps):
            gradient = objective.gradient(state.block, state.shares)
            rate = self.learning_rate / math.sqrt(max(0, step - self.resampling) + 1)
            moved = state.shares + rate * budget.flips / graph.nodes * gradient
            shares = keeping.project(state, moved)
            state = State(state.numbers, state.ends, state.block, shares)
            value = objective.value(state.block, keeping.whole(state))
            if value > highest:
                best, highest = state, value
            if step < self.resampling - 1:
                state = _renewed(state, self._size(budget), pairs, graph, rng)
            elif step == self.resampling - 1:
                state = best
        return best

    def _size(self, budget: ModificationBudget) -> int:
        """The block's size: never less than two pairs for each flip."""
        return max(self.block_size, 2 * budget.flips)


class Keeping(ABC):
    """Abstract: a budget for shares and for whole flips."""

    @abstractmethod
    def project(self, state: State, shares: Tensor) -> Tensor:
        """Shares (b,) that keep to it."""

    @abstractmethod
    def whole(self, state: State) -> Tensor:
        """The choice (b,) of 0 and 1 of the largest shares that keeps to it."""

    @abstractmethod
    def legal(self, state: State, choice: Tensor) -> bool:
        """Whether a choice (b,) of 0 and 1 keeps to it."""


def _renewed(
    state: State | None, size: int, pairs: Pairs, graph: Graph, rng: np.random.Generator
) -> State:
    """A block of ``size`` pairs: the best half at most of what has a share, the rest drawn."""
    kept, shares = np.zeros(0, np.int64), np.zeros(0, np.float32)
    if state is not None:
        found = state.shares.cpu().numpy()
        best = np.argsort(-found, kind="stable")[: max(size // 2, 1)]
        best = best[found[best] > 0]
        kept, shares = state.numbers[best], found[best]
    fresh = pairs.draw(size - kept.shape[0], rng, without=kept)
    numbers = np.concatenate([kept, fresh])
    order = np.argsort(numbers)
    values = np.concatenate([shares, np.zeros(fresh.shape[0], np.float32)])[order]
    ends = pairs.ends(numbers[order])
    block = Block.of(graph, ends)
    return State(numbers[order], ends, block, torch.from_numpy(values).to(graph.device))
