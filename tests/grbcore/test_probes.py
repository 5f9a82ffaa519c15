"""Probes of a defense: what stays without the targets' edges, and how much a random one varies."""

from __future__ import annotations

import time

import numpy as np
import pytest
import torch

from grbcore.architectures import ARCHITECTURES
from grbcore.datasets import Dataset
from grbcore.evaluate import predict
from grbcore.graph import Graph, cut_off
from grbcore.models import build
from grbcore.probes import CUT_OFF, PASSES, pass_name, score_probe
from grbcore.probing import probe
from tests.grbcore.engine import small

LONG = 3600.0


@pytest.fixture(scope="module")
def graph(digits: Dataset) -> Graph:
    return Graph.from_dataset(digits)


def test_no_edge_of_a_target_is_left_and_every_other_is(digits: Dataset, graph: Graph) -> None:
    targets = digits.targets["full"]
    found = cut_off(graph.pattern, torch.tensor(targets))
    assert not found.degrees[targets].any()
    others = np.setdiff1d(np.arange(digits.nodes), targets)
    among = graph.subgraph(others).pattern
    assert torch.equal(found.degrees[others], among.degrees)
    assert found.entries == among.entries > 0


def test_an_mlp_predicts_the_same_without_the_edges_and_a_gcn_does_not(
    digits: Dataset, graph: Graph
) -> None:
    targets = digits.targets["full"]
    for name, same in (("MLP", True), ("GCN", False)):
        model = build(name, small(name), features=64, classes=10, seed=1).eval()
        found = probe(digits, graph, model, seed=0, expected=0, until=time.monotonic() + LONG)
        assert found.keys() == {CUT_OFF}
        assert np.array_equal(found[CUT_OFF], predict(model, graph, None, targets)) is same


def test_a_model_that_draws_makes_twenty_passes_each_of_its_own(
    digits: Dataset, graph: Graph
) -> None:
    parameters = ARCHITECTURES["R-GCN"].parameters.model_validate({"hidden": [8], "samples": 1})
    model = build("R-GCN", parameters, features=64, classes=10, seed=1).eval()

    def passes() -> dict[str, np.ndarray]:
        return probe(digits, graph, model, seed=7, expected=0, until=time.monotonic() + LONG)

    found = passes()
    assert found.keys() == {CUT_OFF, *(pass_name(number) for number in range(PASSES))}
    assert len({found[pass_name(number)].tobytes() for number in range(PASSES)}) == PASSES == 20
    again = passes()
    assert all(np.array_equal(found[name], again[name]) for name in found)


@pytest.mark.parametrize("expected", [0.0, LONG])
def test_a_probe_begins_nothing_that_would_end_too_late(
    digits: Dataset, graph: Graph, expected: float
) -> None:
    model = build("MLP", small("MLP"), features=64, classes=10, seed=1).eval()
    until = time.monotonic() + (LONG / 2 if expected else 0)
    assert probe(digits, graph, model, seed=0, expected=expected, until=until) == {}


def test_predictions_are_counted_against_labels_and_against_each_other(digits: Dataset) -> None:
    """All targets right on the graph; without edges the first three are another class; of two
    passes the second has the first target wrong, so all but one are steady."""
    labels = digits.labels[digits.targets["full"]].astype(np.int16)
    cut, other = labels.copy(), labels.copy()
    cut[:3] = (cut[:3] + 1) % 10
    other[0] = (other[0] + 1) % 10
    found = score_probe(labels, cut, [labels, other], labels)
    total = len(labels)
    assert (found.total, found.unchanged, found.cut_correct) == (total, total - 3, total - 3)
    assert found.passes == (total, total - 1)
    assert found.steady == total - 1


def test_without_passes_nothing_is_said_of_them(digits: Dataset) -> None:
    labels = digits.labels[digits.targets["full"]].astype(np.int16)
    found = score_probe(labels, labels, [], labels)
    assert (found.passes, found.steady) == ((), None)
