"""Ensembles of surrogates keep a model's contract and are attacked like any model."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from grbcore.attacks import FGSM, INJECTION, Ensemble
from grbcore.attacks.features import Surrogate
from grbcore.testing import check_attack, check_model
from tests.grbcore.engine import TOY, TOY_GRAPH, budget, toy_model

FULL = TOY.targets["full"]


def mixed() -> Ensemble:
    return Ensemble([toy_model("GCN"), toy_model("GAT"), toy_model("GIN", seed=1)])


def test_ensemble_keeps_the_contract_of_a_model() -> None:
    check_model(mixed(), TOY_GRAPH)


def test_logits_are_the_mean_log_probabilities_of_the_members() -> None:
    found = mixed().eval()(TOY_GRAPH)
    members = [toy_model("GCN"), toy_model("GAT"), toy_model("GIN", seed=1)]
    expected = sum(model.eval()(TOY_GRAPH).log_softmax(dim=1) for model in members) / 3
    torch.testing.assert_close(found, expected)


@pytest.mark.parametrize("attack", ["FGSM", "PGD", "SPEIT", "TDGIA"])
def test_every_gradient_attack_takes_an_ensemble(attack: str) -> None:
    check_attack(INJECTION[attack](steps=3), mixed(), TOY_GRAPH, FULL, budget())  # type: ignore[call-arg]


def test_edges_by_gradient_take_an_ensemble() -> None:
    attack = INJECTION["AGIA"](steps=3, edge_steps=2)  # type: ignore[call-arg]
    check_attack(attack, mixed(), TOY_GRAPH, FULL, budget())


@pytest.mark.parametrize("attack", ["FGSM", "TDGIA"])
def test_an_ensemble_may_hold_a_model_that_samples(attack: str) -> None:
    sampling = Ensemble([toy_model("GCN"), toy_model("R-GCN")])
    check_attack(INJECTION[attack](steps=3), sampling, TOY_GRAPH, FULL, budget())  # type: ignore[call-arg]


def test_black_box_search_takes_an_ensemble() -> None:
    attack = INJECTION["QuerySearch"](queries=300)  # type: ignore[call-arg]
    check_attack(attack, mixed(), TOY_GRAPH, FULL, budget())


def test_labels_are_the_ensembles_own() -> None:
    model = mixed()
    expected = model.eval()(TOY_GRAPH).argmax(dim=1)[torch.from_numpy(FULL)]
    assert torch.equal(Surrogate(model, TOY_GRAPH, FULL).labels, expected)


def test_an_ensemble_of_one_gives_the_attack_of_the_one() -> None:
    """Cross-entropy of log-probabilities is that of the logits, so the signs agree."""
    found = [
        FGSM(steps=5)(model, TOY_GRAPH, FULL, budget=budget(), rng=np.random.default_rng(0))
        for model in (toy_model("GCN"), Ensemble([toy_model("GCN")]))
    ]
    assert np.array_equal(found[0].edges, found[1].edges)
    np.testing.assert_allclose(found[0].features, found[1].features, atol=1e-6)


def test_an_ensemble_of_none_is_refused() -> None:
    with pytest.raises(ValueError, match="models: found none, allowed: one or more"):
        Ensemble([])


def test_hidden_rows_of_another_model_are_refused() -> None:
    model = mixed()
    model.embed(TOY_GRAPH.features)
    with pytest.raises(ValueError, match="hidden: found 3 columns"):
        model.propagate(TOY_GRAPH.pattern, torch.zeros(TOY.nodes, 3))
