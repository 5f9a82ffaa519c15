"""The harmonious regulariser: homophily as the paper defines it, and what it does to attacks."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from grbcore.attacks import INJECTION
from grbcore.attacks.harmony import LOST, harmonious
from grbcore.perturbation import Injection
from tests.grbcore.engine import TOY, TOY_GRAPH, budget, toy_model

FULL = TOY.targets["full"]
GRADIENT = ("FGSM", "PGD", "SPEIT", "TDGIA", "AGIA")
N = TOY.nodes
EDGES = np.array([[N, N, N + 1, N + 1, N + 2], [1, 5, 5, N, 7]])
FEATURES = np.random.default_rng(0).uniform(-0.5, 0.5, (3, 8)).astype(np.float32)


def dense_homophily(injection: Injection) -> torch.Tensor:
    """cos(x_u, sum_j x_j / sqrt(d_j d_u)) of every node of the attacked graph, densely."""
    graph = TOY_GRAPH.apply(injection)
    adjacency = torch.zeros(graph.nodes, graph.nodes)
    adjacency[graph.pattern.row, graph.col] = 1
    scale = adjacency.sum(dim=1).clamp(min=1).rsqrt()
    around = (scale[:, None] * adjacency * scale) @ graph.features
    return F.cosine_similarity(graph.features, around)


@pytest.mark.parametrize("placed", [0, 1, 2])
def test_homophily_is_the_papers_whatever_is_settled_already(placed: int) -> None:
    settled = torch.from_numpy(FEATURES[:placed]) if placed else None
    harmony = harmonious(1.0, TOY_GRAPH, 3, EDGES, settled)
    assert harmony is not None
    found = harmony.homophily(torch.from_numpy(FEATURES[placed:]))
    expected = dense_homophily(Injection(FEATURES, EDGES))[N + placed :]
    torch.testing.assert_close(found, expected)


def test_what_is_raised_is_cross_entropy_plus_weighted_mean_homophily() -> None:
    harmony = harmonious(0.5, TOY_GRAPH, 3, EDGES)
    assert harmony is not None
    logits, labels = torch.tensor([[0.0, 0.0], [100.0, 0.0]]), torch.tensor([0, 1])
    features = torch.from_numpy(FEATURES)
    homophily = dense_homophily(Injection(FEATURES, EDGES))[N:].mean()
    expected = torch.tensor([np.log(2), LOST]) + 0.5 * homophily
    torch.testing.assert_close(harmony.losses(logits, labels, features), expected.float())


def test_gradient_is_zero_at_zero_features_and_in_an_empty_neighbourhood() -> None:
    harmony = harmonious(1.0, TOY_GRAPH, 2, np.array([[N], [1]]))
    assert harmony is not None
    features = torch.zeros(2, 8, requires_grad=True)
    (gradient,) = torch.autograd.grad(harmony.homophily(features).sum(), features)
    assert not gradient.any()


@pytest.mark.parametrize("attack", GRADIENT)
def test_harmony_makes_injected_nodes_resemble_their_neighbours(attack: str) -> None:
    found = [
        INJECTION[attack](steps=30, harmony=harmony)(  # type: ignore[call-arg]
            toy_model("GCN"), TOY_GRAPH, FULL, budget=budget(), rng=np.random.default_rng(0)
        )
        for harmony in (0.0, 5.0)
    ]
    plain, harmonised = (dense_homophily(one)[N:].mean() for one in found)
    assert harmonised > plain + 0.2


@pytest.mark.parametrize("weight", [-1.0, float("nan"), float("inf")])
def test_a_weight_that_is_none_is_refused(weight: float) -> None:
    with pytest.raises(ValueError, match=r"harmony: found .*, allowed: 0 and above"):
        harmonious(weight, TOY_GRAPH, 3, EDGES)


def test_a_weight_of_zero_leaves_it_out() -> None:
    assert harmonious(0.0, TOY_GRAPH, 3, EDGES) is None
