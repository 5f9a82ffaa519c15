"""What the engine asks of a graph-level model, and the parts that several share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from grbcore.graphlevel.batch import Structure, union
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.graphlevel.graphs import AttributedGraph
from grbcore.graphlevel.models.linear import Linear


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


class Norm(nn.BatchNorm1d):
    """Batch norm over rows that may each stand for several alike ones."""

    def __init__(self, width: int) -> None:
        super().__init__(width)

    def forward(self, x: Tensor, counts: Tensor | None = None) -> Tensor:
        """Of rows (k, h), row i ``counts[i]`` times; each once where it is None.

        Only statistics of the batch depend on the counts.
        """
        total = None if counts is None else float(counts.sum())
        if counts is None or total is None or total == 1 or not self.training:
            return super().forward(x)
        found, mean, variance = _Counted.apply(  # type: ignore[no-untyped-call]
            x, counts.to(x.dtype), self.weight, self.bias, self.eps
        )
        assert self.running_mean is not None and self.running_var is not None
        assert self.num_batches_tracked is not None
        self.num_batches_tracked.add_(1)
        part = self.momentum
        if part is None:
            part = 1 / float(self.num_batches_tracked)
        self.running_mean.lerp_(mean, part)
        self.running_var.lerp_(variance * (total / (total - 1)), part)
        return cast(Tensor, found)


class _Counted(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, x: Tensor, counts: Tensor, weight: Tensor, bias: Tensor, eps: float
    ) -> tuple[Tensor, Tensor, Tensor]:
        share = counts / counts.sum()
        mean = share @ x
        centred = x - mean
        variance = share @ centred.square()
        scale = (variance + eps).rsqrt()
        normed = centred.mul_(scale)
        ctx.save_for_backward(normed, share, weight * scale)
        ctx.mark_non_differentiable(mean, variance)
        return torch.addcmul(bias, normed, weight), mean, variance

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, slope: Tensor, *none: Tensor) -> tuple[Tensor | None, ...]:
        normed, share, scale = ctx.saved_tensors
        to_bias, to_weight = slope.sum(0), torch.linalg.vecdot(slope, normed, dim=0)
        to_x = torch.addcmul(to_bias, normed, to_weight).mul_(share[:, None])
        return torch.sub(slope, to_x, out=to_x).mul_(scale), None, to_weight, to_bias, None


class Rows(nn.Sequential):
    """Modules applied to each row of the last dimension, whatever stands before it."""

    def forward(self, x: Tensor, counts: Tensor | None = None) -> Tensor:
        """Of rows (…, h); with ``counts`` (k,) of rows (k, h) that stand for several each.

        A batch norm that can't count has no place here: see `Norm`.
        """
        rows = x.reshape(-1, x.shape[-1])
        for part in self:
            rows = part(rows, counts) if isinstance(part, Norm) else part(rows)
        return rows.reshape(*x.shape[:-1], rows.shape[-1])


def two_layers(inputs: int, hidden: int, outputs: int) -> Rows:
    """Linear, batch norm, ReLU, linear."""
    return Rows(Linear(inputs, hidden), Norm(hidden), nn.ReLU(), Linear(hidden, outputs))


def normed(width: int) -> Rows:
    """Batch norm over all nodes."""
    return Rows(Norm(width))
