"""Twins: nodes of one graph that may change places, and how pairs of nodes are laid out by them.

Twins have the same features, the same edges to every other node, and one kind of edge, or none,
among them.  Whatever treats nodes alike says the same of pairs that differ in twins only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from grbcore.graphlevel.batch import Dense
from grbcore.graphlevel.graphs import Ints


@dataclass(frozen=True, eq=False)
class Grid:
    """One graph's pairs by its k classes of nodes; the first t of them are twins, of several nodes.

    Columns: k², the class of u before that of v, then t.  Where a class of twins meets itself among
    the k² it is two of them; one and itself is among the t.
    """

    n: int
    first: Tensor  # (k,) int64: a node of each class
    members: Tensor  # (k,) int64: how many each has
    second: Tensor  # (t,) int64: another node of each of twins

    @staticmethod
    def whole(n: int) -> Grid:
        """Of nodes that are each a class."""
        every = torch.arange(n)
        return Grid(n, every, torch.ones_like(every), every[:0])

    @staticmethod
    def of(classes: Sequence[Sequence[int]]) -> Grid:
        """Of nodes in classes, in the order of their first nodes but for twins, which go first."""
        ordered = sorted(classes, key=lambda nodes: (len(nodes) == 1, nodes[0]))
        members = [len(nodes) for nodes in ordered]
        return Grid(
            sum(members),
            torch.tensor([nodes[0] for nodes in ordered]),
            torch.tensor(members),
            torch.tensor([nodes[1] for nodes in ordered if len(nodes) > 1], dtype=torch.int64),
        )

    @property
    def k(self) -> int:
        return len(self.first)

    @property
    def t(self) -> int:
        return len(self.second)

    @property
    def columns(self) -> int:
        return self.k**2 + self.t

    @property
    def pairs(self) -> tuple[Tensor, Tensor]:
        """A pair of nodes of each column, u and v (k² + t,)."""
        u, v = self.first.repeat_interleave(self.k), self.first.repeat(self.k)
        v[self._meets] = self.second
        own = self.first[: self.t]
        return torch.cat([u, own]), torch.cat([v, own])

    @property
    def _meets(self) -> Tensor:
        """The columns (t,) where twins meet themselves."""
        return torch.arange(self.t) * (self.k + 1)

    @cached_property
    def same(self) -> Tensor:
        """The column (k,) of a node of each class and itself."""
        twins = self.k**2 + torch.arange(self.t)
        return torch.cat([twins, torch.arange(self.t, self.k) * (self.k + 1)])

    @cached_property
    def counts(self) -> Tensor:
        """How many pairs each column (k² + t,) stands for."""
        own = self.members[: self.t]
        found = torch.outer(self.members, self.members).flatten()
        found[self._meets] = own * (own - 1)
        return torch.cat([found, own])


def grids(graphs: Dense, *, merge: bool) -> list[Grid]:
    """The grid of each graph: with ``merge``, which takes discrete edges, twins are one class."""
    sizes = graphs.sizes.tolist()
    if not merge:
        return [Grid.whole(n) for n in sizes]
    edges = torch.where(graphs.adjacency > 0, graphs.kinds + 1, 0).numpy()
    nodes = graphs.nodes.numpy()
    return [
        Grid.of(_classes(edges[place, :n, :n].copy(), nodes[place, :n]))
        for place, n in enumerate(sizes)
    ]


def _classes(edges: Ints, nodes: Ints) -> list[list[int]]:
    """Nodes (n, d) in classes; ``edges`` (n, n) is changed.

    With k on the diagonal, for those that kind k joins, rows of twins are the same.
    """
    found = []
    left = list(range(len(nodes)))
    for kind in np.unique(edges).tolist():
        np.fill_diagonal(edges, kind)
        alike: dict[bytes, list[int]] = {}
        for node in left:
            alike.setdefault(nodes[node].tobytes() + edges[node].tobytes(), []).append(node)
        found += [several for several in alike.values() if len(several) > 1]
        left = [several[0] for several in alike.values() if len(several) == 1]
    return [*found, *([node] for node in left)]
