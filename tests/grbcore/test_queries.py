"""Limited queries: what a black box answers, what it counts, and an attack that only asks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grbcore.attacks import QueriesExhausted, QueryBudget, QuerySearch
from grbcore.evaluate import predict
from grbcore.scenario import InjectionBudget
from grbcore.testing import check_attack
from grbcore.training import fit
from tests.grbcore.engine import TOY, TOY_GRAPH, budget, toy_model

FULL = TOY.targets["full"]
LIMITS = InjectionBudget(10, 5, -1, 1)


def test_one_query_is_one_prediction_of_one_node() -> None:
    oracle = QueryBudget(toy_model("GCN"), 10)
    oracle.logits(TOY_GRAPH, np.array([1, 2, 3]))
    oracle.labels(TOY_GRAPH, np.array([1, 1]))
    assert (oracle.limit, oracle.spent, oracle.left) == (10, 5, 5)


def test_a_question_beyond_the_limit_is_neither_answered_nor_charged() -> None:
    oracle = QueryBudget(toy_model("GCN"), 2)
    with pytest.raises(QueriesExhausted, match="queries: found 3 more, allowed: 2 more of 2"):
        oracle.logits(TOY_GRAPH, np.array([1, 2, 3]))
    assert oracle.left == 2


def test_answers_are_those_of_the_model_in_evaluation_mode() -> None:
    model = toy_model("GCN")
    oracle = QueryBudget(model, 100)
    assert model.training
    answered = oracle.labels(TOY_GRAPH, FULL)
    assert np.array_equal(answered, predict(model.eval(), TOY_GRAPH, None, FULL))


def test_neither_the_model_nor_a_gradient_is_within_reach() -> None:
    oracle = QueryBudget(toy_model("GCN"), 100)
    assert isinstance(oracle.logits(TOY_GRAPH, FULL), np.ndarray)
    assert {name for name in dir(oracle) if not name.startswith("_")} == {
        "labels", "left", "limit", "logits", "spent",
    }  # fmt: skip


def test_a_negative_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="limit: found -1, allowed: 0 and above"):
        QueryBudget(toy_model("GCN"), -1)


@given(limit=st.integers(0, 200), count=st.integers(0, FULL.shape[0]))
def test_search_never_asks_for_more_than_there_is(limit: int, count: int) -> None:
    oracle = QueryBudget(toy_model("GCN"), limit)
    targets = FULL[:count]
    QuerySearch().search(oracle, TOY_GRAPH, targets, budget=budget(), rng=np.random.default_rng(0))
    assert 0 <= oracle.left <= limit


def test_search_spends_what_it_is_given() -> None:
    oracle = QueryBudget(toy_model("GCN"), 1000)
    QuerySearch().search(oracle, TOY_GRAPH, FULL, budget=budget(), rng=np.random.default_rng(0))
    assert oracle.left < FULL.shape[0]


def test_more_queries_do_more_harm() -> None:
    """To the model that is asked: fewer of its own predictions are left."""
    model = toy_model("GCN")
    fit(model, TOY, seed=0, epochs=60)
    clean = predict(model, TOY_GRAPH, None, FULL)
    left = []
    for queries in (0, 5000):
        found = check_attack(QuerySearch(queries), model, TOY_GRAPH, FULL, LIMITS)
        left.append((predict(model, TOY_GRAPH, found, FULL) == clean).mean())
    assert left[1] < left[0] - 0.1


def test_search_without_a_model_says_so() -> None:
    with pytest.raises(ValueError, match="model: found none, allowed: a model"):
        QuerySearch()(None, TOY_GRAPH, FULL, budget=LIMITS, rng=np.random.default_rng(0))
