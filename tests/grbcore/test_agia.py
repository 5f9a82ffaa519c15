"""AGIA: candidates, their projection onto the budget, and edges that the gradient chooses."""

from __future__ import annotations

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from grbcore.attacks import AGIA, balanced
from grbcore.attacks.agia import candidates, project
from grbcore.evaluate import predict
from grbcore.scenario import InjectionBudget
from grbcore.training import fit
from tests.grbcore.engine import TOY, TOY_GRAPH, budget, toy_model

FULL = TOY.targets["full"]


def test_candidates_are_distinct_and_include_those_a_node_has() -> None:
    rng = np.random.default_rng(0)
    edges = balanced(FULL, TOY.nodes, budget=budget(3, 4), rng=rng)
    pool = candidates(edges, FULL, 3, 9, rng=rng)
    assert pool.shape == (3, 9)
    for node in range(3):
        assert len(set(pool[node])) == 9
        assert set(edges[1][edges[0] == TOY.nodes + node]) <= set(pool[node])


def test_candidates_are_all_targets_where_there_are_fewer() -> None:
    edges = balanced(FULL, TOY.nodes, budget=budget(3, 4), rng=np.random.default_rng(0))
    pool = candidates(edges, FULL, 3, 1000, rng=np.random.default_rng(0))
    assert np.array_equal(pool, np.tile(np.sort(FULL), (3, 1)))


@given(st.lists(st.floats(-2, 3, width=32), min_size=4, max_size=4), st.integers(1, 3))
def test_projection_is_the_nearest_within_the_budget(weights: list[float], limit: int) -> None:
    """Against a general solver: minimise the distance with 0 <= w <= 1 and a bounded sum."""
    wanted = np.array(weights)
    found = project(torch.tensor([weights]), limit)[0].numpy()
    solved = minimize(
        lambda w: ((w - wanted) ** 2).sum(),
        np.full(4, limit / 4),
        jac=lambda w: 2 * (w - wanted),
        bounds=[(0, 1)] * 4,
        constraints={"type": "ineq", "fun": lambda w: limit - w.sum()},
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )
    np.testing.assert_allclose(found, solved.x, atol=2e-4)


def test_edges_by_gradient_hurt_the_surrogate_no_less_than_edges_by_chance() -> None:
    model = toy_model("GCN")
    fit(model, TOY, seed=0, epochs=60)
    clean = predict(model, TOY_GRAPH, None, FULL)
    limits = InjectionBudget(2, 3, -1, 1)
    left = []
    for rounds in (0, 2):
        attack = AGIA(steps=50, rounds=rounds)
        found = attack(model, TOY_GRAPH, FULL, budget=limits, rng=np.random.default_rng(0))
        left.append((predict(model, TOY_GRAPH, found, FULL) == clean).mean())
    assert left[1] < left[0]
