"""What the library says of arguments that are wrong: which one, what was found, what is allowed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from grbcore import catalog, datasets, models
from grbcore.architectures import Parameters
from grbcore.attacks import ATTACKS, BLACK_BOX, FGSM, INJECTION, MODIFICATION, Ensemble, QueryBudget
from grbcore.attacks.board import attack_board
from grbcore.datasets import Dataset
from grbcore.evaluate import evaluate
from grbcore.graph import Graph
from grbcore.matrix import evaluate_matrix
from grbcore.perturbation import Injection, Modification
from grbcore.scenario import SCENARIOS, Budget, InjectionBudget, ModificationBudget
from grbcore.training import fit, injecting, modifying
from grbcore.tuning import default_space, tune
from tests.grbcore.engine import TOY, TOY_GRAPH, budget, toy_model

EVERY = [(scenario, name) for scenario in SCENARIOS for name in ATTACKS[scenario]]
DIFFERENTIATING = [(s, name) for s, name in EVERY if name not in BLACK_BOX[s]]
BUDGETS: dict[str, Budget] = {"injection": budget(), "modification": ModificationBudget(5)}
FULL = TOY.targets["full"]
NAN = float("nan")
DIGITS = datasets.load("digits")
BOARD = catalog.board("digits/injection@1")


def call(
    scenario: str,
    name: str,
    *,
    model: object = None,
    graph: Graph = TOY_GRAPH,
    targets: object = FULL,
    limits: object = None,
    rng: object = None,
) -> object:
    return ATTACKS[scenario][name]()(  # type: ignore[index, operator]
        model or toy_model("GCN"),
        graph,
        targets,
        budget=limits or BUDGETS[scenario],
        rng=rng or np.random.default_rng(0),
    )


@pytest.mark.parametrize(("scenario", "name"), EVERY)
@pytest.mark.parametrize(
    ("targets", "found"),
    [
        (np.array([0, 60]), "node 60, allowed: distinct nodes 0..59"),
        (np.array([-1]), "node -1"),
        (np.array([3, 5, 3]), "node 3 twice"),
        (FULL.astype(np.int32), "int32 of shape"),
        (np.ones(60, bool), "bool of shape"),
        (FULL[None], "int64 of shape"),
        (list(FULL), "list"),
    ],
    ids=["above", "below", "twice", "int32", "mask", "matrix", "list"],
)
def test_every_attack_refuses_targets_that_are_not_distinct_nodes(
    scenario: str, name: str, targets: object, found: str
) -> None:
    with pytest.raises(ValueError, match=f"targets: found {found}"):
        call(scenario, name, targets=targets)


@pytest.mark.parametrize(("scenario", "name"), EVERY)
def test_every_attack_refuses_the_budget_of_the_other_scenario(scenario: str, name: str) -> None:
    other = "modification" if scenario == "injection" else "injection"
    with pytest.raises(ValueError, match=r"budget: found \w+Budget, allowed: \w+Budget"):
        call(scenario, name, limits=BUDGETS[other])


@pytest.mark.parametrize(("scenario", "name"), EVERY)
def test_every_attack_refuses_features_that_are_not_finite(scenario: str, name: str) -> None:
    features = TOY_GRAPH.features.clone()
    features[3, 2] = NAN
    with pytest.raises(ValueError, match=r"graph.features: found NaN or infinity"):
        call(scenario, name, graph=Graph(TOY_GRAPH.pattern, features))


@pytest.mark.parametrize(("scenario", "name"), EVERY)
def test_every_attack_refuses_a_random_stream_that_is_none(scenario: str, name: str) -> None:
    with pytest.raises(ValueError, match="rng: found int, allowed: a numpy"):
        call(scenario, name, rng=3)


@pytest.mark.parametrize(("scenario", "name"), DIFFERENTIATING)
def test_a_surrogate_for_other_features_is_refused(scenario: str, name: str) -> None:
    other = models.build("GCN", Parameters(hidden=[4]), features=5, classes=3)
    with pytest.raises(ValueError, match="model: found one that takes no features of width 8"):
        call(scenario, name, model=other)


@pytest.mark.parametrize(("scenario", "name"), DIFFERENTIATING)
def test_a_surrogate_that_is_no_model_is_refused(scenario: str, name: str) -> None:
    with pytest.raises(ValueError, match="model: found str, allowed: a surrogate"):
        call(scenario, name, model="gcn.safetensors")


@pytest.mark.parametrize("name", INJECTION)
def test_more_nodes_than_the_graph_has_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"budget.nodes: found 61, allowed: at most 60"):
        call("injection", name, limits=budget(61))


@pytest.mark.parametrize(("scenario", "name"), EVERY)
@pytest.mark.parametrize("value", [-1, NAN, float("inf"), "much", None])
def test_no_argument_of_an_attack_takes_what_is_no_sensible_number(
    scenario: str, name: str, value: object
) -> None:
    kind = ATTACKS[scenario][name]  # type: ignore[index]
    for field in dataclasses.fields(kind):  # type: ignore[arg-type]
        with pytest.raises(ValueError, match=rf"{field.name}: found .*, allowed: "):
            kind(**{field.name: value})


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("FGSM", {"step_size": 0}),
        ("TDGIA", {"sequential": 0}),
        ("TDGIA", {"sequential": 1.01}),
        ("SPEIT", {"topology": "star"}),
        ("AGIA", {"candidates": 0}),
        ("QuerySearch", {"share": 2}),
        ("PGD", {"steps": 1.5}),
        ("FGSM", {"steps": True}),
    ],
)
def test_an_argument_beyond_its_range_is_refused(name: str, arguments: dict[str, object]) -> None:
    (argument,) = arguments
    with pytest.raises(ValueError, match=f"{argument}: found .*, allowed: "):
        INJECTION[name](**arguments)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: InjectionBudget(-1, 1, 0, 1), "nodes: found -1"),
        (lambda: InjectionBudget(1.5, 1, 0, 1), "nodes: found 1.5"),  # type: ignore[arg-type]
        (lambda: InjectionBudget(1, -1, 0, 1), "edges_per_node: found -1"),
        (lambda: InjectionBudget(1, 1, 1, 0), "feature_min, feature_max: found 1, 0"),
        (lambda: InjectionBudget(1, 1, NAN, 0), "feature_min, feature_max: found nan, 0"),
        (lambda: InjectionBudget(1, 1, 0, 1, -1), "tolerance: found -1"),
        (lambda: ModificationBudget(-1), "flips: found -1"),
        (lambda: QueryBudget(toy_model("GCN"), -1), "limit: found -1"),
        (lambda: QueryBudget(toy_model("GCN"), 1.5), "limit: found 1.5"),  # type: ignore[arg-type]
        (lambda: injecting(FGSM(), nodes=0, edges_per_node=1), "nodes: found 0"),
        (lambda: modifying(MODIFICATION["RND"](), share=NAN), "share: found nan"),
    ],
)
def test_a_budget_beyond_its_range_is_refused(make: Callable[[], object], words: str) -> None:
    with pytest.raises(ValueError, match=f"{words}, allowed: "):
        make()


def test_members_of_other_classes_are_refused() -> None:
    other = models.build("GCN", Parameters(hidden=[4]), features=8, classes=5)
    with pytest.raises(ValueError, match=r"models: found ones of \[3, 5\] classes, allowed: "):
        Ensemble([toy_model("GCN"), other])(TOY_GRAPH)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"features": 0}, "features: found 0"),
        ({"classes": 0}, "classes: found 0"),
        ({"dropout": 1.0}, "dropout: found 1.0"),
        ({"dropout": NAN}, "dropout: found nan"),
        ({"seed": 2**80}, f"seed: found {2**80}"),
    ],
)
def test_a_model_of_impossible_size_is_refused(arguments: dict[str, object], words: str) -> None:
    given = {"features": 8, "classes": 3, **arguments}
    with pytest.raises(ValueError, match=f"{words}, allowed: "):
        models.build("GCN", Parameters(hidden=[4]), **given)  # type: ignore[arg-type]


def test_a_model_of_no_registered_architecture_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="model: found Ensemble, allowed: a model of a registered"):
        models.save(tmp_path / "it.safetensors", Ensemble([toy_model("GCN")]))  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def changed(**fields: object) -> Dataset:
    return dataclasses.replace(TOY, **fields)  # type: ignore[arg-type]


def with_nan() -> np.ndarray:
    features = TOY.features.copy()
    features[0, 0] = NAN
    return features


@pytest.mark.parametrize(
    ("dataset", "words"),
    [
        (changed(labels=np.full_like(TOY.labels, -1)), "dataset.labels: found train nodes without"),
        (changed(labels=np.zeros_like(TOY.labels)), "dataset.labels: found one class only"),
        (changed(features=with_nan()), "dataset.features: found NaN or infinity"),
        (changed(train=TOY.train[:0]), "dataset.train: found no nodes"),
        (changed(val=np.array([99])), "dataset.val: found nodes from 99 to 99"),
        (changed(labels=TOY.labels * 2), "model: found 3 classes"),
        (DIGITS, "model: found one that takes no features of width 64"),
    ],
    ids=["no labels", "one class", "NaN", "no nodes", "range", "classes", "width"],
)
def test_training_refuses_what_cannot_be_learned_from(dataset: Dataset, words: str) -> None:
    with pytest.raises(ValueError, match=f"{words}.*, allowed: "):
        fit(toy_model("GCN"), dataset, seed=0, epochs=2)


def test_training_that_diverged_says_so() -> None:
    with pytest.raises(ValueError, match="training diverged: try a lower learning_rate"):
        fit(toy_model("GCN"), TOY, seed=0, epochs=3, learning_rate=1e38)


def gcn() -> models.Model:
    return models.create("GCN", DIGITS, {"hidden": [4]})


@pytest.mark.parametrize(
    ("attack", "words"),
    [
        ({}, "attack: found nothing"),
        ({"extreme": [Injection.empty(64)]}, "attack: found difficulty extreme"),
        ({"full": [Modification.empty()]}, "full/0: found Modification"),
        ([Injection.empty(64)], "attack: found list"),
    ],
)
def test_evaluation_refuses_what_is_no_attack_on_the_board(attack: object, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        evaluate(BOARD, DIGITS, model=gcn(), attack=attack)  # type: ignore[arg-type]


def test_evaluation_refuses_a_model_for_other_features() -> None:
    words = "model: found one that takes no features of width 64"
    with pytest.raises(ValueError, match=words):
        evaluate(BOARD, DIGITS, model=toy_model("GCN"))
    with pytest.raises(ValueError, match=words):
        evaluate_matrix({"it": toy_model("GCN")}, {}, BOARD, DIGITS)


def test_evaluation_refuses_another_dataset() -> None:
    with pytest.raises(ValueError, match="dataset: found toy, allowed: digits"):
        evaluate(BOARD, TOY, model=toy_model("GCN"))


def test_evaluation_refuses_features_of_no_kind() -> None:
    with pytest.raises(ValueError, match="features: found 'odd', allowed: normalised, raw"):
        evaluate(BOARD, DIGITS, model=gcn(), features="odd")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"difficulties": ("extreme",)}, "difficulties: found 'extreme'"),
        ({"repeats": 0}, "repeats: found 0"),
    ],
)
def test_an_attack_on_a_board_refuses_what_it_lacks(
    arguments: dict[str, object], words: str
) -> None:
    with pytest.raises(ValueError, match=f"{words}, allowed: "):
        attack_board(INJECTION["RND"](), None, BOARD, DIGITS, **arguments)  # type: ignore[arg-type]


def test_a_difficulty_named_twice_is_attacked_once() -> None:
    twice = ("full", "full")
    found = attack_board(INJECTION["RND"](), None, BOARD, DIGITS, difficulties=twice, repeats=1)
    assert {name: len(repeats) for name, repeats in found.items()} == {"full": 1}


@pytest.mark.parametrize("content", [b"mine" * 99, None], ids=["no study", "no folder"])
def test_a_search_refuses_a_file_that_is_no_study(content: bytes | None, tmp_path: Path) -> None:
    study = tmp_path / "study.db" if content else tmp_path / "none" / "study.db"
    if content:
        study.write_bytes(content)
    with pytest.raises(ValueError, match=r"study: found .*, allowed: a file"):
        tune(TOY, default_space("MLP", epochs=1), trials=1, study=study)


@pytest.mark.parametrize("field", ["epochs", "patience"])
def test_a_search_of_no_epochs_is_refused(field: str) -> None:
    with pytest.raises(ValueError, match=f"{field}: found 0, allowed: 1 or more"):
        default_space("MLP", **{field: 0})  # type: ignore[arg-type]
