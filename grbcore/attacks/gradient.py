"""What FGSM and PGD share: steps along the sign of the gradient, on a random topology."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from grbcore.attacks.arguments import check_call, positive, weight, whole
from grbcore.attacks.attack import Ints, surrogate
from grbcore.attacks.features import Floats, optimise_features
from grbcore.attacks.topology import balanced
from grbcore.graph import Graph
from grbcore.models.model import GraphModel
from grbcore.perturbation import Injection
from grbcore.scenario import InjectionBudget


@dataclass(frozen=True)
class SignAttack(ABC):
    """Abstract: an attack says where the features start, and the rest follows.

    ``harmony`` weighs the homophily of the injected nodes (HAO; the paper's weight is 1).
    Source: GRB, Appendix A.4.2.
    """

    steps: int = 1000
    step_size: float = 0.01
    harmony: float = 0.0

    def __post_init__(self) -> None:
        whole(self, "steps")
        positive(self, "step_size")
        weight(self, "harmony")

    @abstractmethod
    def start(self, budget: InjectionBudget, dimensions: int, rng: np.random.Generator) -> Floats:
        """The features (k, d) float32 of the injected nodes before the first step."""

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
            self.start(budget, dimensions, rng),
            budget=budget,
            steps=self.steps,
            step_size=self.step_size,
            harmony=self.harmony,
        )
        return Injection(features, edges)
