"""Small graphs, what is changed in them and what it costs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grbcore.graphlevel import AttributedGraph, Changes, GraphBudget
from grbcore.graphlevel.changes import pack, unpack
from tests.grbcore.graphlevel.samples import random_graph, ring


def changes(**parts: list[list[int]]) -> Changes:
    rows = {"flips": 2, "node_changes": 3, "edge_changes": 4}
    return Changes(
        **{name: np.array(parts.get(name, [[]] * rows[name]), np.int64) for name in rows}
    )


PATH = AttributedGraph.of(
    np.array([[0], [1], [2]]), np.array([[1, 0], [2, 1]]), np.array([[5], [4]])
)


def test_edges_are_sorted_whatever_their_order_and_direction() -> None:
    found = AttributedGraph.of(PATH.nodes, np.array([[2, 1], [1, 0]]), np.array([[5], [4]]))
    assert found.same(PATH)
    assert found.edges.tolist() == [[0, 1], [1, 2]]
    assert found.values.tolist() == [[4], [5]]


@pytest.mark.parametrize(
    ("edges", "words"),
    [
        ([[0, 1], [1, 0]], "found an edge twice"),
        ([[0], [0]], "found a self-loop"),
        ([[0], [3]], r"allowed: 0\.\.2"),
    ],
)
def test_a_graph_that_is_none_is_refused(edges: list[list[int]], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        AttributedGraph.of(PATH.nodes, np.array(edges), np.zeros((len(edges[0]), 1)))


def test_an_edge_is_removed_and_one_added_with_its_value() -> None:
    flipped = changes(flips=[[0, 0], [1, 2]], edge_changes=[[0], [2], [0], [7]])
    found = flipped.apply(PATH)
    assert found.edges.tolist() == [[0, 1], [2, 2]]
    assert found.values.tolist() == [[7], [5]]
    assert PATH.m == 2


def test_the_features_of_an_added_edge_are_free_and_those_of_a_kept_one_are_not() -> None:
    assert changes(flips=[[0], [2]], edge_changes=[[0], [2], [0], [7]]).cost(PATH) == (1, 0)
    assert changes(edge_changes=[[0], [1], [0], [7]]).cost(PATH) == (0, 1)


def test_a_value_that_is_the_old_one_costs_nothing() -> None:
    same = changes(node_changes=[[1], [0], [1]], edge_changes=[[0], [1], [0], [4]])
    assert same.cost(PATH) == (0, 0)


@given(st.integers(0, 10_000))
def test_the_difference_of_two_graphs_turns_one_into_the_other(seed: int) -> None:
    rng = np.random.default_rng(seed)
    one, other = random_graph(rng), random_graph(rng)
    found = Changes.between(one, other)
    assert found.apply(one).same(other)
    assert found.cost(one)[0] == (one.adjacency() != other.adjacency()).sum() // 2


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (changes(flips=[[1], [1]]), "flips: found a pair outside"),
        (changes(flips=[[0, 0], [1, 1]]), "flips: found a place twice"),
        (changes(node_changes=[[3], [0], [0]]), "node_changes: found a node outside"),
        (changes(node_changes=[[0], [1], [0]]), "node_changes: found a feature outside"),
        (changes(edge_changes=[[0], [2], [0], [0]]), "edge_changes: found a pair that is no edge"),
        (
            changes(flips=[[0], [1]], edge_changes=[[0], [1], [0], [0]]),
            "edge_changes: found a pair that is no edge",
        ),
    ],
)
def test_changes_that_are_not_the_graphs_are_refused(wrong: Changes, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        wrong.apply(PATH)


def test_the_changes_of_many_graphs_go_into_arrays_and_back() -> None:
    rng = np.random.default_rng(3)
    pairs = [(random_graph(rng), random_graph(rng)) for _ in range(4)]
    given_changes = [Changes.between(*pair) for pair in pairs] + [Changes.empty()]
    arrays = pack(given_changes)
    assert {name: array.shape[0] for name, array in arrays.items() if "ptr" not in name} == {
        "flips": 2,
        "node_changes": 3,
        "edge_changes": 4,
    }
    assert len(arrays["graph_ptr"]) == len(arrays["node_ptr"]) == len(arrays["edge_ptr"]) == 6
    back = unpack(arrays)
    for mine, (one, other) in zip(back, pairs, strict=False):
        assert mine.apply(one).same(other)
    assert back[-1].flips.size == 0


def test_pointers_that_do_not_fit_are_refused() -> None:
    arrays = pack([Changes.empty()])
    with pytest.raises(ValueError, match="node_ptr: found pointers that don't fit"):
        unpack({**arrays, "node_ptr": np.array([0, 1])})
    with pytest.raises(ValueError, match="graph_ptr: found pointers that don't fit"):
        unpack({**arrays, "graph_ptr": np.array([], np.int64)})


@pytest.mark.parametrize(
    ("share", "edges", "allowed"), [(0.01, 6, 1), (0.5, 6, 3), (0.2, 6, 2), (0.07, 100, 7)]
)
def test_a_relative_budget_is_the_ceiling_of_its_share_of_the_edges(
    share: float, edges: int, allowed: int
) -> None:
    assert GraphBudget(relative=share).of(ring(edges)) == allowed


def test_a_budget_counts_what_is_changed() -> None:
    spent = changes(flips=[[0], [2]], node_changes=[[0], [0], [4]])
    assert GraphBudget(absolute=2, attributes=True).violations(spent, PATH) == []
    assert GraphBudget(absolute=1, attributes=True).violations(spent, PATH) == [
        "found 2 changes, allowed: 1"
    ]
    assert GraphBudget(absolute=1).violations(spent, PATH) == [
        "found 1 changed values of features, allowed: none"
    ]


@pytest.mark.parametrize("wrong", [{}, {"absolute": 1, "relative": 0.1}])
def test_a_budget_is_absolute_or_relative(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="found none or both"):
        GraphBudget(**wrong)
