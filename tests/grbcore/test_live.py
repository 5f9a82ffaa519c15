"""Live rows against whole passes and plain autograd."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor

from grbcore.attacks.live import Live
from grbcore.block import block, neighbours
from grbcore.graph import Graph
from grbcore.models.layered import Layered
from grbcore.perturbation import Injection
from grbcore.testing import toy_dataset
from tests.grbcore.engine import NAMES, toy_model

#: Sparse enough for rows that no injected node reaches and no target sees.
DATASET = toy_dataset(nodes=400, edges=500)
CLEAN = Graph.from_dataset(DATASET)
LAYERED = [name for name in NAMES if isinstance(toy_model(name), Layered)]
CASES = [(name, norm) for name in LAYERED for norm in (False, True)]


def attacked(seed: int = 0, nodes: int = 4, edges: int = 3) -> tuple[Graph, Tensor, Tensor]:
    """A graph with injected nodes, two of them joined; their ids; some targets, one twice."""
    rng = np.random.default_rng(seed)
    ends = np.concatenate([rng.choice(DATASET.nodes, edges, replace=False) for _ in range(nodes)])
    sources = np.repeat(DATASET.nodes + np.arange(nodes), edges)
    pairs = np.stack([np.append(sources, DATASET.nodes + 1), np.append(ends, DATASET.nodes)])
    features = rng.uniform(-0.5, 0.5, (nodes, 8)).astype(np.float32)
    graph = CLEAN.apply(Injection(features, pairs.astype(np.int64)))
    far = rng.choice(DATASET.nodes, 10, replace=False)
    targets = torch.from_numpy(np.concatenate([ends[:5], ends[:1], far]))
    return graph, torch.arange(DATASET.nodes, graph.nodes), targets


def whole(model: Layered, graph: Graph, targets: Tensor, features: Tensor) -> Tensor:
    joined = torch.cat([graph.features[: DATASET.nodes], features])
    return model.propagate(graph.pattern, model.embed(joined))[targets]


def live(model: Layered, graph: Graph, nodes: Tensor, targets: Tensor) -> Live:
    with torch.no_grad():
        hidden = model.embed(graph.features).index_fill(0, nodes, 0)
    return Live(model, graph.pattern, hidden, nodes, targets)


@pytest.mark.parametrize(("name", "norm"), CASES)
@pytest.mark.parametrize("seed", range(3))
def test_live_logits_and_gradients_are_those_of_whole_passes(
    name: str, norm: bool, seed: int
) -> None:
    model = toy_model(name, layer_norm=norm, seed=seed).eval()
    assert isinstance(model, Layered)
    graph, nodes, targets = attacked(seed)
    features = graph.features[DATASET.nodes :].clone().requires_grad_()
    rows = live(model, graph, nodes, targets)
    expected = whole(model, graph, targets, features)
    found = rows(model.embed(features))
    difference = (found - expected).detach().abs().max()
    assert float(difference / expected.detach().abs().max()) <= 1e-5
    weight = torch.from_numpy(np.random.default_rng(9).standard_normal(expected.shape)).float()
    (plain,) = torch.autograd.grad((expected * weight).sum(), features)
    (ours,) = torch.autograd.grad((found * weight).sum(), features)
    assert float(plain.abs().max()) > 0
    assert float((ours - plain).abs().max() / plain.abs().max()) <= 1e-6


@pytest.mark.parametrize("name", LAYERED)
def test_live_rows_of_no_node_give_the_fixed_logits(name: str) -> None:
    model = toy_model(name).eval()
    assert isinstance(model, Layered)
    graph, _, targets = attacked()
    none = targets[:0]
    rows = live(model, graph, none, targets)
    with torch.no_grad():
        found = rows(model.embed(graph.features[:0]))
        torch.testing.assert_close(found, model(graph)[targets])


@pytest.mark.parametrize("name", LAYERED)
def test_no_targets_give_no_logits(name: str) -> None:
    model = toy_model(name).eval()
    assert isinstance(model, Layered)
    graph, nodes, targets = attacked()
    found = live(model, graph, nodes, targets[:0])(model.embed(graph.features[nodes]))
    assert found.shape == (0, DATASET.classes)


@pytest.mark.parametrize("name", LAYERED)
def test_rows_that_no_target_sees_are_not_visited(name: str) -> None:
    """A target four edges away is beyond three layers: its logits are fixed, nothing moves."""
    model = toy_model(name).eval()
    assert isinstance(model, Layered)
    path = np.stack([np.arange(1, 7), np.arange(6)])
    lone = Graph.from_dataset(toy_dataset(nodes=3, edges=0))
    graph = lone.subgraph(np.array([0])).apply(Injection(np.zeros((6, 8), np.float32), path))
    features = torch.ones(1, 8, requires_grad=True)
    far = live(model, graph, torch.tensor([6]), torch.tensor([6 - model.hops - 1]))
    near = live(model, graph, torch.tensor([6]), torch.tensor([6 - model.hops]))
    for rows, moves in ((far, False), (near, True)):
        (gradient,) = torch.autograd.grad(rows(model.embed(features)).square().sum(), features)
        assert bool((gradient != 0).any()) == moves


def test_block_is_the_chosen_rows_and_columns() -> None:
    pattern = CLEAN.pattern
    rng = np.random.default_rng(0)
    values = torch.from_numpy(rng.standard_normal(pattern.entries)).float()
    whole = torch.zeros(pattern.size, pattern.size)
    whole[pattern.row, pattern.col] = values
    rows = torch.from_numpy(rng.permutation(pattern.size)[:50])
    columns = torch.from_numpy(rng.permutation(pattern.size)[:70])
    part = block(pattern, values, rows, columns)
    dense = torch.from_numpy(rng.standard_normal((70, 5))).float().requires_grad_()
    plus = torch.from_numpy(rng.standard_normal((50, 5))).float()
    found = part.times(dense, plus)
    expected = whole[rows][:, columns] @ dense + plus
    torch.testing.assert_close(found, expected)
    gradients = [torch.autograd.grad(y.square().sum(), dense)[0] for y in (found, expected)]
    torch.testing.assert_close(*gradients)


def test_neighbours_are_the_columns_of_the_rows() -> None:
    nodes = torch.tensor([3, 17, 200])
    pattern = CLEAN.pattern
    expected = torch.zeros(pattern.size, dtype=torch.bool)
    expected[pattern.col[torch.isin(pattern.row, nodes)]] = True
    assert torch.equal(neighbours(pattern, nodes), expected)
