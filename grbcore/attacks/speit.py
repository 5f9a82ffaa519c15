"""SPEIT: features by Adam, on a topology that may join injected nodes to each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from grbcore.attacks.arguments import check_call, positive, weight, whole
from grbcore.attacks.attack import Ints, surrogate
from grbcore.attacks.features import SETTLED, Logits, Surrogate
from grbcore.attacks.harmony import Harmony, harmonious
from grbcore.attacks.layering import multi_layer, random_inter
from grbcore.attacks.topology import balanced
from grbcore.graph import Graph
from grbcore.models.model import GraphModel
from grbcore.perturbation import Injection
from grbcore.scenario import InjectionBudget

#: The topologies by the names of GRB's code.
TOPOLOGIES: Mapping[str, Callable[..., Ints]] = {
    "random": balanced,
    "random-inter": random_inter,
    "multi-layer": multi_layer,
}

#: Steps between two looks at whether features still move.
LOOK = 10


@dataclass(frozen=True)
class SPEIT:
    """The winner of KDD Cup 2020: Adam on the targets' cross-entropy, from features of 0.

    ``topology`` is one of `TOPOLOGIES`, ``harmony`` weighs the homophily of the injected nodes
    (HAO; the paper's weight is 1).
    Source: Zheng et al., KDD Cup 2020, ML Track 2, SPEIT; GRB, Appendix A.4.2 and Table 12.

    Raises:
        ValueError: the topology is none of these, or a number is out of its range.
    """

    steps: int = 1000
    step_size: float = 0.01
    topology: str = "random"
    harmony: float = 0.0

    def __post_init__(self) -> None:
        if self.topology not in TOPOLOGIES:
            allowed = ", ".join(TOPOLOGIES)
            raise ValueError(f"topology: found {self.topology!r}, allowed: {allowed}")
        whole(self, "steps")
        positive(self, "step_size")
        weight(self, "harmony")

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
        edges = TOPOLOGIES[self.topology](targets, graph.nodes, budget=budget, rng=rng)
        if edges.shape[1] == 0:
            return Injection.empty(dimensions)
        frozen = Surrogate(differentiated, graph, targets)
        features = adam_ascent(
            frozen.logits(budget.nodes, edges),
            frozen.labels,
            graph.features.new_zeros(budget.nodes, dimensions),
            budget=budget,
            steps=self.steps,
            step_size=self.step_size,
            harmony=harmonious(self.harmony, graph, budget.nodes, edges),
        )
        return Injection(features.cpu().numpy(), edges)


def adam_ascent(
    logits: Logits,
    labels: Tensor,
    start: Tensor,
    *,
    budget: InjectionBudget,
    steps: int,
    step_size: float,
    harmony: Harmony | None = None,
) -> Tensor:
    """Features (k, d) that raise the cross-entropy between ``logits(features)`` and ``labels``.

    At most ``steps`` steps of Adam from ``start`` (k, d), each followed by a clip to the range.  It
    stops once, over ten steps, at most ``SETTLED`` of the features moved by more than half a step.
    Source: SPEIT, KDD Cup 2020, as in GRB's code.
    """
    low, high = budget.feature_min, budget.feature_max
    x = start.clamp(low, high).requires_grad_()
    optimiser = torch.optim.Adam([x], lr=step_size, maximize=True, fused=True)
    before = x.detach().clone()
    for step in range(1, steps + 1):
        found = logits(x)
        if harmony is None:
            loss = F.cross_entropy(found, labels)
        else:
            loss = harmony.losses(found, labels, x).mean()
        (x.grad,) = torch.autograd.grad(loss, x)
        optimiser.step()
        with torch.no_grad():
            x.clamp_(low, high)
            if step % LOOK == 0:
                moved = (x - before).abs() > step_size / 2
                if float(moved.float().mean()) <= SETTLED:
                    break
                before.copy_(x)
    return x.detach()
