"""Random changes as an attack: no model is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grbcore.graphlevel.budgets import GraphBudget
from grbcore.graphlevel.changes import Changes
from grbcore.graphlevel.graphs import AttributedGraph
from grbcore.graphlevel.models.model import GraphLevelModel
from grbcore.graphlevel.random_changes import Kind, Values, random_changes
from grbcore.graphlevel.targets import Target


@dataclass(frozen=True, slots=True)
class Random:
    """As many random changes of one kind as the budget allows; a rewired edge is two.

    Source: the thesis, section 4.3.1.
    """

    values: Values
    kind: Kind = "add"

    def __call__(
        self,
        model: GraphLevelModel,
        graphs: Sequence[AttributedGraph],
        labels: NDArray[Any],
        *,
        target: Target,
        budget: GraphBudget,
        rng: np.random.Generator,
    ) -> list[Changes]:
        """Changes of each graph; see `GraphAttack`."""
        if self.kind in ("nodes", "edges") and not budget.attributes:
            raise ValueError("budget: found none of attributes, allowed: one with attributes")
        cost = 2 if self.kind == "rewire" else 1
        return [
            random_changes(graph, self.kind, budget.of(graph) // cost, values=self.values, rng=rng)
            for graph in graphs
        ]
