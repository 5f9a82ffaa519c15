"""Nodes that a layer can't tell apart are computed once, and nothing else changes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
import torch
from torch import nn

from grbcore.graphlevel import AttributedGraph
from grbcore.graphlevel.batch import Sparse
from grbcore.graphlevel.colours import coloured
from grbcore.graphlevel.models import GraphLevelModel, Shape, build
from grbcore.graphlevel.models.frozen import frozen
from grbcore.graphlevel.models.gine import Passing
from grbcore.graphlevel.models.model import Norm, two_layers
from tests.grbcore.graphlevel.samples import SHAPE, random_graphs, ring

DEGREES = Shape((1,), (1,), 1, degrees=6)
PASSING = ("meanGINE", "GIN", "GINE", "DropGINE")


def model_of(name: str, shape: Shape) -> GraphLevelModel:
    runs = {"runs": 4} if name == "DropGINE" else {}
    return build(name, shape, {"hidden": 40, "layers": 4, **runs}, seed=1).double().train()


def plain(graphs: Sequence[AttributedGraph]) -> list[AttributedGraph]:
    """The same edges, without features."""
    return [
        AttributedGraph.of(np.zeros((g.n, 1)), g.edges, np.zeros((g.edges.shape[1], 1)))
        for g in graphs
    ]


def alone(n: int) -> AttributedGraph:
    return AttributedGraph.of(np.zeros((n, 2)), np.zeros((2, 0)), np.zeros((0, 1)))


def cliques(*sizes: int) -> AttributedGraph:
    """Cliques that share their first node: all others of one are alike."""
    edges, first = [], 1
    for size in sizes:
        nodes = [0, *range(first, first + size - 1)]
        edges += [(u, v) for place, u in enumerate(nodes) for v in nodes[place + 1 :]]
        first += size - 1
    pairs = np.array(edges).T
    return AttributedGraph.of(np.zeros((first, 1)), pairs, np.zeros((pairs.shape[1], 1)))


@pytest.mark.parametrize("name", PASSING)
@pytest.mark.parametrize("what", ["features", "degrees"])
def test_a_model_learns_as_if_every_node_were_computed(name: str, what: str) -> None:
    """Outputs, slopes and running statistics, beside the surrogate, which computes them all."""
    shape = SHAPE if what == "features" else DEGREES
    graphs = random_graphs(6, 2)
    if what == "features":
        graphs = [*graphs, alone(1), graphs[0], alone(3)]
    else:
        graphs = [*plain(graphs), cliques(3, 4), cliques(5), ring(6), ring(3, 3)]
    found = []
    for dense in (False, True):
        model = model_of(name, shape)
        batch = model.batch(graphs)
        noise = model.draw(len(batch.owner), torch.Generator().manual_seed(3))
        outputs = model(batch.dense() if dense else batch, noise)
        outputs.square().sum().backward()
        slopes = {n: part.grad for n, part in model.named_parameters() if part.grad is not None}
        assert len(slopes) >= 20
        found.append((outputs.detach(), slopes, dict(model.named_buffers())))
    torch.testing.assert_close(found[0], found[1], rtol=1e-9, atol=1e-10)


def test_colours_are_those_of_refinement() -> None:
    """A path of five: the ends, those beside them and the middle, one layer after another."""
    path = AttributedGraph.of(
        np.zeros((5, 1)), np.array([[0, 1, 2, 3], [1, 2, 3, 4]]), np.zeros((4, 1))
    )
    batch = build("GINE", Shape((1,), (1,), 1), {"hidden": 4}, seed=0).batch([path, path])
    assert isinstance(batch, Sparse)
    start, levels = coloured(batch, torch.ones(10, 1, dtype=torch.bool), 3)
    assert start.places.tolist() == [0]
    found = [(level.places.tolist(), level.counts) for level in levels]
    assert [places for places, _ in found] == [[0, 1], [0, 1, 2], [0, 1, 2]]
    assert [None if c is None else c.tolist() for _, c in found] == [[4, 6], [4, 4, 2], [4, 4, 2]]


def test_a_node_that_is_dropped_is_told_from_one_that_is_not() -> None:
    batch = build("GINE", Shape((1,), (1,), 1), {"hidden": 4}, seed=0).batch([ring(4)])
    assert isinstance(batch, Sparse)
    stays = torch.tensor([[True, True], [True, True], [True, True], [True, False]])
    start, levels = coloured(batch, stays, 1)
    assert start.places.tolist() == [0, 7]
    (level,) = levels
    assert level.places.tolist() == [0, 1, 7]  # none beside it is dropped, one is, it is itself
    assert level.counts is not None and level.counts.tolist() == [5, 2, 1]


@pytest.mark.parametrize("counts", [[1, 1, 1, 1], [3, 1, 2, 5]])
def test_a_batch_norm_of_counted_rows_is_that_of_repeated_rows(counts: list[int]) -> None:
    torch.manual_seed(0)
    rows = two_layers(3, 4, 2).double()
    twin = two_layers(3, 4, 2).double()
    twin.load_state_dict(rows.state_dict())
    x = torch.randn(4, 3, dtype=torch.float64)
    times = torch.tensor(counts)
    weights = torch.randn(4, 2, dtype=torch.float64)
    found = rows(x, times)
    (found * weights * times[:, None]).sum().backward()
    wanted = twin(x.repeat_interleave(times, 0))
    (wanted * weights.repeat_interleave(times, 0)).sum().backward()
    torch.testing.assert_close(found.repeat_interleave(times, 0), wanted)
    for own, other in zip(rows.parameters(), twin.parameters(), strict=True):
        torch.testing.assert_close(own.grad, other.grad)
    torch.testing.assert_close(dict(rows.named_buffers()), dict(twin.named_buffers()))


def test_a_batch_norm_of_one_row_is_refused_while_it_learns_as_torchs_own() -> None:
    with pytest.raises(ValueError, match="more than 1 value"):
        Norm(2)(torch.zeros(1, 2), torch.tensor([1]))
    assert isinstance(Norm(2), nn.BatchNorm1d)
    assert Norm(2).eval()(torch.ones(1, 2), torch.tensor([1])).shape == (1, 2)


@pytest.mark.parametrize("name", PASSING)
@pytest.mark.parametrize("shape", [SHAPE, DEGREES], ids=["features", "degrees"])
def test_what_an_attack_sees_is_what_is_evaluated(name: str, shape: Shape) -> None:
    """A frozen model goes by colours, and so do dense batches made sparse for it."""
    model = model_of(name, shape)
    graphs = random_graphs(6, 2)
    graphs = [*graphs, graphs[0]] if shape is SHAPE else [*plain(graphs), cliques(3, 4)]
    batch = model.batch(graphs)
    noise = model.draw(len(batch.owner), torch.Generator().manual_seed(3))
    model(batch, noise)
    wanted = model.eval()(batch, noise)
    quick = frozen(model)
    assert isinstance(quick, Passing) and quick.frozen and not model.frozen
    for seen in (batch, batch.dense().sparse()):
        torch.testing.assert_close(quick(seen, noise), wanted, rtol=1e-9, atol=1e-10)


def test_a_batch_made_dense_and_sparse_again_is_the_same() -> None:
    graphs = [*random_graphs(4), alone(2), alone(1)]
    batch = model_of("GINE", SHAPE).batch(graphs)
    assert isinstance(batch, Sparse)
    again = batch.dense().sparse()
    for name in ("sizes", "owner", "nodes"):
        assert torch.equal(getattr(again, name), getattr(batch, name))
    both = [
        sorted(zip(*one.edges.tolist(), one.values[:, 0].tolist(), strict=True))
        for one in (batch, again)
    ]
    assert both[0] == both[1]
