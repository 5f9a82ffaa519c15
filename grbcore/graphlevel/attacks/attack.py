"""What the engine asks of an attack on whole graphs, and what every attack ends with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from grbcore.graphlevel.budgets import GraphBudget
from grbcore.graphlevel.changes import Changes
from grbcore.graphlevel.dataset import Task
from grbcore.graphlevel.graphs import AttributedGraph
from grbcore.graphlevel.models.model import GraphLevelModel, predict
from grbcore.graphlevel.targets import Target, targets_of


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """Graphs to attack: what a model is to say of them, and what may be done for it."""

    model: GraphLevelModel
    graphs: Sequence[AttributedGraph]
    labels: NDArray[Any]  # (G,)
    target: Target
    budget: GraphBudget

    def part(self, ids: Sequence[int]) -> Case:
        """The same of some graphs only."""
        return replace(self, graphs=[self.graphs[g] for g in ids], labels=self.labels[list(ids)])

    def allowed(self) -> Tensor:
        """How many changes each graph may have (G,), as a float."""
        return torch.tensor([float(self.budget.of(graph)) for graph in self.graphs])


class GraphAttack(Protocol):
    """An attack on small graphs: its constructor says how, its call says what."""

    def __call__(self, case: Case, *, rng: np.random.Generator) -> list[Changes]:
        """Changes of each graph, within its budget, that raise the target of its label.

        The model stays as it is.  The same ``rng`` state gives the same changes.

        Raises:
            ValueError: the budget allows what this attack can't do.
        """
        ...


def perturb(
    attack: GraphAttack,
    model: GraphLevelModel,
    graphs: Sequence[AttributedGraph],
    labels: NDArray[Any],
    *,
    task: Task,
    budget: GraphBudget,
    rng: np.random.Generator,
) -> list[Changes]:
    """The changes of each graph by this attack, checked against the budget.

    Regression is attacked up and down; the change of the larger error on the model is kept.

    Raises:
        ValueError: a change is outside the budget, by a count on the discrete graphs.
    """
    kept: list[Changes] = []
    far: Tensor | None = None
    for target in targets_of(task):
        found = attack(Case(model, graphs, labels, target, budget), rng=rng)
        for g, (changes, graph) in enumerate(zip(found, graphs, strict=True)):
            if faults := budget.violations(changes, graph):
                raise ValueError(f"graph {g}: {'; '.join(faults)}")
        if task != "regression":
            return found
        attacked = [changes.apply(graph) for changes, graph in zip(found, graphs, strict=True)]
        outputs = predict(model, attacked, rng=torch_rng(rng))[:, 0]
        error = (outputs - torch.from_numpy(labels)).abs()
        if far is None:
            kept, far = found, error
        else:
            better = (error > far).tolist()
            kept = [b if wins else a for a, b, wins in zip(kept, found, better, strict=True)]
    return kept


def torch_rng(rng: np.random.Generator) -> torch.Generator:
    """A generator of torch that goes on from ``rng``."""
    return torch.Generator().manual_seed(int(rng.integers(2**62)))
