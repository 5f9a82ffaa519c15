"""How nodes and targets are spread over degrees."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from grbcore import datasets
from grbcore.datasets import Dataset
from grbcore.datasets.degrees import degree_bins
from grbcore.scenario import DIFFICULTIES


def star(leaves: int) -> Dataset:
    """One node joined to all others, which are joined in a ring."""
    around = np.arange(1, leaves + 1)
    spokes = np.stack([np.zeros(leaves, np.int64), around])
    ring = np.stack([around, np.roll(around, 1)])
    edges = np.concatenate([spokes, ring], axis=1)
    features = np.random.default_rng(0).standard_normal((leaves + 1, 2))
    return Dataset.from_arrays("star", edges, features, np.arange(leaves + 1) % 2, seed=0)


def test_every_node_and_every_target_is_in_one_bin() -> None:
    dataset = datasets.load("digits")
    bins = degree_bins(dataset)
    assert sum(one["nodes"] for one in bins) == 1797
    for difficulty in DIFFICULTIES:
        found = sum(one["targets"][difficulty] for one in bins)
        assert found == len(dataset.targets[difficulty])
    degrees = np.diff(dataset.indptr)
    for one in bins:
        assert one["nodes"] == ((degrees >= one["low"]) & (degrees <= one["high"])).sum()


@pytest.mark.parametrize("leaves", [9, 10, 11, 99, 100, 1234])
def test_bins_touch_and_reach_the_largest_degree(leaves: int) -> None:
    bins = degree_bins(star(leaves))
    assert bins[0]["low"] == 0
    assert bins[-1]["high"] == leaves
    for one, following in pairwise(bins):
        assert one["high"] + 1 == following["low"]
    assert (bins[3]["nodes"], bins[-1]["nodes"]) == (leaves, 1)  # leaves have three neighbours


def test_a_large_degree_needs_few_bins() -> None:
    assert len(degree_bins(star(5000))) < 30
