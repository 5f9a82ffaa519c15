"""The bag of subgraphs of ESAN's EGO+ policy, of a sparse or a dense batch."""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from grbcore.graphlevel.batch import Dense, Sparse, Structure


@dataclass(frozen=True, eq=False)
class Egos:
    """Subgraphs of each graph, every one with all nodes of its graph and the edges near its root.

    ``x`` stands for the nodes (r, h) of all subgraphs, one subgraph's after another's.
    """

    structure: Structure  # the subgraphs as graphs of their own
    marks: Tensor  # (r, 2) one-hot: the root or another node
    node: Tensor  # (r,) the node of each row
    owner: Tensor  # (C,) the graph of each subgraph
    nodes_of: Tensor  # (n,) the graph of each node
    counts: Tensor  # (B,) subgraphs of each graph

    def down(self, x: Tensor) -> Tensor:
        """The mean over the subgraphs, for each node of the graphs."""
        total = x.new_zeros(len(self.nodes_of), x.shape[-1]).index_add(0, self.node, x)
        return total / self.counts[self.nodes_of][:, None]

    def up(self, x: Tensor) -> Tensor:
        """Each node's row for each of its copies."""
        return x[self.node]

    def mean(self, x: Tensor) -> Tensor:
        """Means over nodes, then over subgraphs: (B, h)."""
        total = x.new_zeros(len(self.counts), x.shape[-1])
        return total.index_add(0, self.owner, self.structure.mean(x)) / self.counts[:, None]


def egos(batch: Structure, noise: Tensor, *, share: float, hops: int) -> Egos:
    """The ``hops``-hop neighbourhoods of ⌈share·n⌉ nodes, those of the least noise (n, 2)[:, 0].

    On relaxed edges neighbourhoods are those of one draw of the edges, from noise[:, 1], and
    their edges keep the relaxed values.  Source: the thesis, section 4.4.2.
    """
    counts = (batch.sizes * share).ceil().long()
    first, all_of = batch.sizes.cumsum(0) - batch.sizes, batch.owner
    order = torch.argsort(all_of + noise[:, 0].double().clamp(max=1 - 1e-9))  # by graph, then noise
    rank = torch.arange(len(order)) - first[all_of]  # owners are sorted, so is this
    roots = order[rank < counts[all_of]]
    owner = all_of[roots]
    copy, node = _ranges(first[owner], batch.sizes[owner])
    structure: Structure
    if isinstance(batch, Sparse):
        structure = _sparse(batch, roots, copy, node, hops)
    else:
        structure = _dense(batch.dense(), roots, noise[:, 1], hops)
    root = node == roots[copy]
    marks = torch.stack([root, ~root], -1).float()
    return Egos(structure, marks, node, owner, all_of, counts)


def _sparse(batch: Sparse, roots: Tensor, copy: Tensor, node: Tensor, hops: int) -> Sparse:
    first, owner = batch.sizes.cumsum(0) - batch.sizes, batch.owner[roots]
    sizes = batch.sizes[owner]
    start = sizes.cumsum(0) - sizes - first[owner]  # row of node i in copy c: start[c] + i
    of_edges = batch.owner[batch.edges[0]]
    many = torch.bincount(of_edges, minlength=len(batch.sizes))
    which, place = _ranges((many.cumsum(0) - many)[owner], many[owner])
    edge = torch.argsort(of_edges, stable=True)[place]  # all edges of a copy's graph
    sender, receiver = batch.edges[:, edge] + start[which]
    near = torch.zeros(len(node), dtype=torch.bool)
    near[start + roots] = True
    for _ in range(hops):
        near = near.index_fill(0, receiver[near[sender]], True)
    inside = near[sender] & near[receiver]
    return Sparse(
        sizes,
        copy,
        batch.nodes[node],
        torch.stack([sender[inside], receiver[inside]]),
        batch.values[edge[inside]],
    )


def _ranges(starts: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    """Of ranges one after another: which each entry is of, and the entry."""
    which = torch.arange(len(lengths)).repeat_interleave(lengths)
    inside = torch.arange(len(which)) - (lengths.cumsum(0) - lengths)[which]
    return which, starts[which] + inside


def _dense(batch: Dense, roots: Tensor, noise: Tensor, hops: int) -> Dense:
    chance = batch.padded(noise.double()[:, None])[..., 0]
    # one number in [0, 1) for each pair of nodes, from the numbers of both
    chance = (1000 * (chance[:, :, None] + chance[:, None, :]).sqrt()).frac()
    owner, nodes = batch.owner[roots], batch.mask.shape[1]
    edges = (chance < batch.adjacency.detach()).float()[owner]
    reach = torch.eye(nodes)[batch.places[roots] % nodes][:, None]  # (C, 1, N)
    for _ in range(hops):
        reach = (reach + reach @ edges).clamp(max=1)
    return replace(
        batch,
        sizes=batch.sizes[owner],
        mask=batch.mask[owner],
        nodes=batch.nodes.index_select(0, owner),
        adjacency=reach.mT * reach * batch.adjacency.index_select(0, owner),
        kinds=batch.kinds.index_select(0, owner),
    )
