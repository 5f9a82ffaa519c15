"""Message passing of the expressiveness of 1-WL, and the bag of nodes below it."""

from __future__ import annotations

from abc import ABC, abstractmethod

import torch
from torch import Tensor, nn

from grbcore.graphlevel.batch import Neighbours, Sparse, Structure
from grbcore.graphlevel.colours import initial, refine
from grbcore.graphlevel.models.model import GraphLevelModel, Shape
from grbcore.graphlevel.models.perceptrons import normed, two_layers


class Bag(GraphLevelModel):
    """Nodes without edges, but for their degrees where those stand for features: two layers for
    each node, the mean, two layers.

    The thesis' text says five layers; its parameter counts are those of these.
    """

    def __init__(self, shape: Shape, *, hidden: int = 300, dropout: float = 0.0) -> None:
        super().__init__(shape, hidden, hidden)
        self.each = two_layers(hidden, hidden, hidden)
        self.dropout = nn.Dropout(dropout)
        self.readout = two_layers(hidden, hidden, shape.outputs)

    def forward(self, batch: Structure, noise: Tensor | None = None) -> Tensor:
        found: Tensor = self.readout(
            self.dropout(batch.mean(self.each(batch.nodes_by(self.nodes))))
        )
        return found


class Passing(GraphLevelModel, ABC):
    """Layers of sums over neighbours, each read by a head of its own.  Abstract: see `gather`.

    Layer: x' = ReLU(BN(MLP(x + gathered))).  Output: the heads of the input's and each layer's
    mean over nodes, summed.  Source: GIN (Xu et al., ICLR 2019) as the thesis has it.

    While it learns, and where it `merges`, as for an attack, a sparse batch is computed by its
    colours; in evaluation, which counts, every node is.
    """

    def __init__(
        self, shape: Shape, *, hidden: int = 300, layers: int = 5, dropout: float = 0.0
    ) -> None:
        super().__init__(shape, hidden, hidden)
        self.layers = nn.ModuleList([two_layers(hidden, hidden, hidden) for _ in range(layers)])
        self.norms = nn.ModuleList([normed(hidden) for _ in range(layers)])
        self.heads = nn.ModuleList([nn.Linear(hidden, shape.outputs) for _ in range(layers + 1)])
        self.dropout = nn.Dropout(dropout)

    closed = False  # whether only the sum over a node and its neighbours counts

    @abstractmethod
    def gather(self, batch: Neighbours, x: Tensor) -> Tensor:
        """What each node takes from its neighbours, of the shape of ``x``."""

    @abstractmethod
    def message(self, x: Tensor, edges: Tensor) -> Tensor:
        """What nodes ``x`` (k, h) send over embedded ``edges`` (k, h): the terms of the sum."""

    def weighted(self, total: Tensor, degrees: Tensor) -> Tensor:
        """The sum over the neighbours as it counts, with the nodes' degrees (…, 1)."""
        return total

    def forward(self, batch: Structure, noise: Tensor | None = None) -> Tensor:
        kept = self.kept(noise)
        if (self.training or self.merges) and isinstance(batch, Sparse):
            return self._by_colours(batch, kept)
        x = batch.nodes_by(self.nodes)
        x = x if kept is None else x[:, None] * kept[..., None]
        found = self.head(0, batch.mean(x))
        for place, (layer, norm) in enumerate(zip(self.layers, self.norms, strict=True)):
            x = norm(layer(x + self.gather(batch, x))).relu()
            found = found + self.head(place + 1, batch.mean(x))
        return found

    def kept(self, noise: Tensor | None) -> Tensor | None:
        """Which nodes have their features in which run (n, runs); None: all, in one run."""
        return None

    def _by_colours(self, batch: Sparse, kept: Tensor | None) -> Tensor:
        """The same with one row for all nodes, of all runs, that a layer can't tell apart."""
        if kept is None:
            kept = torch.ones(len(batch.owner), 1, dtype=torch.bool)
        colours = initial(batch, kept)
        x = batch.nodes_by(self.nodes)[colours.places // kept.shape[1]]
        x = x * kept.flatten()[colours.places][:, None]
        found = self.head(0, colours.pooled(x))
        for place, on in enumerate(refine(batch, colours, len(self.layers), closed=self.closed)):
            layer, norm = self.layers[place], self.norms[place]
            x = layer(on.own(x) + self.gather(on, x), on.after.counts)
            x = norm(x, on.after.counts).relu()
            found = found + self.head(place + 1, on.after.pooled(x))
        return found

    def head(self, place: int, pooled: Tensor) -> Tensor:
        """What layer ``place`` adds to the output, from means over nodes (B, h) or (B, runs, h)."""
        if pooled.ndim > 2:
            pooled = pooled.mean(1)
        found: Tensor = self.dropout(self.heads[place](pooled))
        return found


class GIN(Passing):
    """Sums of neighbours; edges' features are embedded but not looked at."""

    closed = True

    def gather(self, batch: Neighbours, x: Tensor) -> Tensor:
        return batch.total(x)

    def message(self, x: Tensor, edges: Tensor) -> Tensor:
        return x


class GINE(Passing):
    """Sums of ReLU(x_j + e_ji).  Source: Hu et al. (ICLR 2020)."""

    def gather(self, batch: Neighbours, x: Tensor) -> Tensor:
        return self.weighted(batch.messages(x, self.edges), batch.degrees())

    def message(self, x: Tensor, edges: Tensor) -> Tensor:
        return (x + edges).relu_()


class MeanGINE(GINE):
    """GINE with means for sums: less expressive than 1-WL.  Nodes without neighbours take 0."""

    def weighted(self, total: Tensor, degrees: Tensor) -> Tensor:
        degrees = degrees.where(degrees > 0, 1)
        return total / degrees.reshape(len(degrees), *[1] * (total.ndim - 1))
