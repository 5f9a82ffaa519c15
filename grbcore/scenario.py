"""What an attacker may do: scenarios, difficulties and budgets, checked by the referee."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

import numpy as np

from grbcore.perturbation import Injection, Ints, Modification, Perturbation
from grbcore.violations import MOST, Violation

Difficulty = Literal["easy", "medium", "hard", "full", "1", "2", "3", "4", "5", "mean"]

#: Of boards on the nodes of one graph: the union of the first three's targets is the last's.
DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "medium", "hard", "full")

#: Of boards on whole graphs: how much of each graph may change; all have the same targets.
BUDGETS: tuple[Difficulty, ...] = ("1", "2", "3", "4", "5")


#: Not carried by any attack: what boards on whole graphs are ranked by, the mean over budgets.
MEAN: Difficulty = "mean"


def scale_with(difficulty: Difficulty) -> tuple[Difficulty, ...]:
    """The difficulties of the boards that have this one, in order."""
    return BUDGETS if difficulty in (*BUDGETS, MEAN) else DIFFICULTIES


def in_order(found: Collection[Difficulty]) -> tuple[Difficulty, ...]:
    """These difficulties in the order of their scale, the mean over budgets last."""
    return tuple(name for name in (*DIFFICULTIES, *BUDGETS, MEAN) if name in found)


Scenario = Literal["injection", "modification", "adjacency", "attributes"]

#: On whole graphs: edges are flipped (adjacency), or values of features change too (attributes).
GRAPH_SCENARIOS: tuple[Scenario, ...] = ("adjacency", "attributes")

#: On the nodes of one graph.
SCENARIOS: tuple[Scenario, ...] = ("injection", "modification")


def difficulties_of(scenario: Scenario) -> tuple[Difficulty, ...]:
    """What attacks carry on boards of this scenario, in order; the last is the main one."""
    return BUDGETS if scenario in GRAPH_SCENARIOS else DIFFICULTIES


def ranked_of(scenario: Scenario) -> Difficulty:
    """What rankings of this scenario are ordered by unless one chooses: the main difficulty, or the
    mean over budgets."""
    return MEAN if scenario in GRAPH_SCENARIOS else difficulties_of(scenario)[-1]


def choices_of(scenario: Scenario) -> tuple[Difficulty, ...]:
    """What rankings of this scenario may be ordered by."""
    return tuple(dict.fromkeys((*difficulties_of(scenario), ranked_of(scenario))))


def parts_of(choice: Difficulty) -> tuple[Difficulty, ...]:
    """The difficulties whose mean a choice is: all budgets, or itself."""
    return BUDGETS if choice == MEAN else (choice,)


def scenario_of(board_id: str) -> Scenario:
    """The scenario that is named in a board's id, whether the catalog has the board or not."""
    name = board_id.partition("/")[2].partition("@")[0]
    return next((s for s in (*SCENARIOS, *GRAPH_SCENARIOS) if s == name), "injection")


Side = Literal["attack", "defense"]
SIDES: tuple[Side, ...] = ("attack", "defense")


def judged_as(side: Side, *, errors: bool) -> Side:
    """The side that is judged by accuracies as this one is by the board's metric.

    A defense is judged by its lowest accuracies and wants them high, an attack by the highest that
    it leaves and wants them low.  Of ``errors`` it is the other way round.
    """
    if not errors:
        return side
    return "attack" if side == "defense" else "defense"


@dataclass(frozen=True, slots=True)
class GraphShape:
    """What a budget needs to know of a graph: its size, not its content."""

    nodes: int
    features: int
    targets: Ints | None = None  # (t,) int64, needed by modification budgets only


@dataclass(frozen=True, slots=True)
class InjectionBudget:
    """At most ``nodes`` new nodes, each of degree at most ``edges_per_node``, features in a range.

    An edge between two injected nodes counts for both ends.  Source: GRB, Appendix A.5, Table 12.

    Raises:
        ValueError: a number is negative or not finite, or the range is empty.
    """

    nodes: int
    edges_per_node: int
    feature_min: float
    feature_max: float
    tolerance: float = 1e-5

    def __post_init__(self) -> None:
        _whole("nodes", self.nodes)
        _whole("edges_per_node", self.edges_per_node)
        low, high = self.feature_min, self.feature_max
        numbers = all(isinstance(one, int | float | np.number) for one in (low, high))
        if not (numbers and -math.inf < low <= high < math.inf):
            allowed = "finite numbers, the first not above the second"
            raise ValueError(f"feature_min, feature_max: found {low}, {high}, allowed: {allowed}")
        if not 0 <= self.tolerance < math.inf:
            raise ValueError(f"tolerance: found {self.tolerance}, allowed: 0 or more")

    def violations(
        self, perturbation: Perturbation, graph: GraphShape, place: str = "injection"
    ) -> list[Violation]:
        """Every rule that ``perturbation`` breaks on a graph of this shape; pure."""
        if not isinstance(perturbation, Injection):
            kind = type(perturbation).__name__
            return [Violation("format", place, kind, "Injection on an injection board")]
        found = _injection_shape(perturbation, graph, place)
        if found:
            return found
        if perturbation.nodes > self.nodes:
            found.append(
                Violation(
                    "budget-nodes",
                    f"{place}/features",
                    f"{perturbation.nodes} injected nodes",
                    f"at most {self.nodes}",
                )
            )
        found += self._feature_violations(perturbation, place)
        found += _injection_edges(perturbation, graph, place)
        found += self._degree_violations(perturbation, graph, place)
        return found

    def _feature_violations(self, injection: Injection, place: str) -> list[Violation]:
        features = injection.features
        finite = np.isfinite(features)
        low, high = self.feature_min - self.tolerance, self.feature_max + self.tolerance
        outside = finite & ((features < low) | (features > high))
        found = []
        allowed = f"{self.feature_min:g} to {self.feature_max:g} (tolerance {self.tolerance:g})"
        for code, bad in (("finite", ~finite), ("feature-range", outside)):
            for row, column in np.argwhere(bad)[:MOST]:
                value = f"{features[row, column]:.8g}"
                at = f"{place}/features[{row}, {column}]"
                found.append(Violation(code, at, value, allowed))
        return found

    def _degree_violations(
        self, injection: Injection, graph: GraphShape, place: str
    ) -> list[Violation]:
        edges, total = injection.edges, graph.nodes + injection.nodes
        ends = edges[(edges >= graph.nodes) & (edges < total)] - graph.nodes
        degrees = np.bincount(ends, minlength=injection.nodes)
        return [
            Violation(
                "budget-degree",
                f"{place}/edges",
                f"node {graph.nodes + node} has {degrees[node]} edges",
                f"at most {self.edges_per_node} for each injected node",
            )
            for node in np.flatnonzero(degrees > self.edges_per_node)[:MOST]
        ]


@dataclass(frozen=True, slots=True)
class ModificationBudget:
    """At most ``flips`` undirected edges added or removed, each with an end among the targets.

    Raises:
        ValueError: the number is negative or not whole.
    """

    flips: int

    def __post_init__(self) -> None:
        _whole("flips", self.flips)

    def violations(
        self, perturbation: Perturbation, graph: GraphShape, place: str = "modification"
    ) -> list[Violation]:
        """Every rule that ``perturbation`` breaks on a graph of this shape; pure."""
        if not isinstance(perturbation, Modification):
            found = type(perturbation).__name__
            return [Violation("format", place, found, "Modification on a modification board")]
        flips = perturbation.flips
        at = f"{place}/flips"
        faults = _pair_shape(flips, at)
        if faults:
            return faults
        if flips.shape[1] > self.flips:
            allowed = f"at most {self.flips}"
            faults.append(Violation("budget-flips", at, f"{flips.shape[1]} flips", allowed))
        faults += _pairs(flips, graph.nodes, at)
        if graph.targets is not None:
            inside = ((flips >= 0) & (flips < graph.nodes)).all(axis=0)
            reached = np.isin(flips, graph.targets).any(axis=0)
            for index in np.flatnonzero(inside & ~reached)[:MOST]:
                pair = f"nodes {flips[0, index]} and {flips[1, index]}"
                allowed = "pairs with at least one end among the targets of this difficulty"
                faults.append(Violation("flip-target", f"{at}[{index}]", pair, allowed))
        return faults


Budget = InjectionBudget | ModificationBudget


def _whole(name: str, value: int) -> None:
    if not isinstance(value, int | np.integer) or value < 0:
        raise ValueError(f"{name}: found {value!r}, allowed: 0 or more, a whole number")


def _injection_shape(injection: Injection, graph: GraphShape, place: str) -> list[Violation]:
    features = injection.features
    faults = _pair_shape(injection.edges, f"{place}/edges")
    if features.dtype != np.float32:
        at = f"{place}/features"
        faults.append(Violation("dtype", at, str(features.dtype), "float32"))
    if features.ndim != 2 or features.shape[1] != graph.features:
        shape = f"shape {tuple(features.shape)}"
        allowed = f"shape (k, {graph.features})"
        faults.append(Violation("shape", f"{place}/features", shape, allowed))
    return faults


def _pair_shape(pairs: Ints, place: str) -> list[Violation]:
    faults = []
    if pairs.dtype != np.int64:
        faults.append(Violation("dtype", place, str(pairs.dtype), "int64"))
    if pairs.ndim != 2 or pairs.shape[0] != 2:
        faults.append(Violation("shape", place, f"shape {tuple(pairs.shape)}", "shape (2, e)"))
    return faults


def _injection_edges(injection: Injection, graph: GraphShape, place: str) -> list[Violation]:
    at = f"{place}/edges"
    faults = _pairs(injection.edges, graph.nodes + injection.nodes, at)
    original = ((injection.edges >= 0) & (injection.edges < graph.nodes)).all(axis=0)
    for index in np.flatnonzero(original)[:MOST]:
        pair = f"nodes {injection.edges[0, index]} and {injection.edges[1, index]}"
        allowed = f"edges with an injected end ({graph.nodes} or above)"
        faults.append(Violation("edge-original", f"{at}[{index}]", pair, allowed))
    return faults


def _pairs(pairs: Ints, nodes: int, place: str) -> list[Violation]:
    """Ends in range, no self-loop, no undirected pair twice."""
    faults = []
    outside = ((pairs < 0) | (pairs >= nodes)).any(axis=0)
    for index in np.flatnonzero(outside)[:MOST]:
        node = next(int(end) for end in pairs[:, index] if not 0 <= end < nodes)
        allowed = f"0..{nodes - 1}"
        faults.append(Violation("node-range", f"{place}[{index}]", f"node {node}", allowed))
    for index in np.flatnonzero(pairs[0] == pairs[1])[:MOST]:
        found = f"an edge from node {pairs[0, index]} to itself"
        faults.append(Violation("edge-self", f"{place}[{index}]", found, "no self-loops"))
    low, high = np.sort(pairs, axis=0)
    order = np.lexsort((high, low))  # stable: the first of equal pairs stays first
    again = (np.diff(low[order]) == 0) & (np.diff(high[order]) == 0)
    for index in np.sort(order[1:][again])[:MOST]:
        found = f"nodes {pairs[0, index]} and {pairs[1, index]} again"
        allowed = "each undirected edge once"
        faults.append(Violation("edge-duplicate", f"{place}[{index}]", found, allowed))
    return faults
