"""How far an attack is from the clean graph: by hand on a path of four nodes, and on digits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from grbcore.datasets import Dataset
from grbcore.datasets.transform import FeatureTransform
from grbcore.perturbation import Injection, Modification
from grbcore.shift import measure_shift

X = [1.0, 0.0]
Y = [0.0, 1.0]


@pytest.fixture(scope="module")
def path() -> Dataset:
    """0 - 1 - 2 - 3; the first two nodes look alike, and so do the last two."""
    nodes = np.arange(4)
    return Dataset(
        name="path",
        digest="0" * 64,
        indptr=np.array([0, 1, 3, 5, 6]),
        indices=np.array([1, 0, 2, 1, 3, 2]),
        features=np.array([X, X, Y, Y], np.float32),
        labels=np.array([0, 0, 1, 1]),
        transform=FeatureTransform.fit(np.eye(2)),
        train=nodes[:1],
        val=nodes[1:2],
        targets={"easy": nodes[2:], "medium": nodes[3:], "hard": nodes[3:], "full": nodes[2:]},
    )


def test_flipped_edges_are_seen_at_their_ends_before_and_after(path: Dataset) -> None:
    """Node 1 has degree 2 and neighbours X (degree 1) and Y (degree 2): the sum is X/sqrt(2) + Y/2,
    whose cosine with X is sqrt(2/3) = 0.816.  Without the edge 1 - 2 only X is left: 1.  Node 2 is
    its mirror image."""
    found = measure_shift(path, [Modification(np.array([[1], [2]]))])
    assert found is not None
    assert found.clean == pytest.approx([(2 / 3) ** 0.5] * 3, abs=1e-6)
    assert found.attacked == pytest.approx([1, 1, 1])
    assert (found.nodes, found.features) == (2, None)


def test_an_edge_that_joins_what_looks_unlike_lowers_the_likeness_of_its_ends(
    path: Dataset,
) -> None:
    """0 - 3 makes a ring: each node has one neighbour like itself and one unlike, all of degree 2,
    so the cosine is 1/sqrt(2) at both ends; before it was 1."""
    found = measure_shift(path, [Modification(np.array([[0], [3]]))])
    assert found is not None
    assert found.clean[1] == pytest.approx(1)
    assert found.attacked == pytest.approx([0.5**0.5] * 3, abs=1e-6)


def test_an_injected_node_is_compared_with_the_nodes_that_it_joins(path: Dataset) -> None:
    """-X joined to node 0 (X) has the cosine -1; the clean graph's least is sqrt(2/3)."""
    found = measure_shift(path, [Injection(np.array([[-9, 0]], np.float32), np.array([[4], [0]]))])
    assert found is not None
    assert found.attacked == pytest.approx([-1, -1, -1])
    assert found.clean[0] == pytest.approx((2 / 3) ** 0.5, abs=0.05)
    assert found.nodes == 1


def test_the_size_of_injected_features_is_held_against_the_clean_ones(path: Dataset) -> None:
    """(-9, 0): its norm is 9 where clean ones are 1; -9 lies outside 0..1, 0 does not."""
    found = measure_shift(path, [Injection(np.array([[-9, 0]], np.float32), np.array([[4], [0]]))])
    assert found is not None and found.features is not None
    assert (found.features.far, found.features.norm) == pytest.approx((1, 9))
    assert found.features.outside == 0.5


def test_a_copy_of_clean_nodes_is_no_further_out_than_they_are(digits: Dataset) -> None:
    """Rows of the graph's own: by the quantiles 2 % of their values lie outside, as of all."""
    count = digits.nodes
    edges = np.stack([np.arange(count) + count, np.arange(count)])
    found = measure_shift(digits, [Injection(np.array(digits.features), edges)])
    assert found is not None and found.features is not None
    assert found.features.outside <= 0.02
    assert found.features.norm <= found.features.far
    assert found.attacked == pytest.approx([1, 1, 1], abs=1e-5)  # each is joined to its original


@pytest.mark.parametrize(
    "nothing",
    [[], [Injection.empty(2)], [Modification.empty()]],
    ids=["no repeats", "no nodes", "no flips"],
)
def test_what_changes_nothing_has_no_shift(path: Dataset, nothing: list[Any]) -> None:
    assert measure_shift(path, nothing) is None


def test_the_same_file_gives_the_same_figures(digits: Dataset) -> None:
    """Although more nodes are touched than are looked at."""
    rng = np.random.default_rng(0)
    ends = rng.choice(digits.nodes, (2, 2000))
    flips = np.unique(np.sort(ends[:, ends[0] != ends[1]], axis=0), axis=1)
    one, other = (measure_shift(digits, [Modification(flips)] * 3) for _ in range(2))
    assert one == other
    assert one is not None and one.nodes <= 2001
