"""Probes of defenses of whole graphs: what stays without edges, and how random ones vary."""

from __future__ import annotations

import time

import numpy as np
import pytest

from grbcore.architectures.graphlevel import GRAPH_ARCHITECTURES
from grbcore.graphlevel.evaluation import clean_predictions, probes
from grbcore.graphlevel.models import Shape, build
from grbcore.probes import CUT_OFF, PASSES, pass_name, score_probe
from grbcore.probing import in_time
from tests.grbcore.graphlevel.boards import DATASET, numbers
from tests.grbcore.graphlevel.samples import small_model

LONG = 3600.0


def probed(name: str, until: float = LONG) -> dict[str, np.ndarray]:
    passes = probes(DATASET, small_model(name), 3)
    return in_time(passes, expected=0.0, until=time.monotonic() + until)


@pytest.mark.parametrize("name", GRAPH_ARCHITECTURES)
def test_every_architecture_answers_without_edges_and_a_random_one_in_passes(name: str) -> None:
    found = probed(name)
    drawn = GRAPH_ARCHITECTURES[name].stochastic
    wanted = [CUT_OFF, *(pass_name(n) for n in range(PASSES if drawn else 0))]
    assert list(found) == wanted
    for said in found.values():
        assert (said.dtype, said.shape) == (np.int16, (len(DATASET.part("test")),))
        assert said.min() >= 0  # every one is finite
    again = probed(name)
    assert all(np.array_equal(found[one], again[one]) for one in found)


def test_a_bag_of_nodes_says_the_same_without_edges() -> None:
    model = small_model("Bag")
    clean, _ = clean_predictions(DATASET, model, 3)
    labels = DATASET.labels_of("test")
    probe = score_probe(clean["5"][0], probed("Bag")[CUT_OFF], [], labels)
    assert probe.unchanged == probe.total == len(labels)


def test_no_pass_begins_that_would_end_too_late_and_numbers_are_not_probed() -> None:
    assert probed("ESAN", until=-1.0) == {}
    model = build("GINE", Shape.of(numbers()), {"hidden": 4, "layers": 1}, seed=1)
    assert list(probes(numbers(), model, 1)) == []
