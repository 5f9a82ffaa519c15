"""Random changes as an attack: no model is asked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grbcore.graphlevel.attacks.attack import Case
from grbcore.graphlevel.changes import Changes
from grbcore.graphlevel.random_changes import KINDS, Kind, Values, random_changes


@dataclass(frozen=True, slots=True)
class Random:
    """As many random changes of one kind as the budget allows; a rewired edge is two.

    Source: the thesis, section 4.3.1.
    """

    values: Values
    kind: Kind = "add"

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"kind: found {self.kind!r}, allowed: {', '.join(KINDS)}")

    def __call__(self, case: Case, *, rng: np.random.Generator) -> list[Changes]:
        """Changes of each graph; see `GraphAttack`."""
        budget = case.budget
        if self.kind in ("nodes", "edges") and not budget.attributes:
            raise ValueError("budget: found none of attributes, allowed: one with attributes")
        cost = 2 if self.kind == "rewire" else 1
        return [
            random_changes(graph, self.kind, budget.of(graph) // cost, values=self.values, rng=rng)
            for graph in case.graphs
        ]
