"""FGA: one flip after the other, each where the gradient is largest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from grbcore.attacks.arguments import check_call, whole
from grbcore.attacks.attack import Ints, surrogate
from grbcore.attacks.features import Surrogate
from grbcore.attacks.modification.block import Block, Objective
from grbcore.attacks.modification.candidates import candidates
from grbcore.attacks.modification.losses import loss
from grbcore.attacks.modification.pairs import Pairs
from grbcore.graph import Graph
from grbcore.models.model import GraphModel
from grbcore.perturbation import Modification
from grbcore.scenario import ModificationBudget


@dataclass(frozen=True)
class FGA:
    """The fast gradient attack: flips the pair whose flip raises the loss most, again and again.

    Weighed are all edges at targets and ``additions`` random absent pairs between two of the
    surrogate's labels (`candidates`).  ``batch`` flips are made for each gradient.  A pair is
    added only where adding raises the loss, removed only where removing does, and never touched
    again; where nothing raises the loss any more, the rest of the budget is left.
    Source: Chen et al., Fast Gradient Attack on Network Embedding (2018).  Paper: cross-entropy.
    Here: the margin of the probabilities, which spends nothing on targets lost already.
    GRB's code: a dense N x N gradient, and an edge of positive gradient is removed although that
    lowers the loss.
    """

    additions: int = 50_000
    batch: int = 1
    loss: str = "probability_margin"

    def __post_init__(self) -> None:
        loss(self.loss)
        whole(self, "batch", least=1)
        whole(self, "additions")

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
        while (left := budget.flips - int(shares.sum())) > 0:
            gradient = objective.gradient(block, shares).masked_fill(shares > 0, 0)
            best = gradient.topk(min(self.batch, left, numbers.shape[0]))
            rising = best.indices[best.values > 0]
            if rising.shape[0] == 0:
                break
            shares[rising] = 1
        return pairs.modification(numbers[shares.cpu().numpy() > 0], "FGA", budget)
