"""Adversarial training of graph-level models: each mini-batch is attacked before it is learned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from torch import Tensor

from grbcore.graphlevel.attacks.attack import Case
from grbcore.graphlevel.attacks.gradient import AttrPGD
from grbcore.graphlevel.budgets import GraphBudget
from grbcore.graphlevel.dataset import GraphDataset, Task
from grbcore.graphlevel.graphs import AttributedGraph
from grbcore.graphlevel.models.model import GraphLevelModel
from grbcore.graphlevel.random_changes import Values
from grbcore.graphlevel.targets import targets_of


@dataclass(frozen=True, slots=True)
class Attacked:
    """Few-step AttrPGD as the adversary of `training.fit`.

    Of regression one direction is drawn for each mini-batch.
    Source: the thesis, section 5.6: budget 1, 3 steps, 10 samples, rate 0.1.
    """

    attack: AttrPGD
    task: Task
    budget: GraphBudget

    @staticmethod
    def of(dataset: GraphDataset, changes: int = 1) -> Attacked:
        """The thesis' adversary for this dataset, which changes so much of each graph."""
        values = Values.of(dataset)
        attack = AttrPGD(values=values, rate=0.1, steps=3, samples=10, repeats=1)
        return Attacked(attack, dataset.task, GraphBudget(absolute=changes, attributes=True))

    def __str__(self) -> str:
        attack, budget = self.attack, self.budget
        of = f"{attack.steps} steps, {attack.samples} samples, rate {attack.rate:g}"
        return f"AttrPGD of {budget.absolute} changes, {of}"

    def __call__(
        self,
        model: GraphLevelModel,
        graphs: Sequence[AttributedGraph],
        labels: Tensor,
        rng: np.random.Generator,
    ) -> Sequence[AttributedGraph]:
        """The graphs as the attack leaves them."""
        targets = targets_of(self.task)
        target = targets[int(rng.integers(len(targets)))]
        case = Case(model, graphs, labels.numpy(), target, self.budget)
        found = self.attack(case, rng=rng)
        return [changes.apply(graph) for changes, graph in zip(found, graphs, strict=True)]
