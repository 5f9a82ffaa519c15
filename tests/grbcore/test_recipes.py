"""The recipes outside the starter set: the paper's models and trainings, and what came after."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grbcore import catalog
from grbcore.architectures import ARCHITECTURES
from grbcore.attacks import INJECTION, MODIFICATION
from grbcore.catalog import AdversarialChanges, AdversarialInjection, Board, DefenseRecipe
from grbcore.graphlevel.trained import adversary_of
from grbcore.training import adversarial_training
from tests.grbcore.graphlevel.samples import small_dataset

ORACLES = Path(__file__).resolve().parents[1] / "oracles"
COUNTS: dict[str, Any] = json.loads((ORACLES / "grb_parameter_counts.json").read_text("utf-8"))
NAMES = {"GCNSVD": "GCN-SVD"}
#: What the tables print beside, and what we call it.
OTHERS = {"k": "hops", "alpha": "alpha", "heads": "heads"}

#: Table 5: step size, steps of an epoch, injected nodes, edges of each.
TABLE_5 = {
    "grb-cora": (0.01, 10, 20, 20),
    "grb-citeseer": (0.01, 10, 30, 20),
    "grb-flickr": (0.01, 10, 200, 100),
    "grb-reddit": (0.01, 10, 500, 200),
    "grb-aminer": (0.01, 10, 500, 100),
}

MODELS = [(dataset, model) for dataset in COUNTS for model in COUNTS[dataset]["models"]]
TRAINED = [
    (board, recipe)
    for board in catalog.boards().values()
    for recipe in board.defenses
    if recipe.adversarial is not None
]


def recipe_of(board: Board, name: str) -> DefenseRecipe:
    return next(recipe for recipe in board.defenses if recipe.name == name)


@pytest.mark.parametrize(("dataset", "model"), MODELS)
def test_every_model_of_tables_6_to_10_has_a_recipe_of_its_size(dataset: str, model: str) -> None:
    recipe = recipe_of(catalog.board(f"{dataset}/injection@1"), NAMES.get(model, model))
    architecture = ARCHITECTURES[recipe.architecture]
    parameters = architecture.parameters.model_validate(recipe.parameters)
    entry, published = COUNTS[dataset], COUNTS[dataset]["models"][model]
    assert parameters.hidden == published["hidden"]
    counted = architecture.count(parameters, entry["in_features"], entry["classes"])
    assert counted == published["params"]


@pytest.mark.parametrize(("dataset", "model"), MODELS)
def test_every_model_of_tables_6_to_10_is_trained_as_printed(dataset: str, model: str) -> None:
    """Adam; learning rate and dropout 0.01 and 0.5, of the guards 0.001 and 0.1."""
    recipe = recipe_of(catalog.board(f"{dataset}/injection@1"), NAMES.get(model, model))
    expected = (0.001, 0.1) if "Guard" in model else (0.01, 0.5)
    assert (recipe.learning_rate, recipe.dropout) == expected
    assert recipe.weight_decay == 0
    assert recipe.mode == "inductive"
    published = COUNTS[dataset]["models"][model]
    printed = {ours: published[theirs] for theirs, ours in OTHERS.items() if theirs in published}
    assert {name: recipe.parameters[name] for name in printed} == printed
    assert recipe.parameters.get("layer_norm", False) == model.endswith("+LN")


@pytest.mark.parametrize("dataset", TABLE_5)
def test_tdgia_injects_a_share_at_a_time_as_table_12_says(dataset: str) -> None:
    recipes = [r for r in catalog.board(f"{dataset}/injection@1").attacks if r.method == "TDGIA"]
    assert recipes
    for recipe in recipes:
        attack = INJECTION["TDGIA"](**recipe.arguments)
        assert attack.sequential == 0.2


@pytest.mark.parametrize("dataset", TABLE_5)
def test_every_defense_of_tables_13_to_17_has_a_recipe(dataset: str) -> None:
    oracle = json.loads((ORACLES / f"{dataset}.json").read_text("utf-8"))
    names = {recipe.name for recipe in catalog.board(f"{dataset}/injection@1").defenses}
    assert set(oracle["defenses_in_rank_order"]) <= names


@pytest.mark.parametrize("dataset", TABLE_5)
def test_adversarial_training_takes_the_papers_budgets(dataset: str) -> None:
    board = catalog.board(f"{dataset}/injection@1")
    plans = [recipe.adversarial for recipe in board.defenses if recipe.name.endswith("+AT")]
    assert plans
    for plan in plans:
        assert isinstance(plan, AdversarialInjection)
        found = (plan.arguments["step_size"], plan.arguments["steps"])
        assert (*found, plan.nodes, plan.edges_per_node) == TABLE_5[dataset]
        assert plan.method == "FGSM"


@pytest.mark.parametrize(("board", "recipe"), TRAINED, ids=lambda one: getattr(one, "name", ""))
def test_a_plan_of_adversarial_training_can_be_followed(
    board: Board, recipe: DefenseRecipe
) -> None:
    plan = recipe.adversarial
    assert plan is not None
    if isinstance(plan, AdversarialChanges):
        budget = adversary_of(plan, small_dataset()).budget
        assert (budget.absolute, budget.attributes) == (1, True)
        return
    methods = INJECTION if board.scenario == "injection" else MODIFICATION
    assert plan.method in methods
    assert adversarial_training(plan, 0).warm_up < recipe.epochs


@pytest.mark.parametrize("name", ["grb-cora", "digits"])
def test_what_came_after_the_paper_stands_on_both_scenarios(name: str) -> None:
    for scenario in ("injection", "modification"):
        names = {r.name for r in catalog.board(f"{name}/{scenario}@1").defenses}
        assert {"Soft-Median-GDC", "EvenNet", "GPRGNN", "RUNG", "MLP", "LogReg"} <= names
    assert "GPRGNN+AT" in names
