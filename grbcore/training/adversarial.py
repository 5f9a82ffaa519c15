"""Adversarial training: each epoch the model is attacked as it now is, and learns from that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch

from grbcore.attacks.attack import InjectionAttack, ModificationAttack
from grbcore.graph import Graph
from grbcore.models.model import GraphModel
from grbcore.perturbation import Ints, Perturbation
from grbcore.scenario import InjectionBudget, ModificationBudget
from grbcore.seeds import generator
from grbcore.training.callback import Callback

#: From the model, the graph, the targets and a random stream to a perturbation of the graph.
Threat = Callable[[GraphModel, Graph, Ints, np.random.Generator], Perturbation]


@dataclass(frozen=True)
class AdversarialTraining(Callback):
    """Attacks the training nodes anew in each epoch; their loss on the attacked graph counts.

    ``warm`` epochs pass first on the graph as it is.  Each attack depends on the weights of its
    epoch and on a random stream of its own, on no attack before it.  The model is attacked in
    evaluation mode and learns in training mode.  It is judged on the clean graph, after the
    warm-up only: a model that was never attacked has the better clean accuracy and would be kept.

    Source: GRB, Appendix A.4.3 and Table 5 (which say nothing of validation or of labels).
    GRB's code: no warm-up, and dropout is off from the first attack on.
    The attack takes the model's own predictions for labels, as it would at test time, though
    training labels were there: every attack of the registry then fits.
    """

    threat: Threat
    seed: int
    warm: int = 10

    def __post_init__(self) -> None:
        if self.warm < 0:
            raise ValueError(f"warm: found {self.warm}, allowed: 0 or more")

    @property
    def warm_up(self) -> int:
        return self.warm

    def lesson(self, epoch: int, model: GraphModel, graph: Graph, nodes: Ints) -> Graph:
        if epoch <= self.warm:
            return graph
        rng = generator("adversarial training", self.seed, epoch)
        return graph.apply(self.threat(model, graph, nodes, rng))


def injecting(attack: InjectionAttack, *, nodes: int, edges_per_node: int) -> Threat:
    """Injects ``nodes`` nodes of ``edges_per_node`` edges each, joined to training nodes.

    Their features keep to the range of those that the model learns from.
    Paper: the range of the dataset.  Here: test nodes are not seen.

    Raises:
        ValueError: a number is below 1 or not whole.
    """
    for name, value in (("nodes", nodes), ("edges_per_node", edges_per_node)):
        if not isinstance(value, int) or value < 1:
            raise ValueError(f"{name}: found {value!r}, allowed: 1 or more, a whole number")

    def threat(
        model: GraphModel, graph: Graph, targets: Ints, rng: np.random.Generator
    ) -> Perturbation:
        low, high = (float(limit) for limit in torch.aminmax(graph.features))
        budget = InjectionBudget(nodes, edges_per_node, low, high)
        return attack(model, graph, targets, budget=budget, rng=rng)

    return threat


def modifying(attack: ModificationAttack, *, share: float) -> Threat:
    """Flips at most ``share`` (0..1) of as many pairs as the graph has edges, at training nodes.

    Source: Gosch et al., Adversarial Training for Graph Neural Networks (NeurIPS 2023).

    Raises:
        ValueError: the share is not above 0 and at most 1.
    """
    if not 0 < share <= 1:
        raise ValueError(f"share: found {share}, allowed: above 0, at most 1")

    def threat(
        model: GraphModel, graph: Graph, targets: Ints, rng: np.random.Generator
    ) -> Perturbation:
        budget = ModificationBudget(int(share * (graph.pattern.entries // 2)))
        return attack(model, graph, targets, budget=budget, rng=rng)

    return threat
