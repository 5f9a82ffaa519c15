"""APPNP, TAGCN, SGCN, GraphSAGE and the floors: PyG's layers and dense arithmetic as oracles."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from pydantic import ValidationError
from torch import Tensor, nn
from torch.nn import functional as F

from grbcore.architectures import ARCHITECTURES
from grbcore.graph import Graph
from grbcore.models import (
    APPNP,
    SGCN,
    TAGCN,
    GraphSAGE,
    LabelPropagation,
    Model,
    build,
    pooling,
)
from grbcore.models.pooling import pool
from grbcore.perturbation import Injection
from grbcore.spmm import Pattern
from grbcore.testing import check_edge_weight, check_model
from tests.grbcore.engine import TOY, TOY_GRAPH, toy_model

EDGES = torch.stack([TOY_GRAPH.col, TOY_GRAPH.pattern.row])  # source above target
LOOPED = TOY_GRAPH.pattern.looped.pattern


def made(name: str, **settings: object) -> Model:
    """An untrained model for the toy dataset that predicts."""
    parameters = ARCHITECTURES[name].parameters.model_validate(settings)
    return build(name, parameters, features=8, classes=TOY.classes).eval()


def random(*shape: int, seed: int = 0) -> Tensor:
    return torch.from_numpy(np.random.default_rng(seed).standard_normal(shape).astype(np.float32))


def dense(pattern: Pattern, values: Tensor) -> Tensor:
    """As an ordinary matrix (n, n)."""
    matrix = torch.zeros(pattern.size, pattern.size)
    return matrix.index_put((pattern.row, pattern.col), values)


def close(found: Tensor, expected: Tensor) -> None:
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-5)


def test_appnp_equals_pygs_propagation_of_the_perceptrons_logits() -> None:
    """The teleport goes to the first prediction, and nothing is cut off at 0."""
    from torch_geometric import nn as pyg

    model = made("APPNP", hidden=[5, 4], hops=3, alpha=0.2)
    assert isinstance(model, APPNP)
    first, second, last = model.linears
    logits = last(F.relu(second(F.relu(first(TOY_GRAPH.features)))))
    assert bool((logits < 0).any())
    close(model(TOY_GRAPH), pyg.APPNP(K=3, alpha=0.2)(logits, EDGES))


def test_appnp_that_always_teleports_is_a_perceptron() -> None:
    model = made("APPNP", hidden=[5], alpha=1)
    close(model(TOY_GRAPH), model.embed(TOY_GRAPH.features))


def test_appnp_reaches_the_exact_personalised_pagerank() -> None:
    """Source: Gasteiger et al., eq. 3: ``alpha (I - (1 - alpha) N)^-1 Z``; 0.5^20 is 1e-6."""
    model = made("APPNP", hidden=[5], hops=20, alpha=0.5)
    matrix = torch.eye(TOY.nodes) - 0.5 * dense(LOOPED, TOY_GRAPH.pattern.normalised)
    expected = 0.5 * torch.linalg.solve(matrix, model.embed(TOY_GRAPH.features))
    close(model(TOY_GRAPH), expected)


def test_tagcn_equals_pygs_convolutions_on_our_adjacency() -> None:
    from torch_geometric.nn import TAGConv

    model = made("TAGCN", hidden=[5, 4], hops=3)
    assert isinstance(model, TAGCN)
    edges, values = torch.stack([LOOPED.col, LOOPED.row]), TOY_GRAPH.pattern.normalised
    hidden = TOY_GRAPH.features
    for index, conv in enumerate(model.convs):
        nn.init.normal_(conv.bias)
        width, wide = conv.weight.shape[0], hidden.shape[1]
        oracle = TAGConv(wide, width, K=3, normalize=False)
        for power, linear in enumerate(oracle.lins):
            linear.weight.data = conv.weight.data[:, power * wide : (power + 1) * wide]
        oracle.bias.data = conv.bias.data
        hidden = oracle(hidden, edges, values)
        hidden = F.relu(hidden) if index + 1 < len(model.convs) else hidden
    close(model(TOY_GRAPH), hidden)


@pytest.mark.parametrize("norm", [False, True])
def test_sgcn_normalises_its_input_and_mixes_over_hops_between_hidden_layers(norm: bool) -> None:
    model = made("SGCN", hidden=[5, 6, 4], hops=3, layer_norm=norm)
    assert isinstance(model, SGCN)
    cubed = torch.linalg.matrix_power(dense(LOOPED, TOY_GRAPH.pattern.normalised), 3)
    first, second, third, last = model.convs
    hidden = F.relu(first(F.layer_norm(TOY_GRAPH.features, (8,))))
    hidden = torch.tanh(second(cubed @ (F.layer_norm(hidden, (5,)) if norm else hidden)))
    hidden = torch.tanh(third(cubed @ (F.layer_norm(hidden, (6,)) if norm else hidden)))
    close(model(TOY_GRAPH), last(hidden))


def test_graphsage_equals_pygs_convolutions() -> None:
    """Nodes without neighbours included: their maximum is 0.  Algorithm 1: rows of length 1."""
    from torch_geometric.nn import SAGEConv

    model = made("GraphSAGE", hidden=[5, 4])
    assert isinstance(model, GraphSAGE)
    hidden = TOY_GRAPH.features
    for index, conv in enumerate(model.convs):
        for linear in (conv.pool, conv.own, conv.neighbours):
            nn.init.normal_(linear.bias)
        wide, width = conv.own.in_features, conv.own.out_features
        oracle = SAGEConv(wide, width, aggr="max", project=True)
        oracle.lin.weight.data, oracle.lin.bias.data = conv.pool.weight.data, conv.pool.bias.data
        oracle.lin_r.weight.data = conv.own.weight.data
        oracle.lin_l.weight.data = conv.neighbours.weight.data
        oracle.lin_l.bias.data = conv.own.bias.data + conv.neighbours.bias.data
        hidden = oracle(hidden, EDGES)
        hidden = F.normalize(F.relu(hidden), dim=1) if index + 1 < len(model.convs) else hidden
    close(model(TOY_GRAPH), hidden)


def pooled_by_hand(hidden: Tensor, weight: Tensor) -> Tensor:
    """The maximum over a dense (n, n, h) array, 0 where there is no edge."""
    matrix = dense(TOY_GRAPH.pattern, weight)
    return (matrix[:, :, None] * hidden[None]).amax(dim=1)


@pytest.mark.parametrize("values", [1, 1 << 24])
def test_poolings_gradients_are_those_of_a_dense_maximum(
    monkeypatch: pytest.MonkeyPatch, values: int
) -> None:
    """One column at a time or all at once."""
    monkeypatch.setattr(pooling, "_VALUES", values)
    inputs = random(TOY.nodes, 5).abs() + 0.1, random(TOY_GRAPH.pattern.entries, seed=1).abs() + 0.1
    upstream = random(TOY.nodes, 5, seed=2)
    hidden, weight = (x.clone().requires_grad_() for x in inputs)
    found = pool(TOY_GRAPH.pattern, hidden, weight)
    (found * upstream).sum().backward()
    other_hidden, other_weight = (x.clone().requires_grad_() for x in inputs)
    expected = pooled_by_hand(other_hidden, other_weight)
    connected = TOY_GRAPH.pattern.degrees > 0  # of nobody's maximum a dense gradient is shared out
    (expected * upstream)[connected].sum().backward()
    close(found, expected)
    close(hidden.grad, other_hidden.grad)
    close(weight.grad, other_weight.grad)


def test_unweighted_poolings_gradient_is_that_of_weights_of_1() -> None:
    ones = torch.ones(TOY_GRAPH.pattern.entries)
    upstream, gradients = random(TOY.nodes, 5, seed=2), []
    for weight in (None, ones):
        hidden = (random(TOY.nodes, 5).abs() + 0.1).requires_grad_()
        (pool(TOY_GRAPH.pattern, hidden, weight) * upstream).sum().backward()
        gradients.append(hidden.grad)
    close(*gradients)


@pytest.mark.parametrize("weighted", [False, True])
def test_pooling_without_edges_is_0_with_a_gradient_of_0(weighted: bool) -> None:
    hidden = torch.ones(2, 3, requires_grad=True)
    weight = torch.ones(0, requires_grad=True) if weighted else None
    found = pool(Pattern(torch.zeros(3, dtype=torch.int64), TOY_GRAPH.col[:0]), hidden, weight)
    found.sum().backward()
    assert not found.any()
    assert not hidden.grad.any()


@pytest.mark.parametrize("name", ["MLP", "LogReg"])
def test_floors_see_no_edges(name: str) -> None:
    injection = Injection(np.ones((1, 8), np.float32), np.array([[TOY.nodes] * 3, [0, 1, 2]]))
    model = toy_model(name).eval()
    attacked = model(TOY_GRAPH.apply(injection))[: TOY.nodes]
    assert torch.equal(attacked, model(TOY_GRAPH))


def test_logistic_regression_is_one_linear_layer() -> None:
    model = made("LogReg")
    weight, bias = model.state_dict().values()
    close(model(TOY_GRAPH), TOY_GRAPH.features @ weight.T + bias)


def test_model_that_ignores_the_weights_of_its_edges_breaks_the_contract() -> None:
    """Only who sees no edges may have no gradient in their weights."""

    class Ignoring(APPNP):
        def propagate(
            self, pattern: Pattern, hidden: Tensor, edge_weight: Tensor | None = None
        ) -> Tensor:
            zero = 0 if edge_weight is None else 0 * edge_weight.sum()
            return super().propagate(pattern, hidden) + zero

    parameters = ARCHITECTURES["APPNP"].parameters.model_validate({"hidden": [5]})
    with pytest.raises(AssertionError, match="found zero everywhere, though edges matter"):
        check_edge_weight(Ignoring(parameters, 8, TOY.classes).eval(), TOY_GRAPH)
    check_model(toy_model("MLP"), TOY_GRAPH)


def test_label_propagation_equals_pygs() -> None:
    from torch_geometric import nn as pyg

    oracle = pyg.LabelPropagation(num_layers=7, alpha=0.8)
    known = torch.from_numpy(TOY.train)
    expected = oracle(torch.from_numpy(TOY.labels), EDGES, known, post_step=lambda y: y)
    close(LabelPropagation(TOY, alpha=0.8, steps=7)(TOY_GRAPH), expected)


def test_label_propagation_takes_weights_of_edges() -> None:
    check_edge_weight(LabelPropagation(TOY), TOY_GRAPH)


def test_labels_spread_through_injected_nodes() -> None:
    """Two isolated targets and a training node share an injected neighbour."""
    ends = [TOY.nodes - 1, TOY.nodes - 2, int(TOY.train[0])]
    injection = Injection(np.zeros((1, 8), np.float32), np.array([[TOY.nodes] * 3, ends]))
    model = LabelPropagation(TOY)
    assert not model(TOY_GRAPH)[ends[:2]].any()
    label = TOY.labels[TOY.train[0]]
    assert model(TOY_GRAPH.apply(injection))[ends[:2]].argmax(dim=1).tolist() == [label, label]


def test_label_propagation_refuses_a_graph_of_fewer_nodes() -> None:
    part: Graph = TOY_GRAPH.subgraph(TOY.train)
    with pytest.raises(ValueError, match=rf"found {len(TOY.train)} nodes, allowed: the 60"):
        LabelPropagation(TOY)(part)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("APPNP", {"hidden": [4], "hops": 0}),
        ("APPNP", {"hidden": [4], "hops": 21}),
        ("APPNP", {"hidden": [4], "alpha": -0.1}),
        ("APPNP", {"hidden": [4], "alpha": 1.1}),
        ("APPNP", {"hidden": [4], "alpha": float("nan")}),
        ("TAGCN", {"hidden": [4], "hops": 21}),
        ("SGCN", {"hidden": [4, 4], "hops": 21}),
        ("SGCN", {"hidden": [4]}),
        ("LogReg", {"hidden": [4]}),
        ("MLP", {}),
    ],
)
def test_settings_out_of_bounds_are_refused(name: str, settings: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ARCHITECTURES[name].parameters.model_validate(settings)


@pytest.mark.parametrize(
    ("name", "settings", "expected"),
    [
        ("MLP", {"hidden": [4]}, 60 + 40),
        ("LogReg", {}, 30),
        # three steps of (8 + 5) entries and 5 teleports, of 2 classes
        ("APPNP", {"hidden": [4], "hops": 3}, 60 + 40 + 3 * 18 * 2),
        # three blocks of weights; two products of 13 entries for each output
        ("TAGCN", {"hidden": [4]}, 3 * 60 + 3 * 40 + 2 * 13 * (4 + 2)),
        # 4 hops of 13 entries and 4 columns before the layer between
        ("SGCN", {"hidden": [4, 6]}, 60 + 120 + 60 + 4 * 13 * 4),
        # own, neighbours and pool; 8 entries' comparisons at 30
        ("GraphSAGE", {"hidden": [4]}, 120 + 45 + 80 + 80 + 30 * 8 * (3 + 4)),
    ],
)
def test_work_is_that_of_the_products(
    name: str, settings: dict[str, object], expected: int
) -> None:
    """5 nodes, 8 stored edges, 3 → 4 → 2."""
    architecture = ARCHITECTURES[name]
    parameters = architecture.parameters.model_validate(settings)
    assert architecture.work(parameters, nodes=5, edges=8, features=3, classes=2) == expected
