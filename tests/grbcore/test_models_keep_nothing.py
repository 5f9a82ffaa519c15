"""What a model found on one graph, or with other weights, has no say in what it predicts next."""

from __future__ import annotations

import copy

import numpy as np
import pytest
import torch

from grbcore.graph import Graph, flip
from grbcore.models import GraphModel
from grbcore.perturbation import Injection
from tests.grbcore.engine import NAMES, TOY_GRAPH, toy_model

ATTACKED = TOY_GRAPH.apply(
    Injection(np.full((2, 8), 0.5, np.float32), np.array([[60, 60, 61, 61], [0, 1, 2, 58]]))
)
#: As large as the clean graph, with as many edges, but other ones.
REWIRED = Graph(
    flip(
        TOY_GRAPH.pattern,
        np.array([[int(TOY_GRAPH.pattern.row[0]), 57], [int(TOY_GRAPH.col[0]), 59]]),
    ),
    TOY_GRAPH.features,
)


def logits(model: GraphModel, graph: Graph) -> torch.Tensor:
    with torch.no_grad():
        return model(graph)


@pytest.mark.parametrize("name", NAMES)
def test_a_model_that_saw_another_graph_predicts_as_one_that_did_not(name: str) -> None:
    used = toy_model(name).eval()
    graphs = (TOY_GRAPH, ATTACKED, REWIRED, TOY_GRAPH)
    found = [logits(used, graph) for graph in graphs]
    for graph, one in zip(graphs, found, strict=True):
        again = Graph(copy.deepcopy(graph.pattern), graph.features)  # nothing is known of it yet
        assert torch.equal(one, logits(toy_model(name).eval(), again))


@pytest.mark.parametrize("name", NAMES)
def test_a_model_given_other_weights_predicts_as_one_that_always_had_them(name: str) -> None:
    used, other = toy_model(name).eval(), toy_model(name, seed=1).eval()
    weight = torch.linspace(0.5, 1, TOY_GRAPH.pattern.entries)
    with torch.no_grad():
        used(TOY_GRAPH)
        used(TOY_GRAPH, weight)
        used.load_state_dict(other.state_dict())
        assert torch.equal(used(TOY_GRAPH), other(TOY_GRAPH))
        assert torch.equal(used(TOY_GRAPH, weight), other(TOY_GRAPH, weight))
