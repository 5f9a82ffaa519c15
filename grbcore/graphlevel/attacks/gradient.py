"""Projected gradient ascent on relaxed edges and features: AdjPGD and AttrPGD."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from grbcore.graphlevel.attacks.attack import torch_rng
from grbcore.graphlevel.attacks.finite import finite_gradients
from grbcore.graphlevel.attacks.projection import Attributed, Blocks, Relaxed, project
from grbcore.graphlevel.attacks.sampling import Distribution, best_sample
from grbcore.graphlevel.batch import Dense, one_hot
from grbcore.graphlevel.budgets import GraphBudget
from grbcore.graphlevel.changes import Changes
from grbcore.graphlevel.graphs import AttributedGraph, Ints
from grbcore.graphlevel.models.frozen import frozen
from grbcore.graphlevel.models.model import GraphLevelModel
from grbcore.graphlevel.random_changes import Values
from grbcore.graphlevel.targets import Target


@dataclass(frozen=True, slots=True)
class Ascent(ABC):
    """What both attacks share; many graphs at once, in order of their size.

    Step i goes by ``rate``·ε/√i along the gradient of the dense surrogate and is projected; then
    the best of ``samples`` draws on the sparse model is kept, and the best of ``repeats`` runs.
    Paper: repeated, the strongest counts.  Its plots average the repeats.  Here: the strongest.
    """

    rate: float = 0.1  # λ₀
    steps: int = 25
    samples: int = 250
    repeats: int = 3
    at_once: int = 32

    def __call__(
        self,
        model: GraphLevelModel,
        graphs: Sequence[AttributedGraph],
        labels: NDArray[Any],
        *,
        target: Target,
        budget: GraphBudget,
        rng: np.random.Generator,
    ) -> list[Changes]:
        """Changes of each graph; see `GraphAttack`."""
        found = [Changes.empty()] * len(graphs)
        best = np.full(len(graphs), -np.inf)
        model = frozen(model)
        order = sorted(range(len(graphs)), key=lambda g: graphs[g].n)
        for start in range(0, len(order), self.at_once):
            ids = order[start : start + self.at_once]
            part, truth = [graphs[g] for g in ids], np.asarray(labels)[ids]
            for _ in range(self.repeats):
                distributions = self._ascend(model, part, truth, target, budget, rng)
                changes, reached = best_sample(
                    model,
                    distributions,
                    truth,
                    target=target,
                    budget=budget,
                    samples=self.samples,
                    rng=rng,
                )
                for g, change, value in zip(ids, changes, reached, strict=True):
                    if value > best[g]:
                        best[g], found[g] = value, change
        return found

    @abstractmethod
    def _ascend(
        self,
        model: GraphLevelModel,
        graphs: Sequence[AttributedGraph],
        labels: Ints,
        target: Target,
        budget: GraphBudget,
        rng: np.random.Generator,
    ) -> list[Distribution]:
        """The distribution that each graph ends with."""


@dataclass(frozen=True, slots=True)
class AdjPGD(Ascent):
    """Flips edges.  Edges that are not there carry features drawn once from the graph's own.

    Source: the thesis, section 4.4; Xu et al. (IJCAI 2019).
    """

    def _ascend(
        self,
        model: GraphLevelModel,
        graphs: Sequence[AttributedGraph],
        labels: Ints,
        target: Target,
        budget: GraphBudget,
        rng: np.random.Generator,
    ) -> list[Distribution]:
        dense, truth = model.batch(graphs).dense(), torch.from_numpy(labels)
        kinds = _completed(dense, rng)
        dense = replace(dense, kinds=kinds)
        noise = torch_rng(rng)
        allowed = torch.tensor([float(budget.of(graph)) for graph in graphs])
        pairs = _pairs(dense)
        adjacency = dense.adjacency
        for step in range(1, self.steps + 1):

            def ascended(point: Tensor) -> Tensor:
                drawn = model.draw(int(dense.sizes.sum()), noise)
                return target(model(dense.with_adjacency(point), drawn), truth)

            (slope,) = finite_gradients(model, dense, ascended, (adjacency,), noise)
            rate = self.rate * allowed / step**0.5
            slope = (slope + slope.mT) * pairs
            adjacency = project(adjacency + rate[:, None, None] * slope, dense.adjacency, allowed)
        found = []
        for g, graph in enumerate(graphs):
            u, v = np.triu_indices(graph.n, 1)
            carried = dense.palette[kinds[g, u, v]] if len(dense.palette) else None
            starts = np.cumsum([0, *model.shape.edge_sizes[:-1]])
            values = (
                np.zeros((len(u), len(starts)), np.int64)
                if carried is None
                else carried.numpy() - starts
            )
            found.append(
                Distribution(
                    graph,
                    adjacency[g, u, v].double().numpy(),
                    [
                        np.eye(size)[column]
                        for size, column in zip(model.shape.node_sizes, graph.nodes.T, strict=True)
                    ],
                    [
                        np.eye(size)[column]
                        for size, column in zip(model.shape.edge_sizes, values.T, strict=True)
                    ],
                )
            )
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class AttrPGD(Ascent):
    """Flips edges and changes features, to ``values`` only.  Source: the thesis, section 4.5."""

    values: Values
    rate: float = 1.0

    def _ascend(
        self,
        model: GraphLevelModel,
        graphs: Sequence[AttributedGraph],
        labels: Ints,
        target: Target,
        budget: GraphBudget,
        rng: np.random.Generator,
    ) -> list[Distribution]:
        if not budget.attributes:
            raise ValueError("budget: found none of attributes, allowed: one with attributes")
        shape = model.shape
        dense = model.batch(graphs).dense().relaxed(shape.node_sizes, shape.edge_sizes)
        truth, noise = torch.from_numpy(labels), torch_rng(rng)
        clean = Relaxed(dense.adjacency, dense.nodes, dense.kinds)
        node_blocks = blocks(shape.node_sizes, self.values.nodes)
        edge_blocks = blocks(shape.edge_sizes, self.values.edges)
        within = Attributed(clean, node_blocks, edge_blocks)
        allowed = torch.tensor([float(budget.of(graph)) for graph in graphs])
        pairs = _pairs(dense)
        start_edges = edge_blocks.normalised(
            clean.edges, clean.edges * (clean.adjacency[..., None] > 0)
        )
        point = replace(clean, edges=start_edges)
        for step in range(1, self.steps + 1):

            def ascended(adjacency: Tensor, nodes: Tensor, edges: Tensor) -> Tensor:
                drawn = model.draw(int(dense.sizes.sum()), noise)
                moved = replace(dense, adjacency=adjacency, nodes=nodes, kinds=edges)
                return target(model(moved, drawn), truth)

            slopes = finite_gradients(
                model, dense, ascended, (point.adjacency, point.nodes, point.edges), noise
            )
            rate = (self.rate * allowed / step**0.5)[:, None, None]
            edges = slopes[2] + slopes[2].transpose(1, 2)
            moved = Relaxed(
                point.adjacency + rate * (slopes[0] + slopes[0].mT) * pairs,
                point.nodes + rate * slopes[1],
                point.edges + rate[..., None] * edges * pairs[..., None],
            )
            point = within.project(moved, allowed)
        found = []
        for g, graph in enumerate(graphs):
            u, v = np.triu_indices(graph.n, 1)
            nodes = torch.split(point.nodes[g, : graph.n], list(shape.node_sizes), -1)
            edges_of = torch.split(point.edges[g, u, v], list(shape.edge_sizes), -1)
            found.append(
                Distribution(
                    graph,
                    point.adjacency[g, u, v].double().numpy(),
                    [part.double().numpy() for part in nodes],
                    [part.double().numpy() for part in edges_of],
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
            for start, values in zip(np.cumsum([0, *sizes[:-1]]).tolist(), allowed, strict=True)
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
