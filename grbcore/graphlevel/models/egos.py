"""The bag of subgraphs of ESAN's EGO+ policy, of a sparse or a dense batch."""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from grbcore.graphlevel.batch import Dense, Sparse, Structure


@dataclass(frozen=True, eq=False)
class Egos:
    """Subgraphs of each graph, every one with all nodes of its graph and the edges near its root.

    ``x`` stands for the nodes of all subgraphs, laid out as ``structure`` lays nodes out.
    """

    structure: Structure
    marks: Tensor  # (…, 2): one-hot, the root or another node
    copies: Tensor  # sparse: (rows,) the node of each row; dense: (B, S) which subgraphs are there
    owner: Tensor  # sparse: (C,) the graph of each subgraph; dense: unused
    counts: Tensor  # (B,) subgraphs of each graph
    nodes_of: Tensor  # sparse: (n,) the graph of each node; dense: unused

    def down(self, x: Tensor) -> Tensor:
        """The mean over the subgraphs, for each node of the graphs."""
        if self.copies.ndim == 1:
            total = x.new_zeros(len(self.nodes_of), x.shape[-1]).index_add(0, self.copies, x)
            return total / self.counts[self.nodes_of][:, None]
        parts = x.reshape(*self.copies.shape, *x.shape[1:]) * self.copies[..., None, None]
        found: Tensor = parts.sum(1) / self.counts[:, None, None]
        return found

    def up(self, x: Tensor) -> Tensor:
        """Each node's row for each of its copies."""
        if self.copies.ndim == 1:
            return x[self.copies]
        return x[:, None].expand(-1, self.copies.shape[1], -1, -1).flatten(0, 1)

    def mean(self, x: Tensor) -> Tensor:
        """Means over nodes, then over subgraphs: (B, h)."""
        pooled = self.structure.mean(x)
        if self.copies.ndim == 1:
            total = x.new_zeros(len(self.counts), x.shape[-1]).index_add(0, self.owner, pooled)
        else:
            total = (
                pooled.reshape(*self.copies.shape, pooled.shape[1]) * self.copies[..., None]
            ).sum(1)
        return total / self.counts[:, None]


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
    return Egos(structure, _marks(node == roots[copy]), node, owner, quota, batch.owner)


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
    return Egos(structure, marks, there, roots, quota, roots)


def _marks(root: Tensor) -> Tensor:
    return torch.stack([root, ~root], -1).float()
