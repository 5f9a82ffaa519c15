"""What training may be told: modes, schedules, penalties, callbacks, checkpoints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.optim.lr_scheduler import LRScheduler, ReduceLROnPlateau, StepLR

from grbcore.attacks import FGSM
from grbcore.datasets import Dataset
from grbcore.graph import Graph
from grbcore.models import GraphModel
from grbcore.models.gcn import GCN
from grbcore.perturbation import Ints
from grbcore.training import AdversarialTraining, Callback, Checkpoint, Epoch, Fit, fit, injecting
from tests.grbcore.engine import TOY, TOY_GRAPH, small, toy_model


def weights(model: GraphModel) -> list[Tensor]:
    return [tensor.clone() for tensor in model.state_dict().values()]


def equal(one: list[Tensor], other: list[Tensor]) -> bool:
    return all(torch.equal(a, b) for a, b in zip(one, other, strict=True))


def trained(dataset: Dataset, **how: object) -> list[Tensor]:
    model = toy_model("GCN")
    fit(model, dataset, seed=0, epochs=12, **how)  # type: ignore[arg-type]
    return weights(model)


# ------------------------------------------------------------------ modes


def other_labels(ids: Ints) -> Dataset:
    labels = TOY.labels.copy()
    labels[ids] = (labels[ids] + 1) % TOY.classes
    return replace(TOY, labels=labels)


def other_features(ids: Ints) -> Dataset:
    features = TOY.features.copy()
    features[ids] = 0.9
    return replace(TOY, features=features)


@pytest.mark.parametrize("mode", ["inductive", "transductive"])
def test_no_mode_sees_test_labels(mode: str) -> None:
    blind = other_labels(TOY.targets["full"])
    assert equal(trained(TOY, mode=mode), trained(blind, mode=mode))


def test_only_the_transductive_mode_sees_the_features_of_test_nodes() -> None:
    changed = other_features(TOY.targets["full"])
    assert equal(trained(TOY), trained(changed))
    assert not equal(trained(TOY, mode="transductive"), trained(changed, mode="transductive"))


def test_the_transductive_mode_learns_on_the_whole_graph() -> None:
    """What is told to learn from, and on which nodes."""
    watch = Watch()
    fit(toy_model("GCN"), TOY, seed=0, epochs=1, mode="transductive", callbacks=[watch])
    ((graph, nodes),) = watch.lessons
    assert torch.equal(graph.features, TOY_GRAPH.features)
    assert np.array_equal(nodes, TOY.train)


# ------------------------------------------------------------------ callbacks


@dataclass
class Watch(Callback):
    lessons: list[tuple[Graph, Ints]] = field(default_factory=list)
    epochs: list[Epoch] = field(default_factory=list)

    def lesson(self, epoch: int, model: GraphModel, graph: Graph, nodes: Ints) -> Graph:
        self.lessons.append((graph, nodes))
        return graph

    def told(self, epoch: Epoch) -> None:
        self.epochs.append(epoch)


class Doubling(Callback):
    """Doubles the features of the graph that it is given."""

    def lesson(self, epoch: int, model: GraphModel, graph: Graph, nodes: Ints) -> Graph:
        return Graph(graph.pattern, 2 * graph.features)


@dataclass
class Stop(Callback):
    """An interruption."""

    at: int

    def told(self, epoch: Epoch) -> None:
        if epoch.number == self.at:
            raise KeyboardInterrupt


def test_a_callback_that_does_nothing_changes_nothing() -> None:
    assert equal(trained(TOY), trained(TOY, callbacks=[Watch()]))


def test_callbacks_are_told_each_epoch_in_order() -> None:
    watch = Watch()
    result = fit(toy_model("GCN"), TOY, seed=0, epochs=7, callbacks=[watch])
    assert [(epoch.number, epoch.of) for epoch in watch.epochs] == [(n, 7) for n in range(1, 8)]
    assert max(epoch.val_accuracy for epoch in watch.epochs) == result.val_score


def test_a_callback_is_given_the_graph_of_the_one_before() -> None:
    watch = Watch()
    callbacks = [Doubling(), Doubling(), watch]
    fit(toy_model("GCN"), TOY, seed=0, epochs=3, callbacks=callbacks)
    expected = 4 * TOY_GRAPH.subgraph(TOY.train).features
    assert all(torch.equal(graph.features, expected) for graph, _ in watch.lessons)


def test_what_a_callback_raises_ends_the_training() -> None:
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    with pytest.raises(KeyboardInterrupt):
        fit(toy_model("GCN"), TOY, seed=0, epochs=9, callbacks=[Stop(2)])
    assert torch.equal(torch.rand(3), expected)


# ------------------------------------------------------------------ penalty, decay, schedule


class Shrinking(GCN):
    """A GCN with half of a tenth of its squared weights as a penalty."""

    def penalty(self) -> Tensor:
        return sum((0.05 * weight.square().sum() for weight in self.parameters()), torch.zeros(()))


def test_a_penalty_is_added_to_the_loss_and_weight_decay_to_the_gradient() -> None:
    """The gradient of c/2 * w^2 is c * w, which is what a weight decay of c adds."""
    penalised = Shrinking(small("GCN"), 8, TOY.classes)
    decayed, plain = (toy_model("GCN") for _ in range(2))
    penalised.load_state_dict(plain.state_dict())
    fit(penalised, TOY, seed=0, epochs=12)
    fit(decayed, TOY, seed=0, epochs=12, weight_decay=0.1)
    fit(plain, TOY, seed=0, epochs=12)
    for one, other in zip(weights(penalised), weights(decayed), strict=True):
        torch.testing.assert_close(one, other, atol=1e-4, rtol=1e-4)
    assert not equal(weights(plain), weights(decayed))


def test_a_schedule_takes_a_step_each_epoch() -> None:
    """Halved after epochs 3, 6 and 9 of 10."""
    made: list[torch.optim.Optimizer] = []

    def halving(optimiser: torch.optim.Optimizer) -> LRScheduler:
        made.append(optimiser)
        return StepLR(optimiser, step_size=3, gamma=0.5)

    fit(toy_model("GCN"), TOY, seed=0, epochs=10, learning_rate=0.08, schedule=halving)
    assert made[0].param_groups[0]["lr"] == pytest.approx(0.01)


def test_a_plateau_schedule_is_told_the_validation_loss() -> None:
    """With a threshold that nothing passes it falls by a factor of ten in each of four epochs."""
    made: list[torch.optim.Optimizer] = []

    def falling(optimiser: torch.optim.Optimizer) -> LRScheduler:
        made.append(optimiser)
        return ReduceLROnPlateau(optimiser, factor=0.1, patience=0, threshold=1.0)

    fit(toy_model("GCN"), TOY, seed=0, epochs=4, learning_rate=0.01, schedule=falling)
    assert made[0].param_groups[0]["lr"] == pytest.approx(1e-6)


# ------------------------------------------------------------------ checkpoints


def halving(optimiser: torch.optim.Optimizer) -> LRScheduler:
    return StepLR(optimiser, step_size=4, gamma=0.5)


def run(name: str, checkpoint: Checkpoint | None, callbacks: Sequence[Callback] = ()) -> tuple[
    list[Tensor], Fit
]:  # fmt: skip
    """A run with all that there is to keep: dropout, a schedule, an attack of each epoch."""
    model = toy_model(name)
    threat = injecting(FGSM(steps=3), nodes=2, edges_per_node=3)
    result = fit(
        model,
        TOY,
        seed=0,
        epochs=20,
        schedule=halving,
        callbacks=[AdversarialTraining(threat, 0, warm=6), *callbacks],
        checkpoint=checkpoint,
    )
    return weights(model), result


@pytest.mark.parametrize("name", ["GCN", "GIN"])
@pytest.mark.parametrize("at", [4, 11, 17])
def test_a_run_that_goes_on_ends_as_one_that_was_never_interrupted(
    name: str, at: int, tmp_path: Path
) -> None:
    """Interrupted in the warm-up, or after it, on an epoch that is kept, or after one."""
    checkpoint = Checkpoint(tmp_path / "run.pt", every=4)
    with pytest.raises(KeyboardInterrupt):
        run(name, checkpoint, [Stop(at)])
    resumed, result = run(name, checkpoint)
    expected, uninterrupted = run(name, None)
    assert equal(resumed, expected)
    assert replace(result, seconds=0) == replace(uninterrupted, seconds=0)


def test_a_run_that_goes_on_does_no_epoch_twice(tmp_path: Path) -> None:
    checkpoint = Checkpoint(tmp_path / "run.pt", every=4)
    with pytest.raises(KeyboardInterrupt):
        run("GCN", checkpoint, [Stop(11)])
    watch = Watch()
    run("GCN", checkpoint, [watch])
    assert [epoch.number for epoch in watch.epochs] == list(range(9, 21))


@pytest.mark.parametrize(
    ("how", "named"),
    [
        ({"seed": 1}, "seed 0"),
        ({"seed": 0, "weight_decay": 0.1}, "weight decay 0.0"),
        ({"seed": 0, "learning_rate": 0.1}, "learning rate 0.01"),
        ({"seed": 0, "mode": "transductive"}, "mode 'inductive'"),
    ],
)
def test_a_checkpoint_of_another_run_is_refused(
    how: dict[str, object], named: str, tmp_path: Path
) -> None:
    checkpoint = Checkpoint(tmp_path / "run.pt", every=2)
    fit(toy_model("GCN"), TOY, seed=0, epochs=2, checkpoint=checkpoint)
    with pytest.raises(ValueError, match=f"checkpoint: found one with {named}"):
        fit(toy_model("GCN"), TOY, epochs=4, checkpoint=checkpoint, **how)  # type: ignore[arg-type]


def test_a_checkpoint_of_another_model_is_refused(tmp_path: Path) -> None:
    checkpoint = Checkpoint(tmp_path / "run.pt", every=2)
    fit(toy_model("GCN"), TOY, seed=0, epochs=2, checkpoint=checkpoint)
    with pytest.raises(ValueError, match="checkpoint: found one with initial weights"):
        fit(toy_model("GCN", seed=1), TOY, seed=0, epochs=4, checkpoint=checkpoint)


@pytest.mark.parametrize("content", [b"", b"nothing of the kind", b"PK\x03\x04"])
def test_a_file_that_is_no_checkpoint_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "run.pt"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"checkpoint: found .*run\.pt, which is none"):
        fit(toy_model("GCN"), TOY, seed=0, epochs=2, checkpoint=Checkpoint(path))
    assert path.read_bytes() == content


# ------------------------------------------------------------------ bad input


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"learning_rate": 0.0}, "learning_rate: found 0.0, allowed: above 0"),
        ({"weight_decay": -1.0}, "weight_decay: found -1.0, allowed: 0 or more"),
        ({"epochs": -1}, "epochs: found -1, allowed: 0 or more"),
        ({"patience": 0}, "patience: found 0, allowed: 1 or more"),
        ({"mode": "trasductive"}, "mode: found 'trasductive', allowed: inductive, transductive"),
    ],
)
def test_an_argument_out_of_its_range_is_named(how: dict[str, object], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        fit(toy_model("GCN"), TOY, seed=0, **how)  # type: ignore[arg-type]


@pytest.mark.parametrize("part", ["train", "val"])
def test_a_dataset_without_training_or_validation_nodes_is_refused(part: str) -> None:
    empty = replace(TOY, **{part: np.zeros(0, np.int64)})  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=rf"dataset\.{part}: found no nodes"):
        fit(toy_model("GCN"), empty, seed=0)
