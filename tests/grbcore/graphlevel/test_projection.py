"""Projection onto a budget, against quadratic programming and the formulas of the budget."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from torch import Tensor

from grbcore.graphlevel.attacks.projection import (
    Attributed,
    Relaxed,
    project,
    spent_on_edges,
)
from grbcore.graphlevel.attacks.spaces import blocks
from grbcore.graphlevel.batch import union
from tests.grbcore.graphlevel.samples import SHAPE, random_graphs


def symmetric(rng: np.random.Generator, *shape: int, spread: float = 1.0) -> Tensor:
    n = shape[-1]
    upper = torch.from_numpy(np.triu(rng.normal(0.5, spread, shape), 1)).float()
    return (upper + upper.mT) * (1 - torch.eye(n))


def clean_edges(rng: np.random.Generator, *shape: int) -> Tensor:
    return (symmetric(rng, *shape) > 0.6).float()


@given(st.integers(0, 10_000), st.integers(3, 30), st.floats(0.1, 6))
def test_what_is_projected_keeps_the_budget_and_stays_symmetric(
    seed: int, n: int, budget: float
) -> None:
    rng = np.random.default_rng(seed)
    clean = clean_edges(rng, 2, n, n)
    allowed = torch.tensor([budget, 2 * budget])
    found = project(clean + symmetric(rng, 2, n, n), clean, allowed)
    assert bool((spent_on_edges(found, clean) <= allowed + 1e-4).all())
    assert torch.equal(found, found.mT)
    assert bool(((found >= 0) & (found <= 1)).all())
    assert torch.equal(project(found, clean, allowed), found)


@pytest.mark.parametrize("seed", range(5))
def test_it_is_the_closest_point_by_quadratic_programming(seed: int) -> None:
    """Four nodes, six pairs: SciPy's SLSQP on the same problem."""
    rng = np.random.default_rng(seed)
    clean = clean_edges(rng, 1, 4, 4)
    point = (clean + symmetric(rng, 1, 4, 4)).clamp(0, 1)  # as after each step
    found = project(point, clean, torch.tensor([1.0]))
    u, v = np.triu_indices(4, 1)
    a, p = clean[0, u, v].double().numpy(), point[0, u, v].double().numpy()
    sign = 1 - 2 * a
    solved = minimize(
        lambda x: ((x - p) ** 2).sum(),
        a,
        jac=lambda x: 2 * (x - p),
        bounds=[(0, 1)] * 6,
        constraints={
            "type": "ineq",
            "fun": lambda x: 1.0 - (sign * (x - a)).sum(),
            "jac": lambda x: -sign,
        },
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )
    np.testing.assert_allclose(found[0, u, v].numpy(), solved.x, atol=1e-4)


def attributed(seed: int, allowed: tuple[tuple[int, ...], ...]) -> tuple[Attributed, Relaxed]:
    """Three graphs, and a point anywhere near them."""
    rng = np.random.default_rng(seed)
    dense = union(random_graphs(3, seed), SHAPE.node_sizes, SHAPE.edge_sizes).dense()
    dense = dense.relaxed(SHAPE.node_sizes, SHAPE.edge_sizes)
    clean = Relaxed(dense.adjacency, dense.nodes, dense.kinds)
    within = Attributed(
        clean,
        blocks(SHAPE.node_sizes, allowed[:2]),
        blocks(SHAPE.edge_sizes, allowed[2:]),
    )
    n = clean.adjacency.shape[-1]
    edges = torch.from_numpy(rng.normal(0, 0.5, clean.edges.shape)).float()
    point = Relaxed(
        clean.adjacency + symmetric(rng, 3, n, n),
        clean.nodes + torch.from_numpy(rng.normal(0, 0.5, clean.nodes.shape)).float(),
        clean.edges + edges + edges.transpose(1, 2),
    )
    return within, point


ANY = ((0, 1, 2), (0, 1), (0, 1, 2, 3))


@settings(max_examples=20)
@given(st.integers(0, 10_000), st.floats(0.2, 5))
def test_edges_and_features_together_keep_the_budget(seed: int, budget: float) -> None:
    within, point = attributed(seed, ANY)
    allowed = torch.full((3,), budget)
    found = within.project(point, allowed)
    assert bool((within.spent(found) <= allowed + 1e-4).all())
    for part, blocked in ((found.nodes, within.node_blocks), (found.edges, within.edge_blocks)):
        assert float(part.min()) >= -1e-6
        torch.testing.assert_close(
            part @ blocked.member, torch.ones(*part.shape[:-1], blocked.member.shape[1])
        )
    assert torch.equal(found.adjacency, found.adjacency.mT)
    torch.testing.assert_close(found.edges, found.edges.transpose(1, 2))


def test_the_clean_graph_spends_nothing_and_is_left_alone() -> None:
    within, _ = attributed(1, ANY)
    assert within.spent(within.clean).tolist() == [0, 0, 0]
    found = within.project(within.clean, torch.ones(3))
    for mine, theirs in zip(
        (found.adjacency, found.nodes, found.edges),
        (within.clean.adjacency, within.clean.nodes, within.clean.edges),
        strict=True,
    ):
        torch.testing.assert_close(mine, theirs)


def test_values_that_are_not_allowed_get_no_chance() -> None:
    """Only value 0 of the first feature may be given; clean values may stay."""
    within, point = attributed(2, ((0,), (0, 1), (0, 1, 2, 3)))
    found = within.project(point, torch.full((3,), 4.0)).nodes
    gained = found[..., 1:3] > within.clean.nodes[..., 1:3]
    assert not bool(gained.any())
