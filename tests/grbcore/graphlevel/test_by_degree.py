"""Graphs whose nodes are embedded by their degrees, which follow the edges that are flipped."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from grbcore import datasets
from grbcore.catalog import boards
from grbcore.evaluate import evaluate
from grbcore.graphlevel import GraphBudget, GraphDataset
from grbcore.graphlevel.attacks import AttrPGD, BruteForce, Case, Genetic, Random, perturb
from grbcore.graphlevel.attacks.attack import torch_rng
from grbcore.graphlevel.attacks.sampling import Distribution
from grbcore.graphlevel.changes import Changes
from grbcore.graphlevel.kept import keep, opened
from grbcore.graphlevel.models import GraphLevelModel, Shape, build, predict
from grbcore.graphlevel.models.edits import edited_outputs
from grbcore.graphlevel.models.frozen import frozen
from grbcore.graphlevel.random_changes import Values
from grbcore.graphlevel.shape import together
from grbcore.graphlevel.targets import Target
from grbcore.submission.scale import scale_of
from tests.conftest import data_folder
from tests.grbcore.graphlevel.samples import ALL, random_graph, random_graphs, small_model

#: The last row stands for degrees of 4 and more, which some nodes of the graphs below have.
SHAPE = Shape((1,), (1,), 1, degrees=5)
VALUES = Values(((0,),), ((0,),))
BINARY = Target("binary")


def model_of(name: str, **more: int) -> GraphLevelModel:
    return small_model(name, shape=SHAPE, **more)


def noise_of(model: GraphLevelModel, nodes: int) -> Tensor | None:
    return model.draw(nodes, torch.Generator().manual_seed(0))


@pytest.mark.parametrize("name", ALL)
def test_the_dense_surrogate_is_the_sparse_model(name: str) -> None:
    model, graphs = model_of(name), random_graphs(5, 7, SHAPE)
    assert max(int(graph.adjacency().sum(1).max()) for graph in graphs) > 4
    batch = model.batch(graphs)
    noise = noise_of(model, len(batch.owner))
    sparse = model(batch, noise)
    assert sparse.std() > 1e-4
    dense = batch.dense()
    relaxed = dense.relaxed(SHAPE.node_sizes, SHAPE.edge_sizes)
    for other in (dense, dense.of(torch.arange(5)), relaxed):
        torch.testing.assert_close(sparse, model(other, noise), atol=1e-10, rtol=0)


def test_a_node_is_embedded_by_the_degree_that_flips_leave_it() -> None:
    """Also where nothing but nodes is looked at, and in subgraphs, which have fewer edges."""
    graph = random_graphs(1, 3, SHAPE)[0]
    flipped = Changes(graph.edges[:, :1], *(np.zeros((rows, 0), np.int64) for rows in (3, 4)))
    other, table = flipped.apply(graph), torch.arange(5.0)[:, None]
    bag = model_of("Bag")
    before, after = (bag.batch([one]).nodes_by(table)[:, 0] for one in (graph, other))
    lost = (before - after).nonzero()[:, 0].tolist()
    degrees = graph.adjacency().sum(1)
    assert lost == [node for node in flipped.flips[:, 0].tolist() if degrees[node] <= 4] != []
    with torch.no_grad():
        assert (bag(bag.batch([graph])) - bag(bag.batch([other]))).abs().max() > 1e-6


def test_a_relaxed_degree_lies_between_the_rows_beside_it_and_has_their_slope() -> None:
    table = torch.tensor([[0.0], [1.0], [5.0], [7.0], [20.0]], dtype=torch.float64)
    dense = (
        model_of("Bag").batch([random_graph(np.random.default_rng(0), n=3, shape=SHAPE)]).dense()
    )
    leaf = torch.tensor([[0, 1, 0.5], [1, 0, 1.0], [0.5, 1, 0]], dtype=torch.float64)
    leaf.requires_grad_()
    found = dense.with_adjacency(leaf[None]).nodes_by(table)
    assert found[:, 0].tolist() == [3.0, 5.0, 3.0]
    (slopes,) = torch.autograd.grad(found.sum(), leaf)
    assert slopes[:, 0].tolist() == [4.0, 3.0, 4.0]  # of 1.5, of 2, which is whole, of 1.5
    # of the last row an edge less is 13 below, and an edge more is the same
    for degree, row, slope in ((0.0, 0.0, 1.0), (4.0, 20.0, 6.5), (9.0, 20.0, 0.0)):
        every = torch.tensor([degree, 0, 0], dtype=torch.float64).expand(1, 3, 3).clone()
        every.requires_grad_()
        found = dense.with_adjacency(every).nodes_by(table)
        assert found[:, 0].tolist() == [row] * 3
        (slopes,) = torch.autograd.grad(found.sum(), every)
        assert slopes.unique().tolist() == [slope]


@pytest.mark.parametrize("name", ALL)
def test_gradients_of_edges_are_finite_and_not_all_zero(name: str) -> None:
    model, rng = model_of(name), np.random.default_rng(4)
    dense = model.batch([random_graph(rng, n=n, shape=SHAPE) for n in (8, 6)]).dense()
    adjacency = dense.adjacency.double().requires_grad_()
    noise = noise_of(model, 14)
    (found,) = torch.autograd.grad(model(dense.with_adjacency(adjacency), noise).sum(), adjacency)
    assert found.isfinite().all()
    assert found.abs().max() > 1e-8


@pytest.mark.parametrize("name", ["Bag", "GINE", "ESAN"])
def test_gradients_of_edges_are_those_of_small_differences(name: str) -> None:
    """Where no degree is a whole number; ESAN's draws are the same at each of the points."""
    model = model_of(name, hidden=6)
    dense = model.batch([random_graph(np.random.default_rng(1), n=5, shape=SHAPE)]).dense()
    inside = (0.23 + 0.61 * dense.adjacency).double().requires_grad_()
    noise = noise_of(model, 5)
    assert torch.autograd.gradcheck(lambda a: model(dense.with_adjacency(a), noise), inside)


@pytest.mark.parametrize("architecture", ["Bag", "GIN", "GINE", "meanGINE", "PPGN", "SignNet"])
@pytest.mark.parametrize("attributes", [False, True])
def test_brute_force_is_exhaustive_search(architecture: str, attributes: bool) -> None:
    """There are no features to change; what would be given anew is the value there is."""
    model = model_of(architecture, hidden=8)
    graph = random_graph(np.random.default_rng(5), n=6, shape=SHAPE)
    budget = GraphBudget(absolute=1, attributes=attributes)
    case = Case(model, [graph], np.array([1]), BINARY, budget)
    search = BruteForce(VALUES, at_once=7).search(case, rng=np.random.default_rng(0))[0]
    none = Changes.empty()
    flips = np.stack(np.triu_indices(6, 1))
    every = [
        Changes(flips[:, [k]], none.node_changes, none.edge_changes).apply(graph)
        for k in range(flips.shape[1])
    ]
    outputs = predict(model, [graph, *every], rng=torch_rng(np.random.default_rng(0)))
    targets = BINARY(outputs, torch.ones(len(outputs)))
    assert search.target == pytest.approx(float(targets.max()), abs=1e-9)
    assert search.changes.node_changes.shape[1] == 0


@pytest.mark.parametrize("architecture", ["GIN", "GINE", "meanGINE"])
def test_what_is_said_of_many_draws_is_what_is_said_of_them_as_graphs(architecture: str) -> None:
    model = frozen(model_of(architecture))
    graph = random_graph(np.random.default_rng(2), n=8, shape=SHAPE)
    sure = [np.zeros(graph.n, np.int64)], [np.zeros(28, np.int64)]
    draws = Distribution(graph, np.full(28, 0.3), *sure).draw(40, np.random.default_rng(0))
    graphs = [draws.graph(row) for row in range(len(draws))]
    expected = predict(model, graphs, rng=torch.Generator())
    torch.testing.assert_close(edited_outputs(model, draws.edits(model)), expected)


@pytest.mark.parametrize(
    "attack",
    [
        AttrPGD(values=VALUES, steps=4, samples=20, repeats=1),
        Genetic(VALUES, population=8, generations=2),
        Random(VALUES, "nodes"),
    ],
    ids=["AttrPGD", "Genetic", "Random"],
)
def test_an_attack_on_features_finds_none_to_change(attack: object) -> None:
    model, graphs = model_of("GINE").float(), random_graphs(3, 11, SHAPE)
    found = perturb(
        attack,  # type: ignore[arg-type]
        model,
        graphs,
        np.array([0, 1, 0]),
        task="binary",
        budget=GraphBudget(absolute=2, attributes=True),
        rng=np.random.default_rng(0),
    )
    assert all(changes.node_changes.shape[1] == 0 for changes in found)
    assert all(changes.cost(graph)[1] == 0 for changes, graph in zip(found, graphs, strict=True))


@pytest.mark.real_data
def test_a_worker_predicts_by_the_degrees_that_an_attack_leaves(tmp_path: Path) -> None:
    """One edge removed of every test graph; what is kept for workers knows of degrees too."""
    dataset = datasets.load("imdb-binary", GraphDataset, data_dir=data_folder())
    keep(dataset, tmp_path)
    kept = opened("imdb-binary", tmp_path)
    assert (kept.degrees, scale_of(kept)) == (26, scale_of(dataset))
    none, tests = Changes.empty(), kept.part("test")
    removed = [Changes(g.edges[:, :1], none.node_changes, none.edge_changes) for g in tests]
    board = boards()["imdb-binary/adjacency@1"]
    model = build("Bag", Shape.of(kept), {"hidden": 8}, seed=0).eval()
    with torch.no_grad():  # so that some graphs are of each class
        model.readout[-1].bias -= predict(model, tests, rng=torch.Generator()).median()
    attack = dict.fromkeys(board.difficulties, (together(removed),))
    changed = [one.apply(graph) for one, graph in zip(removed, tests, strict=True)]
    said = predict(model, changed, rng=torch.Generator())[:, 0] > 0
    for whole in (dataset, replace(kept, labels=dataset.labels)):
        cell = evaluate(board, whole, model=model, attack=attack)
        assert cell.accuracy("1") == (said.numpy() == dataset.labels_of("test")).mean()
    assert not torch.equal(said, predict(model, tests, rng=torch.Generator())[:, 0] > 0)
