"""PGD: FGSM from a random start."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grbcore.attacks.attack import Ints, surrogate
from grbcore.attacks.features import Floats, optimise_features
from grbcore.attacks.topology import balanced
from grbcore.graph import Graph
from grbcore.models.model import GraphModel
from grbcore.perturbation import Injection
from grbcore.scenario import InjectionBudget


@dataclass(frozen=True)
class PGD:
    """Projected gradient descent on a random topology; it differs from FGSM in its start only.

    Source: GRB, Appendix A.4.2; Madry et al. 2018.
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
            random_start(budget, dimensions, rng),
            budget=budget,
            steps=self.steps,
            step_size=self.step_size,
        )
        return Injection(features, edges)


def random_start(budget: InjectionBudget, dimensions: int, rng: np.random.Generator) -> Floats:
    """Where PGD starts: normal, a tenth of the upper limit wide, clipped: (k, d) float32."""
    drawn = rng.standard_normal((budget.nodes, dimensions)) * abs(budget.feature_max) / 10
    clipped: Floats = drawn.clip(budget.feature_min, budget.feature_max).astype(np.float32)
    return clipped
