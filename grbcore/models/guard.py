"""GNNGuard: neighbours count by how alike they are, on GCN and on GAT."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from grbcore.architectures import HeadParameters, Parameters
from grbcore.models.gat import GAT
from grbcore.models.layers import dropout
from grbcore.models.linear import LinearLayers
from grbcore.models.similarity import inner
from grbcore.spmm import Pattern, product

THRESHOLD = 0.1  # a cosine below it counts as 0; authors' code
_NOTHING = 1e-12


class Guard(nn.Module):
    """What each neighbour, and the node itself, counts in the next aggregation.

    With s the cosine of two ends, 0 below the threshold, and N the number of neighbours left, a
    neighbour counts ``s / sum(s) * N / (N + 1)`` and the node itself ``1 / (N + 1)``: each row
    sums to 1.  An edge is pruned where ``prune · [a_uv, a_vu]``, of its shares ``a = s / sum(s)``
    at both ends, is below 0 (the paper's ``sigmoid(c W)`` below 1/2).  From the second
    layer on, ``memory`` mixes in what the layer before found.

    Three numbers are learned, for all layers: two of ``prune`` and one of ``memory``.
    Source: Zhang and Zitnik, GNNGuard, NeurIPS 2020, eqs. 4-6.  Authors' code: a weight and a
    bias of pruning that no gradient reaches, a memory that is switched off, ``exp`` of the result,
    so that dropped edges come back.  GRB's code: the same, without a memory; its three parameters
    are the unused weights and bias of pruning.  Paper: what a pruned edge counted is lost.  Here:
    the paper's, but N and the sum are taken again of the edges that stay, so that a row's sum stays
    1; pruning is a step, in training with the gradient of a sigmoid, so that it learns; ``memory``
    is kept in (0, 1) by a sigmoid.
    """

    def __init__(self) -> None:
        super().__init__()
        self.prune = nn.Parameter(torch.ones(2))  # at first nothing is pruned
        self.memory = nn.Parameter(torch.zeros(1))

    def forward(
        self, pattern: Pattern, rows: Tensor, edge_weight: Tensor | None, before: Tensor | None
    ) -> Tensor:
        """Values on the entries of ``pattern.looped``, (z + n,), for ``rows`` (n, h) of length 1.

        ``edge_weight`` (z,) weighs the edges, ``before`` is what the layer before found.
        """
        cosine = similarity = inner(pattern, rows)
        present = (similarity >= THRESHOLD).to(rows.dtype)
        if edge_weight is not None:
            present = present * edge_weight
        similarity = similarity * present
        share = similarity / _sums(pattern, similarity).clamp_min(_NOTHING)[pattern.row]
        kept = self._kept(pattern, share)
        similarity, present = similarity * kept, present * kept
        count = _sums(pattern, present)
        each = count / (_sums(pattern, similarity).clamp_min(_NOTHING) * (count + 1))
        # A first neighbour of weight w counts w / (w + 1), however like it is: felt at w = 0 too.
        alone = kept.detach() / cosine.detach().clamp_min(THRESHOLD)
        each = torch.where((count > 0)[pattern.row], each[pattern.row], alone)
        looped = pattern.looped
        values = rows.new_zeros(looped.pattern.entries)
        values = values.scatter(0, looped.entries, similarity * each)
        values = values.scatter(0, looped.loops, 1 / (count + 1))
        if before is None:
            return values
        memory = torch.sigmoid(self.memory)
        return memory * before + (1 - memory) * values

    def _kept(self, pattern: Pattern, share: Tensor) -> Tensor:
        score = self.prune[0] * share + self.prune[1] * share[pattern.reverse]
        # An edge of weight 0 has a score of 0: kept, so that an attack feels what adding it does.
        kept = (score >= 0).to(share.dtype)
        if not self.training:
            return kept
        slope = torch.sigmoid(score)
        return kept + (slope - slope.detach())


class GCNGuard(LinearLayers):
    """A GCN that aggregates with `Guard` in place of the normalised adjacency."""

    def __init__(
        self, parameters: Parameters, features: int, classes: int, *, dropout: float = 0.5
    ) -> None:
        super().__init__(parameters, features, classes, dropout=dropout)
        self.guard = Guard()
        self.features = features

    def embed(self, features: Tensor) -> Tensor:
        """(m, d) to the first layer's input at length 1, then its ``X W + b``: (m, d + h)."""
        features = self.norms.at(0, features)
        return torch.cat([F.normalize(features, dim=1), self.convs[0](features)], dim=1)

    def propagate(
        self, pattern: Pattern, hidden: Tensor, edge_weight: Tensor | None = None
    ) -> Tensor:
        rows, hidden = _split(hidden, self.features)
        looped = pattern.looped.pattern
        values = self.guard(pattern, rows, edge_weight, None)
        hidden = product(looped, values, hidden)
        for index in range(1, len(self.convs)):
            rows = F.normalize(F.relu(hidden), dim=1)
            values = self.guard(pattern, rows, edge_weight, values)
            hidden = product(looped, values, self.enter(index, hidden))
        return hidden


class GATGuard(GAT):
    """A GAT whose attention is multiplied by `Guard` and made to sum to 1 again.

    The same values hold for every head.  GRB's code hands them to a layer that ignores them.
    """

    def __init__(
        self, parameters: HeadParameters, features: int, classes: int, *, dropout: float = 0.5
    ) -> None:
        super().__init__(parameters, features, classes, dropout=dropout)
        self.guard = Guard()
        self.features = features

    def embed(self, features: Tensor) -> Tensor:
        """(m, d) to the first layer's input at length 1, then its ``X W``: (m, d + h)."""
        features = self.norms.at(0, features)
        return torch.cat([F.normalize(features, dim=1), self.conv(0).embed(features)], dim=1)

    def propagate(
        self, pattern: Pattern, hidden: Tensor, edge_weight: Tensor | None = None
    ) -> Tensor:
        rows, hidden = _split(hidden, self.features)
        values = self.guard(pattern, rows, edge_weight, None)
        for index in range(len(self.convs)):
            if index:
                hidden = F.elu(hidden)
                values = self.guard(pattern, F.normalize(hidden, dim=1), edge_weight, values)
                hidden = self.enter(index, dropout(hidden, self.dropout, self.training))
            hidden = self.conv(index).propagate(pattern, hidden, _relative(pattern, values))
        return hidden.view(hidden.shape[0], self.heads, -1).mean(dim=1)


def _relative(pattern: Pattern, values: Tensor) -> Tensor:
    """What each neighbour counts where the node itself counts 1: (z,)."""
    looped = pattern.looped
    return values[looped.entries] / values[looped.loops][pattern.row]


def _split(hidden: Tensor, width: int) -> tuple[Tensor, Tensor]:
    return hidden[:, :width].contiguous(), hidden[:, width:].contiguous()


def _sums(pattern: Pattern, values: Tensor) -> Tensor:
    """Sum of the values (z,) over each row: (n,)."""
    return values.new_zeros(pattern.size).index_add(0, pattern.row, values)
