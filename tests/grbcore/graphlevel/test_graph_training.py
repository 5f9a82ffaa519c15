"""Training graph-level models, and adversarial training."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from grbcore.graphlevel import training
from grbcore.graphlevel.adversarial import Attacked
from grbcore.graphlevel.metrics import hits
from grbcore.graphlevel.models import Shape, build, predict
from grbcore.graphlevel.training import (
    ADVERSARIAL_RECIPES,
    RECIPES,
    Recipe,
    _halving,
    create,
    fit,
    loss,
)
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
    halve = _halving(optimiser, Recipe(1.0, 8, schedule=schedule, wait=2))
    optimiser.step()
    found = []
    for score in scores:
        halve(score)
        found.append(optimiser.param_groups[0]["lr"])
    assert found == rates


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
