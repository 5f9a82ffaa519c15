"""What an attack on graph-level models maximises."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from grbcore.graphlevel.dataset import Task


@dataclass(frozen=True, slots=True)
class Target:
    """How far outputs are the attacker's: above 0 exactly where a class is wrong.

    Binary: (1 - 2y)·logit.  C classes: the margin max_{i≠y} z_i - z_y.  Regression: the prediction,
    ``up`` or ``down``, whatever the label.  Source: the thesis, section 4.1.
    """

    task: Task
    direction: Literal["up", "down"] = "up"

    def __call__(self, outputs: Tensor, labels: Tensor) -> Tensor:
        """The target (…, B) of outputs (…, B, C) on labels (B,)."""
        if self.task == "regression":
            return outputs[..., 0] if self.direction == "up" else -outputs[..., 0]
        if self.task == "binary":
            return (1 - 2 * labels.to(outputs.dtype)) * outputs[..., 0]
        own = torch.nn.functional.one_hot(labels, outputs.shape[-1]).bool().expand(outputs.shape)
        truth = outputs.masked_fill(~own, 0).sum(-1)
        return outputs.masked_fill(own, -torch.inf).amax(-1) - truth


def targets_of(task: Task) -> tuple[Target, ...]:
    """The targets that an attack on this task tries: both directions of regression."""
    if task == "regression":
        return Target(task, "up"), Target(task, "down")
    return (Target(task),)
