"""Baselines of boards on whole graphs: trained, attacked and named as those of other boards."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from grbcore import baselines
from grbcore.attacks import BLACK_BOX, attack_board, attack_of
from grbcore.catalog import (
    AdversarialChanges,
    AttackRecipe,
    Board,
    DefenseRecipe,
    Surrogate,
    methods_of,
)
from grbcore.graphlevel.models import Shape
from grbcore.graphlevel.models.weights import load
from grbcore.scenario import BUDGETS, GRAPH_SCENARIOS, Scenario
from grbcore.submission import check_content, read_attack
from grbcore.training import Checkpoint
from tests.grbcore.graphlevel.boards import DATASET, board, numbers
from tests.grbcore.graphlevel.samples import small_model

GIN = DefenseRecipe(
    name="GIN", architecture="GIN", parameters={"hidden": 8, "layers": 2}, epochs=2, batch=6
)
RANDOM = AttackRecipe(name="Random", method="Random")
TRAINING: dict[str, object] = {"epochs": 1, "batch": 6}
PGD = AttackRecipe(
    name="AdjPGD",
    method="AdjPGD",
    arguments={"repeats": 1, "steps": 2, "samples": 4},
    surrogate=Surrogate(
        architecture="GINE", parameters={"hidden": 8, "layers": 2}, seed=9, training=TRAINING
    ),
)


def small(scenario: Scenario = "adjacency") -> Board:
    return board(scenario).model_copy(update={"defenses": (GIN,), "attacks": (RANDOM, PGD)})


def test_each_baseline_is_a_valid_submission_of_every_budget_and_repeat(tmp_path: Path) -> None:
    said: list[str] = []
    made = list(baselines.make(small(), DATASET, tmp_path, announce=said.append))
    assert [
        check_content(one.path, side=one.side, board=small(), dataset=DATASET) for one in made
    ] == [(), (), ()]
    assert said == [
        "training GIN",
        "attacking with Random",
        "training the surrogate of AdjPGD",
        "attacking with AdjPGD",
    ]
    with made[1].path.open("rb") as file:
        attack = read_attack(file, small())
    assert {name: len(repeats) for name, repeats in attack.items()} == dict.fromkeys(BUDGETS, 3)


def test_baselines_are_the_same_bytes_each_time_and_are_not_made_twice(tmp_path: Path) -> None:
    one, other = (list(baselines.make(small(), DATASET, tmp_path / at)) for at in ("a", "b"))
    assert [a.path.read_bytes() for a in one] == [b.path.read_bytes() for b in other]
    said: list[str] = []
    again = list(baselines.make(small(), DATASET, tmp_path / "a", announce=said.append))
    assert [a.path for a in again] == [a.path for a in one]
    assert said == []


def test_a_surrogate_is_trained_as_its_attack_says_and_its_seed_is_its_own() -> None:
    assert PGD.surrogate is not None
    found = baselines.surrogate_recipe(PGD.surrogate)
    assert (found.epochs, found.batch, found.seed, found.architecture) == (1, 6, 9, "GINE")
    plain = PGD.surrogate.model_copy(update={"training": {}})
    assert baselines.surrogate_recipe(plain).epochs == DefenseRecipe.model_fields["epochs"].default


def test_a_surrogate_that_says_nothing_of_its_training_leaves_the_attacks_name_as_it_was() -> None:
    assert PGD.surrogate is not None
    plain = PGD.surrogate.model_copy(update={"training": {}})
    before = PGD.model_copy(update={"surrogate": plain})
    said = before.model_dump(mode="json")
    del said["surrogate"]["training"]
    board_facts = small().model_dump(mode="json", include={"id", "injection", "feature_range"})
    made_from = {
        "recipe": said,
        "dataset": DATASET.digest,
        "board": board_facts,
        "evaluator": baselines.EVALUATOR_VERSION,
    }
    digest = hashlib.sha256(json.dumps(made_from, sort_keys=True).encode()).hexdigest()[:12]
    assert baselines.artefact_name(small(), DATASET, before) == f"AdjPGD-{digest}"
    assert baselines.artefact_name(small(), DATASET, PGD) != f"AdjPGD-{digest}"


@pytest.mark.parametrize("scenario", GRAPH_SCENARIOS)
def test_every_attack_of_the_catalog_makes_a_legal_file(scenario: Scenario, tmp_path: Path) -> None:
    """But for brute force, which makes one change."""
    model = small_model("GIN").float()
    few: dict[str, dict[str, object]] = {
        "Genetic": {"population": 4, "generations": 1},
        "AdjPGD": {"repeats": 1, "steps": 1, "samples": 4},
        "AttrPGD": {"repeats": 1, "steps": 1, "samples": 4},
    }
    for method in methods_of(scenario):
        recipe = AttackRecipe(name=method, method=method, arguments=few.get(method, {}))
        surrogate = None if method in BLACK_BOX[scenario] else model
        path = tmp_path / f"{method}.npz"
        baselines.run(recipe, board(scenario), DATASET, surrogate, path, repeats=1)
        faults = check_content(path, side="attack", board=board(scenario), dataset=DATASET)
        assert faults == (), method


def test_an_attack_sees_no_test_label() -> None:
    """Other labels of the test graphs give the same attack."""
    model = small_model("GIN").float()
    labels = DATASET.labels.copy()
    labels[DATASET.split.test] = 1 - labels[DATASET.split.test]
    found = []
    for truth in (DATASET.labels, labels):
        dataset = replace(DATASET, labels=truth)
        attack = attack_of("adjacency", "AdjPGD", PGD.arguments, dataset)
        found.append(attack_board(attack, model, board("adjacency"), dataset, repeats=1))
    for name in BUDGETS:
        np.testing.assert_array_equal(found[0][name][0].flips, found[1][name][0].flips)


def test_numbers_are_attacked_with_and_without_a_surrogate() -> None:
    dataset, errors = numbers(), board("adjacency").model_copy(update={"metric": "error"})
    model, _ = baselines.graph_level.train(GIN, dataset)
    for method, surrogate in (("Random", None), ("AdjPGD", model)):
        arguments = PGD.arguments if method == "AdjPGD" else {}
        attack = attack_of("adjacency", method, arguments, dataset)
        found = attack_board(attack, surrogate, errors, dataset, repeats=1)
        assert sum(found["5"][0].flips.shape) > 2


def test_an_attack_that_asks_a_model_needs_one_of_whole_graphs() -> None:
    attack = attack_of("adjacency", "AdjPGD", {}, DATASET)
    with pytest.raises(ValueError, match="model: found none, allowed: a surrogate"):
        attack_board(attack, None, board("adjacency"), DATASET)
    with pytest.raises(ValueError, match="model: found str, allowed: one of whole graphs"):
        attack_board(attack, "gin", board("adjacency"), DATASET)  # type: ignore[arg-type]


def test_training_says_how_it_went_and_keeps_what_the_recipe_says(tmp_path: Path) -> None:
    path = tmp_path / "gin.safetensors"
    told: list[int] = []
    how = baselines.train(GIN, DATASET, path, progress=lambda epoch, of, score: told.append(epoch))
    assert (how.epochs, told) == (2, [1, 2])
    _, header = load(path, Shape.of(DATASET))
    assert header.parameters.model_dump() == {"hidden": 8, "layers": 2}


def test_adversarial_training_gives_other_weights(tmp_path: Path) -> None:
    recipe = GIN.model_copy(update={"adversarial": AdversarialChanges(changes=1), "epochs": 1})
    paths = [tmp_path / "plain", tmp_path / "hardened"]
    for one, path in zip((GIN.model_copy(update={"epochs": 1}), recipe), paths, strict=True):
        baselines.train(one, DATASET, path)
    assert paths[0].read_bytes() != paths[1].read_bytes()


def test_training_on_whole_graphs_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    checkpoint = Checkpoint(tmp_path / "run", every=1)
    told: list[int] = []
    for epochs in (1, 2):
        recipe = GIN.model_copy(update={"epochs": epochs})
        path = tmp_path / f"gin-{epochs}"
        baselines.train(
            recipe,
            DATASET,
            path,
            checkpoint=checkpoint,
            progress=lambda epoch, of, score: told.append(epoch),
        )
    assert told == [1, 2]
    baselines.train(recipe, DATASET, tmp_path / "at once")
    assert path.read_bytes() == (tmp_path / "at once").read_bytes()
