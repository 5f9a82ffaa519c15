"""What a training run has come to, to be kept and gone on from."""

from __future__ import annotations

import copy
import hashlib
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim.lr_scheduler import LRScheduler


@dataclass(frozen=True, slots=True)
class Best:
    """The epoch whose weights are kept."""

    epoch: int
    accuracy: float  # or another score, higher is better
    loss: float
    weights: dict[str, Tensor]


class State:
    """All that a run has come to after an epoch, the random generators included."""

    def __init__(
        self,
        model: nn.Module,
        optimiser: torch.optim.Optimizer,
        scheduler: LRScheduler | None,
        device: torch.device,
    ) -> None:
        self.model = model
        self.optimiser = optimiser
        self.scheduler = scheduler
        self.device = device
        self.epoch = self.risen = 0
        self.best = Best(0, 0.0, float("inf"), copy.deepcopy(model.state_dict()))

    def count(self, epoch: int, accuracy: float, loss: float, *, warm: bool) -> None:
        """One more epoch; one of the warm-up is never the best."""
        self.epoch = epoch
        if warm:
            return
        if accuracy > self.best.accuracy:
            self.risen = epoch
        if (accuracy, -loss) > (self.best.accuracy, -self.best.loss):
            self.best = Best(epoch, accuracy, loss, copy.deepcopy(self.model.state_dict()))

    def saved(self) -> dict[str, Any]:
        """All of it, as tensors, numbers and strings."""
        best = self.best
        return {
            "epoch": self.epoch,
            "risen": self.risen,
            "model": self.model.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "scheduler": self.scheduler.state_dict() if self.scheduler is not None else None,
            "best": [best.epoch, best.accuracy, best.loss, best.weights],
            "generator": torch.get_rng_state(),
            "cuda": torch.cuda.get_rng_state(self.device) if self.device.type == "cuda" else None,
        }

    def restore(self, saved: dict[str, Any]) -> None:
        """Go on from what `saved` gave."""
        self.epoch, self.risen = saved["epoch"], saved["risen"]
        self.model.load_state_dict(saved["model"])
        self.optimiser.load_state_dict(saved["optimiser"])
        if self.scheduler is not None:
            self.scheduler.load_state_dict(saved["scheduler"])
        self.best = Best(*saved["best"])
        torch.set_rng_state(saved["generator"])
        if saved["cuda"] is not None:
            torch.cuda.set_rng_state(saved["cuda"], self.device)


def weights_digest(model: nn.Module) -> str:
    """SHA-256 of a model's weights and their names."""
    hasher = hashlib.sha256()
    for name, tensor in model.state_dict().items():
        hasher.update(name.encode())
        hasher.update(tensor.cpu().contiguous().view(-1).numpy().tobytes())
    return hasher.hexdigest()
