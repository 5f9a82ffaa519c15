"""RND: random pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grbcore.attacks.arguments import check_call
from grbcore.attacks.attack import Ints
from grbcore.attacks.modification.pairs import Pairs
from grbcore.graph import Graph
from grbcore.models.model import GraphModel
from grbcore.perturbation import Modification
from grbcore.scenario import ModificationBudget


@dataclass(frozen=True)
class RND:
    """Flips pairs drawn evenly from all that are allowed; needs no surrogate.

    On a sparse graph nearly all of them are absent, so it adds edges.
    Source: GRB, Appendix A.4.2.  GRB's code: removes random edges of the targets only, and may
    count one twice.  Here: every allowed pair has the same chance, and none comes twice.
    """

    def __call__(
        self,
        model: GraphModel | None,
        graph: Graph,
        targets: Ints,
        *,
        budget: ModificationBudget,
        rng: np.random.Generator,
    ) -> Modification:
        check_call(graph, targets, budget, ModificationBudget, rng)
        pairs = Pairs(graph, targets)
        return pairs.modification(pairs.draw(budget.flips, rng), "RND", budget)
