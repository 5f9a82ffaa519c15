"""What models know of pairs of nodes: one row a channel, one column a pair of real nodes.

A graph of n nodes has n² columns, u before v, and graphs lie one after another.  So nothing is
padded, and a channel's matrix of a graph is a view.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from grbcore.graphlevel.batch import Dense
from grbcore.graphlevel.models.linear import times


class Pairs(Protocol):
    """Channels (c, P) of the pairs of B graphs."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many nodes each graph has."""
        ...

    def times(self, weight: Tensor, bias: Tensor | None = None) -> Tensor:
        """``weight`` (o, c) times the channels, plus ``bias`` (o,): (o, P)."""
        ...

    def sums(self) -> tuple[Tensor, Tensor]:
        """Sums over all pairs of each graph, and over those of a node and itself: (B, c) each."""
        ...


@dataclass(frozen=True, eq=False)
class Channels:
    """Channels as they are."""

    x: Tensor  # (c, P)
    sizes: tuple[int, ...]

    def times(self, weight: Tensor, bias: Tensor | None = None) -> Tensor:
        return times(weight, self.x, bias)

    def sums(self) -> tuple[Tensor, Tensor]:
        total, trace = _Sums.apply(self.x, self.sizes)  # type: ignore[no-untyped-call]
        return total.T, trace.T


@dataclass(frozen=True, eq=False)
class Inputs:
    """[A | A ⊙ edges | diag(nodes)] of graphs, never laid out.

    Edges are of few kinds and most pairs are not one node, so what a linear map makes of the
    1 + 2h channels comes from what it makes of each kind and of each node.
    """

    sizes: tuple[int, ...]
    owner: Tensor  # (n,) int64: the graph of each node
    diagonal: Tensor  # (n,) int64: the pair of each node and itself
    shares: Tensor  # (1 + K, P): A, and of it what is of each kind
    colours: Tensor  # (K, h): the kinds, embedded
    nodes: Tensor  # (n, h): the nodes, embedded

    def times(self, weight: Tensor, bias: Tensor | None = None) -> Tensor:
        h = self.colours.shape[1]
        one, to_edges, to_nodes = weight[:, :1], weight[:, 1 : h + 1], weight[:, h + 1 :]
        found = torch.cat([one, to_edges @ self.colours.T], 1) @ self.shares
        if bias is not None:
            found = found + bias[:, None]
        return found.index_add(1, self.diagonal, to_nodes @ self.nodes.T)

    def sums(self) -> tuple[Tensor, Tensor]:
        graph = self.owner.repeat_interleave(torch.tensor(self.sizes)[self.owner])
        pairs = self._graphs(self.shares.T, graph)
        loops = self._graphs(self.shares.T[self.diagonal], self.owner)
        nodes = self._graphs(self.nodes, self.owner)
        total, trace = (
            torch.cat([part[:, :1], part[:, 1:] @ self.colours, nodes], 1)
            for part in (pairs, loops)
        )
        return total, trace

    def _graphs(self, x: Tensor, owner: Tensor) -> Tensor:
        return x.new_zeros(len(self.sizes), x.shape[1]).index_add(0, owner, x)


def inputs_of(graphs: Dense, nodes: Tensor, edges: Tensor) -> Inputs:
    """The pairs of ``graphs`` with ``nodes`` and ``edges`` embedded by these tables."""
    real = (graphs.mask[:, :, None] & graphs.mask[:, None, :]).flatten()
    places = torch.nonzero(real).flatten()
    adjacency = graphs.adjacency.flatten()[places].to(nodes.dtype)
    if graphs.kinds.is_floating_point():
        colours, kinds = edges, graphs.kinds.flatten(0, 2)[places].to(nodes.dtype).T
    else:
        colours = edges[graphs.palette].sum(-2)
        kinds = graphs.kinds.flatten()[places] == torch.arange(len(colours))[:, None]
    sizes = graphs.sizes
    inside = torch.arange(len(graphs.owner)) - (sizes.cumsum(0) - sizes)[graphs.owner]
    first = (sizes**2).cumsum(0) - sizes**2
    return Inputs(
        tuple(sizes.tolist()),
        graphs.owner,
        first[graphs.owner] + inside * (sizes[graphs.owner] + 1),
        torch.cat([adjacency[None], adjacency * kinds]),
        colours,
        graphs.nodes_by(nodes),
    )


def products(left: Tensor, right: Tensor, sizes: tuple[int, ...]) -> Tensor:
    """L·R/√n of each graph in each channel: (c, P) from two of them.  Differentiable once."""
    found: Tensor = _Products.apply(left, right, sizes)  # type: ignore[no-untyped-call]
    return found


class _Products(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, left: Tensor, right: Tensor, sizes: tuple[int, ...]) -> Tensor:
        ctx.save_for_backward(left, right)
        ctx.sizes = sizes
        found = torch.empty_like(left)
        for n, one, other, out in _matrices(sizes, left, right, found):
            torch.mul(one @ other, n**-0.5, out=out)
        return found

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor, None]:
        left, right = ctx.saved_tensors
        to_left, to_right = torch.empty_like(left), torch.empty_like(right)
        matrices = _matrices(ctx.sizes, left, right, grad.contiguous(), to_left, to_right)
        for n, one, other, own, to_one, to_other in matrices:
            torch.mul(own @ other.mT, n**-0.5, out=to_one)
            torch.mul(one.mT @ own, n**-0.5, out=to_other)
        return to_left, to_right, None


class _Sums(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, sizes: tuple[int, ...]) -> tuple[Tensor, Tensor]:
        ctx.sizes = sizes
        total, trace = x.new_empty(len(x), len(sizes)), x.new_empty(len(x), len(sizes))
        for place, (_, part) in enumerate(_matrices(sizes, x)):
            total[:, place] = part.sum((1, 2))
            trace[:, place] = part.diagonal(dim1=1, dim2=2).sum(1)
        return total, trace

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, total: Tensor, trace: Tensor) -> tuple[Tensor, None]:
        found = total.new_empty(len(total), sum(n * n for n in ctx.sizes))
        for place, (_, part) in enumerate(_matrices(ctx.sizes, found)):
            part[:] = total[:, place, None, None]
            part.diagonal(dim1=1, dim2=2).add_(trace[:, place, None])
        return found, None


def _matrices(sizes: tuple[int, ...], *parts: Tensor) -> Iterator[tuple[Any, ...]]:
    """Of each graph its size and its matrices (c, n, n) within ``parts`` (c, P), as views."""
    start = 0
    for n in sizes:
        end = start + n * n
        yield n, *(part[:, start:end].view(len(part), n, n) for part in parts)
        start = end
