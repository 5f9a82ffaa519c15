"""What the engine asks of a graph-level model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from grbcore.graphlevel.batch import Structure, union
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.graphlevel.graphs import AttributedGraph


@dataclass(frozen=True, slots=True)
class Shape:
    """What a model takes and gives."""

    node_sizes: tuple[int, ...]  # values of each feature of nodes
    edge_sizes: tuple[int, ...]  # and of edges
    outputs: int  # numbers for each graph
    degrees: int = 0  # rows of a table of degrees that stands for nodes' features; 0: there is none

    @staticmethod
    def of(dataset: GraphDataset) -> Shape:
        """That of a dataset."""
        return Shape(dataset.node_sizes, dataset.edge_sizes, dataset.outputs, dataset.degrees)

    @property
    def node_rows(self) -> int:
        """Rows of the table by which nodes are embedded."""
        return self.degrees or sum(self.node_sizes)


class GraphLevelModel(nn.Module):
    """A model of whole graphs: ``model(batch, noise) -> (B, outputs)``.

    On a `Sparse` batch it is the model, on a `Dense` one its differentiable surrogate; both agree
    on discrete graphs.  A stochastic model takes ``noise`` (n, k), numbers of each node uniform in
    [0, 1), which `draw` makes; others take None.  Abstract: a subclass gives `forward`.
    """

    noise_width = 0  # k; 0 where nothing is drawn
    merges = False  # computes what it can't tell apart once in evaluation mode, too

    def __init__(self, shape: Shape, nodes: int, edges: int) -> None:
        """Tables of embeddings of ``nodes`` and ``edges`` columns, one row for each value."""
        super().__init__()
        self.shape = shape
        self.nodes = nn.Parameter(torch.randn(shape.node_rows, nodes))
        self.edges = nn.Parameter(torch.randn(sum(shape.edge_sizes), edges))

    def draw(self, nodes: int, rng: torch.Generator) -> Tensor | None:
        """The noise of ``nodes`` nodes; None where the model takes none."""
        if not self.noise_width:
            return None
        return torch.rand(nodes, self.noise_width, generator=rng)

    def drawn(self, noise: Tensor | None) -> Tensor:
        """The noise, or a clear error.

        Raises:
            ValueError: there is none.
        """
        if noise is None:
            name = type(self).__name__
            raise ValueError(f"noise: found none, allowed: what draw() gives, for {name}")
        return noise

    def batch(self, graphs: Sequence[AttributedGraph]) -> Structure:
        """Graphs of one's own as this model takes them."""
        shape = self.shape
        return union(graphs, shape.node_sizes, shape.edge_sizes, by_degree=shape.degrees > 0)


@torch.no_grad()
def predict(
    model: GraphLevelModel,
    graphs: Sequence[AttributedGraph],
    *,
    rng: torch.Generator,
    at_once: int = 256,
    merge: bool = False,
) -> Tensor:
    """The model's outputs (G, outputs) for graphs, in evaluation mode; it stays in its own mode.

    With ``merge`` what it can't tell apart is computed once: quicker, and not for evaluation.
    """
    training, merges = model.training, model.merges
    model.eval()
    model.merges = merges or merge
    found = []
    try:
        for start in range(0, len(graphs), at_once):
            part = graphs[start : start + at_once]
            noise = model.draw(sum(graph.n for graph in part), rng)
            found.append(model(model.batch(part), noise))
    finally:
        model.train(training)
        model.merges = merges
    return torch.cat(found)
