"""Graphs: from datasets, attacked, and cut."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import torch
from hypothesis import given
from hypothesis import strategies as st

from grbcore.graph import Graph, declared_perturbation
from grbcore.perturbation import Injection, Modification
from grbcore.spmm import Pattern
from grbcore.testing import toy_dataset
from tests.grbcore.engine import NAMES, toy_model

DATASET = toy_dataset()


def dense(pattern: Pattern) -> np.ndarray:
    """The pattern as a 0-1 matrix, by scipy; duplicates would show as 2."""
    parts = np.ones(pattern.entries), pattern.col.numpy(), pattern.rowptr.numpy()
    return sp.csr_matrix(parts, shape=(pattern.size, pattern.size)).toarray()


@st.composite
def injections(draw: st.DrawFn) -> Injection:
    nodes = draw(st.integers(0, 4))
    n = DATASET.nodes
    pairs = st.tuples(st.integers(n, n + max(nodes, 1) - 1), st.integers(0, n + nodes - 1))
    found = draw(st.lists(pairs, max_size=12)) if nodes else []
    edges = sorted({(a, b) if a > b else (b, a) for a, b in found if a != b})
    return Injection(
        np.full((nodes, 8), 0.25, np.float32), np.array(edges, np.int64).reshape(-1, 2).T
    )


@given(injections())
def test_injection_adds_both_directions_and_touches_nothing_else(injection: Injection) -> None:
    graph = Graph.from_dataset(DATASET)
    n = graph.nodes
    expected = np.zeros((n + injection.nodes,) * 2)
    expected[:n, :n] = dense(graph.pattern)
    for a, b in injection.edges.T:
        expected[a, b] = expected[b, a] = 1
    attacked = graph.apply(injection)
    np.testing.assert_array_equal(dense(attacked.pattern), expected)
    assert torch.equal(attacked.features[:n], graph.features)
    np.testing.assert_array_equal(attacked.features[n:].numpy(), injection.features)


@given(injections())
def test_columns_of_an_attacked_graph_ascend_in_each_row(injection: Injection) -> None:
    pattern = Graph.from_dataset(DATASET).apply(injection).pattern
    keys = pattern.row * pattern.size + pattern.col
    assert bool((keys.diff() > 0).all())


@given(st.sets(st.tuples(st.integers(0, 59), st.integers(0, 59)), max_size=20))
def test_modification_flips_each_pair(pairs: set[tuple[int, int]]) -> None:
    chosen = sorted({(min(p), max(p)) for p in pairs if p[0] != p[1]})
    graph = Graph.from_dataset(DATASET)
    expected = dense(graph.pattern)
    for a, b in chosen:
        expected[a, b] = expected[b, a] = 1 - expected[a, b]
    flips = np.array(chosen, np.int64).reshape(-1, 2).T
    attacked = graph.apply(Modification(flips))
    np.testing.assert_array_equal(dense(attacked.pattern), expected)
    assert attacked.features is graph.features


def test_subgraph_keeps_the_edges_among_its_nodes_in_the_order_asked_for() -> None:
    graph = Graph.from_dataset(DATASET)
    ids = np.random.default_rng(0).permutation(graph.nodes)[:20]
    part = graph.subgraph(ids)
    np.testing.assert_array_equal(dense(part.pattern), dense(graph.pattern)[np.ix_(ids, ids)])
    assert torch.equal(part.features, graph.features[torch.from_numpy(ids)])


def test_empty_injection_gives_an_equal_graph() -> None:
    graph = Graph.from_dataset(DATASET)
    attacked = graph.apply(Injection.empty(8))
    assert torch.equal(attacked.rowptr, graph.rowptr)
    assert torch.equal(attacked.col, graph.col)


def test_raw_graph_holds_the_features_before_normalisation() -> None:
    raw = Graph.from_dataset(DATASET, raw=True).features.numpy()
    np.testing.assert_allclose(DATASET.transform.normalise(raw), DATASET.features, atol=1e-6)


def test_raw_defense_gets_injected_features_before_normalisation() -> None:
    """A normalised 0 is the mean, and 0.5 lies one std above: tan(pi/4) = 1."""
    features = np.array([[0.0] * 8, [0.5] * 8], np.float32)
    injection = Injection(features, np.zeros((2, 0), np.int64))
    raw = declared_perturbation(injection, DATASET, "raw")
    mean, std = DATASET.transform.mean, DATASET.transform.std
    assert isinstance(raw, Injection)
    np.testing.assert_allclose(raw.features, [[mean] * 8, [mean + std] * 8], rtol=1e-5)


def test_graph_does_not_share_memory_with_the_dataset() -> None:
    dataset = toy_dataset()
    graph = Graph.from_dataset(dataset)
    graph.features.fill_(9)
    assert not (dataset.features == 9).any()


@pytest.mark.parametrize("name", NAMES)
def test_graph_that_was_evaluated_without_gradients_still_gives_them(name: str) -> None:
    """What a pass without gradients derives and keeps must not end those of the next."""
    model = toy_model(name).eval()
    graph = Graph.from_dataset(DATASET)
    with torch.no_grad():
        model(graph)
    features = graph.features.clone().requires_grad_()
    model(Graph(graph.pattern, features)).sum().backward()
    assert features.grad is not None


def test_row_whose_degree_changed_weighs_its_neighbours_differently() -> None:
    """A path 0-1-2 and a node injected at 0: node 1 gains no neighbour, yet with self-loops
    counted its entry for 0 falls from 1/sqrt(3 * 2) to 1/sqrt(3 * 3).  Whatever skips unchanged
    rows must not skip it."""
    pattern = Pattern(torch.tensor([0, 1, 3, 4]), torch.tensor([1, 0, 2, 1]))
    graph = Graph(pattern, torch.zeros(3, 1))
    injection = Injection(np.zeros((1, 1), np.float32), np.array([[3], [0]]))
    for attacked, expected in ((graph, 6**-0.5), (graph.apply(injection), 1 / 3)):
        looped, values = attacked.pattern.looped.pattern, attacked.pattern.normalised
        entry = (looped.row == 1) & (looped.col == 0)
        assert values[entry].item() == pytest.approx(expected)
