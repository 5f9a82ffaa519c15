"""PGD: projected gradient ascent on the shares of a fixed set of pairs."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch

from grbcore.attacks.arguments import check_call, positive, whole
from grbcore.attacks.attack import Ints, surrogate
from grbcore.attacks.features import Surrogate
from grbcore.attacks.modification.block import Block, Objective
from grbcore.attacks.modification.candidates import candidates
from grbcore.attacks.modification.losses import loss
from grbcore.attacks.modification.pairs import Pairs
from grbcore.attacks.modification.relaxation import draws, largest, project, strongest
from grbcore.graph import Graph
from grbcore.models.model import GraphModel
from grbcore.perturbation import Modification
from grbcore.scenario import ModificationBudget


@dataclass(frozen=True)
class PGD:
    """Projected gradient descent on the topology; features stay as they are.

    Shares of all candidate pairs are moved along the gradient, by ``step_size / sqrt(step)``, and
    projected to the budget.  At the end the largest shares and ``samples`` random choices compete.
    Weighed are all edges at targets and ``additions`` random absent pairs between two of the
    surrogate's labels.
    Source: Xu et al., Topology Attack and Defense for Graph Neural Networks: An Optimization
    Perspective (IJCAI 2019), Algorithm 1.  Paper: all N^2 pairs; cross-entropy or a margin of the
    logits.  Here: the candidates; the margin of the probabilities.  GRB's code: removes random
    edges and moves the targets' features, which a modification board does not allow.
    """

    steps: int = 200
    step_size: float = 200.0
    samples: int = 20
    additions: int = 50_000
    loss: str = "probability_margin"

    def __post_init__(self) -> None:
        loss(self.loss)
        whole(self, "steps", "samples", "additions")
        positive(self, "step_size")

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
        frozen = Surrogate(differentiated, graph, targets)
        numbers = candidates(pairs, frozen, self.additions, rng)
        block = Block.of(graph, pairs.ends(numbers))
        objective = Objective(frozen, loss(self.loss))
        shares = torch.zeros(numbers.shape[0], device=graph.device)
        for step in range(self.steps):
            gradient = objective.gradient(block, shares)
            moved = shares + self.step_size / math.sqrt(step + 1) * gradient
            shares = project(moved, budget.flips)
        sampled = [c for c in draws(shares, self.samples, rng) if c.sum() <= budget.flips]
        best = strongest(objective, block, [largest(shares, budget.flips), *sampled])
        return pairs.modification(numbers[best.cpu().numpy() > 0], "PGD", budget)
