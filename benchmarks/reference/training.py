"""One epoch: a step on the training graph, a pass over the validation graph, autograd on."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

from reference.models import Reference


def epoch(
    model: Reference,
    optimiser: torch.optim.Optimizer,
    learning: tuple[Tensor, Tensor],
    labels: Tensor,
    judging: tuple[Tensor, Tensor],
    val: Tensor,
    val_labels: Tensor,
) -> float:
    """Validation accuracy; ``learning`` and ``judging`` are features and normalised adjacency."""
    model.train()
    loss = F.cross_entropy(model(*learning), labels)
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
    model.eval()
    logits = model(*judging)[val]
    F.cross_entropy(logits, val_labels).item()
    return (logits.argmax(1) == val_labels).float().mean().item()


def adam(model: Reference, learning_rate: float = 0.01) -> torch.optim.Optimizer:
    return torch.optim.Adam(model.parameters(), lr=learning_rate)
