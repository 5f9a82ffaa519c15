"""Sums over neighbours and over pairs, beside plain loops and what is laid out."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import Tensor

from grbcore.graphlevel import AttributedGraph
from grbcore.graphlevel.batch import Dense, Sparse, union
from grbcore.graphlevel.models import Shape
from grbcore.graphlevel.models.linear import times
from grbcore.graphlevel.models.pairs import Channels, Layout, Pairs, inputs_of, products
from grbcore.graphlevel.sums import Kinds
from grbcore.graphlevel.twins import Grid
from tests.grbcore.graphlevel.samples import SHAPE, random_graphs

SLOPE = {"rtol": 1e-9, "atol": 1e-9}


def edgeless(n: int) -> AttributedGraph:
    return AttributedGraph.of(np.zeros((n, 2)), np.zeros((2, 0)), np.zeros((0, 1)))


def whole(n: int) -> AttributedGraph:
    """Every pair has an edge, of one kind: each node says one thing."""
    edges = np.stack(np.triu_indices(n, 1))
    return AttributedGraph.of(np.zeros((n, 2)), edges, np.ones((edges.shape[1], 1)))


BATCHES: dict[str, list[AttributedGraph]] = {
    "several kinds": [*random_graphs(3), edgeless(1), edgeless(3), *random_graphs(1, 5)],
    "one kind, heard by all": [whole(4), whole(2), whole(5)],
    "one kind, and a node alone": [whole(4), edgeless(1)],
    "no edge": [edgeless(2), edgeless(1)],
}


SEVERAL = Shape(SHAPE.node_sizes, (2, 2), 1)  # as many rows of a table as SHAPE has


@pytest.fixture(params=[*BATCHES, "several features"])
def batch(request: pytest.FixtureRequest) -> Sparse:
    shape, graphs = SHAPE, BATCHES.get(request.param)
    if graphs is None:
        shape, graphs = SEVERAL, random_graphs(3, shape=SEVERAL)
    return union(graphs, shape.node_sizes, shape.edge_sizes)


def random(*shape: int) -> Tensor:
    rng = torch.Generator().manual_seed(7)
    return torch.randn(shape, generator=rng, dtype=torch.float64).requires_grad_()


def agree(found: Tensor, wanted: Tensor, of: list[Tensor]) -> None:
    """In value and in the slopes of all they are made of."""
    torch.testing.assert_close(found, wanted, **SLOPE)
    weights = torch.randn(found.shape, dtype=found.dtype)
    slopes = [
        torch.autograd.grad(
            (part * weights).sum() + 0 * sum(x.sum() for x in of), of, retain_graph=True
        )
        for part in (found, wanted)
    ]
    torch.testing.assert_close(slopes[0], slopes[1], **SLOPE)


@pytest.mark.parametrize("between", [(), (3,)])
def test_messages_are_those_of_edges_looked_at_one_by_one(
    batch: Sparse, between: tuple[int, ...]
) -> None:
    x, table = random(len(batch.owner), *between, 5), random(4, 5)
    wanted = [torch.zeros_like(row) for row in x]
    for (sender, receiver), value in zip(batch.edges.T.tolist(), batch.values, strict=True):
        wanted[receiver] = wanted[receiver] + (x[sender] + table[value].sum(0)).relu()
    agree(batch.messages(x, table), torch.stack(wanted), [x, table])


@pytest.mark.parametrize("between", [(), (3,)])
def test_totals_are_those_of_edges_looked_at_one_by_one(
    batch: Sparse, between: tuple[int, ...]
) -> None:
    x = random(len(batch.owner), *between, 5)
    wanted = [torch.zeros_like(row) for row in x]
    for sender, receiver in batch.edges.T.tolist():
        wanted[receiver] = wanted[receiver] + x[sender]
    agree(batch.total(x), torch.stack(wanted), [x])


@pytest.mark.parametrize("what", ["messages", "total", "mean"])
def test_runs_between_nodes_and_columns_are_each_as_if_alone(batch: Sparse, what: str) -> None:
    """Of the surrogate as of the model."""
    x, table = random(len(batch.owner), 3, 5), random(4, 5)
    for structure in (batch, batch.dense()):
        asked: Callable[..., Tensor] = getattr(structure, what)
        more = (table,) if what == "messages" else ()
        wanted = torch.stack([asked(part, *more) for part in x.unbind(1)], 1)
        torch.testing.assert_close(asked(x, *more), wanted, **SLOPE)


def edges_of(dense: Dense, table: Tensor) -> Tensor:
    """Edges (B, N, N, h) embedded; what stands where no edge is means nothing."""
    if dense.kinds.is_floating_point():
        return dense.kinds.to(table.dtype) @ table
    if not len(dense.palette):
        return table.new_zeros(*dense.kinds.shape, table.shape[1])
    return table[dense.palette].sum(-2)[dense.kinds]


def laid_out(dense: Dense, nodes: Tensor, edges: Tensor) -> Tensor:
    """[A | A ⊙ edges | diag(nodes)] (1 + 2h, P), written out."""
    columns = []
    embedded = edges_of(dense, edges)
    rows = iter(dense.nodes_by(nodes))
    for graph, n in enumerate(dense.sizes.tolist()):
        own = [next(rows) for _ in range(n)]
        for u in range(n):
            for v in range(n):
                share = dense.adjacency[graph, u, v].double()
                node = own[u] if u == v else torch.zeros_like(own[u])
                columns.append(torch.cat([share[None], share * embedded[graph, u, v], node]))
    return torch.stack(columns, 1)


@pytest.mark.parametrize("relaxed", [False, True])
def test_pairs_that_are_told_are_those_laid_out(batch: Sparse, relaxed: bool) -> None:
    dense = batch.dense()
    edge_sizes = SHAPE.edge_sizes if batch.values.shape[1] == 1 else SEVERAL.edge_sizes
    dense = dense.relaxed(SHAPE.node_sizes, edge_sizes) if relaxed else dense
    nodes, edges = random(5, 3), random(4, 3)
    weight, bias = random(6, 7), random(6)
    of = [nodes, edges, weight, bias]
    found: Pairs = inputs_of(dense, nodes, edges)
    wanted = Channels(laid_out(dense, nodes, edges), found.layout)
    agree(found.times(weight, bias), wanted.times(weight, bias), of)
    for own, other in zip(found.sums(), wanted.sums(), strict=True):
        agree(own, other, of[:2])


def test_edges_without_features_are_of_one_kind() -> None:
    assert Kinds.of(torch.zeros(3, 0, dtype=torch.int64)).kind.tolist() == [0, 0, 0]
    shape = Shape((2,), (), 1)
    path = AttributedGraph.of(np.zeros((3, 1)), np.array([[0, 1], [1, 2]]), np.zeros((2, 0)))
    batch = union([path], shape.node_sizes, shape.edge_sizes)
    x = random(3, 2)
    found = batch.messages(x, x.new_zeros(0, 2))
    torch.testing.assert_close(
        found, torch.stack([x[1].relu(), x[[0, 2]].relu().sum(0), x[1].relu()])
    )


def test_products_and_sums_are_those_of_each_graph_alone() -> None:
    sizes = (3, 1, 4)
    left, right = random(2, 26), random(2, 26)
    right = (right * 2).detach().requires_grad_()
    both, totals, traces = [], [], []
    for n, one, other in zip(
        sizes, left.split([9, 1, 16], 1), right.split([9, 1, 16], 1), strict=True
    ):
        one, other = one.reshape(2, n, n), other.reshape(2, n, n)
        both.append((torch.einsum("cij,cjk->cik", one, other) / n**0.5).flatten(1))
        totals.append(one.sum((1, 2)))
        traces.append(one.diagonal(dim1=1, dim2=2).sum(1))
    layout = Layout(tuple(map(Grid.whole, sizes)))
    agree(products(left, right, layout), torch.cat(both, 1), [left, right])
    found = Channels(left, layout).sums()
    agree(torch.cat(found), torch.cat([torch.stack(totals), torch.stack(traces)]), [left])


@pytest.mark.parametrize("precision", [torch.float32, torch.float64])
def test_a_linear_map_of_columns_is_the_plain_product(precision: torch.dtype) -> None:
    """Wide enough, and in single precision, for oneDNN's products where there are any."""
    weight, x, bias = (random(*shape).detach() for shape in ((40, 35), (35, 50), (40,)))
    leaves = [part.to(precision).requires_grad_() for part in (weight, x, bias)]
    found = times(*leaves[:2], leaves[2])
    wanted = weight @ x + bias[:, None]
    close = {"rtol": 1e-4, "atol": 1e-4} if precision == torch.float32 else SLOPE
    torch.testing.assert_close(found.double(), wanted, **close)
    slopes = torch.autograd.grad(found.square().sum() / 2, leaves)
    expected = (wanted @ x.T, weight.T @ wanted, wanted.sum(1))
    for slope, other in zip(slopes, expected, strict=True):
        torch.testing.assert_close(slope.double(), other, **close)
