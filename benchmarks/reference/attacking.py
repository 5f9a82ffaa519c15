"""Attacks: a pass over the whole attacked graph for each step, a Python loop for the topology."""

from __future__ import annotations

import math
import random

import torch
from torch import Tensor
from torch.nn import functional as F

from reference.models import Reference


def sign_step(
    model: Reference,
    adjacency: Tensor,
    features: Tensor,
    new: Tensor,
    mask: Tensor,
    labels: Tensor,
    limits: tuple[float, float],
    step_size: float = 0.01,
) -> Tensor:
    """A step of FGSM or PGD: the new features (k, d)."""
    size = features.shape[0]
    leaf = new.clone().requires_grad_()
    logits = model(torch.cat([features, leaf]), adjacency)[:size]
    model.zero_grad()
    F.cross_entropy(logits[mask], labels[mask]).backward()
    assert leaf.grad is not None
    moved = (leaf.detach() + step_size * leaf.grad.sign()).clamp(*limits)
    (logits[mask].argmax(1) == labels[mask]).float().mean().item()  # the score it reports
    return moved


def smooth_step(
    model: Reference,
    adjacency: Tensor,
    features: Tensor,
    angle: Tensor,
    mask: Tensor,
    labels: Tensor,
    limit: float,
    optimiser: torch.optim.Optimizer,
) -> None:
    """A step of TDGIA's feature search: ``angle`` (k, d) moves by Adam."""
    size = features.shape[0]
    logits = model(torch.cat([features, angle.sin() * limit]), adjacency)[:size]
    loss = F.cross_entropy(logits[mask], labels[mask], reduction="none")
    objective = F.relu(4 - loss).square().mean()
    optimiser.zero_grad()
    objective.backward()
    optimiser.step()
    (logits[mask].argmax(1) == labels[mask]).float().mean().item()


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
