"""Training a model from many initialisations on one split, all at once on one thread."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from grbcore.pitfalls.configurations import EPOCHS, PATIENCE, Configuration
from grbcore.pitfalls.networks import NETWORKS, Network, Noise, Still
from grbcore.pitfalls.rectangle import Field, field_of
from grbcore.pitfalls.splitting import Split
from grbcore.pitfalls.standard import Standard
from grbcore.seeds import derive_seed

#: Bytes that the initialisations of a job may take beside each other, about.
MEMORY = 2 << 30


@dataclass(frozen=True, slots=True)
class Run:
    """What training from one initialisation gave."""

    accuracy: float  # of the test nodes, 0..1
    val_accuracy: float
    val_loss: float  # with L2, of the weights that are kept; not a number if none was finite
    epochs: int  # how many were trained
    best: int  # after which of them the weights are kept; 0 for those it began with


def train(
    model: str,
    chosen: Configuration,
    dataset: Standard,
    split: Split,
    seeds: Sequence[int],
    *,
    patience: int = PATIENCE,
    epochs: int = EPOCHS,
    progress: Callable[[int], None] | None = None,
) -> list[Run]:
    """One run for each seed, as the protocol has it.

    Adam on all training nodes; after each epoch the validation loss with L2; training ends once it
    has not fallen, or stayed, for ``patience`` epochs; the weights of the lowest are kept.  A run
    does not depend on which seeds are trained beside it, but for rounding.

    Args:
        model: one of `NETWORKS`.
        chosen: its configuration.
        dataset: a standardised graph.
        split: of its nodes.
        seeds: of initialisations and dropout, one for each run.
        patience: epochs without improvement.
        epochs: how many at most.
        progress: told after each epoch how many have been trained.
    """
    network = NETWORKS[model]
    trained, validated = _field(network, dataset, split.train), _field(network, dataset, split.val)
    labels = torch.from_numpy(dataset.labels)
    target, known = labels[torch.from_numpy(split.train)], labels[torch.from_numpy(split.val)]
    batch = _Batch(network, chosen, dataset, seeds)
    kept = {name: tensor.detach().clone() for name, tensor in batch.weights.items()}
    lowest = torch.full((len(seeds),), math.inf)
    best, ended = np.zeros(len(seeds), np.int64), np.zeros(len(seeds), np.int64)
    for epoch in range(1, epochs + 1):
        batch.step(trained, target)
        loss = batch.loss(validated, known)
        alive = batch.places
        fallen = loss <= lowest[alive]
        chosen_now = alive[fallen]
        lowest[chosen_now] = loss[fallen]
        for name, tensor in batch.weights.items():
            kept[name][chosen_now] = tensor.detach()[fallen]
        best[chosen_now.numpy()] = epoch
        ended[alive.numpy()] = epoch
        if progress is not None:
            progress(epoch)
        going = torch.from_numpy(epoch - best[alive.numpy()] < patience)
        if not going.any():
            break
        if not going.all():
            batch.keep(going)
    right = _right(network, chosen, kept, validated, known)
    tested = _field(network, dataset, split.test)
    hits = _right(network, chosen, kept, tested, labels[torch.from_numpy(split.test)])
    losses = [float(loss) if math.isfinite(loss) else math.nan for loss in lowest.tolist()]
    return [
        Run(float(hits[place]), float(right[place]), losses[place], int(ended[place]),
            int(best[place]))
        for place in range(len(seeds))
    ]  # fmt: skip


def together(model: str, chosen: Configuration, dataset: Standard) -> int:
    """How many initialisations may be trained at once within `MEMORY`; at least one.

    An estimate from above, as if a loss looked at the whole graph: entries of the features, once
    for each head, with their transpose and its order; layers of nodes, forwards and backwards;
    what a model keeps for each edge.
    """
    words = len(dataset.feature_indices) * (chosen.heads if model == "GAT" else 1)
    edges = len(dataset.indices) + dataset.nodes
    kept = {"GAT": chosen.heads, "MoNet": chosen.heads, "GS-maxpool": chosen.inner}.get(model, 1)
    width = max(chosen.hidden, chosen.inner, dataset.classes)
    numbers = 16 * words + 16 * dataset.nodes * width + 16 * edges * kept
    weights = 8 * dataset.features * width  # with gradient, moments and what is kept
    return max(1, int(MEMORY // (4 * (numbers + weights))))


def _field(network: Network, dataset: Standard, nodes: np.ndarray) -> Field:
    words = (dataset.feature_indptr, dataset.feature_indices)
    return field_of(dataset.indptr, dataset.indices, words, dataset.features, nodes, network.hops)


def _right(
    network: Network,
    chosen: Configuration,
    weights: dict[str, Tensor],
    field: Field,
    labels: Tensor,
) -> Tensor:
    """The share of nodes that each initialisation classifies as they are: (B,), one by one."""
    found = []
    with torch.no_grad():
        for place in range(len(next(iter(weights.values())))):
            one = {name: tensor[place : place + 1] for name, tensor in weights.items()}
            logits = network.logits(chosen, one, field, Still(1))[0]
            found.append((logits.argmax(dim=1) == labels).double().mean())
    return torch.stack(found)


class _Batch:
    """The initialisations that are still trained, with their optimiser."""

    def __init__(
        self, network: Network, chosen: Configuration, dataset: Standard, seeds: Sequence[int]
    ) -> None:
        self.network, self.chosen = network, chosen
        self.places = torch.arange(len(seeds))
        generators = [torch.Generator().manual_seed(derive_seed("init", seed)) for seed in seeds]
        shapes = network.weights(chosen, dataset.features, dataset.classes)
        self.decayed = [name for name, weight in shapes.items() if weight.decayed]
        self.weights: dict[str, Tensor] = {}
        for name, weight in shapes.items():
            if weight.fan is None:
                start = torch.tensor(weight.start).expand(math.prod(weight.shape))
                every = [start.reshape(weight.shape)] * len(seeds)
            else:
                limit = math.sqrt(6 / sum(weight.fan))
                every = [
                    torch.empty(weight.shape).uniform_(-limit, limit, generator=generator)
                    for generator in generators
                ]
            self.weights[name] = torch.stack(every).requires_grad_()
        self.noise = Noise(generators)
        self.optimiser = self._adam()

    def _adam(self) -> torch.optim.Adam:
        held = [self.weights[name] for name in self.decayed]
        free = [tensor for name, tensor in self.weights.items() if name not in self.decayed]
        # adding l2 * weight to the gradient is L2 of half the squared length, as the code has it
        groups: list[dict[str, Any]] = [
            {"params": held, "weight_decay": self.chosen.l2},
            {"params": free},
        ]
        return torch.optim.Adam(groups, lr=self.chosen.learning_rate, fused=True)

    def step(self, field: Field, labels: Tensor) -> None:
        """An epoch: one step on the mean loss of all training nodes."""
        logits = self.network.logits(self.chosen, self.weights, field, self.noise)
        loss = self._cross_entropy(logits, labels).sum()
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimiser.step()

    def loss(self, field: Field, labels: Tensor) -> Tensor:
        """Of each initialisation, with L2 and without dropout: (B,)."""
        with torch.no_grad():
            still = Still(len(self.places))
            logits = self.network.logits(self.chosen, self.weights, field, still)
            found = self._cross_entropy(logits, labels)
            for name in self.decayed:
                length = torch.linalg.vector_norm(self.weights[name].flatten(1), dim=1)
                found = found + self.chosen.l2 / 2 * length**2
        return found

    def _cross_entropy(self, logits: Tensor, labels: Tensor) -> Tensor:
        expected = labels.expand(logits.shape[0], -1)
        return F.cross_entropy(logits.transpose(1, 2), expected, reduction="none").mean(dim=1)

    def keep(self, going: Tensor) -> None:
        """Let go of the initialisations that have ended."""
        before, state = self.weights, self.optimiser.state
        self.places = self.places[going]
        pairs = zip(self.noise.generators, going.tolist(), strict=True)
        self.noise = Noise([generator for generator, goes in pairs if goes])
        self.weights = {
            name: tensor.detach()[going].requires_grad_() for name, tensor in before.items()
        }
        self.optimiser = self._adam()
        for name, tensor in self.weights.items():
            moments = state[before[name]]
            self.optimiser.state[tensor] = {
                "step": moments["step"],
                "exp_avg": moments["exp_avg"][going],
                "exp_avg_sq": moments["exp_avg_sq"][going],
            }
