"""What models know of pairs of nodes: one row a channel, one column a pair of real nodes.

A graph of n nodes has n² columns, u before v, and graphs lie one after another.  So nothing is
padded, and a channel's matrix of a graph is a view.  Where twins are merged a graph has fewer, and
that matrix is one of classes: see `Grid`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from grbcore.graphlevel.batch import Dense
from grbcore.graphlevel.models.linear import times
from grbcore.graphlevel.twins import Grid, grids


@dataclass(frozen=True, eq=False)
class Layout:
    """Which columns are whose."""

    grids: tuple[Grid, ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many nodes each graph has."""
        return tuple(grid.n for grid in self.grids)

    @cached_property
    def counts(self) -> Tensor | None:
        """How many pairs each column (P,) stands for; None: one each."""
        if not any(grid.t for grid in self.grids):
            return None
        return torch.cat([grid.counts for grid in self.grids])

    @cached_property
    def padded(self) -> Tensor:
        """The counts, and how many pairs padding to the largest graph would add: (P + 1,)."""
        counts = torch.cat([grid.counts for grid in self.grids])
        padding = max(self.sizes) ** 2 * len(self.sizes) - counts.sum()
        return torch.cat([counts, padding[None]])

    def columns(self, x: Tensor) -> Iterator[tuple[Grid, Tensor]]:
        """Of each graph its grid and, as a view within ``x`` (c, P), its columns."""
        start = 0
        for grid in self.grids:
            yield grid, x[:, start : start + grid.columns]
            start += grid.columns

    def matrices(self, *parts: Tensor) -> Iterator[tuple[Grid, list[Tensor], list[Tensor]]]:
        """The same of several parts, each as (c, k, k) and as (c, t) of twins and themselves."""
        for views in zip(*map(self.columns, parts), strict=True):
            grid, k = views[0][0], views[0][0].k
            squares = [part[:, : k * k].view(len(part), k, k) for _, part in views]
            yield grid, squares, [part[:, k * k :] for _, part in views]


class Pairs(Protocol):
    """Channels (c, P) of the pairs of B graphs."""

    @property
    def layout(self) -> Layout:
        """Which columns are whose."""
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
    layout: Layout

    def times(self, weight: Tensor, bias: Tensor | None = None) -> Tensor:
        return times(weight, self.x, bias)

    def sums(self) -> tuple[Tensor, Tensor]:
        total, trace = _Sums.apply(self.x, self.layout)  # type: ignore[no-untyped-call]
        return total.T, trace.T


@dataclass(frozen=True, eq=False)
class Inputs:
    """[A | A ⊙ edges | diag(nodes)] of graphs, never laid out.

    Edges are of few kinds and most pairs are not one node, so what a linear map makes of the
    1 + 2h channels comes from what it makes of each kind and of each node.
    """

    layout: Layout
    diagonal: Tensor  # (Σk,) int64: the pair of each node, or class of twins, and itself
    shares: Tensor  # (1 + K, P): A, and of it what is of each kind
    colours: Tensor  # (K, h): the kinds, embedded
    nodes: Tensor  # (Σk, h): the nodes, or one of each class, embedded

    def times(self, weight: Tensor, bias: Tensor | None = None) -> Tensor:
        h = self.colours.shape[1]
        one, to_edges, to_nodes = weight[:, :1], weight[:, 1 : h + 1], weight[:, h + 1 :]
        found = torch.cat([one, to_edges @ self.colours.T], 1) @ self.shares
        if bias is not None:
            found = found + bias[:, None]
        return found.index_add(1, self.diagonal, to_nodes @ self.nodes.T)

    def sums(self) -> tuple[Tensor, Tensor]:
        grids, shares, nodes = self.layout.grids, self.shares.T, self.nodes
        loops = shares[self.diagonal]
        if (counts := self.layout.counts) is not None:
            members = counts[self.diagonal][:, None]
            shares, loops, nodes = shares * counts[:, None], loops * members, nodes * members
        of_pairs = _owners(grid.columns for grid in grids)
        of_nodes = _owners(grid.k for grid in grids)
        pairs, loops, nodes = (
            part.new_zeros(len(grids), part.shape[1]).index_add(0, owner, part)
            for part, owner in ((shares, of_pairs), (loops, of_nodes), (nodes, of_nodes))
        )
        total, trace = (
            torch.cat([part[:, :1], part[:, 1:] @ self.colours, nodes], 1)
            for part in (pairs, loops)
        )
        return total, trace


def inputs_of(graphs: Dense, nodes: Tensor, edges: Tensor, *, merge: bool = False) -> Inputs:
    """The pairs of ``graphs`` with ``nodes`` and ``edges`` embedded by these tables.

    With ``merge``, of graphs whose edges are discrete, twins stand for one another.
    """
    layout = Layout(tuple(grids(graphs, merge=merge)))
    wide = graphs.mask.shape[1]
    places, diagonal, chosen = [], [], []
    start = node = 0
    for graph, grid in enumerate(layout.grids):
        u, v = grid.pairs
        places.append((graph * wide + u) * wide + v)
        diagonal.append(start + grid.same)
        chosen.append(node + grid.first)
        start, node = start + grid.columns, node + grid.n
    of_pairs, loops, of_nodes = torch.cat(places), torch.cat(diagonal), torch.cat(chosen)
    adjacency = graphs.adjacency.flatten()[of_pairs].to(nodes.dtype)
    if graphs.kinds.is_floating_point():
        colours, kinds = edges, graphs.kinds.flatten(0, 2)[of_pairs].to(nodes.dtype).T
    else:
        colours = edges[graphs.palette].sum(-2)
        kinds = graphs.kinds.flatten()[of_pairs] == torch.arange(len(colours))[:, None]
    shares = torch.cat([adjacency[None], adjacency * kinds])
    return Inputs(layout, loops, shares, colours, graphs.nodes_by(nodes)[of_nodes])


def products(left: Tensor, right: Tensor, layout: Layout) -> Tensor:
    """L·R/√n of each graph in each channel: (c, P) from two of them.  Differentiable once."""
    found: Tensor = _Products.apply(left, right, layout)  # type: ignore[no-untyped-call]
    return found


class _Products(torch.autograd.Function):
    """With twins L = B + D: of classes alone, and what a node and itself differ by from that, d.

    So L·R = B·W·B' + D·B' + B·D' + D·D', where W counts members; R = B' + D' has e for d.
    """

    @staticmethod
    def forward(ctx: Any, left: Tensor, right: Tensor, layout: Layout) -> Tensor:
        ctx.save_for_backward(left, right)
        ctx.layout = layout
        found = torch.empty_like(left)
        for grid, (one, other, out), same in layout.matrices(left, right, found):
            scale, t = grid.n**-0.5, grid.t
            if not t:
                torch.mul(one @ other, scale, out=out)
                continue
            d, e = same[0] - _own(one, t), same[1] - _own(other, t)
            out[:] = (one * grid.members.to(one.dtype)) @ other
            out[:, :t].addcmul_(d[:, :, None], other[:, :t])
            out[:, :, :t].addcmul_(one[:, :, :t], e[:, None])
            torch.mul(torch.addcmul(_own(out, t), d, e), scale, out=same[2])
            out *= scale
        return found

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor, None]:
        left, right = ctx.saved_tensors
        to_left, to_right = torch.empty_like(left), torch.empty_like(right)
        parts = ctx.layout.matrices(left, right, grad.contiguous(), to_left, to_right)
        for grid, (one, other, slope, to_one, to_other), same in parts:
            scale, t = grid.n**-0.5, grid.t
            if not t:
                torch.mul(slope @ other.mT, scale, out=to_one)
                torch.mul(one.mT @ slope, scale, out=to_other)
                continue
            members = grid.members.to(one.dtype)
            d, e = same[0] - _own(one, t), same[1] - _own(other, t)
            slope, own = slope * scale, same[2] * scale
            _own(slope, t).add_(own)
            to_d = (slope[:, :t] * other[:, :t]).sum(2).addcmul_(own, e)
            to_e = (slope[:, :, :t] * one[:, :, :t]).sum(1).addcmul_(own, d)
            torch.mul(slope @ other.mT, members, out=to_one)
            to_one[:, :, :t].addcmul_(slope[:, :, :t], e[:, None])
            _own(to_one, t).sub_(to_d)
            to_other[:] = (one * members).mT @ slope
            to_other[:, :t].addcmul_(d[:, :, None], slope[:, :t])
            _own(to_other, t).sub_(to_e)
            same[3][:], same[4][:] = to_d, to_e
        return to_left, to_right, None


def _own(matrices: Tensor, t: int) -> Tensor:
    """The first ``t`` of the diagonal of matrices (c, k, k), as a view (c, t)."""
    return matrices.diagonal(dim1=1, dim2=2)[:, :t]


class _Sums(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, layout: Layout) -> tuple[Tensor, Tensor]:
        ctx.layout = layout
        many = len(layout.grids)
        total, trace = x.new_empty(len(x), many), x.new_empty(len(x), many)
        for place, (grid, part) in enumerate(layout.columns(x)):
            own = part[:, grid.same]
            if grid.t:
                total[:, place] = part @ grid.counts.to(x.dtype)
                trace[:, place] = own @ grid.members.to(x.dtype)
            else:
                total[:, place], trace[:, place] = part.sum(1), own.sum(1)
        return total, trace

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, total: Tensor, trace: Tensor) -> tuple[Tensor, None]:
        layout: Layout = ctx.layout
        found = total.new_empty(len(total), sum(grid.columns for grid in layout.grids))
        for place, (grid, part) in enumerate(layout.columns(found)):
            part[:] = total[:, place, None] * grid.counts
            part[:, grid.same] += trace[:, place, None] * grid.members
        return found, None


def _owners(rows: Iterable[int]) -> Tensor:
    """The graph of each row, of graphs of so many rows."""
    many = torch.tensor(list(rows))
    return torch.arange(len(many)).repeat_interleave(many)
