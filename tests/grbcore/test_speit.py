"""SPEIT: its topologies keep the limits of both ends, and Adam ends where it should."""

from __future__ import annotations

from collections.abc import Callable

import networkx as nx
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from grbcore.attacks import SPEIT
from grbcore.attacks.layering import interlinked, multi_layer, random_inter
from grbcore.attacks.speit import TOPOLOGIES, adam_ascent
from grbcore.scenario import InjectionBudget
from grbcore.testing import check_attack
from tests.grbcore.engine import TOY, TOY_GRAPH, toy_model

FULL = TOY.targets["full"]
FIRST = 500
Topology = Callable[..., np.ndarray]


@pytest.mark.parametrize("topology", TOPOLOGIES)
@given(
    nodes=st.integers(0, 25),
    each=st.integers(0, 12),
    count=st.integers(0, FULL.shape[0]),
    harmony=st.sampled_from([0.0, 1.0]),
    seed=st.integers(0, 3),
)
def test_every_topology_keeps_any_budget(
    topology: str, nodes: int, each: int, count: int, harmony: float, seed: int
) -> None:
    attack = SPEIT(steps=2, topology=topology, harmony=harmony)
    limits = InjectionBudget(nodes, each, -0.5, 0.75)
    targets = np.sort(np.random.default_rng(seed).permutation(FULL)[:count])
    check_attack(attack, MODEL, TOY_GRAPH, targets, limits, seed=seed)


MODEL = toy_model("GCN")


def joined(topology: Topology, size: int, nodes: int, each: int) -> tuple[np.ndarray, np.ndarray]:
    """Edges to targets 0..size-1, and edges among injected nodes counted from 0."""
    edges = topology(
        np.arange(size),
        FIRST,
        budget=InjectionBudget(nodes, each, -1, 1),
        rng=np.random.default_rng(0),
    )
    within = edges[1] >= FIRST
    return edges[:, ~within], edges[:, within] - FIRST


def test_random_inter_reaches_each_target_once_and_joins_the_rest_to_each_other() -> None:
    """Ten nodes of six edges have 60 ends: 28 for the targets, 32 for 16 edges among them."""
    outer, inner = joined(random_inter, 28, 10, 6)
    assert sorted(outer[1]) == list(range(28))
    assert inner.shape[1] == 16
    assert set(np.bincount(np.concatenate([outer[0] - FIRST, inner.ravel()]))) == {6}


def test_random_inter_of_a_budget_for_the_targets_alone_joins_none_to_each_other() -> None:
    outer, inner = joined(random_inter, 100, 10, 6)
    assert outer.shape[1] == 60
    assert inner.shape[1] == 0


def test_multi_layer_puts_a_tenth_of_the_nodes_behind_the_others() -> None:
    """Two of twenty: the other 18 keep one edge for them, of which each takes up to its ten."""
    outer, inner = joined(multi_layer, 90, 20, 10)
    assert set(outer[0]) == set(range(FIRST, FIRST + 18))
    behind = inner[:, inner[0] >= 18]
    assert set(behind[0]) == {18, 19}
    assert (behind[1] < 18).all()
    assert np.bincount(behind[0])[18:].tolist() == [10, 8]


def test_multi_layer_keeps_a_tenth_of_the_edges_for_the_nodes_behind() -> None:
    """Ten edges each: nine at the targets and to the same layer, one for the layer behind."""
    outer, inner = joined(multi_layer, 90, 20, 10)
    same = inner[:, inner[0] < 18]
    counts = np.bincount(np.concatenate([outer[0] - FIRST, same.ravel()]), minlength=18)
    assert counts.tolist() == [9] * 18


@given(st.lists(st.integers(0, 9), max_size=12), st.integers(0, 3))
def test_interlinked_uses_up_every_degree_sequence_that_is_graphical(
    wanted: list[int], seed: int
) -> None:
    edges = interlinked(np.array(wanted, np.int64), 0, rng=np.random.default_rng(seed))
    found = np.bincount(edges.ravel(), minlength=len(wanted))
    assert (found <= wanted).all()
    assert len({frozenset(edge) for edge in edges.T.tolist()}) == edges.shape[1]
    assert (edges[0] != edges[1]).all()
    if nx.is_graphical(wanted):
        assert found.tolist() == wanted


def linear(weight: torch.Tensor):
    """Two logits of one target: 0, and the inner product with the features of the one node."""
    return lambda x: torch.cat([torch.zeros(1, 1), x @ weight[:, None]], dim=1)


def test_adam_ends_at_the_limits_that_the_gradient_points_to() -> None:
    found = adam_ascent(
        linear(torch.tensor([1.0, -3.0])),
        torch.tensor([0]),
        torch.zeros(1, 2),
        budget=InjectionBudget(1, 1, -0.5, 0.75),
        steps=1000,
        step_size=0.01,
    )
    torch.testing.assert_close(found, torch.tensor([[0.75, -0.5]]))


def test_the_first_step_of_adam_is_one_step_size_whatever_the_gradient() -> None:
    found = adam_ascent(
        linear(torch.tensor([1.0, -3.0])),
        torch.tensor([0]),
        torch.zeros(1, 2),
        budget=InjectionBudget(1, 1, -0.5, 0.75),
        steps=1,
        step_size=0.01,
    )
    torch.testing.assert_close(found, torch.tensor([[0.01, -0.01]]), atol=1e-6, rtol=0)


def test_adam_stops_when_nothing_moves_any_more() -> None:
    """Both features are at their limits after 30 steps of 0.025; ten more confirm it."""
    calls = []
    logits = linear(torch.tensor([1.0]))
    adam_ascent(
        lambda x: calls.append(0) or logits(x),
        torch.tensor([0]),
        torch.zeros(1, 1),
        budget=InjectionBudget(1, 1, -0.5, 0.75),
        steps=1000,
        step_size=0.025,
    )
    assert 40 <= len(calls) <= 50


def test_an_unknown_topology_is_answered_with_all_that_there_are() -> None:
    with pytest.raises(ValueError, match="allowed: random, random-inter, multi-layer"):
        SPEIT(topology="inter")
