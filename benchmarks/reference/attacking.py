"""Attacks: a pass over the whole attacked graph for each step, a Python loop for the topology."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from reference.models import Reference


@dataclass(frozen=True)
class Attacked:
    """A surrogate, the normalised adjacency with the new nodes, and which nodes are targets."""

    model: Reference
    adjacency: Tensor
    features: Tensor  # (n, d) of the old nodes
    mask: Tensor  # (n,) bool
    labels: Tensor  # (n,) int64

    def logits(self, new: Tensor) -> Tensor:
        """Of all targets, for features ``new`` (k, d)."""
        every = self.model(torch.cat([self.features, new]), self.adjacency)
        return every[: self.features.shape[0]][self.mask]

    def score(self, logits: Tensor) -> float:
        """The accuracy that it reports at each step."""
        return (logits.argmax(1) == self.labels[self.mask]).float().mean().item()


def sign_step(
    attacked: Attacked, new: Tensor, limits: tuple[float, float], step_size: float = 0.01
) -> Tensor:
    """A step of FGSM or PGD: the new features (k, d)."""
    leaf = new.clone().requires_grad_()
    logits = attacked.logits(leaf)
    attacked.model.zero_grad()
    F.cross_entropy(logits, attacked.labels[attacked.mask]).backward()
    assert leaf.grad is not None
    moved = (leaf.detach() + step_size * leaf.grad.sign()).clamp(*limits)
    attacked.score(logits)
    return moved


def smooth_step(
    attacked: Attacked, angle: Tensor, limit: float, optimiser: torch.optim.Optimizer
) -> None:
    """A step of TDGIA's feature search: ``angle`` (k, d) moves by Adam."""
    logits = attacked.logits(angle.sin() * limit)
    loss = F.cross_entropy(logits, attacked.labels[attacked.mask], reduction="none")
    objective = F.relu(4 - loss).square().mean()
    optimiser.zero_grad()
    objective.backward()
    optimiser.step()
    attacked.score(logits)


def defective_topology(
    targets: Tensor, probability: Tensor, degree: Tensor, labels: Tensor, *, nodes: int, each: int
) -> list[tuple[int, int]]:
    """TDGIA's edges: scored target by target from device scalars, then dealt label by label.

    ``targets`` (t,) ids, the rest (t,) per target.  Gives (new node, target) pairs.
    """
    scores = []
    for place in range(targets.shape[0]):
        p, d = probability[place] + 2, degree[place] + 1
        score = 0.9 * p / d + 0.1 * p / (torch.sqrt(d) * math.sqrt(each))
        scores.append((float(score), int(targets[place]), int(labels[place])))
    scores.sort(reverse=True)
    best = scores[: nodes * each]
    random.shuffle(best)
    groups: dict[int, list[int]] = {}
    for _, target, label in best:
        groups.setdefault(label, []).append(target)
    used = dict.fromkeys(groups, 0)
    edges = []
    for node in range(nodes):
        for _ in range(each):
            label = min(groups, key=lambda name: used[name] / len(groups[name]))
            if used[label] < len(groups[label]):
                edges.append((node, groups[label][used[label]]))
                used[label] += 1
    return edges
