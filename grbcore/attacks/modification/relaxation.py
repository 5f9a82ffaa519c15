"""Flips as shares between 0 and 1: kept to a budget, and made whole at the end."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from grbcore.attacks.attack import Ints
from grbcore.attacks.modification.block import Block, Objective


def project(values: Tensor, flips: float) -> Tensor:
    """The nearest shares (b,) in [0, 1] whose sum is at most ``flips``.

    ``clip(values - mu, 0, 1)`` with the mu, found by bisection, that spends the budget.
    Source: Xu et al., Topology Attack and Defense for Graph Neural Networks (IJCAI 2019),
    Proposition 1.
    """
    clipped = values.clamp(0, 1)
    if float(clipped.sum()) <= flips:
        return clipped
    low, high = float(values.min()) - 1, float(values.max())
    for _ in range(50):
        middle = (low + high) / 2
        if float((values - middle).clamp(0, 1).sum()) > flips:
            low = middle
        else:
            high = middle
    return (values - high).clamp(0, 1)


def project_locally(values: Tensor, pairs: Ints, flips: float, local: Ints) -> Tensor:
    """Shares (b,) in [0, 1] of at most ``flips`` in all and ``local`` (n,) at each node.

    Greedy: from the largest value on, each pair gets as much of its value as is left to both of
    its ends and to all.
    Source: Gosch et al., Adversarial Training for Graph Neural Networks (NeurIPS 2023), Section 4
    (LR-BCD, the greedy projection).
    """
    clipped = values.clamp(0, 1).cpu().numpy().astype(np.float64)
    left = local.astype(np.float64)
    shares = np.zeros(clipped.shape[0], np.float32)
    remaining = float(flips)
    for index in np.argsort(-clipped, kind="stable"):
        one, other = pairs[0, index], pairs[1, index]
        share = min(clipped[index], left[one], left[other], remaining)
        if share <= 0:
            if remaining <= 0 or clipped[index] == 0:
                break
            continue
        shares[index] = share
        left[one] -= share
        left[other] -= share
        remaining -= share
    return torch.from_numpy(shares).to(values.device)


def largest(shares: Tensor, flips: int) -> Tensor:
    """1 for the ``flips`` largest positive shares, 0 for the others: (b,)."""
    best = shares.topk(min(flips, shares.shape[0]))
    return torch.zeros_like(shares).index_fill(0, best.indices[best.values > 0], 1)


def draws(shares: Tensor, count: int, rng: np.random.Generator) -> list[Tensor]:
    """``count`` random choices (b,) of 0 and 1, each pair with its share as the chance of 1."""
    chances = shares.cpu().numpy()
    return [
        torch.from_numpy((rng.random(chances.shape[0]) < chances).astype(np.float32)).to(
            shares.device
        )
        for _ in range(count)
    ]


def strongest(objective: Objective, block: Block, choices: list[Tensor]) -> Tensor:
    """The choice of whole flips with the highest loss, the first of equals."""
    values = [objective.value(block, choice) for choice in choices]
    return choices[int(np.argmax(values))]
