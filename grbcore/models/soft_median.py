"""Soft medians over a diffused neighbourhood."""

from __future__ import annotations

from itertools import pairwise
from weakref import WeakKeyDictionary

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from grbcore.architectures import SoftMedianParameters
from grbcore.models.layers import Norms, dropout, glorot
from grbcore.models.model import Model
from grbcore.models.places import Places, product, row_sums, softmax, squared_distances
from grbcore.spmm import Pattern, normalise

TOLERANCE = 2e-4  # what is left of a walk at a node, of 1 at its start

_BLOCK = 1 << 20  # neighbours times width that are sorted at a time


class SoftMedianGDC(Model):
    """Convolutions that take, of the nodes with most PageRank, a mean that outliers hardly move.

    Each row of the diffused adjacency holds the ``neighbours`` largest entries of personalised
    PageRank on ``D^-1/2 (A + I) D^-1/2``, divided by their sum.  A layer is
    ``soft_median(X W + b)``, ReLU and dropout between layers.

    Source: Geisler et al., Robustness of Graph Neural Networks at Scale, NeurIPS 2021, Section 5
    and eq. 7; the authors' configuration: teleport 0.15, 64 neighbours, temperature 1, hidden 64.
    Authors' code: PageRank exact and dense, or by pushes to 1e-4.  Here: walks to `TOLERANCE`; the
    gradient for edges goes through the PageRank of the chosen entries.
    """

    def __init__(
        self, parameters: SoftMedianParameters, features: int, classes: int, *, dropout: float = 0.5
    ) -> None:
        super().__init__(parameters)
        self.settings = parameters
        widths = [features, *parameters.hidden, classes]
        self.convs = nn.ModuleList(
            glorot(nn.Linear(wide, width)) for wide, width in pairwise(widths)
        )
        self.norms = Norms(widths[:-2], layer_norm=parameters.layer_norm)
        self.dropout = dropout

    def embed(self, features: Tensor) -> Tensor:
        hidden: Tensor = self.convs[0](self.norms.at(0, features))
        return hidden

    def propagate(
        self, pattern: Pattern, hidden: Tensor, edge_weight: Tensor | None = None
    ) -> Tensor:
        places, shares = diffused(pattern, edge_weight, self.settings)
        temperature = self.settings.temperature
        hidden = soft_median(places, shares, hidden, temperature)
        for index, conv in enumerate(list(self.convs)[1:], start=1):
            hidden = dropout(F.relu(hidden), self.dropout, self.training)
            hidden = conv(self.norms.at(index, hidden))
            hidden = soft_median(places, shares, hidden, temperature)
        return hidden


Diffused = tuple[Places, Tensor]

_KEPT: WeakKeyDictionary[Pattern, dict[tuple[float, int], Diffused]] = WeakKeyDictionary()


def diffused(
    pattern: Pattern, edge_weight: Tensor | None, parameters: SoftMedianParameters
) -> Diffused:
    """Places and values of the diffused adjacency, rows summing to 1; kept where unweighted."""
    kept = _KEPT.setdefault(pattern, {})
    key = (parameters.alpha, parameters.neighbours)
    if edge_weight is None and key in kept:
        return kept[key]
    from grbcore.models.pagerank import pagerank  # needs scipy, which others start without

    places, shares = pagerank(
        pattern.looped.pattern,
        normalise(pattern, edge_weight),
        teleport=parameters.alpha,
        neighbours=parameters.neighbours,
        tolerance=TOLERANCE,
    )
    shares = shares / row_sums(places.pattern, shares)[places.pattern.row]
    if edge_weight is None:
        kept[key] = places, shares
    return places, shares


def soft_median(places: Places, shares: Tensor, hidden: Tensor, temperature: float) -> Tensor:
    """For each node the mean of its entries, weighted by closeness to their median: (n, h).

    The weight of entry j in row i is ``shares_ij softmax_j(-|m_i - h_j| / (T sqrt(h)))``, made to
    sum to the row's sum of shares, with m_i the weighted median of each dimension.
    ``shares`` (z,) and ``hidden`` (n, h) are differentiable, the choice of medians is not.
    """
    pattern, width = places.pattern, hidden.shape[1]
    with torch.no_grad():
        index = _medians(pattern, shares, hidden)
    medians = hidden.gather(0, index)
    squares = squared_distances(places, medians, hidden)
    apart = squares > 1e-12
    distances = torch.where(apart, squares, 1).sqrt() * apart
    weights = softmax(pattern, -distances / (temperature * width**0.5)) * shares
    scale = row_sums(pattern, shares) / row_sums(pattern, weights)
    return product(places, weights * scale[pattern.row], hidden)


def _medians(pattern: Pattern, shares: Tensor, hidden: Tensor) -> Tensor:
    """Which node is each row's weighted median in each dimension: (n, h) int64."""
    nodes, width = hidden.shape
    most = int(pattern.degrees.max()) if nodes else 0
    bits = most.bit_length()
    # one number holds rank and slot, so that sorting the numbers sorts the slots by rank
    kind = torch.int32 if nodes << bits < 1 << 31 else torch.int64
    ranks = torch.argsort(torch.argsort(hidden, dim=0), dim=0).to(kind) << bits
    ranks = ranks.T.contiguous()  # (h, n)
    found = torch.empty(nodes, width, dtype=torch.int64, device=hidden.device)
    rows = max(1, _BLOCK // max(1, most * width))
    for start in range(0, nodes, rows):
        part = slice(start, min(start + rows, nodes))
        found[part] = _block(pattern, shares, ranks, part, bits)
    return found


def _block(pattern: Pattern, shares: Tensor, ranks: Tensor, part: slice, bits: int) -> Tensor:
    degrees = pattern.degrees[part]
    slot = torch.arange(int(degrees.max()), device=ranks.device)
    filled = slot < degrees[:, None]  # (b, k)
    entry = torch.where(filled, pattern.rowptr[:-1][part, None] + slot, 0)
    weight = torch.where(filled, shares[entry], 0)
    neighbour = pattern.col[entry]
    last = ranks.shape[1] << bits
    keys = torch.where(filled, ranks[:, neighbour], last) | slot.to(ranks.dtype)  # (h, b, k)
    order = _sorted(keys) & ((1 << bits) - 1)
    flat = order + torch.arange(degrees.shape[0], device=ranks.device)[:, None] * slot.shape[0]
    below = weight.flatten()[flat].cumsum(dim=2)
    half = weight.sum(dim=1) / 2
    place = (below < half[:, None]).sum(dim=2, keepdim=True).clamp(max=slot.shape[0] - 1)
    middle = order.gather(2, place)[:, :, 0].long()  # (h, b)
    return neighbour.gather(1, middle.T)


def _sorted(keys: Tensor) -> Tensor:
    """Sorted along the last dimension; numpy sorts whole numbers far faster than torch's CPU."""
    if keys.is_cuda:
        return keys.sort(dim=-1).values
    return torch.from_numpy(np.sort(keys.numpy(), axis=-1))
