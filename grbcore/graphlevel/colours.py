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
from grbcore.graphlevel.sums import Kinds, Messages, Sums

#: By how many times the precision of its type a sum of entries of an eigenvector is off.
ALIKE = 32


@dataclass(frozen=True, eq=False)
class Colours:
    """The colours of the nodes of a batch in all runs."""

    batch: Sparse
    of: Tensor  # (n, runs) int64: 0..U-1
    places: Tensor  # (U,) int64: the first node of each in (n, runs), flat

    def __len__(self) -> int:
        return len(self.places)

    @cached_property
    def counts(self) -> Tensor | None:
        """How many nodes of all runs have each (U,); None: one each."""
        if len(self) == self.of.numel():
            return None
        return torch.bincount(self.of.flatten(), minlength=len(self))

    @cached_property
    def pooled(self) -> Sums:
        """The mean (B, U) over the nodes of each graph, and over runs."""
        many, sizes = len(self), self.batch.sizes
        held, counts = torch.unique(self.batch.owner[:, None] * many + self.of, return_counts=True)
        graph = held // many
        weights = counts.double() / (sizes[graph] * self.of.shape[1])
        return Sums.of(graph, held % many, (len(sizes), many), weights)


@dataclass(frozen=True, eq=False)
class Layer:
    """How the rows of the colours after a layer come from those before it."""

    before: Colours
    after: Colours
    edges: Tensor  # (2, M) int64: from colours before to colours after
    kinds: Kinds  # of these edges

    @cached_property
    def _owner(self) -> Tensor:
        """Which row before is that of each colour after (U,)."""
        return self.before.of.flatten()[self.after.places]

    def own(self, x: Tensor) -> Tensor:
        """The rows before (U, h), one for each colour after."""
        return x.index_select(0, self._owner)

    def around(self, x: Tensor) -> Tensor:
        """Of each colour after, its own row before and those of its neighbours, summed."""
        return self._neighbourhood(x)

    def total(self, x: Tensor) -> Tensor:
        return self._neighbours(x)

    def messages(self, x: Tensor, table: Tensor) -> Tensor:
        return self._messages(x, table)

    def degrees(self) -> Tensor:
        return torch.bincount(self.edges[1], minlength=len(self.after))[:, None]

    @cached_property
    def _neighbours(self) -> Sums:
        return Sums.of(self.edges[1], self.edges[0], (len(self.after), len(self.before)))

    @cached_property
    def _neighbourhood(self) -> Sums:
        receiver = torch.cat([torch.arange(len(self.after)), self.edges[1]])
        sender = torch.cat([self._owner, self.edges[0]])
        return Sums.of(receiver, sender, (len(self.after), len(self.before)))

    @cached_property
    def _messages(self) -> Messages:
        return Messages.over(self.edges, self.kinds, (len(self.before), len(self.after)))


def initial(batch: Sparse, kept: Tensor) -> Colours:
    """The colours before any layer.

    ``kept`` (n, runs) bool: which nodes have their features in which run; all others are 0.
    """
    return _colours(batch, (_features(batch)[:, None] + 1) * kept)


def joined(batch: Sparse, runs: Colours) -> Colours:
    """Of one run, by a node's features and its colours in all ``runs``."""
    told = Kinds.of(torch.cat([_features(batch)[:, None], runs.of], 1))
    return _colours(batch, told.kind[:, None])


def _features(batch: Sparse) -> Tensor:
    """Which nodes have the same features: (n,) int64, below n."""
    return Kinds.of(batch.degrees() if batch.by_degree else batch.nodes).kind


def by_value(batch: Sparse, values: Tensor) -> Colours:
    """Colours of numbers (n, runs): those of one run of a graph that rounding parts have one.

    In their order, the next one is as the one before where it is at most `ALIKE` times the
    precision more.  What is at most so much from 0 has one colour wherever it is.
    """
    runs = values.shape[1]
    flat = values.flatten()
    run = (batch.owner[:, None] * runs + torch.arange(runs)).flatten()
    order = torch.argsort(flat)
    order = order[torch.argsort(run[order], stable=True)]
    alike = ALIKE * torch.finfo(values.dtype).eps
    gap = flat[order].diff() > alike
    marks = torch.zeros_like(run)
    marks[order[1:]] = (gap | (run[order].diff() > 0)).cumsum(0)
    return _colours(batch, (marks + 1).where(flat.abs() > alike, 0).reshape(values.shape))


def refine(
    batch: Sparse, colours: Colours, layers: int, *, closed: bool = False
) -> Iterator[Layer]:
    """The layers on a batch, one after another.

    Where they are ``closed`` they see but the sum over a node and its neighbours: edges are all of
    one kind, and a node is to itself as any of its neighbours.

    Multisets are told apart by sums of random numbers modulo 2^64: two different ones are the same
    with a chance of about 2^-62, any two among 2^16 with one of 2^-31.  The numbers are the same
    each time, so someone could look for graphs that they confuse; evaluation does without.
    """
    rng = torch.Generator().manual_seed(0)
    sender, receiver = batch.edges
    kind = batch.kinds.kind[:, None]
    many = len(batch.kinds) + 1  # kinds of neighbours, and the node itself
    if closed:
        kind, many = torch.zeros_like(kind), 1
    layer: Layer | None = None
    for _ in range(layers):
        if layer is None or not torch.equal(layer.after.of, layer.before.of):
            own = torch.randint(-(2**62), 2**62, (len(colours), many), generator=rng)
            received = own[colours.of[sender], kind]
            after = _colours(batch, own[colours.of, -1].index_add(0, receiver, received))
            layer = _layer(batch, colours, after)
            colours = after
        yield layer


def _layer(batch: Sparse, before: Colours, after: Colours) -> Layer:
    """By the edges into the node that stands for each colour."""
    runs = after.of.shape[1]
    node, run = after.places // runs, after.places % runs
    incoming = batch.incoming
    count = incoming.rowptr.diff()[node]
    receiver = torch.repeat_interleave(torch.arange(len(node)), count)
    inside = torch.arange(len(receiver)) - (count.cumsum(0) - count)[receiver]
    edge = incoming.col[incoming.rowptr[node][receiver] + inside]
    sender = before.of[batch.edges[0, edge], run[receiver]]
    return Layer(before, after, torch.stack([sender, receiver]), batch.kinds.at(edge))


def _colours(batch: Sparse, marks: Tensor) -> Colours:
    """Nodes by their marks (n, runs), numbered in the order of their first places."""
    different, flat = torch.unique(marks.flatten(), return_inverse=True)
    many = len(different)
    every = torch.arange(len(flat))
    first = every.new_full((many,), len(flat)).scatter_reduce(0, flat, every, "amin")
    order = torch.argsort(first)
    number = torch.empty_like(order)
    number[order] = torch.arange(many)
    return Colours(batch, number[flat].reshape(marks.shape), first[order])
