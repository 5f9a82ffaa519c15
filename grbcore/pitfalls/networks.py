"""The paper's networks, each for many initialisations at once.

A parameter has a leading dimension of initialisations, (B, …), and nothing is shared between
them: the gradient of the sum of B losses is that of each.  Activations are (B, nodes, width).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor
from torch.nn import functional as F

from grbcore.pitfalls.configurations import Configuration
from grbcore.pitfalls.rectangle import Field, Hop, Rectangle

Weights = Mapping[str, Tensor]


@dataclass(frozen=True, slots=True)
class Weight:
    """A parameter of one initialisation: its shape, how it begins, and whether L2 holds it.

    ``fan`` (in, out) is of Glorot's uniform distribution; without it all entries are ``start``.
    """

    shape: tuple[int, ...]
    fan: tuple[int, int] | None = None
    decayed: bool = False
    start: tuple[float, ...] = (0.0,)


class Noise:
    """Dropout whose draws are each initialisation's own, whoever is trained beside it."""

    def __init__(self, generators: Sequence[torch.Generator]) -> None:
        self.generators = list(generators)

    def entries(self, words: Rectangle, copies: int, rate: float) -> tuple[Rectangle, float]:
        """``copies`` of the features for each initialisation, thinned; and what to multiply by."""
        wide = words.beside(copies * len(self.generators))
        if rate <= 0:
            return wide, 1.0
        kept = self._kept(copies * words.entries, rate).flatten()
        return wide.thinned(kept), 1 / (1 - rate)

    def dense(self, hidden: Tensor, rate: float) -> Tensor:
        """Inverted dropout of ``hidden`` (B, …)."""
        if rate <= 0:
            return hidden
        kept = self._kept(hidden[0].numel(), rate).view(hidden.shape)
        return hidden * kept.to(hidden.dtype).mul_(1 / (1 - rate))

    def _kept(self, count: int, rate: float) -> Tensor:
        """(B, count) bool; two bytes decide, so the rate is rounded to 1/65536."""
        draws = torch.empty(len(self.generators), (count + 3) // 4, dtype=torch.int64)
        for place, generator in enumerate(self.generators):
            draws[place].random_(-(2**63), None, generator=generator)
        return draws.view(torch.int16)[:, :count] >= round(rate * 65536) - 32768


class Still(Noise):
    """No dropout: how a model is evaluated."""

    def __init__(self, copies: int) -> None:
        self.copies = copies

    def entries(self, words: Rectangle, copies: int, rate: float) -> tuple[Rectangle, float]:
        return words.beside(copies * self.copies), 1.0

    def dense(self, hidden: Tensor, rate: float) -> Tensor:
        return hidden


class Network(Protocol):
    """How a model is shaped and what it computes."""

    hops: int

    def weights(self, chosen: Configuration, features: int, classes: int) -> dict[str, Weight]:
        """Its parameters by name."""
        ...

    def logits(self, chosen: Configuration, weights: Weights, field: Field, noise: Noise) -> Tensor:
        """(B, field.nodes, classes)."""
        ...


def _read(words: Rectangle, scale: float, weight: Tensor) -> Tensor:
    """Features (B * m rows) times ``weight`` (B, d, h): (B, m, h)."""
    copies, _, width = weight.shape
    found = words @ weight.reshape(-1, width)
    return (found * scale if scale != 1 else found).view(copies, -1, width)


def _over(matrix: Rectangle, hidden: Tensor) -> Tensor:
    """(B, m, h) to (B, n, h), the same matrix for each initialisation."""
    copies, _, width = hidden.shape
    found = matrix.beside(copies) @ hidden.reshape(-1, width)
    return found.view(copies, -1, width)


class LogReg:
    """Logistic regression of the features."""

    hops = 0

    def weights(self, chosen: Configuration, features: int, classes: int) -> dict[str, Weight]:
        return {
            "weight": Weight((features, classes), (features, classes), True),
            "bias": Weight((classes,)),
        }

    def logits(self, chosen: Configuration, weights: Weights, field: Field, noise: Noise) -> Tensor:
        words, scale = noise.entries(field.words, 1, 0.0)
        return _read(words, scale, weights["weight"]) + weights["bias"][:, None]


class Convolutional:
    """A layer, ReLU, a layer, dropout before each; with neighbours it is GCN, without MLP.

    L2: of GCN on the first layer only, as in its authors' code, of MLP on both.
    Source: Kipf and Welling (2017), eq. 9.
    """

    def __init__(self, *, edges: bool) -> None:
        self.hops = 2 if edges else 0
        self.edges = edges

    def weights(self, chosen: Configuration, features: int, classes: int) -> dict[str, Weight]:
        hidden = chosen.hidden
        return {
            "first": Weight((features, hidden), (features, hidden), True),
            "first bias": Weight((hidden,)),
            "second": Weight((hidden, classes), (hidden, classes), not self.edges),
            "second bias": Weight((classes,)),
        }

    def logits(self, chosen: Configuration, weights: Weights, field: Field, noise: Noise) -> Tensor:
        words, scale = noise.entries(field.words, 1, chosen.dropout)
        hidden = _read(words, scale, weights["first"])
        if self.edges:
            hidden = _over(field.hops[0].edges, hidden)
        hidden = noise.dense(F.relu(hidden + weights["first bias"][:, None]), chosen.dropout)
        found = torch.bmm(hidden, weights["second"])
        if self.edges:
            found = _over(field.hops[1].edges, found)
        return found + weights["second bias"][:, None]


class GAT:
    """Eight heads side by side, ELU, one head; dropout at three places.

    Of the inputs, of what they become and of the attention.  Every head draws that of its inputs
    anew.  L2 on all weights but the biases.
    Source: Velickovic et al. (2018), eqs. 3 to 6.  Paper: scores without bias, no dropout of what
    the inputs become.  Released code of Shchur et al.: a bias on both parts of a score, and that
    dropout.  Here: as that code, whose numbers are compared with.
    """

    hops = 2

    def weights(self, chosen: Configuration, features: int, classes: int) -> dict[str, Weight]:
        found: dict[str, Weight] = {}
        width = chosen.hidden // chosen.heads
        layers = (("first", chosen.heads, features, width), ("second", 1, chosen.hidden, classes))
        for name, heads, wide, narrow in layers:
            found[name] = Weight((heads, wide, narrow), (wide, narrow), True)
            for part in ("own", "other"):
                found[f"{name} {part}"] = Weight((heads, narrow, 1), (narrow, 1), True)
                found[f"{name} {part} bias"] = Weight((heads, 1, 1))
            found[f"{name} bias"] = Weight((heads, 1, narrow))
        return found

    def logits(self, chosen: Configuration, weights: Weights, field: Field, noise: Noise) -> Tensor:
        copies = weights["first"].shape[0]
        words, scale = noise.entries(field.words, chosen.heads, chosen.dropout)
        hidden = _read(words, scale, weights["first"].flatten(0, 1))
        hidden = hidden.view(copies, chosen.heads, -1, hidden.shape[-1])
        hidden = F.elu(self._attend("first", chosen, weights, field.hops[0], hidden, noise))
        hidden = hidden.transpose(1, 2).flatten(2)
        hidden = torch.bmm(noise.dense(hidden, chosen.dropout), weights["second"][:, 0])
        found = self._attend("second", chosen, weights, field.hops[1], hidden[:, None], noise)
        return found[:, 0]

    def _attend(
        self, name: str, chosen: Configuration, weights: Weights, hop: Hop, hidden: Tensor,
        noise: Noise,
    ) -> Tensor:  # fmt: skip
        """(B, heads, m, w) to (B, heads, n, w)."""
        copies, heads, _, width = hidden.shape
        edges = hop.edges.beside(copies * heads)
        own = hidden @ weights[f"{name} own"] + weights[f"{name} own bias"]
        other = hidden @ weights[f"{name} other"] + weights[f"{name} other bias"]
        chosen_own = hop.selection.beside(copies * heads).col
        rows = own.flatten().index_select(0, chosen_own).index_select(0, edges.row)
        scores = F.leaky_relu(rows + other.flatten().index_select(0, edges.col), 0.2)
        attention = noise.dense(edges.softmax(scores).view(copies, -1), chosen.attention_dropout)
        hidden = noise.dense(hidden, chosen.dropout).reshape(-1, width)
        found = edges.weighted(attention.flatten(), hidden)
        return found.view(copies, heads, -1, width) + weights[f"{name} bias"]


class MoNet:
    """Gaussian kernels over pseudo-coordinates of the edges, shared by both layers; no biases.

    Source: Monti et al. (2017), eqs. 9 to 11 and Section 5.2.  Paper: kernels as they are.
    Released code: weights of a node's neighbours divided by their sum.  Here: as the code.
    """

    hops = 2
    _coordinates = 2  # r

    def weights(self, chosen: Configuration, features: int, classes: int) -> dict[str, Weight]:
        kernels, r = chosen.heads, self._coordinates
        width = chosen.hidden // kernels
        means = [-1 + 1 / (2 * kernels) + 2 * kernel / kernels for kernel in range(kernels)]
        return {
            "first": Weight((features, chosen.hidden), (features, width), True),
            "second": Weight((width, kernels * classes), (width, classes)),
            "turn": Weight((2, r), (2, r)),
            "shift": Weight((r,)),
            "mean": Weight((kernels, r), start=tuple(m for m in means for _ in range(r))),
            "deviation": Weight((kernels, r), start=(1.0,)),
        }

    def logits(self, chosen: Configuration, weights: Weights, field: Field, noise: Noise) -> Tensor:
        words, scale = noise.entries(field.words, 1, chosen.dropout)
        hidden = _read(words, scale, weights["first"])
        hidden = F.relu(self._mix(chosen, weights, field.hops[0], hidden))
        hidden = torch.bmm(noise.dense(hidden, chosen.dropout), weights["second"])
        return self._mix(chosen, weights, field.hops[1], hidden)

    def _mix(self, chosen: Configuration, weights: Weights, hop: Hop, hidden: Tensor) -> Tensor:
        """(B, m, kernels * w) to (B, n, w)."""
        copies, nodes, width = hidden.shape
        kernels = chosen.heads
        edges = hop.edges.beside(copies * kernels)
        place = torch.tanh(hop.coordinates @ weights["turn"] + weights["shift"][:, None])
        away = (place[:, None] - weights["mean"][:, :, None]) ** 2
        spread = 1e-14 + weights["deviation"][:, :, None] ** 2
        kernel = torch.exp(-0.5 * (away / spread).sum(dim=3)).flatten()
        total = torch.segment_reduce(kernel, "sum", offsets=edges.rowptr, unsafe=True)
        kernel = kernel / (1e-14 + total.index_select(0, edges.row))
        parts = hidden.view(copies, nodes, kernels, -1).transpose(1, 2)
        found = edges.weighted(kernel, parts.reshape(-1, width // kernels))
        return found.view(copies, kernels, -1, width // kernels).sum(dim=1)


class GraphSAGE:
    """A node's own part and that of its neighbours, itself among them, by mean or pooling.

    Rows longer than 1 are brought to that length.  L2 on the first layer but its pooling.
    Source: Hamilton et al. (2017), Algorithm 1 and Section 3.3, without sampling.  Paper: all
    rows are brought to length 1.  Released code: only longer ones.  Here: as the code.
    """

    hops = 2

    def __init__(self, pooling: str | None) -> None:
        self.pooling = pooling  # "mean", "max", or None for the plain mean

    def weights(self, chosen: Configuration, features: int, classes: int) -> dict[str, Weight]:
        found: dict[str, Weight] = {}
        layers = (("first", features, chosen.hidden), ("second", chosen.hidden, classes))
        for name, wide, narrow in layers:
            held, among = name == "first", wide
            if self.pooling:
                among = chosen.inner
                found[f"{name} pool"] = Weight((wide, among), (wide, among))
            found[f"{name} others"] = Weight((among, narrow), (among, narrow), held)
            found[f"{name} own"] = Weight((wide, narrow), (wide, narrow), held)
            found[f"{name} bias"] = Weight((narrow,))
        return found

    def logits(self, chosen: Configuration, weights: Weights, field: Field, noise: Noise) -> Tensor:
        words, scale = noise.entries(field.words, 1, chosen.dropout)
        entry = "first pool" if self.pooling else "first others"
        others, own = (_read(words, scale, weights[name]) for name in (entry, "first own"))
        hidden = F.relu(self._join("first", weights, field.hops[0], others, own))
        hidden = noise.dense(hidden, chosen.dropout)
        entry = "second pool" if self.pooling else "second others"
        others, own = (torch.bmm(hidden, weights[name]) for name in (entry, "second own"))
        return self._join("second", weights, field.hops[1], others, own)

    def _join(self, name: str, weights: Weights, hop: Hop, others: Tensor, own: Tensor) -> Tensor:
        """(B, m, …) of the neighbours and of the node itself to (B, n, w)."""
        if self.pooling == "max":
            copies, _, width = others.shape
            edges = hop.edges.beside(copies)
            found = edges.largest(F.relu(others).view(-1, width)).view(copies, -1, width)
        else:
            found = _over(hop.mean, F.relu(others) if self.pooling else others)
        if self.pooling:
            found = torch.bmm(found, weights[f"{name} others"])
        found = found + _over(hop.selection, own) + weights[f"{name} bias"][:, None]
        length = torch.linalg.vector_norm(found, dim=2, keepdim=True)
        short: Tensor = found / length.clamp(min=1)
        return short


NETWORKS: dict[str, Network] = {
    "GCN": Convolutional(edges=True),
    "GAT": GAT(),
    "MoNet": MoNet(),
    "GS-mean": GraphSAGE(None),
    "GS-maxpool": GraphSAGE("max"),
    "GS-meanpool": GraphSAGE("mean"),
    "MLP": Convolutional(edges=False),
    "LogReg": LogReg(),
}


def count(model: str, chosen: Configuration, features: int, classes: int) -> int:
    """How many numbers an initialisation has."""
    shapes = NETWORKS[model].weights(chosen, features, classes).values()
    return sum(torch.Size(weight.shape).numel() for weight in shapes)
