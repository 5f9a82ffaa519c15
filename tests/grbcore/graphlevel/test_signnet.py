"""SignNet beside a computation of its own: loops over vectors, signs and layers."""

from __future__ import annotations

import copy

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from grbcore.graphlevel import AttributedGraph
from grbcore.graphlevel.models import build
from grbcore.graphlevel.models.signnet import SignNet
from tests.grbcore.graphlevel.samples import SHAPE, random_graphs

TOLD = {"hidden": 8, "layers": 3, "phi_layers": 3}


def adjacency_of(graph: AttributedGraph) -> Tensor:
    found = torch.zeros(graph.n, graph.n, dtype=torch.float64)
    u, v = torch.from_numpy(graph.edges)
    found[u, v] = found[v, u] = 1.0
    return found


def vectors_of(graph: AttributedGraph, k: int) -> Tensor:
    """The eigenvectors (n, k), the first left out, 0 where there are no more."""
    adjacency = adjacency_of(graph)
    scale = torch.diag(adjacency.sum(1) ** -0.5)
    laplacian = torch.eye(graph.n, dtype=torch.float64) - scale @ adjacency @ scale
    found = torch.linalg.eigh(laplacian)[1][:, 1 : k + 1]
    return nn.functional.pad(found, (0, k - found.shape[1]))


def normed(norm: nn.BatchNorm1d, rows: Tensor) -> Tensor:
    """By the rows' own mean and variance while the model learns; these are remembered in part."""
    mean, variance = norm.running_mean, norm.running_var
    if norm.training:
        mean, variance = rows.mean(0), rows.var(0, unbiased=False)
        norm.running_mean = 0.9 * norm.running_mean + 0.1 * mean.detach()
        norm.running_var = 0.9 * norm.running_var + 0.1 * rows.var(0).detach()
    return (rows - mean) / (variance + norm.eps).sqrt() * norm.weight + norm.bias


def perceptron(layer: nn.Sequential, x: Tensor) -> Tensor:
    """Linear maps; between them a ReLU, then a norm."""
    rows = x.flatten(0, -2)
    for part in layer:
        if isinstance(part, nn.Linear):
            rows = rows @ part.weight.T + part.bias
        elif isinstance(part, nn.BatchNorm1d):
            rows = normed(part, rows.relu())
    return rows.unflatten(0, x.shape[:-1])


def by_hand(model: SignNet, graphs: list[AttributedGraph]) -> Tensor:
    adjacency = torch.block_diag(*[adjacency_of(graph) for graph in graphs])
    vectors = torch.cat([vectors_of(graph, model.k) for graph in graphs])
    both = []
    for sign in (1, -1):
        x = sign * vectors.T[..., None]  # (k, n, 1)
        for place, layer in enumerate(model.phi):
            if place:
                x = normed(model.phi_norms[place - 1][0], x.flatten(0, 1)).unflatten(0, x.shape[:2])
            x = perceptron(layer, x + adjacency @ x)
        both.append(torch.cat(list(x), dim=1))  # (n, k·width)
    x = perceptron(model.rho, both[0] + both[1]) @ model.place.weight.T + model.place.bias
    starts = np.cumsum([0, *SHAPE.node_sizes[:-1]])
    kinds = torch.from_numpy(np.concatenate([graph.nodes for graph in graphs]) + starts)
    x = x + model.nodes[kinds].sum(1)
    first = np.cumsum([0, *[graph.n for graph in graphs]])
    for layer in model.layers:
        sent = torch.zeros_like(x)
        for start, graph in zip(first, graphs, strict=False):
            for (u, v), value in zip(graph.edges.T, graph.values[:, 0], strict=True):
                for one, other in ((start + u, start + v), (start + v, start + u)):
                    sent[one] = sent[one] + (x[other] + model.edges[value]).relu()
        x = perceptron(layer, x + sent)
    means = torch.stack([part.mean(0) for part in x.split([graph.n for graph in graphs])])
    one, _, two, _, three = model.readout
    return three(two(one(means).relu()).relu())


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize(("vectors", "seed"), [(9, 1), (5, 3)])
def test_signnet_is_what_the_thesis_code_computes(vectors: int, seed: int, training: bool) -> None:
    """Its slopes and batch norms too: φ sees v, then -v, and remembers both.

    Of 9 vectors no graph has all, so that some are padding; of 5 some graphs have more.
    """
    model = build("SignNet", SHAPE, {**TOLD, "eigenvectors": vectors}, seed=seed)
    model = model.double().train(training)
    assert isinstance(model, SignNet)
    for name, value in model.named_buffers():
        if "running" in name:
            nn.init.uniform_(value, 0.5, 1.5)
    twin = copy.deepcopy(model)
    graphs = random_graphs(6, 3)
    found, wanted = model(model.batch(graphs)), by_hand(twin, graphs)
    assert found.std() > 1e-6
    torch.testing.assert_close(found, wanted)
    slopes = [
        torch.autograd.grad(outputs.square().sum(), list(one.parameters()))
        for outputs, one in ((found, model), (wanted, twin))
    ]
    torch.testing.assert_close(slopes[0], slopes[1])
    statistics, theirs = (
        {name: value for name, value in one.named_buffers() if "running" in name}
        for one in (model, twin)
    )
    torch.testing.assert_close(statistics, theirs)
