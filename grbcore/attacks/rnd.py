"""RND: random nodes, random edges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grbcore.attacks.arguments import check_call
from grbcore.attacks.attack import Ints
from grbcore.attacks.topology import balanced
from grbcore.graph import Graph
from grbcore.models.model import GraphModel
from grbcore.perturbation import Injection
from grbcore.scenario import InjectionBudget


@dataclass(frozen=True)
class RND:
    """Gaussian features, clipped to the range, on a random topology; needs no surrogate.

    Source: GRB, Appendix A.4.2; the standard deviation is the upper limit, as in GRB's code.
    """

    def __call__(
        self,
        model: GraphModel | None,
        graph: Graph,
        targets: Ints,
        *,
        budget: InjectionBudget,
        rng: np.random.Generator,
    ) -> Injection:
        check_call(graph, targets, budget, InjectionBudget, rng)
        dimensions = graph.features.shape[1]
        edges = balanced(targets, graph.nodes, budget=budget, rng=rng)
        if edges.shape[1] == 0:
            return Injection.empty(dimensions)
        drawn = rng.standard_normal((budget.nodes, dimensions)) * abs(budget.feature_max)
        features = drawn.clip(budget.feature_min, budget.feature_max).astype(np.float32)
        return Injection(features, edges)
