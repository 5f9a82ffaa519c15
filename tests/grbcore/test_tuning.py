"""Tuning: the same seed tries the same, studies go on, hopeless trials are pruned."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import optuna
import pytest

from grbcore import baselines
from grbcore.architectures import ARCHITECTURES
from grbcore.catalog import DefenseRecipe
from grbcore.tuning import LOOK, Tried, Tuned, default_space, tune
from grbcore.visualise.figure import MissingExtra
from tests.grbcore.engine import TOY


def space(trial: optuna.Trial) -> DefenseRecipe:
    """Recipes that take no time."""
    return DefenseRecipe(
        name="GCN",
        architecture="GCN",
        parameters={"hidden": [trial.suggest_int("width", 2, 9)]},
        learning_rate=trial.suggest_float("learning_rate", 1e-3, 1e-1, log=True),
        epochs=3,
    )


@pytest.fixture(scope="module")
def tuned() -> Tuned:
    return tune(TOY, space, trials=4)


def test_the_best_is_the_recipe_of_the_highest_validation_accuracy(tuned: Tuned) -> None:
    assert tuned.val_accuracy == max(trial.val_accuracy for trial in tuned.trials)
    best = {trial.val_accuracy: trial.recipe for trial in reversed(tuned.trials)}
    assert tuned.best == best[tuned.val_accuracy]


def test_training_the_best_recipe_gives_the_accuracy_that_was_told(
    tuned: Tuned, tmp_path: Path
) -> None:
    result = baselines.train(tuned.best, TOY, tmp_path / "best.safetensors")
    assert result.val_score == tuned.val_accuracy


def test_the_same_seed_tries_the_same_and_another_others(tuned: Tuned) -> None:
    assert tune(TOY, space, trials=4) == tuned
    assert tune(TOY, space, trials=4, seed=1) != tuned


def test_a_study_goes_on_as_if_it_had_never_stopped(tuned: Tuned, tmp_path: Path) -> None:
    path = tmp_path / "study.db"
    told: list[int] = []
    tune(TOY, space, trials=2, study=path)
    again = tune(TOY, space, trials=4, study=path, told=lambda number, tried: told.append(number))
    assert again == tuned
    assert told == [3, 4]


def test_a_trial_that_was_interrupted_is_tried_again(tuned: Tuned, tmp_path: Path) -> None:
    def interrupted(trial: optuna.Trial) -> DefenseRecipe:
        if trial.number == 2:
            raise KeyboardInterrupt
        return space(trial)

    path = tmp_path / "study.db"
    with pytest.raises(KeyboardInterrupt):
        tune(TOY, interrupted, trials=4, study=path)
    assert tune(TOY, space, trials=4, study=path) == tuned


def test_a_study_that_is_done_tries_no_more(tmp_path: Path) -> None:
    path = tmp_path / "study.db"
    first = tune(TOY, space, trials=2, study=path)
    told: list[Tried] = []
    again = tune(TOY, space, trials=2, study=path, told=lambda number, tried: told.append(tried))
    assert again == first
    assert told == []


def test_a_hopeless_trial_is_pruned_after_a_look() -> None:
    """Five that learn, then one whose weights hardly move from where they were drawn."""

    def mostly_good(trial: optuna.Trial) -> DefenseRecipe:
        rate = 0.1 if trial.number < 5 else 1e-9
        return space(trial).model_copy(
            update={"parameters": {"hidden": [8]}, "learning_rate": rate, "epochs": 6 * LOOK}
        )

    found = tune(TOY, mostly_good, trials=6)
    *good, hopeless = found.trials
    assert not any(trial.pruned for trial in good)
    assert hopeless.pruned
    assert hopeless.epochs < 6 * LOOK
    assert hopeless.epochs % LOOK == 0


def test_tuning_sees_nothing_of_the_test_nodes(tuned: Tuned) -> None:
    features, labels = TOY.features.copy(), TOY.labels.copy()
    features[TOY.targets["full"]] = 0.9
    labels[TOY.targets["full"]] = 0
    blind = replace(TOY, features=features, labels=labels)
    assert tune(blind, space, trials=4) == tuned


def test_a_study_of_another_dataset_or_seed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "study.db"
    tune(TOY, space, trials=1, study=path)
    with pytest.raises(ValueError, match="study: found one of seed 0 in"):
        tune(TOY, space, trials=1, study=path, seed=1)
    with pytest.raises(ValueError, match="study: found one of dataset"):
        tune(replace(TOY, digest="1" * 64), space, trials=1, study=path)


def test_no_trials_are_refused() -> None:
    with pytest.raises(ValueError, match="trials: found 0, allowed: 1 or more"):
        tune(TOY, space, trials=0)


def test_without_optuna_the_extra_that_brings_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(MissingExtra, match=r"optuna: found none, allowed: pip install .*\[study\]"):
        tune(TOY, space, trials=1)


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_every_architecture_has_a_space_of_legal_recipes(name: str) -> None:
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=0))
    for _ in range(20):
        recipe = default_space(name)(study.ask())
        ARCHITECTURES[name].parameters.model_validate(recipe.parameters)
        assert np.isfinite(recipe.learning_rate)


def test_an_unknown_architecture_is_answered_with_all_that_there_are() -> None:
    with pytest.raises(ValueError, match="architecture: found 'GNC', allowed: GCN, GAT, GIN"):
        default_space("GNC")
