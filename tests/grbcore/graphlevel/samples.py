"""Small graphs and models for tests of graph-level robustness."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch

from grbcore.graphlevel import AttributedGraph
from grbcore.graphlevel.dataset import GraphDataset, GraphSplit
from grbcore.graphlevel.loading import make
from grbcore.graphlevel.models import MODELS, GraphLevelModel, Shape, build

SHAPE = Shape((3, 2), (4,), 1)
#: What an architecture needs beside its sizes.
#: SignNet's published 16 + 8 layers let rounding grow: on graphs that are unlike those that its
#: batch norms saw single precision is 2e-3 off double, and slopes meet ReLUs at their kink.
NEEDED: dict[str, dict[str, int]] = {
    "DropGINE": {"runs": 5},
    "SignNet": {"eigenvectors": 4, "layers": 4, "phi_layers": 3},
}
#: SignNet's readout is two columns wide: with some seeds both are dead and nothing reaches it.
SEEDS = {"SignNet": 1}
STOCHASTIC = ("DropGINE", "ESAN")


def ring(*sizes: int) -> AttributedGraph:
    """Cycles of these lengths, all features 0, of one kind."""
    pairs, first = [], 0
    for size in sizes:
        pairs += [(first + i, first + (i + 1) % size) for i in range(size)]
        first += size
    edges = np.array(pairs).T
    return AttributedGraph.of(np.zeros((first, 1)), edges, np.zeros((edges.shape[1], 1)))


def random_values(
    rng: np.random.Generator, sizes: tuple[int, ...], count: int
) -> npt.NDArray[np.int64]:
    """Features (count, their number) of so many values each."""
    return np.stack([rng.integers(0, size, count) for size in sizes], axis=1)


def random_graph(
    rng: np.random.Generator, *, n: int = 7, share: float = 0.4, shape: Shape = SHAPE
) -> AttributedGraph:
    """A connected graph with random features; connected, so that its Laplacian has one 0."""
    upper = np.triu(rng.random((n, n)) < share, 1)
    upper[np.arange(n - 1), np.arange(1, n)] = True
    edges = np.stack(np.nonzero(upper))
    nodes = random_values(rng, shape.node_sizes, n)
    return AttributedGraph.of(nodes, edges, random_values(rng, shape.edge_sizes, edges.shape[1]))


def random_graphs(count: int, seed: int = 0, shape: Shape = SHAPE) -> list[AttributedGraph]:
    rng = np.random.default_rng(seed)
    return [random_graph(rng, n=int(rng.integers(4, 9)), shape=shape) for _ in range(count)]


def small_model(
    name: str, *, shape: Shape = SHAPE, hidden: int = 16, **more: int
) -> GraphLevelModel:
    """A model of few columns in double precision, its batch norms warmed on random graphs."""
    seed = SEEDS.get(name, 0)
    parameters = {"hidden": hidden, **NEEDED.get(name, {}), **more}
    model = build(name, shape, parameters, seed=seed).double().train()
    for part in model.modules():
        if isinstance(part, torch.nn.BatchNorm1d):
            part.momentum = None  # the plain mean over the batches
    rng = torch.Generator().manual_seed(seed)
    for warm in range(3):
        graphs = random_graphs(16, warm, shape)
        model(model.batch(graphs), model.draw(sum(graph.n for graph in graphs), rng))
    return model.eval()


def small_dataset(graphs: int = 24) -> GraphDataset:
    """Random graphs, labelled by whether they have many edges."""
    found = random_graphs(graphs, 5)
    dense = np.array([graph.m / graph.n for graph in found])
    ids = np.arange(graphs)
    return make(
        "small",
        "binary",
        found,
        (dense > np.median(dense)).astype(np.int64),
        node_sizes=SHAPE.node_sizes,
        edge_sizes=SHAPE.edge_sizes,
        split=GraphSplit(ids[: graphs // 2], ids[graphs // 2 : -6], ids[-6:]),
    )


ALL = list(MODELS)
