"""The bag of subgraphs of ESAN's EGO+ policy, of a sparse or a dense batch."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import torch
from torch import Tensor

from grbcore.graphlevel.batch import Dense, Sparse, Structure


class Egos(Protocol):
    """Subgraphs of each graph, every one with all nodes of its graph and the edges near its root.

    ``x`` stands for the nodes of all subgraphs, laid out as ``structure`` lays nodes out.
    """

    @property
    def structure(self) -> Structure:
        """The subgraphs as graphs of their own."""
        ...

    @property
    def marks(self) -> Tensor:
        """One-hot (…, 2): the root or another node."""
        ...

    def down(self, x: Tensor) -> Tensor:
        """The mean over the subgraphs, for each node of the graphs."""
        ...

    def up(self, x: Tensor) -> Tensor:
        """Each node's row for each of its copies."""
        ...

    def mean(self, x: Tensor) -> Tensor:
        """Means over nodes, then over subgraphs: (B, h)."""
        ...


@dataclass(frozen=True, eq=False)
class SparseEgos:
    """Subgraphs in a disjoint union."""

    structure: Structure
    marks: Tensor
    node: Tensor  # (rows,) the node of each row
    owner: Tensor  # (C,) the graph of each subgraph
    nodes_of: Tensor  # (n,) the graph of each node
    counts: Tensor  # (B,) subgraphs of each graph

    def down(self, x: Tensor) -> Tensor:
        total = x.new_zeros(len(self.nodes_of), x.shape[-1]).index_add(0, self.node, x)
        return total / self.counts[self.nodes_of][:, None]

    def up(self, x: Tensor) -> Tensor:
        return x[self.node]

    def mean(self, x: Tensor) -> Tensor:
        total = x.new_zeros(len(self.counts), x.shape[-1])
        return total.index_add(0, self.owner, self.structure.mean(x)) / self.counts[:, None]


@dataclass(frozen=True, eq=False)
class DenseEgos:
    """As many subgraphs of each graph as the largest has, some of them not there."""

    structure: Structure
    marks: Tensor
    there: Tensor  # (B, S) which subgraphs are there
    counts: Tensor  # (B,) how many

    def down(self, x: Tensor) -> Tensor:
        parts = x.reshape(*self.there.shape, *x.shape[1:]) * self.there[..., None, None]
        found: Tensor = parts.sum(1) / self.counts[:, None, None]
        return found

    def up(self, x: Tensor) -> Tensor:
        return x[:, None].expand(-1, self.there.shape[1], -1, -1).flatten(0, 1)

    def mean(self, x: Tensor) -> Tensor:
        pooled = self.structure.mean(x)
        parts = pooled.reshape(*self.there.shape, pooled.shape[1]) * self.there[..., None]
        found: Tensor = parts.sum(1) / self.counts[:, None]
        return found


def egos(batch: Structure, noise: Tensor, *, share: float, hops: int) -> Egos:
    """The ``hops``-hop neighbourhoods of ⌈share·n⌉ nodes, those of the least noise (n, 2)[:, 0].

    On relaxed edges neighbourhoods are those of one draw of the edges, from noise[:, 1], and
    their edges keep the relaxed values.  Source: the thesis, section 4.4.2.
    """
    if isinstance(batch, Sparse):
        return _sparse(batch, noise[:, 0], share, hops)
    return _dense(batch.dense(), batch.spread(noise), share, hops)


def _quota(sizes: Tensor, share: float) -> Tensor:
    return (sizes * share).ceil().long()


def _sparse(batch: Sparse, noise: Tensor, share: float, hops: int) -> Egos:
    quota, first = _quota(batch.sizes, share), batch.sizes.cumsum(0) - batch.sizes
    order = torch.argsort(batch.owner + noise.double().clamp(max=1 - 1e-9))  # by graph, then noise
    rank = torch.arange(len(order)) - first[batch.owner]  # owners are sorted, so is this
    roots = order[rank < quota[batch.owner]]
    owner = batch.owner[roots]
    near = torch.zeros(len(roots), len(order))
    near[torch.arange(len(roots)), roots] = 1
    for _ in range(hops):
        near = near.index_add(1, batch.edges[1], near[:, batch.edges[0]]).clamp(max=1)
    copy, node = torch.nonzero(owner[:, None] == batch.owner, as_tuple=True)
    sizes = batch.sizes[owner]
    start = sizes.cumsum(0) - sizes - first[owner]  # row of node i in copy c: start[c] + i
    inside = (near[:, batch.edges[0]] > 0) & (near[:, batch.edges[1]] > 0)
    which, edge = torch.nonzero(inside, as_tuple=True)
    structure = Sparse(
        sizes,
        copy,
        batch.nodes[node],
        batch.edges[:, edge] + start[which],
        batch.values[edge],
    )
    marks = _marks(node == roots[copy])
    return SparseEgos(structure, marks, node, owner, batch.owner, quota)


def _dense(batch: Dense, noise: Tensor, share: float, hops: int) -> Egos:
    quota = _quota(batch.sizes, share)
    most, nodes = int(quota.max()), batch.mask.shape[1]
    roots = noise[..., 0].double().where(batch.mask, 2.0).argsort(dim=1)[:, :most]  # (B, S)
    chance = noise[..., 1].double()
    # one number in [0, 1) for each pair of nodes, from the numbers of both
    chance = (1000 * (chance[:, :, None] + chance[:, None, :]).sqrt()).frac()
    edges = (chance < batch.adjacency.detach()).float()
    reach = torch.eye(nodes)[roots]
    for _ in range(hops):
        reach = (reach + reach @ edges).clamp(max=1)
    inside = reach[..., :, None] * reach[..., None, :]
    adjacency = (inside * batch.adjacency[:, None]).flatten(0, 1)
    there = torch.arange(most) < quota[:, None]

    def each(part: Tensor) -> Tensor:
        return part[:, None].expand(-1, most, *part.shape[1:]).flatten(0, 1)

    structure = replace(
        batch,
        sizes=each(batch.sizes),
        mask=each(batch.mask),
        nodes=each(batch.nodes),
        adjacency=adjacency,
        kinds=each(batch.kinds),
    )
    marks = _marks(roots.flatten()[:, None] == torch.arange(nodes))
    return DenseEgos(structure, marks, there, quota)


def _marks(root: Tensor) -> Tensor:
    return torch.stack([root, ~root], -1).float()
