"""Many small graphs at once: `Sparse` as one disjoint union, `Dense` padded and differentiable.

Both answer the same questions, so a model is written once: on a `Sparse` batch it is what is
evaluated, on a `Dense` one its differentiable surrogate.  What a model knows of nodes lies in
(n, …) in both, one graph's after another's; only what a dense batch holds of pairs is padded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from grbcore.graphlevel.graphs import AttributedGraph
from grbcore.graphlevel.sums import Compressed, Kinds, Messages, Sums


class Neighbours(Protocol):
    """What a layer of message passing asks of where its rows go.

    ``x`` stands for nodes (n, …, h): what stands between is alike for all, as runs are.
    """

    def total(self, x: Tensor) -> Tensor:
        """The sum over neighbours: Σ_j A_ji x_j."""
        ...

    def messages(self, x: Tensor, table: Tensor) -> Tensor:
        """Σ_j A_ji ReLU(x_j + e_ji), edges embedded by ``table`` (Σ sizes, h)."""
        ...

    def degrees(self) -> Tensor:
        """Σ_j A_ji of each node, with one column."""
        ...


class Structure(Neighbours, Protocol):
    """What a model asks of a batch of graphs.

    ``x`` stands for nodes (n, …, h): what stands between is alike for all, as runs are.
    """

    @property
    def sizes(self) -> Tensor:
        """How many nodes each graph has (B,), int64."""
        ...

    @property
    def owner(self) -> Tensor:
        """The graph of each node (n,), int64, ascending."""
        ...

    def nodes_by(self, table: Tensor) -> Tensor:
        """Nodes embedded by the rows of ``table`` (Σ sizes, h), summed over their features.

        Where degrees stand for features, by the row of each node's degree, the last for all above.
        """
        ...

    def mean(self, x: Tensor) -> Tensor:
        """The mean (B, …, h) over the nodes of each graph."""
        ...

    def dense(self) -> Dense:
        """The same graphs, padded."""
        ...


@dataclass(frozen=True, eq=False)
class Sparse:
    """The disjoint union of graphs."""

    sizes: Tensor  # (B,) int64
    owner: Tensor  # (n,) int64: the graph of each node
    nodes: Tensor  # (n, d) int64: rows of one common table of embeddings
    edges: Tensor  # (2, 2m) int64, both directions: from, to
    values: Tensor  # (2m, e) int64: rows of one common table of embeddings
    by_degree: bool = False  # degrees stand for the nodes' features

    def nodes_by(self, table: Tensor) -> Tensor:
        if self.by_degree:
            return table[self.degrees()[:, 0].clamp(max=len(table) - 1)]
        return table[self.nodes].sum(-2)

    def total(self, x: Tensor) -> Tensor:
        return self.neighbours(x)

    def messages(self, x: Tensor, table: Tensor) -> Tensor:
        return self.sent(x, table)

    @cached_property
    def neighbours(self) -> Sums:
        """All graphs' edges as one sparse matrix (n, n)."""
        return Sums.symmetric(self.edges[1], self.edges[0], len(self.owner))

    @cached_property
    def kinds(self) -> Kinds:
        """The kinds of the edges."""
        return Kinds.of(self.values)

    @cached_property
    def sent(self) -> Messages:
        """What goes over the edges."""
        return Messages.over(self.edges, self.kinds, (len(self.owner), len(self.owner)))

    @cached_property
    def incoming(self) -> Compressed:
        """The edges (n, 2m) into each node."""
        every = torch.arange(self.edges.shape[1])
        return Compressed.of(self.edges[1], every, len(self.owner))

    def degrees(self) -> Tensor:
        return torch.bincount(self.edges[1], minlength=len(self.owner))[:, None]

    def mean(self, x: Tensor) -> Tensor:
        return _mean(x, self.owner, self.sizes)

    def dense(self) -> Dense:
        ends = self.sizes.cumsum(0)
        place = torch.arange(len(self.owner)) - (ends - self.sizes)[self.owner]
        biggest = int(self.sizes.max())
        graph, u, v = self.owner[self.edges[0]], place[self.edges[0]], place[self.edges[1]]
        adjacency = torch.zeros(len(self.sizes), biggest, biggest)
        adjacency[graph, u, v] = 1.0
        kinds = torch.zeros_like(adjacency, dtype=torch.int64)
        kinds[graph, u, v] = self.kinds.kind
        # padding is a node of some values, so that its one-hot form is one of a node
        nodes = self.nodes[0].repeat(len(self.sizes), biggest, 1)
        nodes[self.owner, place] = self.nodes
        mask = torch.arange(biggest) < self.sizes[:, None]
        palette = self.kinds.palette
        return Dense(self.sizes, mask, nodes, adjacency, kinds, palette, by_degree=self.by_degree)


@dataclass(frozen=True, eq=False)
class Dense:
    """Graphs padded to N nodes, differentiable in edges and features.

    Nodes and edges are either discrete, rows of tables of embeddings, or relaxed: a distribution
    over those rows.  A discrete edge is one of a few kinds, which makes its messages one product
    of matrices: Σ_j A_ji ReLU(x_j + e_ji) = Σ_k (A ⊙ [kind = k]) ReLU(x + e_k).
    """

    sizes: Tensor  # (B,) int64
    mask: Tensor  # (B, N) bool: which nodes are there
    nodes: Tensor  # (B, N, d) int64 rows, or (B, N, rows) relaxed
    adjacency: Tensor  # (B, N, N), symmetric, 0..1
    kinds: Tensor  # (B, N, N) int64, or (B, N, N, rows) relaxed
    palette: Tensor  # (K, e) int64: the rows of each kind
    usual: Tensor | None = None  # (rows,) relaxed: of most edges that are not there
    by_degree: bool = False  # degrees stand for the nodes' features

    @cached_property
    def places(self) -> Tensor:
        """Where each node (n,) lies among the B·N."""
        return torch.nonzero(self.mask.flatten()).flatten()

    @property
    def owner(self) -> Tensor:
        return self.places // self.mask.shape[1]

    def padded(self, x: Tensor) -> Tensor:
        """Nodes' rows (n, …, h) as (B, N, …, h); padding is 0."""
        laid = x
        if len(x) < self.mask.numel():
            laid = x.new_zeros(self.mask.numel(), *x.shape[1:]).index_copy(0, self.places, x)
        return laid.reshape(*self.mask.shape, *x.shape[1:])

    def packed(self, x: Tensor) -> Tensor:
        """Rows (B, N, …, h) of padded nodes as (n, …, h)."""
        flat = x.flatten(0, 1)
        whole = len(flat) == len(self.places)
        return flat if whole else flat.index_select(0, self.places)

    def nodes_by(self, table: Tensor) -> Tensor:
        if self.by_degree:
            return self._by_degree(table)
        nodes = self.packed(self.nodes)
        if nodes.is_floating_point():
            return nodes.to(table.dtype) @ table
        return table[nodes].sum(-2)

    def _by_degree(self, table: Tensor) -> Tensor:
        """Between the rows of the two degrees beside a relaxed one; of a whole one, its own.

        Paper: a slope on the row of the closest degree (the thesis, section 5.2).  Here: that
        between the rows beside it; of a whole degree, which an edge may raise or lower, the mean
        of both slopes.
        """
        last = len(table) - 1
        degrees = self.degrees().to(table.dtype).clamp(max=last)
        known = degrees.detach()
        row, below = known.floor(), (known.ceil() - 1).clamp(min=0)
        at, less, more = (part.clamp(max=last).squeeze(-1).long() for part in (row, below, row + 1))
        slope = (table[more] - table[less]) / (row + 1 - below)
        return torch.lerp(table[at], table[more], known - row) + slope * (degrees - known)

    def total(self, x: Tensor) -> Tensor:
        return self.packed(_times(self.adjacency, self.padded(x)))

    def messages(self, x: Tensor, table: Tensor) -> Tensor:
        if self.kinds.is_floating_point():
            return self._relaxed(x, table)
        colours = table[self.palette].sum(-2)
        sent = (self.padded(x).unsqueeze(2) + _amid(colours, x)).relu().flatten(1, 2)
        return self.packed(_times(self.by_kind, sent))

    def _relaxed(self, x: Tensor, table: Tensor) -> Tensor:
        """Messages over relaxed edges, one by one only where they need it.

        Over the others nothing is sent: they only have a slope, by their sender alone.
        """
        flat, to, sender = self.own_pairs
        edges = self.kinds.flatten(0, 2).index_select(0, flat).to(x.dtype) @ table
        weights = self.adjacency.flatten().index_select(0, flat).to(x.dtype)[:, None]
        sent = (x.index_select(0, sender) + _amid(edges, x)).relu() * _amid(weights, x)
        found = torch.zeros_like(x).index_add(0, to, sent)
        if self.usual is None:
            return found
        others = self.padded((x + self.usual.to(x.dtype) @ table).relu().detach())
        left = self.adjacency.flatten().index_fill(0, flat, 0).reshape(self.adjacency.shape)
        return found + self.packed(_times(left, others))

    @cached_property
    def own_pairs(self) -> tuple[Tensor, Tensor, Tensor]:
        """Pairs that send messages of their own: place among B·N·N, receiver, sender.

        All of real nodes, but for those of no edge and the usual distribution.
        """
        own = self.mask[:, :, None] & self.mask[:, None, :]
        if self.usual is not None:
            unusual = (self.kinds.detach() != self.usual).any(-1)
            own = own & ((self.adjacency.detach() != 0) | unusual)
        graph, i, j = torch.nonzero(own, as_tuple=True)
        nodes, first = self.mask.shape[1], self.sizes.cumsum(0) - self.sizes
        return (graph * nodes + i) * nodes + j, first[graph] + i, first[graph] + j

    @cached_property
    def by_kind(self) -> Tensor:
        """The adjacency (B, N, N·K) of each kind of edges, the kinds of a sender side by side."""
        which = torch.arange(len(self.palette))
        chosen = self.kinds[..., None] == which
        return (self.adjacency[..., None] * chosen).flatten(-2)

    def degrees(self) -> Tensor:
        return self.packed(self.adjacency.sum(-1, keepdim=True))

    def mean(self, x: Tensor) -> Tensor:
        return _mean(x, self.owner, self.sizes)

    def dense(self) -> Dense:
        return self

    def sparse(self) -> Sparse:
        """The same of graphs whose edges and features are discrete."""
        graph, u, v = torch.nonzero(self.adjacency, as_tuple=True)
        first = (self.sizes.cumsum(0) - self.sizes)[graph]
        values = self.palette[self.kinds[graph, u, v]]
        edges = torch.stack([first + u, first + v])
        nodes = self.packed(self.nodes)
        return Sparse(self.sizes, self.owner, nodes, edges, values, self.by_degree)

    def of(self, ids: Tensor) -> Dense:
        """Some of the graphs."""
        parts = {
            name: getattr(self, name)[ids]
            for name in ("sizes", "mask", "nodes", "adjacency", "kinds")
        }
        return replace(self, **parts)

    def relaxed(self, node_sizes: tuple[int, ...], edge_sizes: tuple[int, ...]) -> Dense:
        """The same graphs, features as distributions over rows; absent edges have any, alike."""
        rows = sum(edge_sizes)
        flat = torch.cat([torch.full((size,), 1 / size) for size in edge_sizes])
        if len(self.palette):
            known = one_hot(self.palette, rows)[self.kinds]
        else:
            known = flat.expand(*self.kinds.shape, rows)
        kinds = known.where((self.adjacency > 0)[..., None], flat)
        nodes = one_hot(self.nodes, sum(node_sizes))
        return replace(self, nodes=nodes, kinds=kinds, usual=flat)

    def with_adjacency(self, adjacency: Tensor) -> Dense:
        """The same nodes, other edges."""
        return replace(self, adjacency=adjacency)


def _mean(x: Tensor, owner: Tensor, sizes: Tensor) -> Tensor:
    total = x.new_zeros(len(sizes), *x.shape[1:]).index_add(0, owner, x)
    return total / _amid(sizes[:, None], x)


def _times(matrices: Tensor, x: Tensor) -> Tensor:
    """Matrices (B, N, M) times (B, M, …, h)."""
    return (matrices.to(x.dtype) @ x.flatten(2)).reshape(*matrices.shape[:2], *x.shape[2:])


def _amid(rows: Tensor, x: Tensor) -> Tensor:
    """Rows (r, h) alike for all that stands in the midst of ``x`` (n, …, h): (r, 1, …, h)."""
    return rows.reshape(len(rows), *[1] * (x.ndim - 2), rows.shape[-1])


def union(
    graphs: Sequence[AttributedGraph],
    node_sizes: tuple[int, ...],
    edge_sizes: tuple[int, ...],
    *,
    by_degree: bool = False,
) -> Sparse:
    """The disjoint union of graphs; tables of all features lie under one another.

    With ``by_degree`` a node's degree stands for its features.

    Raises:
        ValueError: there are no graphs, or a value has no row in its table.
    """
    if not graphs:
        raise ValueError("graphs: found none, allowed: one or more")
    nodes = np.concatenate([graph.nodes for graph in graphs])
    values = np.concatenate([graph.values for graph in graphs])
    for what, held, tables in (("nodes", nodes, node_sizes), ("edges", values, edge_sizes)):
        if not bool(((held >= 0) & (held < np.array(tables, np.int64))).all()):
            allowed = ", ".join(f"0..{size - 1}" for size in tables)
            raise ValueError(f"{what}: found a value outside its table, allowed: {allowed}")
    sizes = np.array([graph.n for graph in graphs])
    first = np.cumsum(sizes) - sizes
    edges = np.concatenate(
        [graph.edges + start for graph, start in zip(graphs, first, strict=True)], axis=1
    )
    values = values + offsets(edge_sizes)
    return Sparse(
        torch.from_numpy(sizes),
        torch.from_numpy(np.repeat(np.arange(len(graphs)), sizes)),
        torch.from_numpy(nodes + offsets(node_sizes)),
        torch.from_numpy(np.concatenate([edges, edges[::-1]], axis=1)),
        torch.from_numpy(np.concatenate([values, values])),
        by_degree,
    )


def one_hot(rows: Tensor, of: int) -> Tensor:
    """Rows (…, d) of a table of ``of`` rows as (…, of), one 1 for each feature."""
    return torch.nn.functional.one_hot(rows, of).sum(-2).float()


def offsets(sizes: tuple[int, ...]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Where the table of each feature begins when all lie under one another."""
    return np.cumsum([0, *sizes[:-1]]).astype(np.int64)[: len(sizes)]
