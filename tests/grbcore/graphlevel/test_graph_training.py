"""Training graph-level models, and adversarial training."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from grbcore.graphlevel import training
from grbcore.graphlevel.adversarial import Attacked
from grbcore.graphlevel.metrics import hits
from grbcore.graphlevel.models import Shape, build, predict
from grbcore.graphlevel.training import (
    ADVERSARIAL_RECIPES,
    RECIPES,
    Recipe,
    Schedule,
    _halve,
    _halving,
    create,
    fit,
    loss,
)
from grbcore.training import Checkpoint, Fit, WrongCheckpoint
from tests.grbcore.graphlevel.samples import small_dataset

DATASET = small_dataset()
RECIPE = Recipe(1e-2, 8, epochs=30, patience=30)


def test_a_model_learns_and_the_same_seed_learns_the_same() -> None:
    found = []
    for _ in range(2):
        model = build("GIN", Shape.of(DATASET), {"hidden": 16}, seed=0)
        before = torch.random.get_rng_state()
        how = fit(model, DATASET, RECIPE, seed=4)
        assert torch.equal(torch.random.get_rng_state(), before)
        outputs = predict(model, DATASET.part("train"), rng=torch.Generator())
        found.append((how.best_epoch, how.val_score, outputs))
    assert found[0][:2] == found[1][:2]
    assert torch.equal(found[0][2], found[1][2])
    accuracy = hits(found[0][2].numpy(), DATASET.labels_of("train"), "binary").mean()
    assert accuracy >= 0.8


def test_the_last_of_equally_good_epochs_is_kept_and_starts_the_patience_anew(monkeypatch) -> None:
    scores, weights = iter([0.5, 0.7, 0.6, 0.7, 0.6, 0.7, 0.1, 0.1, 0.1]), []
    model = build("Bag", Shape.of(DATASET), {"hidden": 4}, seed=0)

    def told(*_) -> float:
        weights.append(next(model.parameters()).detach().clone())
        return next(scores)

    monkeypatch.setattr(training, "score", told)
    how = fit(model, DATASET, Recipe(1e-2, 8, epochs=50, patience=3), seed=0)
    assert (how.best_epoch, how.val_score, how.epochs) == (6, 0.7, 9)
    assert torch.equal(next(model.parameters()), weights[5])
    assert not torch.equal(weights[3], weights[5])


@pytest.mark.parametrize(
    ("schedule", "scores", "rates"),
    [
        # a worse score of the same sign is no better one, below 0 either
        ("plateau", [-1.0, -1.0, -1.5, -1.0, -0.5], [1, 1, 1, 0.5, 0.5]),
        ("step", [0.1, 0.2, 0.3, 0.4, 0.5], [1, 0.5, 0.5, 0.25, 0.25]),
        ("constant", [0.1, 0.1, 0.1, 0.1, 0.1], [1, 1, 1, 1, 1]),
    ],
)
def test_the_rate_is_halved_as_the_recipe_says(schedule, scores, rates) -> None:
    optimiser = torch.optim.Adam([torch.nn.Parameter(torch.zeros(1))], lr=1.0)
    scheduler = _halving(optimiser, Recipe(1.0, 8, schedule=schedule, wait=2))
    optimiser.step()
    found = []
    for score in scores:
        _halve(scheduler, score)
        found.append(optimiser.param_groups[0]["lr"])
    assert found == rates


class _Stopped(Exception):
    pass


def interrupted_at(last: int) -> Callable[[int, int, float], None]:
    def told(epoch: int, of: int, score: float) -> None:
        if epoch == last:
            raise _Stopped

    return told


@pytest.mark.parametrize(
    ("name", "schedule", "adversarial"),
    [
        ("GINE", "plateau", False),
        ("ESAN", "step", False),
        ("DropGINE", "constant", False),
        ("PPGN", "plateau", False),
        ("GIN", "plateau", True),
    ],
)
@pytest.mark.parametrize("at", [2, 4, 5, 11])
def test_a_run_that_goes_on_ends_as_one_that_was_never_interrupted(
    name: str, schedule: Schedule, adversarial: bool, at: int, tmp_path: Path
) -> None:
    """Before anything was kept, on an epoch that is kept, after one; with dropout and noise."""
    recipe = Recipe(1e-2, 8, 0.3, epochs=12, patience=12, schedule=schedule, wait=1)

    def run(checkpoint: Checkpoint | None, until: int = 0) -> tuple[dict[str, Tensor], Fit]:
        told = {"runs": 3} if name == "DropGINE" else {}
        shape = Shape.of(DATASET)
        model = build(name, shape, {"hidden": 6, "dropout": 0.3, **told}, seed=0)
        how = fit(
            model,
            DATASET,
            recipe,
            seed=4,
            adversary=Attacked.of(DATASET) if adversarial else None,
            checkpoint=checkpoint,
            progress=interrupted_at(until),
        )
        return model.state_dict(), replace(how, seconds=0)

    checkpoint = Checkpoint(tmp_path / "run", every=4)
    with pytest.raises(_Stopped):
        run(checkpoint, at)
    assert checkpoint.path.exists() == (at >= 4)
    (resumed, how), (wanted, uninterrupted) = run(checkpoint), run(None)
    assert how == uninterrupted
    assert all(torch.equal(resumed[part], weight) for part, weight in wanted.items())


def test_a_run_goes_on_after_its_checkpoint_and_to_more_epochs(tmp_path: Path) -> None:
    checkpoint, seen = Checkpoint(tmp_path / "run", every=2), []
    for epochs in (4, 7):
        model = build("GIN", Shape.of(DATASET), {"hidden": 4}, seed=0)
        recipe = Recipe(1e-2, 8, epochs=epochs)
        fit(
            model,
            DATASET,
            recipe,
            seed=0,
            checkpoint=checkpoint,
            progress=lambda epoch, of, score: seen.append(epoch),
        )
    assert seen == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"seed": 1}, "seed 0"),
        ({"recipe": Recipe(1e-3, 8, epochs=4)}, "learning rate 0.01"),
        ({"recipe": Recipe(1e-2, 4, epochs=4)}, "batch 8"),
        ({"recipe": Recipe(1e-2, 8, epochs=4, schedule="step")}, "schedule 'plateau'"),
        ({"recipe": Recipe(1e-2, 8, epochs=4, wait=3)}, "wait 25"),
        ({"adversary": Attacked.of(DATASET, 2)}, "adversary 'none'"),
        ({"weights": 1}, "initial weights"),
    ],
)
def test_a_checkpoint_of_another_run_is_refused(
    changed: dict[str, object], told: str, tmp_path: Path
) -> None:
    checkpoint = Checkpoint(tmp_path / "run", every=2)

    def run(weights: int = 0, **how: object) -> None:
        model = build("GIN", Shape.of(DATASET), {"hidden": 4}, seed=weights)
        given = {"recipe": Recipe(1e-2, 8, epochs=4), "seed": 0} | how
        fit(model, DATASET, checkpoint=checkpoint, **given)

    run()
    with pytest.raises(WrongCheckpoint, match=f"found one with {told}"):
        run(**changed)


def test_an_adversary_says_what_it_is() -> None:
    assert str(Attacked.of(DATASET)) == "AttrPGD of 1 changes, 3 steps, 10 samples, rate 0.1"


def test_esan_is_halved_as_the_thesis_code_halves_it() -> None:
    told = {name: (own["ESAN"].schedule, own["ESAN"].wait) for name, own in RECIPES.items()}
    steps = dict.fromkeys(("mutag", "imdb-binary", "imdb-multi"), ("step", 50))
    assert told == steps | {"zinc": ("plateau", 20), "molhiv": ("constant", 25)}


def test_the_adversary_sees_every_batch_and_the_model_learns_from_what_it_gives() -> None:
    adversary, seen = Attacked.of(DATASET), []

    def watched(model, graphs, labels, rng):
        assert not model.training
        found = adversary(model, graphs, labels, rng)
        pairs = zip(found, graphs, strict=True)
        seen.append(sum(not one.same(other) for one, other in pairs))
        return found

    model = build("GINE", Shape.of(DATASET), {"hidden": 8}, seed=0)
    how = fit(model, DATASET, Recipe(1e-2, 6, epochs=2), seed=0, adversary=watched)
    assert how.epochs == 2
    assert len(seen) == 4
    assert sum(seen) > 0


def test_the_adversary_is_the_thesis() -> None:
    adversary = Attacked.of(DATASET)
    attack = adversary.attack
    assert (attack.rate, attack.steps, attack.samples) == (0.1, 3, 10)
    assert adversary.budget.absolute == 1
    assert adversary.budget.attributes


def test_losses_are_those_of_the_tasks() -> None:
    outputs = torch.tensor([[0.0], [2.0]])
    assert float(loss(outputs, torch.tensor([1.0, 1.0]), "regression")) == pytest.approx(1.0)
    binary = float(loss(outputs, torch.tensor([1, 0]), "binary"))
    assert binary == pytest.approx((np.log(2) + np.log(1 + np.exp(2))) / 2)
    classes = float(loss(torch.zeros(1, 3), torch.tensor([2]), "multiclass"))
    assert classes == pytest.approx(np.log(3))


def test_every_dataset_has_recipes_and_the_models_of_the_thesis_sizes() -> None:
    assert set(RECIPES) == {"zinc", "imdb-binary", "imdb-multi", "mutag", "molhiv"}
    assert set(ADVERSARIAL_RECIPES) == set(RECIPES["mutag"]) - {"Bag"}
    model = create("DropGINE", DATASET, seed=0, recipe=RECIPE)
    nodes = [graph.n for graph in DATASET.part("train")]
    assert model.noise_width == round(np.mean(nodes))
