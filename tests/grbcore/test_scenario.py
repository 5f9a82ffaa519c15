"""Budgets: what an attacker may do, code by code and over random perturbations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grbcore.perturbation import Injection, Modification
from grbcore.scenario import GraphShape, InjectionBudget, ModificationBudget
from grbcore.violations import Violation
from tests.grbcore.forging import only

N, D = 10, 3
GRAPH = GraphShape(N, D, np.array([2, 5, 7]))
BUDGET = InjectionBudget(nodes=3, edges_per_node=2, feature_min=-0.5, feature_max=0.5)
FLIPS = ModificationBudget(flips=3)


def inject(edges: list[tuple[int, int]], nodes: int = 2, value: float = 0.0) -> Injection:
    features = np.full((nodes, D), value, np.float32)
    return Injection(features, np.array(edges, np.int64).reshape(-1, 2).T)


def flip(*pairs: tuple[int, int]) -> Modification:
    return Modification(np.array(pairs, np.int64).reshape(-1, 2).T)


def test_the_empty_perturbations_are_legal() -> None:
    assert InjectionBudget(0, 0, 0, 0).violations(Injection.empty(D), GRAPH) == []
    assert ModificationBudget(0).violations(Modification.empty(), GRAPH) == []


def test_all_of_the_budget_may_be_used() -> None:
    edges = [(10, 0), (10, 11), (11, 3), (12, 4), (5, 12)]
    assert BUDGET.violations(inject(edges, nodes=3, value=0.5), GRAPH) == []
    assert FLIPS.violations(flip((2, 0), (9, 5), (2, 7)), GRAPH) == []


def test_an_isolated_injected_node_is_legal() -> None:
    assert BUDGET.violations(inject([], nodes=3), GRAPH) == []


def test_too_many_nodes() -> None:
    assert BUDGET.violations(inject([], nodes=4), GRAPH, "full/0") == [
        Violation("budget-nodes", "full/0/features", "4 injected nodes", "at most 3")
    ]


@pytest.mark.parametrize("edges", [[(10, 0), (10, 1), (10, 2)], [(10, 0), (1, 10), (11, 10)]])
def test_too_many_edges_of_a_node_whichever_end_it_stands_at(edges: list[tuple[int, int]]) -> None:
    violation = only(BUDGET.violations(inject(edges), GRAPH, "full/0"))
    assert violation == Violation(
        "budget-degree", "full/0/edges", "node 10 has 3 edges", "at most 2 for each injected node"
    )


def test_an_edge_among_injected_nodes_counts_at_both_ends() -> None:
    edges = [(10, 11), (10, 0), (11, 0), (11, 12), (10, 12)]
    found = BUDGET.violations(inject(edges, nodes=3), GRAPH)
    assert [violation.found for violation in found] == [
        "node 10 has 3 edges",
        "node 11 has 3 edges",
    ]


@pytest.mark.parametrize(
    ("value", "legal"), [(0.500009, True), (0.50002, False), (-0.50002, False)]
)
def test_features_keep_the_range_within_the_tolerance(value: float, legal: bool) -> None:
    found = BUDGET.violations(inject([], nodes=1, value=value), GRAPH)
    assert {violation.code for violation in found} == (set() if legal else {"feature-range"})


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_features_are_finite_and_not_reported_twice(value: float) -> None:
    found = BUDGET.violations(inject([], nodes=1, value=value), GRAPH, "full/0")
    assert [violation.code for violation in found] == ["finite"] * D
    assert found[1].place == "full/0/features[0, 1]"


@pytest.mark.parametrize(
    ("edge", "code"),
    [
        ((10, 12), "node-range"),
        ((-1, 10), "node-range"),
        ((10, np.iinfo(np.int64).max), "node-range"),
        ((np.iinfo(np.int64).min, 10), "node-range"),
        ((0, 1), "edge-original"),
        ((10, 10), "edge-self"),
    ],
)
def test_an_edge_that_may_not_be(edge: tuple[int, int], code: str) -> None:
    found = BUDGET.violations(inject([(11, 0), edge]), GRAPH, "full/0")
    assert (only(found).code, only(found).place) == (code, "full/0/edges[1]")


@pytest.mark.parametrize("again", [(10, 0), (0, 10)])
def test_an_edge_given_again_is_named_at_its_second_place(again: tuple[int, int]) -> None:
    violation = only(BUDGET.violations(inject([(10, 0), again]), GRAPH))
    assert (violation.code, violation.place) == ("edge-duplicate", "injection/edges[1]")


@pytest.mark.parametrize(
    ("injection", "code", "at"),
    [
        (Injection(np.zeros((1, D)), np.zeros((2, 0), np.int64)), "dtype", "features"),
        (Injection(np.zeros((1, 2), np.float32), np.zeros((2, 0), np.int64)), "shape", "features"),
        (Injection(np.zeros(3, np.float32), np.zeros((2, 0), np.int64)), "shape", "features"),
        (Injection(np.zeros((1, D), np.float32), np.zeros((2, 0), np.int32)), "dtype", "edges"),
        (Injection(np.zeros((1, D), np.float32), np.zeros((3, 2), np.int64)), "shape", "edges"),
        (Injection(np.zeros((1, D), np.float32), np.zeros(2, np.int64)), "shape", "edges"),
    ],
)
def test_an_array_of_another_type_or_shape(injection: Injection, code: str, at: str) -> None:
    violation = only(BUDGET.violations(injection, GRAPH, "full/0"))
    assert (violation.code, violation.place) == (code, f"full/0/{at}")


def test_the_other_kind_of_perturbation_is_refused() -> None:
    assert only(BUDGET.violations(Modification.empty(), GRAPH)).code == "format"
    assert only(FLIPS.violations(Injection.empty(D), GRAPH)).code == "format"


def test_too_many_flips() -> None:
    found = FLIPS.violations(flip((2, 0), (2, 1), (2, 3), (2, 4)), GRAPH, "hard/1")
    assert only(found) == Violation("budget-flips", "hard/1/flips", "4 flips", "at most 3")


def test_a_flip_without_an_end_among_the_targets() -> None:
    assert only(FLIPS.violations(flip((2, 0), (0, 1)), GRAPH, "hard/1")) == Violation(
        "flip-target",
        "hard/1/flips[1]",
        "nodes 0 and 1",
        "pairs with at least one end among the targets of this difficulty",
    )


@pytest.mark.parametrize(
    ("pairs", "code"),
    [
        ([(2, 10)], "node-range"),
        ([(-1, 2)], "node-range"),
        ([(5, 5)], "edge-self"),
        ([(5, 1), (1, 5)], "edge-duplicate"),
    ],
)
def test_a_flip_that_may_not_be(pairs: list[tuple[int, int]], code: str) -> None:
    assert only(FLIPS.violations(flip(*pairs), GRAPH)).code == code


def test_a_flip_of_another_type_or_shape() -> None:
    assert only(FLIPS.violations(Modification(np.zeros((2, 1), np.int32)), GRAPH)).code == "dtype"
    assert only(FLIPS.violations(Modification(np.zeros((1, 2), np.int64)), GRAPH)).code == "shape"


def test_a_report_of_one_kind_stops_at_a_hundred() -> None:
    budget = InjectionBudget(1000, 0, -0.5, 0.5)
    found = budget.violations(inject([], nodes=500, value=2), GRAPH)
    assert len(found) == 100


@st.composite
def injections(draw: st.DrawFn) -> Injection:
    """Small injections, legal or not."""
    nodes = draw(st.integers(0, 4))
    end = st.integers(-1, N + nodes)
    edges = draw(st.lists(st.tuples(end, end), max_size=8))
    values = st.sampled_from([0.0, 0.5, -0.5, 0.51, float("nan"), float("inf")])
    features = draw(
        st.lists(st.lists(values, min_size=D, max_size=D), min_size=nodes, max_size=nodes)
    )
    return Injection(
        np.array(features, np.float32).reshape(nodes, D),
        np.array(edges, np.int64).reshape(-1, 2).T,
    )


def legal(injection: Injection) -> bool:
    """The rules, one pair and one number at a time."""
    total = N + injection.nodes
    seen: set[frozenset[int]] = set()
    degrees = dict.fromkeys(range(N, total), 0)
    for a, b in injection.edges.T.tolist():
        pair = frozenset((a, b))
        if len(pair) < 2 or pair in seen or not pair <= set(range(total)) or max(pair) < N:
            return False
        seen.add(pair)
        for end in pair & degrees.keys():
            degrees[end] += 1
    inside = all(-0.5 <= value <= 0.5 for value in injection.features.ravel().tolist())
    return inside and injection.nodes <= 3 and all(degree <= 2 for degree in degrees.values())


@given(injections())
def test_the_budget_refuses_what_the_rules_refuse(injection: Injection) -> None:
    assert (BUDGET.violations(injection, GRAPH) == []) == legal(injection)


@given(injections(), st.randoms(use_true_random=False))
def test_the_order_and_direction_of_edges_change_no_verdict(injection: Injection, random) -> None:
    pairs = [random.sample(pair, 2) for pair in injection.edges.T.tolist()]
    random.shuffle(pairs)
    turned = Injection(injection.features, np.array(pairs, np.int64).reshape(-1, 2).T)
    codes = [sorted(v.code for v in BUDGET.violations(i, GRAPH)) for i in (injection, turned)]
    assert codes[0] == codes[1]
    assert injection.digest() == turned.digest()


@given(injections())
def test_checking_changes_nothing(injection: Injection) -> None:
    before = injection.features.tobytes(), injection.edges.tobytes()
    first = BUDGET.violations(injection, GRAPH)
    assert BUDGET.violations(injection, GRAPH) == first
    assert (injection.features.tobytes(), injection.edges.tobytes()) == before


@given(injections(), st.integers(0, 3), st.integers(0, 3))
def test_a_larger_budget_refuses_no_more(injection: Injection, nodes: int, edges: int) -> None:
    larger = InjectionBudget(3 + nodes, 2 + edges, -0.6, 0.6)
    codes = {violation.code for violation in BUDGET.violations(injection, GRAPH)}
    assert {violation.code for violation in larger.violations(injection, GRAPH)} <= codes


pair = st.tuples(st.integers(-1, N), st.integers(-1, N))


@given(st.lists(pair, max_size=5))
def test_the_flips_refused_are_those_that_the_rules_refuse(pairs: list[tuple[int, int]]) -> None:
    sets = [frozenset(p) for p in pairs]
    fine = (
        len(pairs) <= 3
        and len(set(sets)) == len(sets)
        and all(len(s) == 2 and s <= set(range(N)) and s & {2, 5, 7} for s in sets)
    )
    assert (FLIPS.violations(flip(*pairs), GRAPH) == []) == fine
