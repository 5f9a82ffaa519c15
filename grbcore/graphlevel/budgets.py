"""Threat models of graph-level tasks, as budgets."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from grbcore.graphlevel.changes import Changes
from grbcore.graphlevel.graphs import AttributedGraph


@dataclass(frozen=True, slots=True)
class GraphBudget:
    """How much of one graph may change: an absolute number, or a share of its edges.

    Without ``attributes`` edges may be flipped only (an added edge carries any features); with
    them each changed value of a node's or a kept edge's feature costs one flip more.  Exactly one
    of ``absolute`` and ``relative`` is set; ``relative`` is a decimal share such as 0.05, and the
    budget of a graph of m edges is ⌈share·m⌉.  Source: the thesis, section 4.2.
    """

    absolute: int | None = None
    relative: float | None = None
    attributes: bool = False

    def __post_init__(self) -> None:
        if (self.absolute is None) == (self.relative is None):
            raise ValueError("budget: found none or both, allowed: absolute or relative")
        if self.absolute is not None and self.absolute < 0:
            raise ValueError(f"absolute: found {self.absolute}, allowed: 0 or more")
        if self.relative is not None and not 0 <= self.relative <= 1:
            raise ValueError(f"relative: found {self.relative}, allowed: 0 to 1")

    def of(self, graph: AttributedGraph) -> int:
        """How many changes this graph may have."""
        if self.absolute is not None:
            return self.absolute
        # a decimal share is meant as written: 0.07 of 100 edges is 7, not 8
        return math.ceil(Fraction(str(self.relative)) * graph.m)

    def violations(self, changes: Changes, graph: AttributedGraph) -> list[str]:
        """What is wrong with these changes, counted on the discrete graphs; empty if nothing is."""
        flips, values = changes.cost(graph)
        found = []
        if values and not self.attributes:
            found.append(f"found {values} changed values of features, allowed: none")
        spent, allowed = flips + values * self.attributes, self.of(graph)
        if spent > allowed:
            found.append(f"found {spent} changes, allowed: {allowed}")
        return found
