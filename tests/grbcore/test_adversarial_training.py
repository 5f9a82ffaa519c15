"""Adversarial training: what is attacked, when, within which budget, and what stays as it was."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
import torch

from grbcore import baselines, catalog
from grbcore.attacks import FGSM, RND
from grbcore.catalog import AdversarialInjection, Board, DefenseRecipe
from grbcore.datasets import Dataset
from grbcore.graph import Graph
from grbcore.models import GraphModel, build
from grbcore.perturbation import Injection, Ints, Modification
from grbcore.scenario import GraphShape, InjectionBudget, ModificationBudget
from grbcore.training import AdversarialTraining, adversarial_training, fit, injecting, modifying
from tests.grbcore.engine import TOY, TOY_GRAPH, small, toy_model

TRAINING = TOY_GRAPH.subgraph(TOY.train)
RECIPE = DefenseRecipe(name="GCN", architecture="GCN", parameters={"hidden": [4]}, epochs=8)
PLAN = AdversarialInjection(nodes=3, edges_per_node=4, warm_up=2)


@dataclass
class Watched:
    """An attack that is asked, and remembers what it was asked and answered."""

    attack: FGSM | RND
    seen: list[tuple[Graph, Ints, InjectionBudget, Injection]] = field(default_factory=list)

    def __call__(
        self,
        model: GraphModel | None,
        graph: Graph,
        targets: Ints,
        *,
        budget: InjectionBudget,
        rng: np.random.Generator,
    ) -> Injection:
        found = self.attack(model, graph, targets, budget=budget, rng=rng)
        self.seen.append((graph, targets, budget, found))
        return found


class Sleepy:
    """An attack that changes nothing but leaves the model in evaluation mode."""

    def __call__(
        self,
        model: GraphModel | None,
        graph: Graph,
        targets: Ints,
        *,
        budget: InjectionBudget,
        rng: np.random.Generator,
    ) -> Injection:
        assert model is not None
        model.eval()
        return Injection.empty(graph.features.shape[1])


@dataclass
class Flipping:
    """A modification attack that joins pairs of targets, as many as it may."""

    budgets: list[int] = field(default_factory=list)

    def __call__(
        self,
        model: GraphModel | None,
        graph: Graph,
        targets: Ints,
        *,
        budget: ModificationBudget,
        rng: np.random.Generator,
    ) -> Modification:
        self.budgets.append(budget.flips)
        ends = np.array([targets[: budget.flips], targets[1 : budget.flips + 1]])
        return Modification(ends)


def watched(attack: FGSM | RND, *, epochs: int = 6, warm: int = 2, seed: int = 0) -> Watched:
    """What an attack saw of a short training."""
    watching = Watched(attack)
    threat = injecting(watching, nodes=3, edges_per_node=4)
    training = AdversarialTraining(threat, seed, warm=warm)
    fit(toy_model("GCN"), TOY, seed=0, epochs=epochs, callbacks=[training])
    return watching


def weights(model: GraphModel) -> list[torch.Tensor]:
    return [tensor.clone() for tensor in model.state_dict().values()]


def equal(one: list[torch.Tensor], other: list[torch.Tensor]) -> bool:
    return all(torch.equal(a, b) for a, b in zip(one, other, strict=True))


def test_every_training_node_is_a_target_and_no_other_node_is_there() -> None:
    for graph, targets, _, _ in watched(RND()).seen:
        assert torch.equal(graph.features, TRAINING.features)
        assert np.array_equal(targets, np.arange(TOY.train.shape[0]))


@pytest.mark.parametrize("attack", [RND(), FGSM(steps=10, step_size=0.1)])
def test_each_attack_keeps_to_its_budget_and_to_the_range_of_the_training_features(
    attack: FGSM | RND,
) -> None:
    low, high = float(TRAINING.features.min()), float(TRAINING.features.max())
    for graph, _, budget, found in watched(attack).seen:
        assert budget == InjectionBudget(3, 4, low, high)
        shape = GraphShape(graph.nodes, graph.features.shape[1])
        assert budget.violations(found, shape) == []
        assert found.nodes == 3


def test_nothing_is_attacked_during_the_warm_up_and_each_epoch_after_it_is() -> None:
    assert len(watched(RND(), epochs=6, warm=2).seen) == 4
    assert len(watched(RND(), epochs=6, warm=0).seen) == 6


def test_each_epoch_is_attacked_anew_and_the_same_seed_attacks_alike() -> None:
    first, again, other = (watched(RND(), seed=seed).seen for seed in (0, 0, 1))
    digests = [found.digest() for *_, found in first]
    assert len(set(digests)) == 4
    assert digests == [found.digest() for *_, found in again]
    assert not set(digests) & {found.digest() for *_, found in other}


def test_dropout_stays_on_after_an_attack_that_left_the_model_in_evaluation_mode() -> None:
    """An attack that injects nothing makes no difference, whatever mode it leaves behind."""
    plain, attacked, still = toy_model("GCN"), toy_model("GCN"), build(
        "GCN", small("GCN"), features=8, classes=TOY.classes, dropout=0.0
    )  # fmt: skip
    sleepy = AdversarialTraining(injecting(Sleepy(), nodes=3, edges_per_node=4), 0, warm=0)
    fit(plain, TOY, seed=0, epochs=9)
    fit(attacked, TOY, seed=0, epochs=9, callbacks=[sleepy])
    fit(still, TOY, seed=0, epochs=9)
    assert equal(weights(plain), weights(attacked))
    assert not equal(weights(still), weights(attacked))


def test_the_best_epoch_comes_after_the_warm_up() -> None:
    """Alone among its epochs the last is attacked, and so the last is the best."""
    training = AdversarialTraining(injecting(RND(), nodes=3, edges_per_node=4), 0, warm=20)
    result = fit(toy_model("GCN"), TOY, seed=0, epochs=21, callbacks=[training])
    assert result.best_epoch == 21


def test_patience_is_counted_from_the_end_of_the_warm_up() -> None:
    training = AdversarialTraining(injecting(RND(), nodes=3, edges_per_node=4), 0, warm=20)
    result = fit(toy_model("GCN"), TOY, seed=0, epochs=90, patience=2, callbacks=[training])
    assert result.epochs > 20


def test_a_warm_up_as_long_as_the_training_is_refused() -> None:
    training = AdversarialTraining(injecting(RND(), nodes=3, edges_per_node=4), 0, warm=5)
    with pytest.raises(ValueError, match="epochs: found 5, allowed: more than the warm-up of 5"):
        fit(toy_model("GCN"), TOY, seed=0, epochs=5, callbacks=[training])


def test_the_injected_graph_is_what_the_model_learns_from() -> None:
    plain, attacked = toy_model("GCN"), toy_model("GCN")
    threat = injecting(FGSM(steps=10, step_size=0.1), nodes=3, edges_per_node=4)
    fit(plain, TOY, seed=0, epochs=9)
    fit(attacked, TOY, seed=0, epochs=9, callbacks=[AdversarialTraining(threat, 0, warm=0)])
    assert not equal(weights(plain), weights(attacked))


def test_a_modification_may_flip_a_share_of_the_edges_that_the_model_learns_from() -> None:
    """10 % of the undirected edges of the training graph, rounded down."""
    flipping = Flipping()
    training = AdversarialTraining(modifying(flipping, share=0.1), 0, warm=1)
    fit(toy_model("GCN"), TOY, seed=0, epochs=4, callbacks=[training])
    undirected = TRAINING.col.shape[0] // 2
    assert flipping.budgets == [undirected // 10] * 3


@pytest.mark.parametrize("share", [0.0, -0.1, 1.5, float("nan")])
def test_a_share_that_is_none_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match=r"share: found .*, allowed: above 0, at most 1"):
        modifying(Flipping(), share=share)


@pytest.mark.parametrize(("nodes", "edges"), [(0, 4), (3, 0), (-1, 4)])
def test_a_budget_of_nothing_is_refused(nodes: int, edges: int) -> None:
    with pytest.raises(ValueError, match=r"found .*, allowed: 1 or more"):
        injecting(RND(), nodes=nodes, edges_per_node=edges)


def test_a_plan_names_a_registered_attack_and_arguments_that_it_takes() -> None:
    with pytest.raises(ValueError, match=r"adversarial.method: found 'NONE', allowed: RND, FGSM"):
        adversarial_training(PLAN.model_copy(update={"method": "NONE"}), 0)
    with pytest.raises(ValueError, match=r"adversarial.arguments: found .*'stride'"):
        adversarial_training(PLAN.model_copy(update={"arguments": {"stride": 1}}), 0)


def test_a_recipe_trains_adversarially_and_twice_the_same(tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.safetensors" for name in ("plain", "one", "other")]
    adversarial = RECIPE.model_copy(update={"adversarial": PLAN})
    for recipe, path in zip((RECIPE, adversarial, adversarial), paths, strict=True):
        baselines.train(recipe, TOY, path)
    plain, one, other = (path.read_bytes() for path in paths)
    assert one == other
    assert one != plain


@pytest.fixture(scope="module")
def digits_board() -> Board:
    return catalog.board("digits/injection@1")


def test_a_recipe_of_before_keeps_its_files_name(digits_board: Board, digits: Dataset) -> None:
    """The name that it had before recipes could say what stands in ``later``."""
    later = {"mode", "weight_decay", "adversarial", "batch", "schedule", "wait"}
    said = {
        "recipe": RECIPE.model_dump(mode="json", exclude=later),
        "dataset": digits.digest,
        "board": digits_board.model_dump(mode="json", include={"id", "injection", "feature_range"}),
        "evaluator": baselines.EVALUATOR_VERSION,
    }
    digest = hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:12]
    assert baselines.artefact_name(digits_board, digits, RECIPE) == f"GCN-{digest}"


@pytest.mark.parametrize(
    "change",
    [
        {"mode": "transductive"},
        {"weight_decay": 1e-3},
        {"adversarial": PLAN},
        {"batch": 8},
        {"schedule": "step"},
        {"wait": 9},
    ],
)
def test_what_a_recipe_newly_says_is_in_its_files_name(
    change: dict[str, object], digits_board: Board, digits: Dataset
) -> None:
    names = {
        baselines.artefact_name(digits_board, digits, recipe)
        for recipe in (RECIPE, RECIPE.model_copy(update=change))
    }
    assert len(names) == 2
