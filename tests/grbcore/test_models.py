"""Models: their contract, and PyG's layers as the oracle for their arithmetic."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from grbcore import datasets
from grbcore.architectures import ARCHITECTURES, HeadParameters, Parameters
from grbcore.graph import Graph
from grbcore.models import GAT, GCN, GIN, MODELS, build, load, save
from grbcore.models.attention import attend
from grbcore.models.layers import dropout
from grbcore.submission import write_defense
from grbcore.testing import check_model
from grbcore.violations import Refused
from tests.grbcore.counts import COUNTS, Count
from tests.grbcore.engine import NAMES, TOY, TOY_GRAPH, small, toy_model

VARIANTS = [(name, norm) for name in NAMES for norm in (False, True)]


def edge_index(graph: Graph) -> Tensor:
    """Source above target, as PyG has it."""
    return torch.stack([graph.col, graph.pattern.row])


def random(*shape: int, seed: int = 0) -> Tensor:
    return torch.from_numpy(np.random.default_rng(seed).standard_normal(shape).astype(np.float32))


def test_every_registered_architecture_has_a_model() -> None:
    assert MODELS.keys() == ARCHITECTURES.keys()


@pytest.mark.parametrize(("name", "norm"), VARIANTS)
def test_model_keeps_the_contract(name: str, norm: bool) -> None:
    check_model(toy_model(name, layer_norm=norm), TOY_GRAPH)


@pytest.mark.parametrize(("name", "norm"), VARIANTS)
def test_model_takes_a_graph_without_edges(name: str, norm: bool) -> None:
    lonely = TOY_GRAPH.subgraph(np.array([TOY.nodes - 1, TOY.nodes - 2]))
    assert lonely.pattern.entries == 0
    assert bool(toy_model(name, layer_norm=norm).eval()(lonely).isfinite().all())


@pytest.mark.parametrize(("name", "norm"), VARIANTS)
@pytest.mark.parametrize("hidden", [[6, 2], [3, 5, 7]])
def test_state_dict_holds_exactly_the_registered_tensors(
    name: str, norm: bool, hidden: list[int]
) -> None:
    architecture = ARCHITECTURES[name]
    parameters = small(name, hidden=hidden, layer_norm=norm)
    model = build(name, parameters, features=11, classes=4)
    found = {key: tuple(tensor.shape) for key, tensor in model.state_dict().items()}
    assert found == architecture.shapes(parameters, 11, 4)


@pytest.mark.parametrize("count", COUNTS.values(), ids=COUNTS)
def test_trainable_parameters_are_the_papers(count: Count) -> None:
    """GRB, Tables 6-10."""
    model = build(
        count.architecture, count.parameters, features=count.features, classes=count.classes
    )
    assert sum(p.numel() for p in model.parameters()) == count.printed


def test_gcn_equals_pygs_convolutions() -> None:
    """PyG adds its bias after the aggregation and GRB before: a column of ones carries ours."""
    from torch_geometric.nn import GCNConv

    model = toy_model("GCN").eval()
    assert isinstance(model, GCN)
    hidden = TOY_GRAPH.features
    for index, linear in enumerate(model.convs):
        assert isinstance(linear, nn.Linear)
        nn.init.normal_(linear.bias)
        oracle = GCNConv(linear.in_features + 1, linear.out_features, bias=False)
        oracle.lin.weight.data = torch.cat([linear.weight, linear.bias[:, None]], dim=1)
        hidden = torch.cat([hidden, torch.ones(hidden.shape[0], 1)], dim=1)
        hidden = oracle(hidden, edge_index(TOY_GRAPH))
        hidden = F.relu(hidden) if index + 1 < len(model.convs) else hidden
    torch.testing.assert_close(model(TOY_GRAPH), hidden, rtol=0, atol=1e-5)


def test_gin_equals_pygs_convolutions() -> None:
    from torch_geometric.nn import GINConv

    model = toy_model("GIN").eval()
    assert isinstance(model, GIN)
    hidden = TOY_GRAPH.features
    for seed, conv in enumerate(model.convs):
        conv.eps.data.fill_(0.3)
        conv.batch_norm.running_mean = random(conv.batch_norm.num_features, seed=seed)
        conv.batch_norm.running_var = random(conv.batch_norm.num_features, seed=seed).abs() + 0.1
        layers = nn.Sequential(conv.linears[0], nn.ReLU(), conv.linears[1], conv.batch_norm)
        hidden = F.relu(GINConv(layers, eps=0.3)(hidden, edge_index(TOY_GRAPH)))
    expected = model.head[1](F.relu(model.head[0](hidden)))
    torch.testing.assert_close(model(TOY_GRAPH), expected, rtol=0, atol=1e-5)


def test_gat_equals_pygs_convolutions() -> None:
    """Heads side by side, then averaged in the last layer, each with its own bias."""
    from torch_geometric.nn import GATConv

    model = toy_model("GAT").eval()
    assert isinstance(model, GAT)
    hidden = TOY_GRAPH.features
    for index, conv in enumerate(model.convs):
        nn.init.normal_(conv.bias)
        heads, width = conv.source.shape
        oracle = GATConv(conv.weight.shape[1], width, heads=heads)
        oracle.lin.weight.data = conv.weight.data
        oracle.att_src.data = conv.source.data[None]
        oracle.att_dst.data = conv.destination.data[None]
        oracle.bias.data = conv.bias.data
        hidden = oracle(hidden, edge_index(TOY_GRAPH))
        if index + 1 < len(model.convs):
            hidden = F.elu(hidden)
        else:
            hidden = hidden.view(-1, heads, width).mean(dim=1)
    torch.testing.assert_close(model(TOY_GRAPH), hidden, rtol=0, atol=1e-5)


def pyg_attention(hidden: Tensor, source: Tensor, destination: Tensor) -> Tensor:
    from torch_geometric.nn import GATConv

    heads, width = source.shape
    oracle = GATConv(hidden.shape[1], width, heads=heads, bias=False)
    oracle.lin.weight.data = torch.eye(heads * width)
    oracle.att_src.data, oracle.att_dst.data = source[None], destination[None]
    return oracle(hidden, edge_index(TOY_GRAPH))


def test_attention_survives_scores_of_a_thousand_either_way() -> None:
    """The softmax shifts per node: one shift for all nodes would leave 0 / 0 in whole rows."""
    hidden = random(TOY.nodes, 2).sign() * torch.linspace(0.5, 1, TOY.nodes)[:, None]
    source, destination = torch.full((2, 1), 500.0), torch.full((2, 1), 500.0)
    scores = 1000 * hidden
    assert scores.min() < -900
    assert scores.max() > 900
    found = attend(TOY_GRAPH.pattern, hidden, source, destination)
    assert bool(found.isfinite().all())
    expected = pyg_attention(hidden, source, destination)
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-5)


def test_attentions_gradients_equal_pygs() -> None:
    inputs = [random(TOY.nodes, 12), random(4, 3, seed=1), random(4, 3, seed=2)]
    upstream = random(TOY.nodes, 12, seed=3)
    found = [x.clone().requires_grad_() for x in inputs]
    expected = [x.clone().requires_grad_() for x in inputs]
    (attend(TOY_GRAPH.pattern, *found) * upstream).sum().backward()
    hidden, source, destination = expected
    from torch_geometric.nn import GATConv

    oracle = GATConv(12, 3, heads=4, bias=False)
    oracle.lin.weight = nn.Parameter(torch.eye(12), requires_grad=False)
    oracle.att_src, oracle.att_dst = nn.Parameter(source[None]), nn.Parameter(destination[None])
    (oracle(hidden, edge_index(TOY_GRAPH)) * upstream).sum().backward()
    torch.testing.assert_close(found[0].grad, hidden.grad, rtol=0, atol=1e-5)
    torch.testing.assert_close(found[1].grad, oracle.att_src.grad[0], rtol=0, atol=1e-4)
    torch.testing.assert_close(found[2].grad, oracle.att_dst.grad[0], rtol=0, atol=1e-4)


@pytest.mark.parametrize(("name", "norm"), VARIANTS)
def test_saved_model_loads_as_it_was(tmp_path: Path, name: str, norm: bool) -> None:
    model = toy_model(name, layer_norm=norm).eval()
    path = tmp_path / "defense.safetensors"
    save(path, model, features="raw")
    loaded, header = load(path, features=8, classes=3)
    assert torch.equal(loaded(TOY_GRAPH), model(TOY_GRAPH))
    assert (header.architecture, header.features) == (name, "raw")
    assert header.parameters == small(name, layer_norm=norm)


def test_loading_names_every_tensor_that_differs(tmp_path: Path) -> None:
    tensors = {key: t.numpy() for key, t in toy_model("GCN").state_dict().items()}
    del tensors["convs.1.bias"]
    tensors["convs.0.weight"] = tensors["convs.0.weight"].T.copy()
    tensors["extra"] = np.zeros(3, np.float32)
    path = tmp_path / "defense.safetensors"
    write_defense(path, tensors, architecture="GCN", parameters={"hidden": [5, 4]})
    with pytest.raises(Refused) as refused:
        load(path, features=8, classes=3)
    found = {(fault.code, fault.place) for fault in refused.value.violations}
    assert found == {
        ("tensor-missing", "convs.1.bias"),
        ("tensor-unknown", "extra"),
        ("shape", "convs.0.weight"),
    }


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nofile: no such file"):
        load(tmp_path / "nofile", features=3, classes=2)


def test_a_model_of_a_class_of_ones_own_is_not_saved(tmp_path: Path) -> None:
    own: Any = torch.nn.Linear(3, 2)
    with pytest.raises(ValueError, match="model: found Linear, allowed: a model of a registered"):
        save(tmp_path / "own.safetensors", own)


def test_unknown_architecture_is_named_with_those_allowed() -> None:
    with pytest.raises(ValueError, match=r"found 'GNN', allowed: GCN, GAT, GIN"):
        build("GNN", Parameters(hidden=[4]), features=8, classes=3)


def test_parameters_of_another_architecture_are_refused() -> None:
    with pytest.raises(ValueError, match=r"found Parameters, allowed: HeadParameters"):
        build("GAT", Parameters(hidden=[4]), features=8, classes=3)
    build("GCN", HeadParameters(hidden=[4]), features=8, classes=3)


@pytest.mark.parametrize("name", NAMES)
def test_seed_decides_the_weights_and_the_global_generator_is_left_alone(name: str) -> None:
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    first, second, other = toy_model(name), toy_model(name), toy_model(name, seed=1)
    assert torch.equal(torch.rand(3), expected)
    first, second, other = (list(m.state_dict().values()) for m in (first, second, other))
    assert all(torch.equal(a, b) for a, b in zip(first, second, strict=True))
    assert not all(torch.equal(a, b) for a, b in zip(first, other, strict=True))


def test_dropout_zeroes_at_its_rate_and_keeps_the_mean() -> None:
    """Of 100,000 ones a rate of 0.25 leaves 75,000 (std 137), each worth 1 / 0.75."""
    torch.manual_seed(0)
    dropped = dropout(torch.ones(100, 1000), 0.25, True)
    assert int((dropped > 0).sum()) == pytest.approx(75_000, abs=700)
    assert torch.unique(dropped).tolist() == pytest.approx([0, 4 / 3])


def test_dropout_acts_only_in_training() -> None:
    model = toy_model("GCN")
    assert not torch.equal(model(TOY_GRAPH), model(TOY_GRAPH))
    model.eval()
    assert torch.equal(model(TOY_GRAPH), model(TOY_GRAPH))


@pytest.mark.real_data
def test_published_gcn_scores_what_it_is_published_for(real_data: Path) -> None:
    """0.8800 on nodes 2180..2679 with raw features: the published figure for this state dict."""
    dataset = datasets.load("grb-cora", data_dir=real_data)
    published = torch.load(real_data / "models" / "grb-cora" / "gcn.pt", weights_only=True)
    model = build("GCN", Parameters(hidden=[16, 16]), features=302, classes=7)
    assert isinstance(model, GCN)
    model.load_state_dict(
        {
            name.replace("layers.", "convs.").replace(".linear.", "."): tensor
            for name, tensor in published.items()
        }
    )
    logits = model.eval()(Graph.from_dataset(dataset, raw=True))
    hits = logits.argmax(dim=1).numpy() == dataset.labels
    assert hits[2180:2680].mean() == pytest.approx(0.88, abs=1e-9)
