"""What a gradient attack moves through: relaxed edges alone, or edges and features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from grbcore.graphlevel.attacks.attack import Case
from grbcore.graphlevel.attacks.projection import Attributed, Blocks, Relaxed, project
from grbcore.graphlevel.attacks.sampling import Distribution
from grbcore.graphlevel.batch import Dense, offsets, one_hot
from grbcore.graphlevel.graphs import AttributedGraph
from grbcore.graphlevel.models.model import Shape
from grbcore.graphlevel.random_changes import Values


class Space(Protocol):
    """Points that stand for relaxed graphs; a point is a few tensors (B, …)."""

    @property
    def clean(self) -> Dense:
        """The graphs themselves."""
        ...

    @property
    def start(self) -> tuple[Tensor, ...]:
        """The point that the ascent starts from."""
        ...

    def batch(self, *point: Tensor, ids: Tensor) -> Dense:
        """The relaxed graphs of a point that has only those of ``ids``."""
        ...

    def step(
        self, point: tuple[Tensor, ...], slopes: tuple[Tensor, ...], rate: Tensor
    ) -> tuple[Tensor, ...]:
        """The point after a step of ``rate`` (B,) along the slopes, projected onto the budgets."""
        ...

    def distributions(self, point: tuple[Tensor, ...]) -> list[Distribution]:
        """What a point means for each graph."""
        ...


@dataclass(frozen=True, eq=False)
class Edges:
    """Edges alone; what edges that are not there would carry is drawn once."""

    graphs: Sequence[AttributedGraph]
    shape: Shape
    clean: Dense
    allowed: Tensor  # (B,) budgets

    @staticmethod
    def of(case: Case, rng: np.random.Generator) -> Edges:
        """That of a case; ``rng`` draws the features of missing edges from each graph's own."""
        dense = case.model.batch(case.graphs).dense()
        dense = replace(dense, kinds=_completed(dense, rng))
        return Edges(case.graphs, case.model.shape, dense, case.allowed())

    @property
    def start(self) -> tuple[Tensor, ...]:
        return (self.clean.adjacency,)

    def batch(self, *point: Tensor, ids: Tensor) -> Dense:
        return self.clean.of(ids).with_adjacency(point[0])

    def step(
        self, point: tuple[Tensor, ...], slopes: tuple[Tensor, ...], rate: Tensor
    ) -> tuple[Tensor, ...]:
        slope = (slopes[0] + slopes[0].mT) * _pairs(self.clean)
        moved = point[0] + rate[:, None, None] * slope
        return (project(moved, self.clean.adjacency, self.allowed),)

    def distributions(self, point: tuple[Tensor, ...]) -> list[Distribution]:
        found = []
        sizes = self.shape.edge_sizes
        for g, graph in enumerate(self.graphs):
            u, v = np.triu_indices(graph.n, 1)
            values = np.zeros((len(u), len(sizes)), np.int64)
            if len(self.clean.palette):
                rows = self.clean.palette[self.clean.kinds[g, u, v]].numpy()
                values = rows - offsets(sizes)
            found.append(
                Distribution(
                    graph,
                    point[0][g, u, v].double().numpy(),
                    list(graph.nodes.T),
                    list(values.T),
                )
            )
        return found


@dataclass(frozen=True, eq=False)
class Everything:
    """Edges, and distributions of the features of nodes and edges."""

    graphs: Sequence[AttributedGraph]
    shape: Shape
    clean: Dense
    within: Attributed
    allowed: Tensor  # (B,) budgets

    @staticmethod
    def of(case: Case, values: Values) -> Everything:
        """That of a case, features limited to ``values``."""
        shape = case.model.shape
        dense = case.model.batch(case.graphs).dense()
        dense = dense.relaxed(shape.node_sizes, shape.edge_sizes)
        within = Attributed(
            Relaxed(dense.adjacency, dense.nodes, dense.kinds),
            blocks(shape.node_sizes, values.nodes),
            blocks(shape.edge_sizes, values.edges),
        )
        return Everything(case.graphs, shape, dense, within, case.allowed())

    @property
    def start(self) -> tuple[Tensor, ...]:
        clean = self.within.clean
        there = clean.edges * (clean.adjacency[..., None] > 0)
        edges = self.within.edge_blocks.normalised(clean.edges, there)
        return clean.adjacency, clean.nodes, edges

    def batch(self, *point: Tensor, ids: Tensor) -> Dense:
        adjacency, nodes, edges = point
        return replace(self.clean.of(ids), adjacency=adjacency, nodes=nodes, kinds=edges)

    def step(
        self, point: tuple[Tensor, ...], slopes: tuple[Tensor, ...], rate: Tensor
    ) -> tuple[Tensor, ...]:
        adjacency, nodes, edges = point
        pairs, rate = _pairs(self.clean), rate[:, None, None]
        moved = Relaxed(
            adjacency + rate * (slopes[0] + slopes[0].mT) * pairs,
            nodes + rate * slopes[1],
            edges + rate[..., None] * (slopes[2] + slopes[2].transpose(1, 2)) * pairs[..., None],
        )
        found = self.within.project(moved, self.allowed)
        return found.adjacency, found.nodes, found.edges

    def distributions(self, point: tuple[Tensor, ...]) -> list[Distribution]:
        found = []
        adjacency, nodes, edges = point
        for g, graph in enumerate(self.graphs):
            u, v = np.triu_indices(graph.n, 1)
            of_nodes = torch.split(nodes[g, : graph.n], list(self.shape.node_sizes), -1)
            of_edges = torch.split(edges[g, u, v], list(self.shape.edge_sizes), -1)
            found.append(
                Distribution(
                    graph,
                    adjacency[g, u, v].double().numpy(),
                    [part.double().numpy() for part in of_nodes],
                    [part.double().numpy() for part in of_edges],
                )
            )
        return found


def blocks(sizes: tuple[int, ...], allowed: tuple[tuple[int, ...], ...]) -> Blocks:
    """The rows of each feature, and which of its values may be given."""
    parts = [torch.ones(size, 1) for size in sizes]
    member: Tensor = torch.block_diag(*parts)  # type: ignore[no-untyped-call]
    rows = torch.tensor(
        [
            start + value
            for start, values in zip(offsets(sizes).tolist(), allowed, strict=True)
            for value in values
        ]
    )
    return Blocks(member, one_hot(rows[:, None], sum(sizes)).sum(0))


def _pairs(dense: Dense) -> Tensor:
    """Which pairs of different real nodes there are (B, N, N)."""
    real = dense.mask[:, :, None] & dense.mask[:, None, :]
    return (real & ~torch.eye(dense.mask.shape[1], dtype=torch.bool)).float()


def _completed(dense: Dense, rng: np.random.Generator) -> Tensor:
    """Kinds (B, N, N), those of missing edges drawn from each graph's own, symmetric."""
    kinds = dense.kinds.clone()
    for g in range(len(kinds)):
        there = dense.adjacency[g] > 0
        own = kinds[g][there].numpy()
        if len(own):
            drawn = torch.from_numpy(rng.choice(own, tuple(there.shape))).triu(1)
            kinds[g] = torch.where(there, kinds[g], drawn + drawn.T)
    return kinds
