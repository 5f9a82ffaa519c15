"""TDGIA: nodes injected a few at a time where the topology is weakest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from grbcore.attacks.arguments import check_call, positive, share, weight, whole
from grbcore.attacks.attack import Ints, surrogate
from grbcore.attacks.features import Surrogate, smooth_ascent
from grbcore.attacks.harmony import harmonious
from grbcore.attacks.topology import defective, vulnerability
from grbcore.graph import Graph
from grbcore.models.model import GraphModel
from grbcore.perturbation import Injection
from grbcore.scenario import InjectionBudget


@dataclass(frozen=True)
class TDGIA:
    """Topological defective graph injection: edges by vulnerability, features by Adam.

    A share ``sequential`` of the nodes is injected at a time: its edges go to the targets that
    are now most vulnerable, its features are optimised, then both are settled.
    ``harmony`` weighs the homophily of the injected nodes (HAO; the paper's weight is 1).
    Source: Zou et al., TDGIA (KDD 2021); GRB, Appendix A.4.2 and Table 12 ("Sequential").
    Paper: steps of 0.01.  Here: 0.1 of an angle, as strong in a tenth of the steps.
    """

    steps: int = 1000
    step_size: float = 0.1
    sequential: float = 0.2
    harmony: float = 0.0

    def __post_init__(self) -> None:
        whole(self, "steps")
        positive(self, "step_size")
        share(self, "sequential")
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
        frozen = Surrogate(surrogate(model), graph, targets)
        dimensions = graph.features.shape[1]
        if budget.nodes == 0 or min(budget.edges_per_node, targets.shape[0]) == 0:
            return Injection.empty(dimensions)
        labels = frozen.labels.cpu().numpy()
        features = frozen.graph.features.new_zeros(0, dimensions)
        edges = np.zeros((2, 0), np.int64)
        while (placed := features.shape[0]) < budget.nodes:
            batch = min(max(1, round(self.sequential * budget.nodes)), budget.nodes - placed)
            with torch.no_grad():
                now = frozen.logits(placed, edges)(features).softmax(dim=1)
            added = defective(
                targets,
                vulnerability(
                    now.gather(1, frozen.labels[:, None])[:, 0].cpu().numpy(),
                    _degrees(graph, targets, edges),
                    budget.edges_per_node,
                ),
                labels,
                graph.nodes + placed,
                nodes=batch,
                edges_per_node=budget.edges_per_node,
                rng=rng,
            )
            edges = np.concatenate([edges, added], axis=1)
            angle = rng.standard_normal((batch, dimensions)).astype(np.float32)
            found = smooth_ascent(
                frozen.logits(placed + batch, edges, features),
                frozen.labels,
                torch.tensor(angle, device=graph.device),
                budget=budget,
                steps=self.steps,
                step_size=self.step_size,
                harmony=harmonious(self.harmony, graph, placed + batch, edges, features),
            )
            features = torch.cat([features, found])
        return Injection(features.cpu().numpy(), edges)


def _degrees(graph: Graph, targets: Ints, edges: Ints) -> Ints:
    """Present degree of each target, injected neighbours counted: (t,) int64."""
    clean = graph.pattern.degrees.cpu().numpy()
    degrees: Ints = (clean + np.bincount(edges[1], minlength=graph.nodes))[targets]
    return degrees
