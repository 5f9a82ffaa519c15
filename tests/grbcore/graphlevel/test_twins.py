"""Nodes that may change places are computed once, and nothing else changes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, cast

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from grbcore.graphlevel import AttributedGraph
from grbcore.graphlevel.batch import Sparse, union
from grbcore.graphlevel.models import GraphLevelModel, Shape, build, ppgn, predict
from grbcore.graphlevel.models.frozen import frozen
from grbcore.graphlevel.twins import Grid, grids
from tests.grbcore.graphlevel.samples import SHAPE, random_graphs, ring

SEVERAL = Shape((3, 2), (4, 3), 1)  # features of edges, too
DEGREES = Shape((1,), (1,), 1, degrees=6)


def graph(n: int, edges: dict[tuple[int, int], int], nodes: Sequence[int] = ()) -> AttributedGraph:
    """Edges of kinds, nodes of kinds (else 0), in the features of SHAPE."""
    kinds = np.zeros((n, 2), np.int64)
    kinds[: len(nodes), 0] = nodes
    return AttributedGraph.of(
        kinds, np.array(list(edges)).reshape(-1, 2).T, np.array(list(edges.values())).reshape(-1, 1)
    )


def plain(graph: AttributedGraph) -> AttributedGraph:
    """The same edges, without features."""
    return AttributedGraph.of(np.zeros((graph.n, 1)), graph.edges, np.zeros((graph.m, 1)))


def ring_of(n: int) -> AttributedGraph:
    return graph(n, {(min(i, (i + 1) % n), max(i, (i + 1) % n)): 0 for i in range(n)})


STAR = {(0, 1): 0, (0, 2): 0, (0, 3): 0}
CLIQUES = {pair: 0 for part in ((0, 1, 2, 3), (0, 4, 5)) for pair in combinations(part, 2)}
TOLD: dict[str, tuple[AttributedGraph, list[list[int]]]] = {
    "leaves of a star": (graph(4, STAR), [[0], [1, 2, 3]]),
    "leaves of other features": (graph(4, STAR, [0, 1, 2, 1]), [[0], [1, 3], [2]]),
    "leaves on other edges": (graph(4, {**STAR, (0, 2): 1}), [[0], [1, 3], [2]]),
    "cliques that share a node": (graph(6, CLIQUES), [[0], [1, 2, 3], [4, 5]]),
    "a clique and one other edge": (graph(6, {**CLIQUES, (1, 2): 1}), [[0], [1, 2], [3], [4, 5]]),
    "a whole graph": (graph(3, {pair: 2 for pair in combinations(range(3), 2)}), [[0, 1, 2]]),
    "no edge": (graph(3, {}), [[0, 1, 2]]),
    "one node": (graph(1, {}), [[0]]),
    "opposite nodes of a ring of four": (
        graph(4, {(0, 1): 0, (1, 2): 0, (2, 3): 0, (0, 3): 0}),
        [[0, 2], [1, 3]],
    ),
    "a ring of five, all alike but none a twin": (
        ring_of(5),
        [[0], [1], [2], [3], [4]],
    ),
}


@pytest.mark.parametrize("name", TOLD)
def test_twins_are_nodes_that_may_change_places(name: str) -> None:
    own, wanted = TOLD[name]
    # beside a larger graph, so that it is padded
    dense = union([own, ring_of(7)], SHAPE.node_sizes, SHAPE.edge_sizes).dense()
    found, other = grids(dense, merge=True)
    known = Grid.of(wanted)
    for part in ("first", "members", "second"):
        assert getattr(found, part).tolist() == getattr(known, part).tolist(), part
    assert found.n == own.n and other.n == other.k == 7


@pytest.mark.parametrize("seed", range(8))
def test_twins_are_those_that_every_pair_says(seed: int) -> None:
    """Beside a look at each pair: changed for one another, the graph is the same."""
    for own in random_graphs(4, seed, SEVERAL):
        dense = union([own], SEVERAL.node_sizes, SEVERAL.edge_sizes).dense()
        (found,) = grids(dense, merge=True)
        classes: list[list[int]] = []
        for node in range(own.n):
            for held in classes:
                order = np.arange(own.n)
                order[[held[0], node]] = node, held[0]
                if own.permuted(order).same(own):
                    held.append(node)
                    break
            else:
                classes.append([node])
        known = Grid.of(classes)
        assert found.first.tolist() == known.first.tolist()
        assert found.members.tolist() == known.members.tolist()


def test_columns_of_a_grid_stand_for_every_pair() -> None:
    grid = Grid.of([[0, 3], [1], [2, 4, 5]])
    u, v = grid.pairs
    assert list(zip(u.tolist(), v.tolist(), strict=True)) == [
        *((0, 3), (0, 2), (0, 1)),
        *((2, 0), (2, 4), (2, 1)),
        *((1, 0), (1, 2), (1, 1)),
        *((0, 0), (2, 2)),
    ]
    assert grid.counts.tolist() == [2, 6, 2, 6, 6, 3, 2, 3, 1, 2, 3]
    assert grid.counts.sum() == 6**2
    assert grid.same.tolist() == [9, 10, 8]
    assert grid.counts[grid.same].tolist() == grid.members.tolist()


def graphs_of(shape: Shape) -> list[AttributedGraph]:
    told = [own for own, _ in TOLD.values()]
    if shape is SHAPE:
        return [*told, *random_graphs(3)]
    if shape is DEGREES:
        return [*map(plain, told), plain(random_graphs(1)[0]), ring(6)]
    return [*random_graphs(5, 2, SEVERAL), star_of_several()]


def star_of_several() -> AttributedGraph:
    edges = np.array([[0, 0, 0, 0], [1, 2, 3, 4]])
    values = np.array([[1, 2], [1, 2], [3, 0], [3, 0]])
    return AttributedGraph.of(np.zeros((5, 2)), edges, values)


def model_of(shape: Shape) -> GraphLevelModel:
    return build("PPGN", shape, {"hidden": 6, "blocks": 3}, seed=1).double().train()


@pytest.mark.parametrize("shape", [SHAPE, SEVERAL, DEGREES], ids=["one", "several", "degrees"])
def test_a_model_learns_as_if_every_pair_were_computed(shape: Shape) -> None:
    """Outputs, slopes and running statistics, beside the surrogate, which computes them all."""
    graphs = graphs_of(shape)
    found = []
    for dense in (False, True):
        model = model_of(shape)
        batch = model.batch(graphs)
        outputs = model(batch.dense() if dense else batch)
        (outputs * torch.linspace(1, 2, len(graphs))[:, None]).square().sum().backward()
        slopes = {n: part.grad for n, part in model.named_parameters() if part.grad is not None}
        assert len(slopes) >= 20
        found.append((outputs.detach(), slopes, dict(model.named_buffers())))
    torch.testing.assert_close(found[0], found[1], rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("shape", [SHAPE, SEVERAL, DEGREES], ids=["one", "several", "degrees"])
def test_what_an_attack_sees_is_what_is_evaluated(shape: Shape) -> None:
    model = model_of(shape)
    batch = model.batch(graphs_of(shape))
    model(batch)
    wanted = model.eval()(batch)
    quick = frozen(model)
    assert quick.merges and not model.merges
    torch.testing.assert_close(quick(batch), wanted, rtol=1e-9, atol=1e-10)


def test_evaluation_computes_every_pair_unless_asked_not_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = []
    inputs_of = ppgn.inputs_of

    def spied(*given: object, merge: bool) -> object:
        found = inputs_of(*given, merge=merge)  # type: ignore[arg-type]
        seen.append(found.shares.shape[1])
        return found

    monkeypatch.setattr(ppgn, "inputs_of", spied)
    graphs = [own for own, _ in TOLD.values()]
    model = model_of(SHAPE)
    batch = model.batch(graphs)
    assert isinstance(batch, Sparse)
    model(batch)
    predict(model, graphs, rng=torch.Generator().manual_seed(0))
    model(batch.dense())
    predict(model, graphs, rng=torch.Generator().manual_seed(0), merge=True)
    every = sum(own.n**2 for own in graphs)
    assert seen[0] < every and seen[1:] == [every, every, seen[0]] and not model.merges


def padded(model: GraphLevelModel, batch: Sparse) -> Tensor:
    """What a PPGN in training says, of channels last that are padded to the largest graph."""
    dense = batch.dense()
    real = (dense.mask[:, :, None] & dense.mask[:, None])[..., None]
    edges = model.edges[dense.palette].sum(-2)[dense.kinds]
    nodes = torch.diag_embed(dense.padded(dense.nodes_by(model.nodes)).mT, dim1=1, dim2=2)
    x = torch.cat([dense.adjacency[..., None], dense.adjacency[..., None] * edges, nodes], 3) * real
    sizes = dense.mask.sum(1)[:, None].double()

    def extracted(own: Any, x: Tensor) -> Tensor:
        trace = x.diagonal(dim1=1, dim2=2).sum(2)
        rest = (x.sum((1, 2)) - trace) / (sizes * (sizes - 1)).clamp(min=1)
        o = own.trace(trace / sizes) + own.rest(rest)
        return cast(Tensor, o + own.more(nn.functional.leaky_relu(o, 0.01)))

    first, *others = cast(Any, model).extractors
    found = extracted(first, x)
    for block, extractor in zip(cast(Any, model).blocks, others, strict=True):
        left, right = ((own(x) * real).permute(0, 3, 1, 2) for own in (block.left, block.right))
        product = (left @ right / sizes[:, :, None, None].sqrt()).permute(0, 2, 3, 1)
        y = block.out(torch.cat([product, x], 3)).permute(0, 3, 1, 2)
        norm = block.norm
        y = nn.functional.batch_norm(
            y, norm.running_mean, norm.running_var, norm.weight, norm.bias, True, 0.1
        )
        x = y.permute(0, 2, 3, 1) * real
        found = found + extracted(extractor, x)
    found = found.relu() / len(others)
    return cast(Tensor, cast(Any, model).readout(found + cast(Any, model).after(found).relu()))


@pytest.mark.parametrize("same", [False, True], ids=["of several sizes", "of one size"])
def test_a_model_learns_as_if_padding_were_normalised_too(same: bool) -> None:
    """As in the thesis' code; beside torch's batch norm of every pair and all padding."""
    graphs = [star_of_several(), *random_graphs(12, 2, SEVERAL)]
    graphs = [own for own in graphs if own.n == 5 or not same]
    assert len(graphs) > 1 and (len({own.n for own in graphs}) == 1) == same
    found = []
    for forward in (lambda model, batch: model(batch), padded):
        model = model_of(SEVERAL)
        with torch.no_grad():
            for name, part in model.named_parameters():
                if name.endswith("bias"):  # which padding is
                    part.copy_(torch.linspace(-1, 2, len(part)))
        outputs = forward(model, model.batch(graphs))
        (outputs * torch.linspace(1, 2, len(graphs))[:, None]).square().sum().backward()
        slopes = {n: part.grad for n, part in model.named_parameters() if part.grad is not None}
        buffers = {n: part for n, part in model.named_buffers() if "tracked" not in n}
        found.append((outputs.detach(), slopes, buffers))
    torch.testing.assert_close(found[0], found[1], rtol=1e-8, atol=1e-8)
