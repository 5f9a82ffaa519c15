"""GRBCD: greedy randomised block coordinate descent."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from grbcore.attacks.arguments import check_call, whole
from grbcore.attacks.attack import Ints, surrogate
from grbcore.attacks.features import Surrogate
from grbcore.attacks.modification.block import Block, Objective
from grbcore.attacks.modification.losses import loss
from grbcore.attacks.modification.pairs import Pairs
from grbcore.graph import Graph, flip
from grbcore.models.model import GraphModel
from grbcore.perturbation import Modification
from grbcore.scenario import ModificationBudget


@dataclass(frozen=True)
class GRBCD:
    """Flips the best pairs of a random block, then draws another block, until the budget is spent.

    The budget is spread evenly over the ``steps``.  A step takes only pairs whose flip raises the
    loss; what it leaves the next ones may spend.
    Source: Geisler et al., Robustness of Graph Neural Networks at Scale (NeurIPS 2021),
    Algorithm 2.  PyG's ``GRBCDAttack``: the largest gradients, also those below 0, and a flipped
    pair may be drawn and flipped back.  Here: only those above 0, and it is drawn no more.
    """

    block_size: int = 20_000
    steps: int = 125
    loss: str = "probability_margin"

    def __post_init__(self) -> None:
        loss(self.loss)
        whole(self, "block_size", "steps", least=1)

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
        flipped = np.zeros(0, np.int64)
        attacked = graph
        for step in range(self.steps):
            wanted = budget.flips * (step + 1) // self.steps - flipped.shape[0]
            if wanted == 0:
                continue
            numbers = pairs.draw(max(self.block_size, wanted), rng, without=flipped)
            if numbers.shape[0] == 0:
                break
            block = Block.of(attacked, pairs.ends(numbers))
            still = torch.zeros(numbers.shape[0], device=graph.device)
            best = objective.gradient(block, still).topk(min(wanted, numbers.shape[0]))
            rising = best.indices[best.values > 0].cpu().numpy()
            flipped = np.concatenate([flipped, numbers[rising]])
            attacked = Graph(flip(graph.pattern, pairs.ends(flipped)), graph.features)
        return pairs.modification(flipped, "GRBCD", budget)
