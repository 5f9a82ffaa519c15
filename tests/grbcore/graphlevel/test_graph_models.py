"""Graph-level models: parameter counts, two forms that agree, symmetries, expressiveness."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from grbcore.graphlevel import AttributedGraph
from grbcore.graphlevel.models import MODELS, GraphLevelModel, Shape, build, linear, predict
from grbcore.graphlevel.models.frozen import frozen
from grbcore.graphlevel.models.linear import Linear
from tests.grbcore.graphlevel.samples import (
    ALL,
    NEEDED,
    STOCHASTIC,
    random_graph,
    random_graphs,
    ring,
    small_model,
)

PLAIN = Shape((3,), (2,), 1)
#: Table A.1, with the two numbers that it swaps under MolHIV in their places.
COUNTS = {
    "molhiv": (328501, 966906, 966906, 966906, 513026, 258456, 105829, 194625),
    "zinc": (282001, 920406, 920406, 920406, 498301, 920406, 96201, 3981001),
    "imdb-binary": (280501, 918906, None, 918906, 493829, 918906, 95885, 3979501),
    "imdb-multi": (281103, 922518, None, 922518, 485270, 922518, 96143, 3980103),
    "mutag": (275701, 914106, 914106, 914106, 492309, 914106, 94899, 3974701),
}
SHAPES = {
    "molhiv": Shape((119, 5, 12, 12, 10, 6, 6, 2, 2), (5, 6, 2), 1),
    "zinc": Shape((28,), (4,), 1),
    "imdb-binary": Shape((1,), (1,), 1, degrees=26),
    "imdb-multi": Shape((1,), (1,), 3, degrees=26),
    "mutag": Shape((7,), (4,), 1),
}
EIGENVECTORS = {"molhiv": 37, "zinc": 37, "imdb-binary": 30, "imdb-multi": 15, "mutag": 30}


def noise_of(model: GraphLevelModel, nodes: int, seed: int = 0) -> Tensor | None:
    return model.draw(nodes, torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("dataset", COUNTS)
def test_the_models_have_the_published_numbers_of_parameters(dataset: str) -> None:
    found = []
    for name in MODELS:
        parameters: dict[str, int] = {}
        if name == "DropGINE":
            parameters = {"runs": 18} | ({"hidden": 150} if dataset == "molhiv" else {})
        if name == "SignNet":
            parameters = {"eigenvectors": EIGENVECTORS[dataset]}
        if name == "PPGN" and dataset == "molhiv":
            parameters = {"hidden": 64}
        model = build(name, SHAPES[dataset], parameters, seed=0)
        found.append(sum(part.numel() for part in model.parameters()))
    for name, mine, theirs in zip(MODELS, found, COUNTS[dataset], strict=True):
        assert theirs is None or mine == theirs, name


@pytest.mark.parametrize("value", [-1, 3])
def test_a_value_outside_its_table_is_refused(value: int) -> None:
    """The next feature's row, or the last of all, must not be read for it."""
    graph = random_graphs(1)[0]
    nodes = graph.nodes.copy()
    nodes[0, 0] = value
    wrong = AttributedGraph.of(nodes, graph.edges, graph.values)
    with pytest.raises(ValueError, match=r"nodes: found .*, allowed: 0\.\.2, 0\.\.1"):
        small_model("GIN").batch([graph, wrong])


@pytest.mark.parametrize("name", ALL)
def test_the_dense_surrogate_is_the_sparse_model_on_discrete_graphs(name: str) -> None:
    model = small_model(name)
    batch = model.batch(random_graphs(5, 7))
    noise = noise_of(model, len(batch.owner))
    sparse, dense = model(batch, noise), model(batch.dense(), noise)
    assert sparse.std() > 1e-4
    torch.testing.assert_close(sparse, dense, atol=1e-10, rtol=0)


@pytest.mark.parametrize("name", ALL)
def test_relaxed_features_that_are_one_hot_give_the_same(name: str) -> None:
    model = small_model(name)
    dense = model.batch(random_graphs(4, 8)).dense()
    noise = noise_of(model, int(dense.sizes.sum()))
    relaxed = dense.relaxed(model.shape.node_sizes, model.shape.edge_sizes)
    torch.testing.assert_close(model(relaxed, noise), model(dense, noise), atol=1e-10, rtol=0)


@pytest.mark.parametrize("name", ALL)
def test_a_graph_alone_gets_what_it_gets_in_a_padded_batch(name: str) -> None:
    model = small_model(name)
    graphs = random_graphs(5, 9)
    sizes = [graph.n for graph in graphs]
    batch = model.batch(graphs)
    noise = noise_of(model, sum(sizes))
    parts = [None] * len(graphs) if noise is None else noise.split(sizes)
    alone = [model(model.batch([g]), part) for g, part in zip(graphs, parts, strict=True)]
    torch.testing.assert_close(model(batch.dense(), noise), torch.cat(alone), atol=1e-10, rtol=0)


@pytest.mark.parametrize("name", ALL)
def test_the_order_of_nodes_does_not_matter(name: str) -> None:
    """Noise belongs to nodes and goes with them; the graph has no repeated eigenvalue."""
    model = small_model(name)
    rng = np.random.default_rng(2)
    graph = random_graph(rng, n=9)
    order = rng.permutation(graph.n)
    noise = noise_of(model, graph.n)
    moved = None if noise is None else noise[order]
    torch.testing.assert_close(
        model(model.batch([graph]), noise),
        model(model.batch([graph.permuted(order)]), moved),
        atol=1e-5,
        rtol=0,
    )


@pytest.mark.parametrize("name", [name for name in ALL if name != "Bag"])
def test_gradients_of_edges_are_finite_and_not_all_zero(name: str) -> None:
    model = small_model(name)
    rng = np.random.default_rng(4)
    dense = model.batch([random_graph(rng, n=8), random_graph(rng, n=6)]).dense()
    adjacency = dense.adjacency.double().requires_grad_()
    noise = noise_of(model, int(dense.sizes.sum()))
    (found,) = torch.autograd.grad(model(dense.with_adjacency(adjacency), noise).sum(), adjacency)
    assert found.isfinite().all()
    assert found.abs().max() > 1e-8


@pytest.mark.parametrize("name", ["GINE", "PPGN"])
def test_gradients_of_edges_are_those_of_small_differences(name: str) -> None:
    model = small_model(name, hidden=6)
    dense = model.batch([random_graph(np.random.default_rng(1), n=5)]).dense()
    inside = (0.2 + 0.6 * dense.adjacency).double().requires_grad_()
    assert torch.autograd.gradcheck(lambda a: model(dense.with_adjacency(a)), inside)


@pytest.mark.parametrize("name", ["GINE", "DropGINE", "ESAN"])
def test_edges_that_are_not_there_have_the_slopes_of_edges_looked_at_one_by_one(name: str) -> None:
    """Some that are not there, one of them moved from the usual features; some half there."""
    model = small_model(name)
    dense = model.batch(random_graphs(3, 6)).dense()
    noise = noise_of(model, int(dense.sizes.sum()))
    dense = dense.relaxed(model.shape.node_sizes, model.shape.edge_sizes)
    adjacency, kinds = dense.adjacency.double(), dense.kinds.double().clone()
    adjacency[0, 0, 3] = adjacency[0, 3, 0] = 0.4
    kinds[1, 0, 2] = kinds[1, 2, 0] = torch.tensor([0.7, 0.1, 0.1, 0.1])
    found = []
    for usual in (dense.usual, None):
        leaves = adjacency.clone().requires_grad_(), kinds.clone().requires_grad_()
        relaxed = replace(dense, adjacency=leaves[0], kinds=leaves[1], usual=usual)
        outputs = model(relaxed, noise)
        real = (dense.mask[:, :, None] & dense.mask[:, None, :]).double()
        slopes = torch.autograd.grad(outputs.sum(), leaves)
        found.append((outputs, slopes[0] * real, slopes[1] * real[..., None]))
    assert float(found[0][1][adjacency == 0].abs().max()) > 1e-6
    torch.testing.assert_close(found[0], found[1])


@torch.no_grad()
def difference(name: str) -> float:
    """How far apart a model of plain graphs sees a cycle of six and two of three."""
    model = small_model(name, shape=PLAIN, hidden=16)
    outputs = [model(model.batch([graph]), noise_of(model, 6)) for graph in (ring(6), ring(3, 3))]
    return float((outputs[0] - outputs[1]).abs().max())


@pytest.mark.parametrize("name", ["Bag", "meanGINE", "GIN", "GINE"])
def test_a_cycle_of_six_is_two_triangles_to_message_passing(name: str) -> None:
    assert difference(name) < 1e-12


@pytest.mark.parametrize("name", ["SignNet", "ESAN", "PPGN"])
def test_more_expressive_models_tell_a_cycle_of_six_from_two_triangles(name: str) -> None:
    assert difference(name) > 1e-6


def test_dropgine_tells_them_apart_in_distribution() -> None:
    """One run for each of the 64 sets of dropped nodes: the expectation at a chance of a half."""
    model = small_model("DropGINE", shape=PLAIN, runs=64)
    dropped = torch.tensor([[(k >> node) & 1 for k in range(64)] for node in range(6)])
    noise = 1.0 - dropped.double()
    one, two = (model(model.batch([graph]), noise) for graph in (ring(6), ring(3, 3)))
    assert (one - two).abs().max() > 1e-6


def test_means_can_not_tell_degrees_apart_where_features_are_equal_but_sums_can() -> None:
    """Figure 3.1 c's kind of pair: all features equal, all nodes of degree 2, or of degree 3."""
    edges = np.array([[0, 0, 0, 1, 1, 2], [1, 2, 3, 2, 3, 3]])
    complete = AttributedGraph.of(np.zeros((4, 1)), edges, np.zeros((6, 1)))

    @torch.no_grad()
    def apart(name: str) -> float:
        model = small_model(name, shape=PLAIN)
        one, two = (model(model.batch([graph])) for graph in (ring(4), complete))
        return float((one - two).abs().max())

    assert apart("meanGINE") < 1e-12
    assert apart("GINE") > 1e-6


@pytest.mark.parametrize("name", STOCHASTIC)
def test_a_stochastic_model_needs_its_noise(name: str) -> None:
    model = small_model(name)
    with pytest.raises(ValueError, match="noise: found none"):
        model(model.batch(random_graphs(1)))


@pytest.mark.parametrize("name", ALL)
def test_the_same_seed_gives_the_same_weights_and_predictions(name: str) -> None:
    parameters = {"hidden": 8, **NEEDED.get(name, {})}
    before = torch.random.get_rng_state()
    one, two = (build(name, Shape((3, 2), (4,), 1), parameters, seed=3) for _ in range(2))
    assert torch.equal(torch.random.get_rng_state(), before)
    graphs = random_graphs(4)
    outputs = [predict(m, graphs, rng=torch.Generator().manual_seed(1)) for m in (one, two)]
    assert torch.equal(*outputs)
    assert one.training


def test_an_unknown_architecture_is_refused_with_those_there_are() -> None:
    with pytest.raises(KeyError, match="meanGINE, GIN, GINE"):
        build("GAT", PLAIN, {}, seed=0)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("precision", [torch.float32, torch.float64])
def test_a_frozen_model_is_the_same_for_outputs_and_slopes(
    name: str, precision: torch.dtype
) -> None:
    """Columns enough for its own products; double precision shows that nothing else differs."""
    model = small_model(name, hidden=40).to(precision)
    quick = frozen(model)
    assert not any(parameter.requires_grad for parameter in quick.parameters())
    norms = [part for part in quick.modules() if isinstance(part, torch.nn.BatchNorm1d)]
    assert name == "PPGN" or not norms
    graphs = random_graphs(5, 3)
    dense = model.batch(graphs).dense()
    noise = noise_of(model, sum(graph.n for graph in graphs))
    found = []
    for one in (model, quick):
        adjacency = dense.adjacency.to(precision).requires_grad_()
        outputs = one(dense.with_adjacency(adjacency), noise)
        (slope,) = torch.autograd.grad(outputs.sum() + 0 * adjacency.sum(), [adjacency])
        found.append((outputs.detach(), slope.nan_to_num()))
    close = {"rtol": 1e-3, "atol": 1e-4} if precision == torch.float32 else {}
    torch.testing.assert_close(found[0], found[1], **close)


@pytest.mark.parametrize("name", ALL)
def test_what_is_frozen_is_not_copied_again(name: str) -> None:
    """Unless it learns again."""
    model = small_model(name)
    quick = frozen(model)
    assert quick is not model
    assert frozen(quick) is quick
    assert frozen(quick.train()) is not quick
    assert frozen(quick.eval().requires_grad_()) is not quick


def test_what_only_stands_still_has_its_batch_norms_folded_in() -> None:
    still = small_model("GIN").requires_grad_(False)
    assert frozen(still) is not still


@pytest.mark.parametrize("shape", [(40, 33, True), (64, 96, False)])
@pytest.mark.parametrize("laid", ["in rows", "in columns", "one row again and again"])
def test_a_linear_map_learns_as_torchs_own(
    shape: tuple[int, int, bool], laid: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By oneDNN, which can do it on every processor."""
    monkeypatch.setattr(linear, "_amd", lambda: True)
    inputs, outputs, bias = shape
    torch.manual_seed(0)
    own = Linear(inputs, outputs, bias=bias)
    x, slope = torch.randn(50, inputs), torch.randn(50, outputs)
    if laid == "in columns":
        x, slope = torch.randn(inputs, 50).T, torch.randn(outputs, 50).T
    if laid == "one row again and again":
        x, slope = x[:1].expand(50, -1), slope[:1].expand(50, -1)
    wanted = [x.requires_grad_(), *own.parameters()]
    y = own(x)
    assert "Product" in type(y.grad_fn).__name__
    found = [y, *torch.autograd.grad(y, wanted, slope)]
    y = torch.nn.functional.linear(x, own.weight, own.bias)
    torch.testing.assert_close(
        found, [y, *torch.autograd.grad(y, wanted, slope)], rtol=1e-4, atol=1e-4
    )


def test_products_are_of_whole_matrices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the columns of a wider one oneDNN's take hundreds of times as long, without AVX-512."""
    lie: list[bool] = []
    product = torch.ops.mkldnn._linear_pointwise

    def noted(x: Tensor, weight: Tensor, *rest: object) -> Tensor:
        lie.extend(part.is_contiguous() or part.T.is_contiguous() for part in (x, weight))
        found: Tensor = product(x, weight, *rest)
        return found

    monkeypatch.setattr(torch.ops.mkldnn, "_linear_pointwise", noted)
    monkeypatch.setattr(linear, "_amd", lambda: True)
    torch.manual_seed(0)
    weight = torch.randn(40, 32, requires_grad=True)
    x = torch.randn(32, 60)[:, :50].requires_grad_()
    found = linear.times(weight, x)
    slopes = torch.autograd.grad(found, (weight, x), torch.randn(40, 60)[:, :50])
    assert len(lie) == 6
    assert all(lie)
    torch.testing.assert_close(found, weight @ x, rtol=1e-4, atol=1e-4)
    assert [len(slope) for slope in slopes] == [40, 32]


def test_ppgn_starts_from_weights_drawn_for_its_leaky_relu() -> None:
    """Uniform within √(6 / (1 + 0.01²) / inputs), He's for it, and no biases."""
    model = small_model("PPGN")
    maps = [part for part in model.modules() if isinstance(part, torch.nn.Linear)]
    assert len(maps) == 3 * 5 + 3 * 6 + 2  # of blocks, extractors and the end
    for part in maps:
        bound = (6 / (1 + 0.01**2) / part.in_features) ** 0.5
        assert 0.8 * bound < float(part.weight.detach().abs().max()) <= bound
        assert part.bias is None or not part.bias.any()
