"""What modification attacks are made of, held against oracles: dense matrices, networkx, lists."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
import scipy.linalg
import torch
from hypothesis import given
from hypothesis import strategies as st

from grbcore.attacks.features import Surrogate
from grbcore.attacks.modification import Pairs, centrality, spent
from grbcore.attacks.modification.block import Block, Objective
from grbcore.attacks.modification.losses import margin, tanh_margin
from grbcore.attacks.modification.relaxation import project, project_locally
from grbcore.attacks.modification.spectrum import Spectrum, adjacency
from grbcore.graph import Graph, flip
from grbcore.perturbation import Modification
from tests.grbcore.engine import TOY, TOY_GRAPH, toy_model

FULL = TOY.targets["full"]
NETWORK = nx.Graph(adjacency(TOY_GRAPH.pattern))


def test_numbers_stand_for_every_allowed_pair_once() -> None:
    pairs = Pairs(TOY_GRAPH, FULL)
    found = {tuple(pair) for pair in pairs.ends(np.arange(pairs.size)).T.tolist()}
    wanted = set(FULL.tolist())
    assert found == {p for p in combinations(range(TOY.nodes), 2) if wanted & set(p)}
    assert len(found) == pairs.size
    assert np.array_equal(pairs.numbers(pairs.ends(np.arange(pairs.size))), np.arange(pairs.size))


@given(count=st.integers(0, 1100), barred=st.integers(0, 1067), seed=st.integers(0, 9))
def test_drawn_pairs_are_distinct_and_none_that_is_barred(
    count: int, barred: int, seed: int
) -> None:
    pairs, rng = Pairs(TOY_GRAPH, FULL), np.random.default_rng(seed)
    without = rng.permutation(pairs.size)[:barred]
    found = pairs.draw(count, rng, without=without)
    assert np.unique(found).shape[0] == found.shape[0] == min(count, pairs.size - barred)
    assert not np.isin(found, without).any()


@given(count=st.integers(0, 900), classes=st.integers(1, 4), seed=st.integers(0, 9))
def test_external_pairs_are_all_those_that_a_list_would_hold(
    count: int, classes: int, seed: int
) -> None:
    pairs, rng = Pairs(TOY_GRAPH, FULL), np.random.default_rng(seed)
    labels = rng.integers(0, classes, TOY.nodes)
    every = np.arange(pairs.size)
    low, high = pairs.ends(every)
    legal = every[(labels[low] != labels[high]) & ~pairs.present(every)]
    found = pairs.draw_external(count, labels, rng)
    assert np.isin(found, legal).all()
    assert np.unique(found).shape[0] == found.shape[0] == min(count, legal.shape[0])


def test_whole_shares_give_the_logits_of_the_flipped_graph() -> None:
    model = toy_model("GAT").eval()
    pairs = Pairs(TOY_GRAPH, FULL)
    chosen = pairs.ends(
        np.concatenate([pairs.existing[:3], pairs.draw(5, np.random.default_rng(0))])
    )
    block = Block.of(TOY_GRAPH, chosen)
    with torch.no_grad():
        found = model.propagate(
            block.pattern, model.embed(TOY_GRAPH.features), block.weights(torch.ones(8))
        )
        expected = model(Graph(flip(TOY_GRAPH.pattern, chosen), TOY_GRAPH.features))
    torch.testing.assert_close(found, expected)


def test_the_gradient_of_a_share_is_that_of_finite_differences() -> None:
    frozen = Surrogate(toy_model("GCN"), TOY_GRAPH, FULL)
    objective = Objective(frozen, tanh_margin)
    pairs = Pairs(TOY_GRAPH, FULL)
    chosen = pairs.ends(np.concatenate([pairs.existing[:2], np.array([5, 500])]))
    block = Block.of(TOY_GRAPH, chosen)
    shares, step = torch.full((4,), 0.3), 5e-2
    gradient = objective.gradient(block, shares)
    for index in range(4):
        moved = [shares.clone() for _ in range(2)]
        moved[0][index] -= step
        moved[1][index] += step
        below, above = (objective.value(block, one) for one in moved)
        assert float(gradient[index]) == pytest.approx(
            (above - below) / (2 * step), rel=0.05, abs=2e-5
        )


def test_betweenness_is_that_of_networkx() -> None:
    found = centrality.betweenness(TOY_GRAPH.pattern, np.random.default_rng(0))
    expected = nx.betweenness_centrality(NETWORK, normalized=False)
    np.testing.assert_allclose(found, [expected[node] for node in range(TOY.nodes)], atol=1e-9)


def test_eigenvector_centrality_is_that_of_networkx() -> None:
    found = centrality.eigenvector(TOY_GRAPH.pattern, np.random.default_rng(0))
    part = NETWORK.subgraph(max(nx.connected_components(NETWORK), key=len))
    expected = nx.eigenvector_centrality_numpy(part)
    np.testing.assert_allclose(
        [found[node] for node in part], [abs(expected[node]) for node in part], atol=1e-6
    )


def test_eigenpairs_are_those_of_the_dense_generalised_problem() -> None:
    dense = adjacency(TOY_GRAPH.pattern).toarray() + np.eye(TOY.nodes)
    expected = scipy.linalg.eigh(dense, np.diag(dense.sum(axis=1)), eigvals_only=True)
    found = Spectrum(TOY_GRAPH.pattern, TOY.nodes, "algebraic").values
    np.testing.assert_allclose(found, expected[::-1], atol=1e-9)


def test_eigenvalues_after_a_flip_are_right_to_first_order() -> None:
    """A tenth of an edge: a tenth of the estimated change, but for a term of second order."""
    spectrum = Spectrum(TOY_GRAPH.pattern, TOY.nodes, "algebraic")
    pair = np.array([[FULL[0]], [TOY.nodes - 3]])
    estimated = spectrum.after(pair, np.array([1.0]))[0] - spectrum.values
    dense = adjacency(TOY_GRAPH.pattern).toarray() + np.eye(TOY.nodes)
    scales = dense.sum(axis=1)
    step = 1e-4
    one, other = pair[:, 0]
    dense[one, other] += step
    dense[other, one] += step
    scales[[one, other]] += step
    after = scipy.linalg.eigh(dense, np.diag(scales), eigvals_only=True)[::-1]
    assert (after - spectrum.values).sum() == pytest.approx(step * estimated.sum(), rel=1e-2)


@given(
    values=st.lists(st.floats(-2, 3, width=32), min_size=1, max_size=30), flips=st.integers(0, 12)
)
def test_projection_keeps_the_budget_and_leaves_what_keeps_it(
    values: list[float], flips: int
) -> None:
    given_values = torch.tensor(values)
    found = project(given_values, flips)
    clipped = given_values.clamp(0, 1)
    assert float(found.sum()) <= flips + 1e-4
    if float(clipped.sum()) <= flips:
        assert torch.equal(found, clipped)
    else:
        assert float(found.sum()) == pytest.approx(flips, abs=1e-3)


def test_local_projection_gives_the_largest_first() -> None:
    """Node 0 has a budget of 1: 0.9 for its first pair leaves 0.1 to its second."""
    pairs = np.array([[0, 0, 2], [1, 2, 3]])
    found = project_locally(torch.tensor([0.9, 0.8, 0.5]), pairs, 10, np.array([1, 5, 5, 5]))
    torch.testing.assert_close(found, torch.tensor([0.9, 0.1, 0.5]))


def test_margin_is_positive_where_the_label_is_lost() -> None:
    scores = torch.tensor([[2.0, 5.0, 1.0], [4.0, 1.0, 0.0]])
    torch.testing.assert_close(margin(scores, torch.tensor([0, 0])), torch.tensor([3.0, -3.0]))


def test_spent_tells_added_from_removed() -> None:
    pairs = Pairs(TOY_GRAPH, FULL)
    absent = pairs.draw(2, np.random.default_rng(0), without=pairs.existing)
    flips = pairs.ends(np.concatenate([absent, pairs.existing[:3]]))
    assert spent(TOY_GRAPH, Modification(flips)) == (2, 3)
