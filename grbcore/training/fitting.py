"""The training loop."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.optim.lr_scheduler import LRScheduler, ReduceLROnPlateau

from grbcore.datasets.dataset import Dataset
from grbcore.graph import Graph
from grbcore.models.model import GraphModel, Regularised, check_width
from grbcore.seeds import SEEDS, is_seed
from grbcore.training.callback import Callback, Epoch
from grbcore.training.checkpoint import Checkpoint
from grbcore.training.lessons import Lesson, Mode, lessons
from grbcore.training.state import State, weights_digest

#: Told after each epoch: the epoch (from 1), how many there may be, and the validation accuracy.
Progress = Callable[[int, int, float], None]

#: From the optimiser to how its learning rate goes on, a step each epoch.
Schedule = Callable[[torch.optim.Optimizer], LRScheduler]


@dataclass(frozen=True, slots=True)
class Fit:
    """How a training run went."""

    best_epoch: int  # from 1; 0 where no epoch was run
    val_score: float  # at the best epoch, higher is better: accuracy, ROC-AUC or -MAE
    epochs: int  # that were run, those before a checkpoint included
    seconds: float


def fit(
    model: GraphModel,
    dataset: Dataset,
    *,
    seed: int,
    mode: Mode = "inductive",
    learning_rate: float = 0.01,
    weight_decay: float = 0.0,
    schedule: Schedule | None = None,
    epochs: int = 2000,
    patience: int = 200,
    device: torch.device | str = "cpu",
    callbacks: Sequence[Callback] = (),
    checkpoint: Checkpoint | None = None,
    progress: Progress | None = None,
) -> Fit:
    """Train ``model`` in place with Adam; it ends with its best weights, in evaluation mode.

    The model learns on the subgraph of training nodes, normalised there, and is judged on the
    subgraph of training and validation nodes; with ``mode`` transductive, on the whole graph,
    still without test labels.  The best epoch has the highest validation accuracy, the lower
    validation loss among equals; training stops ``patience`` epochs after the accuracy last rose.
    Both are counted from after the warm-up of the ``callbacks``, which may change the graph to
    learn from, each the graph of the one before.  A `Regularised` model's penalty is added to the
    loss.  ``seed`` drives the dropout; torch's global generator stays as it was.
    Source: GRB, Section 3.1.

    Raises:
        ValueError: an argument is out of its range, the model is for other features or fewer
            classes, the dataset can't be learned from, the warm-up leaves no epoch, training
            diverged, or the file of ``checkpoint`` is of another run.
    """
    assert isinstance(model, nn.Module)
    warm_up = _check(callbacks, learning_rate, weight_decay, epochs, patience, seed)
    started = time.perf_counter()
    model.to(device)
    learning, judging = lessons(dataset, mode, device)
    check_width(model.eval(), learning.graph.features)
    optimiser = _adam(model, learning_rate, weight_decay)
    scheduler = schedule(optimiser) if schedule is not None else None
    run = {
        "dataset": dataset.digest,
        "seed": seed,
        "mode": mode,
        "learning rate": learning_rate,
        "weight decay": weight_decay,
        "warm-up": warm_up,
        "initial weights": weights_digest(model) if checkpoint is not None else "",
    }
    state = State(model, optimiser, scheduler, learning.graph.device)
    devices = [state.device] if state.device.type == "cuda" else []
    with torch.random.fork_rng(devices=devices):
        torch.manual_seed(seed)
        if checkpoint is not None and (found := checkpoint.read(run)) is not None:
            state.restore(found)
        while state.epoch < epochs and state.epoch - max(state.risen, warm_up) < patience:
            epoch = state.epoch + 1
            graph = learning.graph
            for callback in callbacks:
                graph = callback.lesson(epoch, model, graph, learning.nodes)
            loss = _step(model, graph, learning, optimiser)
            accuracy, val_loss = _judge(model, judging)
            if isinstance(scheduler, ReduceLROnPlateau):
                scheduler.step(val_loss)
            elif scheduler is not None:
                scheduler.step()
            state.count(epoch, accuracy, val_loss, warm=epoch <= warm_up)
            if checkpoint is not None and epoch % checkpoint.every == 0:
                checkpoint.write(run, state.saved())
            for callback in callbacks:
                callback.told(Epoch(epoch, epochs, loss, accuracy, val_loss))
            if progress is not None:
                progress(epoch, epochs, accuracy)
    _check_weights(state.best.weights)
    model.load_state_dict(state.best.weights)
    model.eval()
    seconds = time.perf_counter() - started
    return Fit(state.best.epoch, state.best.accuracy, state.epoch, seconds)


def _check(
    callbacks: Sequence[Callback],
    learning_rate: float,
    weight_decay: float,
    epochs: int,
    patience: int,
    seed: int,
) -> int:
    """The warm-up in epochs; a clear error where a number is out of its range."""
    for name, value, legal, allowed in (
        ("learning_rate", learning_rate, 0 < learning_rate < math.inf, "above 0"),
        ("weight_decay", weight_decay, 0 <= weight_decay < math.inf, "0 or more"),
        ("epochs", epochs, epochs >= 0, "0 or more"),
        ("patience", patience, patience >= 1, "1 or more"),
        ("seed", seed, is_seed(seed), SEEDS),
    ):
        if not legal:
            raise ValueError(f"{name}: found {value}, allowed: {allowed}")
    warm_up = max((callback.warm_up for callback in callbacks), default=0)
    if 0 < epochs <= warm_up:
        raise ValueError(f"epochs: found {epochs}, allowed: more than the warm-up of {warm_up}")
    return warm_up


def _step(
    model: nn.Module, graph: Graph, learning: Lesson, optimiser: torch.optim.Optimizer
) -> float:
    # at each step: whatever attacked the model before may have left it in evaluation mode
    model.train()
    optimiser.zero_grad()
    logits = model(graph)[learning.where]
    _check_classes(logits.shape[1], learning.classes)
    loss = F.cross_entropy(logits, learning.labels)
    if isinstance(model, Regularised):
        loss = loss + model.penalty()
    loss.backward()  # type: ignore[no-untyped-call]
    optimiser.step()
    return float(loss.detach())


def _check_weights(weights: Mapping[str, Tensor]) -> None:
    """Nothing that a board would refuse: training may have diverged."""
    for name, tensor in weights.items():
        if not bool(tensor.isfinite().all()):
            raise ValueError(
                f"weights: found NaN or infinity in {name}, allowed: finite numbers; training "
                "diverged: try a lower learning_rate"
            )


def _check_classes(found: int, classes: int) -> None:
    if found < classes:
        raise ValueError(f"model: found {found} classes, allowed: {classes}, as in the dataset")


@torch.no_grad()
def _judge(model: nn.Module, judging: Lesson) -> tuple[float, float]:
    model.eval()
    logits = model(judging.graph)[judging.where]
    hits = (logits.argmax(dim=1) == judging.labels).float().mean()
    return float(hits), float(F.cross_entropy(logits, judging.labels))


def _adam(model: nn.Module, learning_rate: float, weight_decay: float) -> torch.optim.Optimizer:
    return torch.optim.Adam(
        model.parameters(), lr=learning_rate, weight_decay=weight_decay, fused=True
    )
