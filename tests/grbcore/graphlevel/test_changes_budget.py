"""The budget of many graphs at once is that of each alone, and names what it finds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grbcore.changes_budget import ChangesBudget, counted, effective
from grbcore.graphlevel import AttributedGraph, Changes, GraphBudget
from grbcore.graphlevel.shape import apart, shape_of, together
from grbcore.perturbation import GraphChanges
from tests.grbcore.graphlevel.samples import random_graph

NODES, EDGES = (3, 2), (4,)


def graphs(seed: int, count: int = 4) -> list[AttributedGraph]:
    rng = np.random.default_rng(seed)
    return [random_graph(rng, n=int(rng.integers(3, 7))) for _ in range(count)]


def some(rng: np.random.Generator, graph: AttributedGraph) -> Changes:
    """Legal changes of any cost, of which some cost nothing."""
    pairs = np.stack(np.triu_indices(graph.n, 1))
    flips = pairs[:, rng.random(pairs.shape[1]) < 0.15]
    nodes = np.stack([rng.integers(0, graph.n, 2), rng.integers(0, 2, 2)])
    nodes = np.unique(nodes[:, : rng.integers(0, 3)], axis=1)
    values = rng.integers(0, np.array(NODES)[nodes[1]])
    adjacency = graph.adjacency()
    adjacency[flips[0], flips[1]] ^= True
    left = pairs[:, adjacency[pairs[0], pairs[1]]]
    named = left[:, rng.random(left.shape[1]) < 0.2]
    more = np.stack([np.zeros(named.shape[1], int), rng.integers(0, 4, named.shape[1])])
    return Changes(
        flips.astype(np.int64),
        np.concatenate([nodes, values[None]]).astype(np.int64),
        np.concatenate([named, more]).astype(np.int64),
    )


@given(st.integers(0, 10**6), st.integers(0, 5), st.booleans())
@settings(max_examples=100, deadline=None)
def test_all_graphs_at_once_are_judged_as_each_alone(
    seed: int, budget: int, attributes: bool
) -> None:
    rng = np.random.default_rng(seed)
    clean = graphs(seed)
    changes = [some(rng, graph) for graph in clean]
    one = GraphBudget(absolute=budget, attributes=attributes)
    expected = {
        place
        for place, (change, graph) in enumerate(zip(changes, clean, strict=True))
        if one.violations(change, graph)
    }
    found = ChangesBudget(budget, attributes).violations(
        together(changes), shape_of(clean, NODES, EDGES)
    )
    named = {
        int(fault.found.split("graph ")[1].split(" ")[0])
        for fault in found
        if fault.code in ("budget-changes", "attribute")
    }
    assert named == expected
    assert len({fault.code for fault in found} - {"budget-changes", "attribute"}) == 0


@given(st.integers(0, 10**6))
@settings(max_examples=50, deadline=None)
def test_what_is_spent_is_counted_as_of_each_graph_alone(seed: int) -> None:
    rng = np.random.default_rng(seed)
    clean = graphs(seed)
    changes = [some(rng, graph) for graph in clean]
    costs = [change.cost(graph) for change, graph in zip(changes, clean, strict=True)]
    added = sum(
        int(not graph.adjacency()[u, v])
        for change, graph in zip(changes, clean, strict=True)
        for u, v in change.flips.T
    )
    flips, values = (sum(of) for of in zip(*costs, strict=True))
    found = counted(together(changes), shape_of(clean, NODES, EDGES))
    assert found == (added, flips - added, values)


@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_perturbations_are_taken_apart_as_they_were_put_together(seed: int) -> None:
    rng = np.random.default_rng(seed)
    changes = [some(rng, graph) for graph in graphs(seed)]
    for one, other in zip(changes, apart(together(changes)), strict=True):
        for part in ("flips", "node_changes", "edge_changes"):
            np.testing.assert_array_equal(getattr(one, part), getattr(other, part))


@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_what_makes_the_same_graphs_has_the_same_effect(seed: int) -> None:
    """`Changes.between` tells every value of an added edge, `some` values that are the old ones."""
    rng = np.random.default_rng(seed)
    clean = graphs(seed)
    shape = shape_of(clean, NODES, EDGES)
    changes = [some(rng, graph) for graph in clean]
    plain = [
        Changes.between(graph, change.apply(graph))
        for change, graph in zip(changes, clean, strict=True)
    ]
    found, expected = (effective(together(each), shape) for each in (changes, plain))
    assert found.digest() == expected.digest()
    for change, other, graph in zip(changes, apart(found), clean, strict=True):
        assert other.apply(graph).same(change.apply(graph))


#: A path of four nodes, edge values 0, node values (0, 0), and a triangle.
CLEAN = [
    AttributedGraph.of(np.zeros((4, 2)), np.array([[0, 1, 2], [1, 2, 3]]), np.zeros((3, 1))),
    AttributedGraph.of(np.zeros((3, 2)), np.array([[0, 1, 0], [1, 2, 2]]), np.zeros((3, 1))),
]
SHAPE = shape_of(CLEAN, NODES, EDGES)


def changed(
    flips: list[list[int]] | None = None,
    nodes: list[list[int]] | None = None,
    edges: list[list[int]] | None = None,
) -> GraphChanges:
    """Changes of the second graph, column by column."""
    parts = [
        np.array(columns or np.zeros((0, rows)), np.int64).T.reshape(rows, -1)
        for rows, columns in ((2, flips), (3, nodes), (4, edges))
    ]
    pointers = [np.array([0, 0, part.shape[1]]) for part in parts]
    return GraphChanges(*pointers, *parts)


@pytest.mark.parametrize(
    ("found", "code", "place", "words"),
    [
        (changed([[0, 3]]), "node-range", "c/flips[0]", "node 3"),
        (changed([[1, 1]]), "edge-self", "c/flips[0]", "node 1 to itself"),
        (changed([[0, 1], [2, 1]]), "pair-order", "c/flips[1]", "nodes 2 and 1"),
        (changed([[0, 1], [0, 1]]), "edge-duplicate", "c/flips[1]", "of graph 1 again"),
        (changed(nodes=[[-1, 0, 1]]), "node-range", "c/node_changes[0]", "node -1"),
        (changed(nodes=[[0, 2, 1]]), "feature-index", "c/node_changes[0]", "feature 2"),
        (changed(nodes=[[0, 1, 2]]), "feature-value", "c/node_changes[0]", "value 2"),
        (changed(nodes=[[0, 0, 1], [0, 0, 2]]), "change-duplicate", "c/node_changes[1]", "again"),
        (changed(edges=[[0, 1, 0, 4]]), "feature-value", "c/edge_changes[0]", "value 4"),
        (changed(edges=[[0, 1, 1, 0]]), "feature-index", "c/edge_changes[0]", "feature 1"),
        (changed([[0, 1]], edges=[[0, 1, 0, 1]]), "edge-missing", "c/edge_changes[0]", "graph 1"),
        (changed([[0, 1], [0, 2], [1, 2]]), "budget-changes", "c", "3 changes of graph 1"),
        (replace(changed(), graph_ptr=np.array([0, 1, 0])), "pointer", "c/graph_ptr", "0 to 0"),
        (replace(changed(), graph_ptr=np.array([0, 0])), "shape", "c/graph_ptr", "(2,)"),
        (replace(changed(), flips=np.zeros((2, 0), np.int32)), "dtype", "c/flips", "int32"),
        (replace(changed(), flips=np.zeros((3, 0), np.int64)), "shape", "c/flips", "(3, 0)"),
    ],
)
def test_each_fault_is_named(found: GraphChanges, code: str, place: str, words: str) -> None:
    (fault,) = ChangesBudget(2, attributes=True).violations(found, SHAPE, "c")
    assert (fault.code, fault.place) == (code, place)
    assert words in fault.found


def test_without_attributes_only_added_edges_may_have_values() -> None:
    added = GraphChanges(
        np.array([0, 1, 1]),
        np.array([0, 0, 0]),
        np.array([0, 1, 1]),
        np.array([[0], [3]]),
        np.zeros((3, 0), np.int64),
        np.array([[0], [3], [0], [2]]),
    )
    assert ChangesBudget(1).violations(added, SHAPE) == []
    (fault,) = ChangesBudget(1).violations(changed(edges=[[0, 1, 0, 1]]), SHAPE)
    assert fault.code == "attribute"
    (fault,) = ChangesBudget(1).violations(changed(nodes=[[0, 0, 1]]), SHAPE)
    assert fault.code == "attribute"
    assert ChangesBudget(1).violations(changed(nodes=[[0, 0, 0]]), SHAPE) == []


def test_a_perturbation_has_one_digest_however_its_columns_lie() -> None:
    one, other = changed([[0, 1], [1, 2]]), changed([[1, 2], [0, 1]])
    assert one.digest() == other.digest() != changed([[0, 1]]).digest()
