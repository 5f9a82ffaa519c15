"""PPGN: matrices over pairs of nodes, multiplied channel by channel."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from grbcore.graphlevel.batch import Sparse, Structure
from grbcore.graphlevel.models.linear import Linear
from grbcore.graphlevel.models.model import GraphLevelModel, Shape
from grbcore.graphlevel.models.pairs import Channels, Pairs, inputs_of, products
from grbcore.graphlevel.models.perceptrons import Norm

#: Of the leaky ReLU, for which linear maps are drawn, too.
_SLOPE = 0.01


class Block(nn.Module):
    """Lin([W | X]) with W = m1(X)·m2(X)/√N in each channel, and batch norm.

    The thesis' text has two layers for m1 and m2; its parameter counts are those of one.  While it
    learns, its code pads the graphs of a batch to the size of the largest and normalises padding,
    where only a bias is, with the pairs.  So does this, for which padding is one column.
    """

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.left = Linear(inputs, hidden)
        self.right = Linear(inputs, hidden)
        self.out = Linear(inputs + hidden, hidden)
        self.norm = Norm(hidden)

    def forward(self, x: Pairs) -> Channels:
        left, right = (x.times(part.weight, part.bias) for part in (self.left, self.right))
        product = Channels(products(left, right, x.layout), x.layout)
        to_product, to_x = self.out.weight[:, : len(left)], self.out.weight[:, len(left) :]
        found = product.times(to_product, self.out.bias) + x.times(to_x)
        if self.training:
            padded = torch.cat([found, self.out.bias[:, None]], 1)
            found = self.norm(padded.T, x.layout.padded).T[:, :-1].contiguous()
        else:  # torch's own takes channels first, and is quicker so
            found = self.norm(found[None])[0]
        return Channels(found, x.layout)


class Extractor(nn.Module):
    """What a matrix says of its graph: o + lin3(LeakyReLU(o)), o of its trace and of the rest."""

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.trace = nn.Linear(inputs, hidden)
        self.rest = nn.Linear(inputs, hidden, bias=False)
        self.more = nn.Linear(hidden, hidden, bias=False)

    def forward(self, x: Pairs) -> Tensor:
        total, trace = x.sums()
        n = total.new_tensor(x.layout.sizes)[:, None]
        o = self.trace(trace / n) + self.rest((total - trace) / (n * (n - 1)).clamp(min=1))
        found: Tensor = o + self.more(F.leaky_relu(o, _SLOPE))
        return found


class PPGN(GraphLevelModel):
    """Provably powerful graph network, of the expressiveness of 3-WL; dense by nature.

    Input: [A | A ⊙ edges | diag(nodes)], so that the gradient of A knows what a new edge carries.
    While it learns, and where it `merges`, twins are computed once; in evaluation every pair is.
    Source: Maron et al. (NeurIPS 2019), with the thesis' extractors and sizes, and weights drawn as
    in its code: uniform for the leaky ReLU, 2.4 times as wide as torch's, and biases of 0.
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
        for part in self.modules():
            if isinstance(part, nn.Linear):
                nn.init.kaiming_uniform_(part.weight, _SLOPE)
                if part.bias is not None:
                    nn.init.zeros_(part.bias)

    def forward(self, batch: Structure, noise: Tensor | None = None) -> Tensor:
        merge = (self.training or self.merges) and isinstance(batch, Sparse)
        x: Pairs = inputs_of(batch.dense(), self.nodes, self.edges, merge=merge)
        found = self.extractors[0](x)
        for block, extractor in zip(self.blocks, list(self.extractors)[1:], strict=True):
            x = block(x)
            found = found + extractor(x)
        found = found.relu() / len(self.blocks)
        found = found + self.after(found).relu()
        result: Tensor = self.readout(self.dropout(found))
        return result
