"""Training a defense the inductive way: no test node is seen."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from grbcore.datasets.dataset import Dataset
from grbcore.graph import Graph
from grbcore.models.model import GraphModel

#: Told after each epoch: the epoch (from 1), how many there may be, and the validation accuracy.
Progress = Callable[[int, int, float], None]


@dataclass(frozen=True, slots=True)
class Fit:
    """How a training run went."""

    best_epoch: int  # from 1; 0 where no epoch was run
    val_accuracy: float  # 0..1, at the best epoch
    epochs: int  # that were run
    seconds: float


def fit(
    model: GraphModel,
    dataset: Dataset,
    *,
    seed: int,
    learning_rate: float = 0.01,
    epochs: int = 2000,
    patience: int = 200,
    device: torch.device | str = "cpu",
    progress: Progress | None = None,
) -> Fit:
    """Train ``model`` in place with Adam; it ends with its best weights, in evaluation mode.

    The model learns on the subgraph of training nodes, normalised there, and is judged on the
    subgraph of training and validation nodes.  The best epoch has the highest validation
    accuracy, the lower validation loss among equals; training stops ``patience`` epochs after the
    accuracy last rose.  ``seed`` drives the dropout; torch's global generator stays as it was.
    Source: GRB, Section 3.1 (inductive setting).
    """
    assert isinstance(model, nn.Module)
    started = time.perf_counter()
    model.to(device)
    clean = Graph.from_dataset(dataset, device=device)
    learning = clean.subgraph(dataset.train)
    seen = np.union1d(dataset.train, dataset.val)
    judging = clean.subgraph(seen)
    val = torch.from_numpy(np.searchsorted(seen, dataset.val)).to(device)
    train_labels = torch.from_numpy(dataset.labels[dataset.train]).to(device)
    val_labels = torch.from_numpy(dataset.labels[dataset.val]).to(device)
    optimiser = torch.optim.Adam(model.parameters(), lr=learning_rate, fused=True)
    best = _Best(0, 0.0, float("inf"), copy.deepcopy(model.state_dict()))
    risen = epoch = 0
    devices = [clean.device] if clean.device.type == "cuda" else []
    with torch.random.fork_rng(devices=devices):
        torch.manual_seed(seed)
        for epoch in range(1, epochs + 1):
            _step(model, learning, train_labels, optimiser)
            accuracy, loss = _judge(model, judging, val, val_labels)
            if accuracy > best.accuracy:
                risen = epoch
            if (accuracy, -loss) > (best.accuracy, -best.loss):
                best = _Best(epoch, accuracy, loss, copy.deepcopy(model.state_dict()))
            if progress is not None:
                progress(epoch, epochs, accuracy)
            if epoch - risen >= patience:
                break
    model.load_state_dict(best.weights)
    model.eval()
    return Fit(best.epoch, best.accuracy, epoch, time.perf_counter() - started)


@dataclass(frozen=True, slots=True)
class _Best:
    epoch: int
    accuracy: float
    loss: float
    weights: dict[str, Tensor]


def _step(model: nn.Module, graph: Graph, labels: Tensor, optimiser: torch.optim.Optimizer) -> None:
    model.train()
    optimiser.zero_grad()
    F.cross_entropy(model(graph), labels).backward()  # type: ignore[no-untyped-call]
    optimiser.step()


@torch.no_grad()
def _judge(model: nn.Module, graph: Graph, val: Tensor, labels: Tensor) -> tuple[float, float]:
    model.eval()
    logits = model(graph)[val]
    hits = (logits.argmax(dim=1) == labels).float().mean()
    return float(hits), float(F.cross_entropy(logits, labels))
