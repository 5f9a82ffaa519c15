"""Nodes that no layer of message passing can tell apart, computed once.

After l layers two nodes have the same row if they had the same one before and their neighbours
have the same rows as multisets: if colour refinement, 1-WL, gives them one colour.  So a layer
has as many rows as there are colours, counted as often as there are nodes of each.
Source: Bollen et al., Learning Graph Neural Networks using Exact Compression (GRADES-NDA 2023);
here colours are those of a whole batch, of all runs of it, and of each layer on its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from grbcore.graphlevel.batch import Sparse
from grbcore.graphlevel.sums import Said, Sums, kinds


@dataclass(frozen=True, eq=False)
class Start:
    """The colours of nodes in runs before any layer."""

    places: Tensor  # (U,) int64: a node of each in (n, runs), flat
    pooled: Sums  # (B, U): the mean over the nodes of each graph, and over runs

    def mean(self, x: Tensor) -> Tensor:
        """The mean (B, h) over the nodes of each graph, in all runs."""
        return self.pooled(x)


@dataclass(frozen=True, eq=False)
class Level(Start):
    """The colours after one layer, and how their rows come from those before it."""

    counts: Tensor | None  # (U,): nodes of each colour, in all runs; None: one each
    before: Tensor  # (U,) int64: the colour that each had
    many_before: int
    edges: Tensor  # (2, M) int64: from colours before to colours
    values: Tensor  # (M, e)

    def own(self, x: Tensor) -> Tensor:
        """The rows before (U, h)."""
        return x.index_select(0, self.before)

    def total(self, x: Tensor) -> Tensor:
        return self._heard(x)

    def messages(self, x: Tensor, table: Tensor) -> Tensor:
        return self._said.messages(x, table)

    def degrees(self) -> Tensor:
        return torch.bincount(self.edges[1], minlength=len(self.before))[:, None]

    @cached_property
    def _heard(self) -> Sums:
        return Sums.of(self.edges[1], self.edges[0], (len(self.before), self.many_before))

    @cached_property
    def _said(self) -> Said:
        return Said.over(self.edges, self.values, (self.many_before, len(self.before)))


def coloured(batch: Sparse, stays: Tensor, layers: int) -> tuple[Start, Iterator[Level]]:
    """The colours of a batch before the first of ``layers`` layers, and after each.

    ``stays`` (n, runs) bool: which nodes have their features in which run.
    """
    _, features = kinds(batch.degrees() if batch.by_degree else batch.nodes)
    colours, places = _numbered(features[:, None] * 2 + stays)
    return Start(places, _pooled(batch, colours, len(places))), _levels(
        batch, colours, len(places), layers
    )


def _levels(batch: Sparse, colours: Tensor, many: int, layers: int) -> Iterator[Level]:
    rng = torch.Generator().manual_seed(0)
    sender, receiver = batch.edges
    palette, kind = kinds(batch.values)
    width = len(palette) + 1
    level: Level | None = None
    for _ in range(layers):
        if level is None or len(level.places) > level.many_before:
            # a random number for each colour and kind: their sums tell multisets apart, but for
            # a chance of one in 2^60 or so
            words = torch.randint(-(2**62), 2**62, (many * width,), generator=rng)
            heard = words[colours[sender] * width + kind[:, None]]
            found = words[colours * width + len(palette)].index_add(0, receiver, heard)
            before, (colours, places) = colours, _numbered(found)
            level = _level(batch, before, many, colours, places)
            many = len(places)
        yield level


def _level(batch: Sparse, before: Tensor, many: int, colours: Tensor, places: Tensor) -> Level:
    runs = colours.shape[1]
    node, run = places // runs, places % runs
    # the edges into the node that stands for each colour
    starts, order = batch.incoming
    count = starts.diff()[node]
    receiver = torch.repeat_interleave(torch.arange(len(places)), count)
    inside = torch.arange(len(receiver)) - (count.cumsum(0) - count)[receiver]
    edge = order[starts[node][receiver] + inside]
    sender = before[batch.edges[0, edge], run[receiver]]
    counts = torch.bincount(colours.flatten(), minlength=len(places))
    return Level(
        places,
        _pooled(batch, colours, len(places)),
        None if len(places) == colours.numel() else counts,
        before.flatten()[places],
        many,
        torch.stack([sender, receiver]),
        batch.values[edge],
    )


def _pooled(batch: Sparse, colours: Tensor, many: int) -> Sums:
    runs = colours.shape[1]
    owner = batch.owner.repeat_interleave(runs)
    held, counts = torch.unique(owner * many + colours.flatten(), return_counts=True)
    graph = held // many
    weights = counts.double() / (batch.sizes[graph] * runs)
    return Sums.of(graph, held % many, (len(batch.sizes), many), weights)


def _numbered(colours: Tensor) -> tuple[Tensor, Tensor]:
    """Any numbers as 0, 1, … in the order of their first places, and those places, flat."""
    different, flat = torch.unique(colours.flatten(), return_inverse=True)
    many = len(different)
    places = torch.arange(len(flat))
    first = places.new_full((many,), len(flat)).scatter_reduce(0, flat, places, "amin")
    order = torch.argsort(first)
    number = torch.empty_like(order)
    number[order] = torch.arange(many)
    return number[flat].reshape(colours.shape), first[order]
