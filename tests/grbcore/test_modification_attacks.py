"""Modification attacks: their contract with every model, and what each of them promises."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional as F

from grbcore.attacks import BLACK_BOX, MODIFICATION, Ensemble
from grbcore.attacks.attack import ModificationAttack
from grbcore.attacks.features import Surrogate
from grbcore.attacks.modification import DICE, FGA, FLIP, GRBCD, LRBCD, PRBCD, RND, Pairs, spent
from grbcore.attacks.modification.block import Block
from grbcore.attacks.modification.dice import predicted
from grbcore.evaluate import predict
from grbcore.graph import Graph
from grbcore.perturbation import Modification
from grbcore.scenario import ModificationBudget
from grbcore.spmm import Pattern
from grbcore.testing import check_modification_attack
from grbcore.training import fit
from tests.grbcore.engine import NAMES, TOY, TOY_GRAPH, toy_model

FULL = TOY.targets["full"]
QUICK: dict[str, dict[str, object]] = {
    "FGA": {"additions": 40},
    "NEA": {"rank": 40, "additions": 40},
    "STACK": {"rank": 20, "additions": 40, "rounds": 2},
    "PGD": {"steps": 3, "additions": 40},
    "PRBCD": {"steps": 4, "resampling": 2, "block_size": 50},
    "GRBCD": {"steps": 3, "block_size": 50},
    "LRBCD": {"steps": 4, "resampling": 2, "block_size": 50},
}
MODELS = {name: toy_model(name) for name in NAMES}
NO_SURROGATE = sorted(BLACK_BOX["modification"])
DIFFERENTIATING = ("FGA", "PGD", "PRBCD", "GRBCD", "LRBCD")


def quick(name: str) -> ModificationAttack:
    return MODIFICATION[name](**QUICK.get(name, {}))


@pytest.fixture(scope="module")
def trained() -> object:
    """A surrogate that has learned something."""
    model = toy_model("GCN")
    fit(model, TOY, seed=0, epochs=60)
    return model


@pytest.mark.parametrize("model", NAMES)
@pytest.mark.parametrize("attack", MODIFICATION)
def test_attack_keeps_the_contract_with_every_model(attack: str, model: str) -> None:
    check_modification_attack(
        quick(attack), MODELS[model], TOY_GRAPH, FULL, ModificationBudget(flips=6)
    )


@pytest.mark.parametrize("attack", MODIFICATION)
@settings(max_examples=15)
@given(
    flips=st.one_of(st.integers(0, 3), st.integers(0, 2000)),
    count=st.integers(0, FULL.shape[0]),
    seed=st.integers(0, 3),
)
def test_attack_keeps_any_budget(attack: str, flips: int, count: int, seed: int) -> None:
    """Budgets of 0 and 1, and of more flips than there are pairs: it ends and is legal."""
    targets = np.random.default_rng(seed).permutation(FULL)[:count]
    limits = ModificationBudget(flips)
    check_modification_attack(quick(attack), MODELS["GCN"], TOY_GRAPH, targets, limits, seed=seed)


@pytest.mark.parametrize("attack", MODIFICATION)
@pytest.mark.parametrize("flips", [1, 5])
def test_attack_takes_isolated_targets(attack: str, flips: int) -> None:
    """The last two nodes of the toy graph have no edges."""
    isolated = np.array([TOY.nodes - 2, TOY.nodes - 1])
    found = check_modification_attack(
        quick(attack), MODELS["GAT"], TOY_GRAPH, isolated, ModificationBudget(flips)
    )
    assert spent(TOY_GRAPH, found)[1] == 0


@pytest.mark.parametrize("attack", MODIFICATION)
def test_attack_takes_a_graph_without_edges(attack: str) -> None:
    """Two nodes have one pair: it is added at most."""
    bare = TOY_GRAPH.subgraph(np.array([TOY.nodes - 2, TOY.nodes - 1]))
    found = check_modification_attack(
        quick(attack), MODELS["GCN"], bare, np.array([0]), ModificationBudget(3)
    )
    assert spent(bare, found) in ((0, 0), (1, 0))


@pytest.mark.parametrize("attack", [n for n in MODIFICATION if n not in NO_SURROGATE])
def test_attack_takes_an_ensemble_that_samples(attack: str) -> None:
    mixed = Ensemble([MODELS["GCN"], MODELS["R-GCN"], MODELS["GAT"]])
    check_modification_attack(quick(attack), mixed, TOY_GRAPH, FULL, ModificationBudget(5))


@pytest.mark.parametrize("attack", [n for n in MODIFICATION if n not in NO_SURROGATE])
def test_attack_without_its_surrogate_says_so(attack: str) -> None:
    with pytest.raises(ValueError, match="found none, allowed: a surrogate"):
        quick(attack)(
            None, TOY_GRAPH, FULL, budget=ModificationBudget(3), rng=np.random.default_rng(0)
        )


@pytest.mark.parametrize("attack", NO_SURROGATE)
def test_black_box_attack_needs_no_surrogate(attack: str) -> None:
    found = check_modification_attack(quick(attack), None, TOY_GRAPH, FULL, ModificationBudget(5))
    assert found.flips.shape == (2, 5)


@pytest.mark.parametrize(
    ("kind", "arguments", "words"),
    [
        (FLIP, {"centrality": "fame"}, "centrality: found 'fame', allowed: degree, betweenness"),
        (FLIP, {"order": "up"}, "order: found 'up', allowed: ascending, descending"),
        (PRBCD, {"loss": "hinge"}, "loss: found 'hinge', allowed: cross_entropy"),
        (PRBCD, {"block_size": 0}, "block_size: found 0, allowed: 1 or more"),
        (FGA, {"batch": 0}, "batch: found 0, allowed: 1 or more"),
        (DICE, {"delete": 1.5}, "delete: found 1.5, allowed: 0 to 1"),
        (LRBCD, {"local_factor": -1}, "local_factor: found -1, allowed: 0 or more"),
        (MODIFICATION["NEA"], {"dimension": 500}, "dimension: found 500, allowed: 1 to below"),
        (MODIFICATION["STACK"], {"rounds": 0}, "rounds: found 0, allowed: 1 or more"),
    ],
)
def test_a_wrong_argument_is_refused_with_what_is_allowed(
    kind: type, arguments: dict[str, object], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        kind(**arguments)


def flips_of(attack: ModificationAttack, model: object, flips: int, seed: int = 0) -> Modification:
    return attack(
        model,  # type: ignore[arg-type]
        TOY_GRAPH,
        FULL,
        budget=ModificationBudget(flips),
        rng=np.random.default_rng(seed),
    )


def test_random_attack_reaches_every_allowed_pair() -> None:
    """22 targets of 60 nodes: 22 * 38 + 22 * 21 / 2 = 1067 pairs, all in a large budget."""
    assert FULL.shape[0] == 22
    found = flips_of(RND(), None, 10**6)
    assert found.flips.shape[1] == 22 * 38 + 22 * 21 // 2
    assert Pairs(TOY_GRAPH, FULL).existing.shape[0] == spent(TOY_GRAPH, found)[1]


def test_dice_deletes_within_a_label_and_connects_across_labels(trained: object) -> None:
    labels = predicted(Surrogate(trained, TOY_GRAPH, FULL))  # type: ignore[arg-type]
    found = flips_of(DICE(delete=0.5), trained, 12)
    pairs = Pairs(TOY_GRAPH, FULL)
    gone = pairs.present(pairs.numbers(found.flips))
    same = labels[found.flips[0]] == labels[found.flips[1]]
    assert np.array_equal(gone, same)
    assert gone.sum() == 6


def test_dice_spends_on_connecting_what_it_finds_no_edge_to_delete_for(trained: object) -> None:
    """With a budget beyond all pairs it deletes and connects every one that its rule allows."""
    labels = predicted(Surrogate(trained, TOY_GRAPH, FULL))  # type: ignore[arg-type]
    found = flips_of(DICE(delete=1.0), trained, 10**5)
    every = flips_of(RND(), None, 10**6).flips
    pairs = Pairs(TOY_GRAPH, FULL)
    gone = pairs.present(pairs.numbers(every))
    same = labels[every[0]] == labels[every[1]]
    assert found.flips.shape[1] == (gone & same).sum() + (~gone & ~same).sum()


def loss_of(model: object, modification: Modification | None) -> float:
    """The mean margin of the surrogate's own clean labels' probabilities on the attacked graph."""
    frozen = Surrogate(model, TOY_GRAPH, FULL)  # type: ignore[arg-type]
    graph = TOY_GRAPH if modification is None else TOY_GRAPH.apply(modification)
    with torch.no_grad():
        chances = frozen.model(graph)[frozen.targets].softmax(dim=1)
    margins = [
        max(row[c] for c in range(TOY.classes) if c != own) - row[own]
        for row, own in zip(chances.tolist(), frozen.labels.tolist(), strict=True)
    ]
    return float(np.mean(margins))


def test_fga_makes_the_flip_of_the_largest_gradient_and_right_sign(trained: object) -> None:
    """Of all flips, weighed by finite differences of the edge weights, it takes the best."""
    found = flips_of(FGA(additions=10**6, loss="cross_entropy"), trained, 1)
    frozen = Surrogate(trained, TOY_GRAPH, FULL)  # type: ignore[arg-type]
    pairs = Pairs(TOY_GRAPH, FULL)
    labels = predicted(frozen)
    every = pairs.ends(np.arange(pairs.size))
    step, best, highest = 1e-2, None, 0.0
    for pair in every.T:
        block = Block.of(TOY_GRAPH, pair[:, None])
        present = bool(pairs.present(pairs.numbers(pair[:, None]))[0])
        if not present and labels[pair[0]] == labels[pair[1]]:
            continue
        values = []
        for share in (0.0, step):
            weights = block.weights(torch.tensor([share]))
            logits = frozen.model.propagate(block.pattern, frozen.hidden, weights)
            values.append(float(F.cross_entropy(logits[frozen.targets], frozen.labels)))
        if values[1] - values[0] > highest:
            best, highest = pair, values[1] - values[0]
    assert best is not None
    assert found.flips[:, 0].tolist() == best.tolist()


@pytest.mark.parametrize("attack", DIFFERENTIATING)
def test_gradient_attack_raises_the_surrogates_loss(attack: str, trained: object) -> None:
    """Ten flips, and by more than ten random ones do where nodes have no budget of their own."""
    clean, chance = loss_of(trained, None), loss_of(trained, flips_of(RND(), None, 10))
    found = loss_of(trained, flips_of(MODIFICATION[attack](), trained, 10))
    assert found > (clean if attack == "LRBCD" else chance)


@pytest.mark.parametrize("attack", ["PRBCD", "GRBCD"])
def test_gradient_attack_changes_predictions(attack: str, trained: object) -> None:
    clean = predict(trained, TOY_GRAPH, None, FULL)  # type: ignore[arg-type]
    found = flips_of(MODIFICATION[attack](), trained, 12)
    attacked = predict(trained, TOY_GRAPH, found, FULL)  # type: ignore[arg-type]
    assert (attacked == clean).mean() < 0.8


@given(flips=st.integers(0, 40), seed=st.integers(0, 3))
@settings(max_examples=15)
def test_lrbcd_keeps_half_of_each_degree(flips: int, seed: int) -> None:
    attack = LRBCD(block_size=200, steps=5, resampling=3, learning_rate=10**5)
    found = flips_of(attack, MODELS["GCN"], flips, seed)
    touched = np.bincount(found.flips.ravel(), minlength=TOY.nodes)
    assert (touched <= TOY_GRAPH.pattern.degrees.numpy() // 2).all()


def test_grbcd_spends_its_whole_budget_while_flips_still_hurt(trained: object) -> None:
    assert flips_of(GRBCD(steps=5), trained, 10).flips.shape[1] == 10


def star() -> Graph:
    """Node 0 with neighbours 1, 2, 3; and the edge from 3 to 4."""
    ends = np.array([[0, 0, 0, 3], [1, 2, 3, 4]])
    row, col = np.concatenate([ends, ends[::-1]], axis=1)
    order = np.lexsort((col, row))
    rowptr = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=5))])
    pattern = Pattern(torch.from_numpy(rowptr), torch.from_numpy(col[order]))
    return Graph(pattern, torch.zeros(5, 2))


@pytest.mark.parametrize("centrality", ["degree", "betweenness", "eigenvector"])
@pytest.mark.parametrize(("order", "first"), [("ascending", {4}), ("descending", {0, 3})])
def test_flip_begins_at_its_end_of_the_order(centrality: str, order: str, first: set[int]) -> None:
    """Degrees 3 1 1 2 1; betweenness 5 0 0 3 0; node 4 is the farthest from the hub.

    By degree and betweenness the leaves 1, 2, 4 tie; among their edges the one to the less
    central neighbour, 3, need not come first, so only the hub's rank and the leaf's are checked.
    """
    attack = FLIP(centrality=centrality, order=order)  # type: ignore[arg-type]
    found = attack(
        None, star(), np.arange(5), budget=ModificationBudget(1), rng=np.random.default_rng(0)
    )
    ends = set(found.flips[:, 0].tolist())
    if order == "descending":
        assert ends == first
    elif centrality == "eigenvector":
        assert ends == {3, 4}
    else:
        assert ends & {1, 2, 4}


def test_flip_takes_each_edge_once_and_no_more_than_there_are() -> None:
    found = FLIP()(
        None, star(), np.arange(5), budget=ModificationBudget(99), rng=np.random.default_rng(0)
    )
    assert spent(star(), found) == (0, 4)
