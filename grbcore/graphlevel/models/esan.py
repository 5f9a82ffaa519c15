"""ESAN: a bag of subgraphs, each seen with the graph that they come from."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from grbcore.graphlevel.batch import Structure
from grbcore.graphlevel.models.egos import egos
from grbcore.graphlevel.models.model import GraphLevelModel, Shape
from grbcore.graphlevel.models.perceptrons import normed, two_layers


class ESAN(GraphLevelModel):
    """DSS-GNN on ego networks whose root is marked (EGO+), of a random ``share`` of the nodes.

    Layer: ReLU(BN(GINE(subgraph)) + BN(GINE(graph, mean of the subgraphs))).
    Source: Bevilacqua et al. (ICLR 2022), with the thesis' sizes: 3 hops, 5 layers of 64.
    """

    noise_width = 2

    def __init__(
        self,
        shape: Shape,
        *,
        hidden: int = 64,
        layers: int = 5,
        share: float = 0.2,
        hops: int = 3,
        dropout: float = 0.0,
    ) -> None:
        super().__init__(shape, hidden - 2, hidden)
        self.share, self.hops = share, hops
        self.own = nn.ModuleList([two_layers(hidden, hidden, hidden) for _ in range(layers)])
        self.own_norms = nn.ModuleList([normed(hidden) for _ in range(layers)])
        self.shared = nn.ModuleList([two_layers(hidden, hidden, hidden) for _ in range(layers)])
        self.shared_norms = nn.ModuleList([normed(hidden) for _ in range(layers)])
        self.readout = nn.Sequential(
            nn.Linear(hidden, 2 * hidden),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(2 * hidden, shape.outputs),
        )

    def forward(self, batch: Structure, noise: Tensor | None = None) -> Tensor:
        bag = egos(batch, self.drawn(noise), share=self.share, hops=self.hops)
        embedded = bag.up(batch.nodes_by(self.nodes))  # a degree is that in the whole graph
        x = torch.cat([embedded, bag.marks.to(embedded.dtype)], -1)
        parts = zip(self.own, self.own_norms, self.shared, self.shared_norms, strict=True)
        for own, own_norm, shared, shared_norm in parts:
            whole = bag.down(x)
            whole = shared_norm(shared(whole + batch.messages(whole, self.edges)))
            part = own_norm(own(x + bag.structure.messages(x, self.edges)))
            x = (part + bag.up(whole)).relu()
        found: Tensor = self.readout(bag.mean(x))
        return found
