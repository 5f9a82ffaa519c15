"""PPGN: matrices over pairs of nodes, multiplied channel by channel."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from grbcore.graphlevel.batch import Structure
from grbcore.graphlevel.models.linear import Linear
from grbcore.graphlevel.models.model import GraphLevelModel, Shape


class Block(nn.Module):
    """Lin([W | X]) with W = m1(X)·m2(X)/√N in each channel, batch norm over real pairs.

    The thesis' text has two layers for m1 and m2; its parameter counts are those of one.
    """

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.left = Linear(inputs, hidden)
        self.right = Linear(inputs, hidden)
        self.out = Linear(inputs + hidden, hidden)
        self.norm = nn.BatchNorm1d(hidden)

    def forward(self, x: Tensor, pairs: Tensor, sizes: Tensor) -> Tensor:
        """``x`` (P, c) of the real pairs, which ``pairs`` (B, N, N) bool marks."""
        left, right = (
            self._spread(layer(x), pairs).movedim(-1, 1) for layer in (self.left, self.right)
        )
        product = (left @ right).movedim(1, -1)[pairs]
        scale = sizes.sqrt().repeat_interleave(sizes**2)[:, None]
        found: Tensor = self.norm(self.out(torch.cat([product / scale, x], -1)))
        return found

    @staticmethod
    def _spread(rows: Tensor, pairs: Tensor) -> Tensor:
        found = rows.new_zeros(*pairs.shape, rows.shape[-1])
        found[pairs] = rows
        return found


class Extractor(nn.Module):
    """What a matrix says of its graph: o + lin3(LeakyReLU(o)), o of its trace and of the rest."""

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.trace = nn.Linear(inputs, hidden)
        self.rest = nn.Linear(inputs, hidden, bias=False)
        self.more = nn.Linear(hidden, hidden, bias=False)

    def forward(self, x: Tensor, owner: Tensor, diagonal: Tensor, sizes: Tensor) -> Tensor:
        total = x.new_zeros(len(sizes), x.shape[1])
        trace = total.index_add(0, owner[diagonal], x[diagonal])
        rest = total.index_add(0, owner, x) - trace
        n = sizes[:, None].to(x.dtype)
        o = self.trace(trace / n) + self.rest(rest / (n * (n - 1)).clamp(min=1))
        found: Tensor = o + self.more(F.leaky_relu(o))
        return found


class PPGN(GraphLevelModel):
    """Provably powerful graph network, of the expressiveness of 3-WL; dense by nature.

    Input: [A | A ⊙ edges | diag(nodes)], so that the gradient of A knows what a new edge carries.
    Source: Maron et al. (NeurIPS 2019), with the thesis' extractors and sizes.
    """

    def __init__(
        self, shape: Shape, *, hidden: int = 300, blocks: int = 5, dropout: float = 0.0
    ) -> None:
        super().__init__(shape, hidden, hidden)
        first = 1 + 2 * hidden
        widths = [first, *[hidden] * blocks]
        self.blocks = nn.ModuleList([Block(width, hidden) for width in widths[:-1]])
        self.extractors = nn.ModuleList([Extractor(width, hidden) for width in widths])
        self.after = nn.Linear(hidden, hidden)
        self.dropout = nn.Dropout(dropout)
        self.readout = nn.Linear(hidden, shape.outputs)

    def forward(self, batch: Structure, noise: Tensor | None = None) -> Tensor:
        graphs = batch.dense()
        pairs = graphs.mask[:, :, None] & graphs.mask[:, None, :]
        adjacency = graphs.adjacency.to(self.nodes.dtype)[..., None]
        nodes = graphs.padded(graphs.nodes_by(self.nodes))
        nodes = torch.diag_embed(nodes.movedim(-1, 1)).movedim(1, -1)
        edges = adjacency * graphs.edges_by(self.edges)
        x = torch.cat([adjacency, edges, nodes], -1)[pairs]
        owner, u, v = torch.nonzero(pairs, as_tuple=True)
        found = self.extractors[0](x, owner, u == v, graphs.sizes)
        for block, extractor in zip(self.blocks, list(self.extractors)[1:], strict=True):
            x = block(x, pairs, graphs.sizes)
            found = found + extractor(x, owner, u == v, graphs.sizes)
        found = found.relu() / len(self.blocks)
        found = found + self.after(found).relu()
        result: Tensor = self.readout(self.dropout(found))
        return result
