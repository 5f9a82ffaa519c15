"""GRB's split of any graph."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grbcore.datasets import split
from tests.grbcore.four_files import BANDS

degree_sequences = st.integers(10, 400).flatmap(
    lambda n: st.lists(st.integers(0, 30), min_size=n, max_size=n)
).map(lambda degrees: np.array(degrees, np.int64))  # fmt: skip


@given(degree_sequences, st.integers(0, 5))
def test_each_difficulty_has_a_tenth_of_all_nodes(degrees: np.ndarray, seed: int) -> None:
    made = split(degrees, seed)
    assert [len(made.targets[band]) for band in BANDS] == [len(degrees) // 10] * 3
    assert len(made.train) == len(degrees) * 6 // 10


@given(degree_sequences, st.integers(0, 5))
def test_every_node_is_in_one_part(degrees: np.ndarray, seed: int) -> None:
    made = split(degrees, seed)
    parts = [made.train, made.val, *(made.targets[band] for band in BANDS)]
    assert np.array_equal(np.sort(np.concatenate(parts)), np.arange(len(degrees)))
    assert np.array_equal(made.targets["full"], np.sort(np.concatenate(parts[2:])))


@given(degree_sequences, st.integers(0, 5))
def test_parts_are_sorted_node_ids(degrees: np.ndarray, seed: int) -> None:
    made = split(degrees, seed)
    for part in (made.train, made.val, *made.targets.values()):
        assert part.dtype == np.int64
        assert (np.diff(part) > 0).all()


@given(degree_sequences, st.integers(0, 5))
def test_easier_targets_never_have_more_edges(degrees: np.ndarray, seed: int) -> None:
    made = split(degrees, seed)
    for lower, higher in (("easy", "medium"), ("medium", "hard")):
        assert degrees[made.targets[lower]].max() <= degrees[made.targets[higher]].min()


@given(st.integers(40, 400), st.integers(0, 5))
def test_the_tails_are_never_tested(nodes: int, seed: int) -> None:
    """With all degrees different, the 5 % of lowest and of highest degree are known."""
    degrees = np.random.default_rng(nodes).permutation(nodes)
    tested = degrees[split(degrees, seed).targets["full"]]
    tail = nodes * 5 // 100
    assert tail <= tested.min()
    assert tested.max() < nodes - tail


@given(st.integers(40, 400))
def test_bands_are_the_thirds_between_the_tails(nodes: int) -> None:
    degrees = np.random.default_rng(nodes).permutation(nodes)
    made = split(degrees)
    tail = nodes * 5 // 100
    middle = np.arange(tail, nodes - tail)
    for band, third in zip(BANDS, np.array_split(middle, 3), strict=True):
        assert set(degrees[made.targets[band]]) <= set(third)


@given(degree_sequences, st.integers(0, 5))
def test_the_same_seed_gives_the_same_split(degrees: np.ndarray, seed: int) -> None:
    first, second = split(degrees, seed), split(degrees.copy(), seed)
    assert np.array_equal(first.train, second.train)
    assert np.array_equal(first.targets["full"], second.targets["full"])


def test_ties_are_broken_by_the_seed_and_not_by_the_order_of_nodes() -> None:
    """All degrees equal: by order, easy would lie below hard in every split."""
    degrees = np.full(1000, 4)
    made = [split(degrees, seed) for seed in (0, 1)]
    assert not np.array_equal(made[0].targets["easy"], made[1].targets["easy"])
    for one in made:
        assert one.targets["easy"].max() > one.targets["hard"].min()
        assert abs(one.targets["easy"].mean() - 499.5) < 100


def test_fewer_than_ten_nodes_are_refused() -> None:
    with pytest.raises(ValueError, match="found 9 nodes, allowed: 10 or more"):
        split(np.zeros(9, np.int64))
