"""Nodes that a layer can't tell apart are computed once, and nothing else changes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
import torch

from grbcore.graphlevel import AttributedGraph, GraphBudget
from grbcore.graphlevel.attacks import BruteForce
from grbcore.graphlevel.attacks.attack import Case
from grbcore.graphlevel.batch import Dense, Sparse
from grbcore.graphlevel.colours import Colours, by_value, initial, joined, refine
from grbcore.graphlevel.models import GraphLevelModel, Shape, build, gine, predict, signnet
from grbcore.graphlevel.models.frozen import frozen
from grbcore.graphlevel.models.gine import Passing
from grbcore.graphlevel.models.signnet import SignNet
from grbcore.graphlevel.random_changes import Values
from grbcore.graphlevel.targets import targets_of
from tests.grbcore.graphlevel.samples import SHAPE, random_graphs, random_values, ring

SEVERAL = Shape((3, 2), (4, 3), 1)  # features of edges, too
DEGREES = Shape((1,), (1,), 1, degrees=6)
PASSING = ("meanGINE", "GIN", "GINE", "DropGINE")


def model_of(name: str, shape: Shape, *, runs: int = 4) -> GraphLevelModel:
    needed = {"DropGINE": {"runs": runs}, "SignNet": {"eigenvectors": 3, "phi_layers": 3}}
    told = needed.get(name, {})
    return build(name, shape, {"hidden": 40, "layers": 4, **told}, seed=1).double().train()


def plain(graphs: Sequence[AttributedGraph]) -> list[AttributedGraph]:
    """The same edges, without features."""
    return [
        AttributedGraph.of(np.zeros((g.n, 1)), g.edges, np.zeros((g.edges.shape[1], 1)))
        for g in graphs
    ]


def alone(n: int, shape: Shape = SHAPE) -> AttributedGraph:
    nodes, edges = len(shape.node_sizes), len(shape.edge_sizes)
    return AttributedGraph.of(np.zeros((n, nodes)), np.zeros((2, 0)), np.zeros((0, edges)))


def cliques(*sizes: int) -> AttributedGraph:
    """Cliques that share their first node: all others of one are alike."""
    edges, first = [], 1
    for size in sizes:
        nodes = [0, *range(first, first + size - 1)]
        edges += [(u, v) for place, u in enumerate(nodes) for v in nodes[place + 1 :]]
        first += size - 1
    pairs = np.array(edges).T
    return AttributedGraph.of(np.zeros((first, 1)), pairs, np.zeros((pairs.shape[1], 1)))


def painted(graph: AttributedGraph, seed: int, shape: Shape) -> AttributedGraph:
    """The same edges with features at random."""
    rng = np.random.default_rng(seed)
    nodes = random_values(rng, shape.node_sizes, graph.n)
    return AttributedGraph.of(nodes, graph.edges, random_values(rng, shape.edge_sizes, graph.m))


def graphs_of(shape: Shape) -> list[AttributedGraph]:
    graphs = random_graphs(6, 2, shape)
    if shape is DEGREES:
        return [*plain(graphs), cliques(3, 4), cliques(5), ring(6), ring(3, 3)]
    return [*graphs, alone(1, shape), graphs[0], alone(3, shape)]


@pytest.mark.parametrize("name", PASSING)
@pytest.mark.parametrize("shape", [SHAPE, SEVERAL, DEGREES], ids=["one", "several", "degrees"])
@pytest.mark.parametrize("runs", [1, 4])
def test_a_model_learns_as_if_every_node_were_computed(name: str, shape: Shape, runs: int) -> None:
    """Outputs, slopes and running statistics, beside the surrogate, which computes them all."""
    if runs == 1 and name != "DropGINE":
        runs = 4  # it has none
    graphs = graphs_of(shape)
    found = []
    for dense in (False, True):
        model = model_of(name, shape, runs=runs)
        batch = model.batch(graphs)
        noise = model.draw(len(batch.owner), torch.Generator().manual_seed(3))
        outputs = model(batch.dense() if dense else batch, noise)
        outputs.square().sum().backward()
        slopes = {n: part.grad for n, part in model.named_parameters() if part.grad is not None}
        assert len(slopes) >= 20
        found.append((outputs.detach(), slopes, dict(model.named_buffers())))
    torch.testing.assert_close(found[0], found[1], rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("name", [*PASSING, "SignNet"])
@pytest.mark.parametrize("shape", [SHAPE, SEVERAL], ids=["one", "several"])
def test_graphs_without_an_edge_are_learned_and_attacked(name: str, shape: Shape) -> None:
    model = model_of(name, shape)
    batch = model.batch([painted(alone(n, shape), n, shape) for n in (2, 5, 1)])
    noise = model.draw(len(batch.owner), torch.Generator().manual_seed(3))
    outputs = model(batch, noise)
    torch.testing.assert_close(outputs, model(batch.dense(), noise), rtol=1e-9, atol=1e-10)
    wanted = model.eval()(batch, noise)
    torch.testing.assert_close(frozen(model)(batch, noise), wanted, rtol=1e-9, atol=1e-10)


def test_colours_are_those_of_refinement() -> None:
    """A path of five: the ends, those beside them and the middle, one layer after another."""
    path = AttributedGraph.of(
        np.zeros((5, 1)), np.array([[0, 1, 2, 3], [1, 2, 3, 4]]), np.zeros((4, 1))
    )
    batch = build("GINE", Shape((1,), (1,), 1), {"hidden": 4}, seed=0).batch([path, path])
    assert isinstance(batch, Sparse)
    start = initial(batch, torch.ones(10, 1, dtype=torch.bool))
    assert start.places.tolist() == [0]
    layers = refine(batch, start, 3)
    found = [(layer.after.places.tolist(), layer.after.counts) for layer in layers]
    assert [places for places, _ in found] == [[0, 1], [0, 1, 2], [0, 1, 2]]
    assert [None if c is None else c.tolist() for _, c in found] == [[4, 6], [4, 4, 2], [4, 4, 2]]


def test_a_node_that_is_dropped_is_told_from_one_that_is_not() -> None:
    batch = build("GINE", Shape((1,), (1,), 1), {"hidden": 4}, seed=0).batch([ring(4)])
    assert isinstance(batch, Sparse)
    kept = torch.tensor([[True, True], [True, True], [True, True], [True, False]])
    start = initial(batch, kept)
    assert start.places.tolist() == [0, 7]
    (layer,) = refine(batch, start, 1)
    after = layer.after
    assert after.places.tolist() == [0, 1, 7]  # none beside it is dropped, one is, it is itself
    assert after.counts is not None and after.counts.tolist() == [5, 2, 1]


def test_numbers_alike_but_for_rounding_have_one_colour_within_a_run_of_a_graph() -> None:
    batch = build("GINE", Shape((1,), (1,), 1), {"hidden": 4}, seed=0).batch([ring(3), ring(4)])
    assert isinstance(batch, Sparse)
    close = 0.5 + 1e-15
    values = torch.tensor(
        [
            *([0.5, 0.5], [close, -0.5], [0.0, 0.25]),
            *([0.5, -1e-15], [-0.1, 1e-15], [0.5, 0.25], [0.500001, 0.25 - 1e-15]),
        ],
        dtype=torch.float64,
    )
    assert by_value(batch, values).of.tolist() == [
        *([0, 1], [0, 2], [3, 4]),
        *([5, 3], [6, 3], [5, 7], [8, 7]),
    ]


@pytest.mark.parametrize(("closed", "places"), [(False, [0, 1, 2, 3]), (True, [0, 2, 3])])
def test_a_node_is_as_its_neighbours_where_only_their_sum_with_it_counts(
    closed: bool, places: list[int]
) -> None:
    """A triangle with a tail at its last node, all of other colours: the first two see the same."""
    edges = np.array([[0, 0, 1, 2], [1, 2, 2, 3]])
    graph = AttributedGraph.of(np.arange(4)[:, None], edges, np.zeros((4, 1)))
    batch = build("GIN", Shape((4,), (1,), 1), {"hidden": 4}, seed=0).batch([graph])
    assert isinstance(batch, Sparse)
    start = initial(batch, torch.ones(4, 1, dtype=torch.bool))
    assert start.places.tolist() == [0, 1, 2, 3]
    (layer,) = refine(batch, start, 1, closed=closed)
    assert layer.after.places.tolist() == places
    x = torch.randn(4, 5)
    torch.testing.assert_close(
        layer.around(x)[layer.after.of[:, 0]], x + batch.total(x), rtol=0, atol=1e-6
    )


def test_colours_go_on_where_as_many_come_as_go() -> None:
    """A clique of five colours has one after a layer, where a path of one gets five in time."""
    clique = [(u, v) for v in range(5) for u in range(v)]
    edges = np.array([*clique, *((u, u + 1) for u in range(5, 14))]).T
    features = np.array([*range(5), *[0] * 10])[:, None]
    graph = AttributedGraph.of(features, edges, np.zeros((edges.shape[1], 1)))
    shape = Shape((5,), (1,), 1)
    model = build("GIN", shape, {"hidden": 8, "layers": 4}, seed=0).double().train()
    batch = model.batch([graph, ring(4)])
    assert isinstance(batch, Sparse)
    start = initial(batch, torch.ones(19, 1, dtype=torch.bool))
    layers = list(refine(batch, start, 8, closed=True))
    assert [len(layer.after) for layer in layers] == [3, 4, 5, 6, 7, 7, 7, 7]
    assert layers[-1] is layers[-2]
    torch.testing.assert_close(model(batch), model(batch.dense()), rtol=1e-9, atol=1e-10)


def test_nodes_are_joined_by_their_features_and_their_colours_in_all_runs() -> None:
    graph = AttributedGraph.of(
        np.array([[0], [0], [1], [0], [0]]), np.zeros((2, 0)), np.zeros((0, 1))
    )
    batch = build("GINE", Shape((2,), (1,), 1), {"hidden": 4}, seed=0).batch([graph])
    assert isinstance(batch, Sparse)
    of = torch.tensor([[0, 1], [0, 1], [0, 1], [1, 0], [0, 0]])
    nodes = joined(batch, Colours(batch, of, torch.tensor([0, 1])))
    assert nodes.of[:, 0].tolist() == [0, 0, 1, 2, 3]
    assert nodes.counts is not None and nodes.counts.tolist() == [2, 1, 1, 1]


@pytest.mark.parametrize("ring_of", [5, 6])
def test_signnet_sees_what_is_alike_once(ring_of: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cliques that share a node: of each the others are one, and so are all of a clique alone."""
    graphs = [cliques(4, 3, 5), ring(ring_of), cliques(4)]
    model = build("SignNet", DEGREES, {"hidden": 6, "layers": 2, "eigenvectors": 9}, seed=0)
    batch = model.double().batch(graphs)
    assert isinstance(model, SignNet) and isinstance(batch, Sparse)
    found: list[Colours] = []

    def spied(batch: Sparse, runs: Colours) -> Colours:
        found.extend((runs, joined(batch, runs)))
        return found[-1]

    monkeypatch.setattr(signnet, "joined", spied)
    wanted = model.eval()(batch.dense())
    torch.testing.assert_close(frozen(model)(batch), wanted, rtol=1e-9, atol=1e-10)
    rows, nodes = found
    assert len(nodes) == 4 + ring_of + 1
    # three vectors tell the cliques apart; the others, and all of a clique alone, add up to 0
    # around each node, as those that are missing
    parts = rows.of.split([10, ring_of, 4])
    assert [len(part.unique()) for part in (parts[0], parts[2])] == [4 * 3 + 4, 1]
    assert len(rows) == 17 + len(parts[1].unique())


@pytest.mark.parametrize("shape", [SHAPE, DEGREES], ids=["features", "degrees"])
def test_signnet_learns_as_if_every_entry_were_computed(shape: Shape) -> None:
    """Outputs, slopes and running statistics, where many entries are alike.

    With features nodes of equal positions are told apart, and so are edges between them.
    """
    graphs = [cliques(4, 3, 5), ring(6), cliques(2), cliques(3, 3), ring(3, 3)]
    if shape is not DEGREES:
        graphs = [painted(graph, seed, shape) for seed, graph in enumerate(graphs)]
    found = []
    for dense in (False, True):
        model = build("SignNet", shape, {"hidden": 6, "layers": 2, "eigenvectors": 9}, seed=0)
        batch = model.double().train().batch(graphs)
        outputs = model(batch.dense() if dense else batch)
        (outputs * torch.linspace(1, 2, len(graphs))[:, None]).square().sum().backward()
        slopes = {n: part.grad for n, part in model.named_parameters() if part.grad is not None}
        assert len(slopes) >= 20 and sum(float(part.abs().sum()) for part in slopes.values()) > 1e-3
        found.append((outputs.detach(), slopes, dict(model.named_buffers())))
    torch.testing.assert_close(found[0], found[1], rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("merge", [False, True])
def test_entries_of_vectors_are_each_computed_in_evaluation_unless_asked_not_to(
    merge: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = build("SignNet", DEGREES, {"hidden": 6, "layers": 2, "eigenvectors": 9}, seed=0)
    asked = []

    def spied(batch: Sparse, values: torch.Tensor) -> Colours:
        asked.append(values)
        return by_value(batch, values)

    monkeypatch.setattr(signnet, "by_value", spied)
    predict(model, [cliques(4, 3)], rng=torch.Generator().manual_seed(0), merge=merge)
    assert bool(asked) == merge and not model.merges


def test_a_model_is_as_it_was_after_a_prediction_that_fails() -> None:
    model = model_of("GINE", SHAPE)
    wrong = AttributedGraph.of(np.full((2, 2), 99), np.array([[0], [1]]), np.zeros((1, 1)))
    with pytest.raises(ValueError, match="outside its table"):
        predict(model, [wrong], rng=torch.Generator().manual_seed(0), merge=True)
    assert model.training and not model.merges


@pytest.mark.parametrize("name", PASSING)
@pytest.mark.parametrize("shape", [SHAPE, SEVERAL, DEGREES], ids=["one", "several", "degrees"])
def test_what_an_attack_sees_is_what_is_evaluated(name: str, shape: Shape) -> None:
    """A frozen model goes by colours, and so do dense batches made sparse for it."""
    model = model_of(name, shape)
    batch = model.batch(graphs_of(shape))
    noise = model.draw(len(batch.owner), torch.Generator().manual_seed(3))
    model(batch, noise)
    wanted = model.eval()(batch, noise)
    quick = frozen(model)
    assert isinstance(quick, Passing) and quick.merges and not model.merges
    for seen in (batch, batch.dense().sparse()):
        torch.testing.assert_close(quick(seen, noise), wanted, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("name", PASSING)
def test_what_is_evaluated_is_computed_node_by_node(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever finds graphs that colours confuse has nothing of it on a board."""
    model = model_of(name, SHAPE).eval()
    monkeypatch.setattr(gine, "initial", lambda *given: pytest.fail("by colours"))
    predict(model, graphs_of(SHAPE), rng=torch.Generator().manual_seed(0))


@pytest.mark.parametrize("shape", [SHAPE, DEGREES], ids=["features", "degrees"])
def test_brute_force_on_dropgine_finds_what_it_finds_node_by_node(
    shape: Shape, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = model_of("DropGINE", shape)
    graphs = graphs_of(shape)[:3]
    for _ in range(3):
        noise = model.draw(sum(graph.n for graph in graphs), torch.Generator().manual_seed(3))
        model(model.batch(graphs), noise)
    case = Case(
        model.eval(),
        graphs,
        np.array([0, 1, 0]),
        targets_of("binary")[0],
        GraphBudget(absolute=1, attributes=shape is SHAPE),
    )
    values = Values(
        tuple(np.arange(size) for size in shape.node_sizes),
        tuple(np.arange(size) for size in shape.edge_sizes),
    )
    found = BruteForce(values).search(case, rng=np.random.default_rng(0))
    monkeypatch.setattr(Dense, "sparse", lambda self: self)
    wanted = BruteForce(values).search(case, rng=np.random.default_rng(0))
    assert any(any(one.changes.cost(graph)) for one, graph in zip(found, graphs, strict=True))
    for one, other in zip(found, wanted, strict=True):
        assert one.target == pytest.approx(other.target, rel=1e-9)
        assert one.changes.flips.tolist() == other.changes.flips.tolist()
        assert one.changes.node_changes.tolist() == other.changes.node_changes.tolist()


def test_a_batch_made_dense_and_sparse_again_is_the_same() -> None:
    graphs = [*random_graphs(4, shape=SEVERAL), alone(2, SEVERAL), alone(1, SEVERAL)]
    batch = model_of("GINE", SEVERAL).batch(graphs)
    assert isinstance(batch, Sparse)
    again = batch.dense().sparse()
    for name in ("sizes", "owner", "nodes"):
        assert torch.equal(getattr(again, name), getattr(batch, name))
    both = [
        sorted(zip(*one.edges.tolist(), *one.values.T.tolist(), strict=True))
        for one in (batch, again)
    ]
    assert both[0] == both[1]
