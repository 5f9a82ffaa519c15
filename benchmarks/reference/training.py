"""Full-batch training: a step on one graph, a pass over another to validate, autograd on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor
from torch.nn import functional as F

from reference.models import Reference


@dataclass(frozen=True)
class Lesson:
    """Features and normalised adjacency, and the labels of some nodes."""

    features: Tensor
    adjacency: Tensor
    where: Tensor
    labels: Tensor

    def logits(self, model: Reference) -> Tensor:
        return model(self.features, self.adjacency)[self.where]


@dataclass(frozen=True)
class Training:
    """A model with what it learns from and what it is judged on."""

    model: Reference
    learning: Lesson
    judging: Lesson

    @cached_property
    def optimiser(self) -> torch.optim.Optimizer:
        return torch.optim.Adam(self.model.parameters(), lr=0.01)

    def epoch(self) -> float:
        """Train once; the validation accuracy."""
        self.model.train()
        loss = F.cross_entropy(self.learning.logits(self.model), self.learning.labels)
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()
        self.model.eval()
        logits = self.judging.logits(self.model)
        F.cross_entropy(logits, self.judging.labels).item()
        return (logits.argmax(1) == self.judging.labels).float().mean().item()
