"""Hits by degree, by class, and before and after an attack, against counts made by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from grbcore.breakdown import (
    Change,
    Group,
    average_by_degree,
    by_class,
    by_degree,
    by_margin,
    change,
    degree_groups,
    pooled,
)
from grbcore.margins import UNKNOWN, percents
from grbcore.margins import pack as pack_margins
from grbcore.margins import unpack as unpack_margins
from grbcore.scoring import pack, unpack


def test_hits_are_counted_by_class_in_each_repeat() -> None:
    labels = np.array([2, 0, 2, 0, 2])
    hits = np.array([[1, 1, 0, 0, 1], [0, 1, 0, 1, 0]], bool)
    assert by_class(labels, hits) == [Group(0, 0, 2, (1, 2)), Group(2, 2, 3, (2, 0))]


def test_hits_are_counted_by_groups_of_degrees() -> None:
    degrees = np.array([1, 1, 2, 9, 9, 30])
    hits = np.array([[1, 0, 1, 1, 1, 1]], bool)
    assert by_degree(degrees, hits, groups=2) == [Group(1, 2, 3, (2,)), Group(9, 30, 3, (3,))]


def test_groups_of_several_cells_are_added_up_and_a_single_repeat_stands_in_all() -> None:
    """One cell of two repeats and one of one; a group that only the second has."""
    first = [Group(0, 9, 4, (1, 2)), Group(90, 100, 6, (6, 5))]
    second = [Group(0, 9, 3, (3,)), Group(50, 74, 7, (2,))]
    assert pooled([first, second], 2) == [
        Group(0, 9, 7, (4, 5)),
        Group(50, 74, 7, (2, 2)),
        Group(90, 100, 6, (6, 5)),
    ]


def test_hits_are_counted_by_groups_of_margins_that_are_the_same_for_all() -> None:
    """9 % and 10 % are parted, 10 % and 24 % are not; what is not known is in no group."""
    margins = np.array([9, 10, 24, UNKNOWN, 100], np.uint8)
    hits = np.array([[0, 1, 0, 1, 1], [1, 1, 1, 1, 0]], bool)
    assert by_margin(margins, hits) == [
        Group(0, 9, 1, (0, 1)),
        Group(10, 24, 2, (1, 2)),
        Group(90, 100, 1, (1, 0)),
    ]


def test_margins_are_kept_in_whole_percents() -> None:
    given = np.array([0, 0.099, 0.5, 1, np.nan, np.inf], np.float32)
    kept = percents(given)
    assert kept.tolist() == [0, 9, 50, 100, UNKNOWN, UNKNOWN]
    assert unpack_margins(pack_margins(kept), 6).tolist() == kept.tolist()


@pytest.mark.parametrize(
    ("data", "targets", "found"),
    [
        (pack_margins(np.array([1, 2], np.uint8)), 3, "found 2"),
        (pack_margins(np.array([1, 2], np.uint8)), 1, "found 2"),
        (pack_margins(np.array([1, 101], np.uint8)), 2, "found 101"),
        (pack_margins(np.array([1, 2], np.uint8)) + b"0", 2, "allowed: 2"),
        (b"", 2, "found 0"),
        (b"nothing", 2, "margins: "),
    ],
)
def test_margins_that_are_none_are_refused(data: bytes, targets: int, found: str) -> None:
    with pytest.raises(ValueError, match=found):
        unpack_margins(data, targets)


def test_an_average_by_degree_is_over_cells_in_each_repeat() -> None:
    """Degree 1: 1/2 and 1/2 in the first cell, 2/2 in both repeats of the second: 3/4."""
    degrees = np.array([1, 1, 9, 30])
    cells = [np.array([[1, 0, 1, 1], [0, 1, 0, 0]], bool), np.array([[1, 1, 0, 0]], bool)]
    low, high = average_by_degree(degrees, cells, repeats=2)
    assert (low.low, low.high, low.targets, low.values.tolist()) == (1, 1, 2, [0.75, 0.75])
    assert (high.low, high.high, high.values.tolist()) == (9, 30, [0.5, 0.0])


def test_targets_of_one_degree_are_one_group() -> None:
    assert by_degree(np.array([4, 4, 4]), np.array([[1, 0, 1]], bool)) == [Group(4, 4, 3, (2,))]


@given(arrays(np.int64, st.integers(1, 60), elements=st.integers(0, 12)))
def test_equal_degrees_are_never_parted(degrees: NDArray[np.int64]) -> None:
    group = degree_groups(degrees)
    for degree in np.unique(degrees):
        assert len(np.unique(group[degrees == degree])) == 1


def test_a_change_counts_what_was_right_before_and_after() -> None:
    before = np.array([[1, 1, 0, 0, 1]], bool)
    after = np.array([[1, 0, 1, 0, 1], [0, 0, 0, 0, 1]], bool)
    assert change(before, after) == Change(kept=(2, 1), lost=(1, 2), gained=(1, 0), missed=(1, 2))


@given(st.integers(1, 3), st.integers(1, 40), st.integers(0, 1000))
def test_hits_come_out_as_they_were_packed(repeats: int, targets: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    hits = {
        "easy": rng.random((repeats, targets)) < 0.5,
        "full": rng.random((repeats, 3 * targets)) < 0.5,
    }
    found = unpack(pack(hits))  # type: ignore[arg-type]
    assert list(found) == ["easy", "full"]
    assert all((found[name] == hits[name]).all() for name in hits)  # type: ignore[index]


def test_hits_that_are_cut_short_are_refused() -> None:
    data = pack({"full": np.ones((2, 20), bool)})
    for broken in (data[:-1], data + b"0", b"\x00", b""):
        with pytest.raises(ValueError, match=r"."):
            unpack(broken)
