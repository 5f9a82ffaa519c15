"""FGSM: iterated steps along the sign of the gradient, from zero."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grbcore.attacks.attack import Ints, surrogate
from grbcore.attacks.features import optimise_features
from grbcore.attacks.topology import balanced
from grbcore.graph import Graph
from grbcore.models.model import GraphModel
from grbcore.perturbation import Injection
from grbcore.scenario import InjectionBudget


@dataclass(frozen=True)
class FGSM:
    """The fast gradient sign method, iterated, on a random topology; features start at 0.

    Source: GRB, Appendix A.4.2; Goodfellow et al. 2015.
    """

    steps: int = 1000
    step_size: float = 0.01

    def __call__(
        self,
        model: GraphModel | None,
        graph: Graph,
        targets: Ints,
        *,
        budget: InjectionBudget,
        rng: np.random.Generator,
    ) -> Injection:
        differentiated = surrogate(model)
        dimensions = graph.features.shape[1]
        edges = balanced(targets, graph.nodes, budget=budget, rng=rng)
        if edges.shape[1] == 0:
            return Injection.empty(dimensions)
        features = optimise_features(
            differentiated,
            graph,
            targets,
            edges,
            np.zeros((budget.nodes, dimensions), np.float32),
            budget=budget,
            steps=self.steps,
            step_size=self.step_size,
        )
        return Injection(features, edges)
