"""Counts by true and predicted class, and the two scores of them, against values made by hand."""

from __future__ import annotations

import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, f1_score

from grbcore import datasets
from grbcore.confusion import (
    agrees,
    balanced_accuracy,
    confusion,
    confusions,
    macro_f1,
    not_finite,
    pack,
    unpack,
)
from grbcore.scoring import NOT_FINITE, score


def test_targets_are_counted_by_true_and_predicted_class() -> None:
    labels = np.array([0, 0, 1, 2, 2])
    taken = [np.array([0, 1, 1, NOT_FINITE, 2], np.int16), np.array([2, 2, 2, 2, 2], np.int16)]
    assert confusion(taken, labels, 3).tolist() == [
        [[1, 1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1]],
        [[0, 0, 2, 0], [0, 0, 1, 0], [0, 0, 2, 0]],
    ]


#: Repeat 0: 8 of 10 of class 0 right, 2 taken for class 1; 1 of 4 of class 1 right, 3 taken for 0.
#: Repeat 1: everything is taken for class 0.
TWO = np.array([[[8, 2, 0], [3, 1, 0]], [[10, 0, 0], [4, 0, 0]]])


def test_balanced_accuracy_is_the_mean_of_the_shares_of_each_class() -> None:
    # (8/10 + 1/4) / 2, and (1 + 0) / 2: chance, where accuracy is 10/14
    assert balanced_accuracy(TWO) == pytest.approx([0.525, 0.5])


def test_macro_f1_is_the_mean_of_the_f1_of_each_class() -> None:
    # class 0: 16 / (16 + 3 + 2) = 16/21; class 1: 2 / (2 + 2 + 3) = 2/7; their mean is 11/21
    # class 0: 20 / (20 + 4) = 5/6; class 1: 0
    assert macro_f1(TWO) == pytest.approx([11 / 21, 5 / 12])


def test_a_class_without_targets_is_left_out_of_the_mean() -> None:
    # class 1 has no target; 2 of 4 targets of class 0 are taken for it, so F1 is 4 / (4 + 2)
    found = np.array([[[2, 2, 0], [0, 0, 0]]])
    assert balanced_accuracy(found) == pytest.approx([0.5])
    assert macro_f1(found) == pytest.approx([2 / 3])


def test_a_target_without_finite_logits_is_a_miss() -> None:
    found = np.array([[[3, 0, 1], [0, 2, 2]]])
    assert balanced_accuracy(found) == pytest.approx([(3 / 4 + 1 / 2) / 2])
    assert macro_f1(found) == pytest.approx([(6 / 7 + 4 / 6) / 2])
    assert not_finite(found) == 3


def test_without_any_target_there_is_no_score() -> None:
    nothing = np.zeros((1, 2, 3), np.int64)
    assert np.isnan(balanced_accuracy(nothing)).all() and np.isnan(macro_f1(nothing)).all()


@given(st.integers(0, 10_000), st.integers(2, 6), st.integers(1, 60))
def test_both_are_those_of_scikit_learn(seed: int, classes: int, targets: int) -> None:
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, classes, targets)
    taken = rng.integers(0, classes, targets).astype(np.int16)
    found = confusion([taken], labels, classes)
    there = np.unique(labels)
    recalls = [(taken[labels == one] == one).mean() for one in there]
    assert balanced_accuracy(found) == pytest.approx([np.mean(recalls)])
    if set(taken) <= set(labels) and len(there) > 1:  # elsewhere scikit-learn warns
        assert balanced_accuracy(found) == pytest.approx([balanced_accuracy_score(labels, taken)])
    f1 = f1_score(labels, taken, labels=there, average="macro", zero_division=0)
    assert macro_f1(found) == pytest.approx([f1])


def test_counts_of_a_cell_are_those_of_its_hits() -> None:
    dataset = datasets.load("digits")
    rng = np.random.default_rng(5)
    taken = {
        name: [rng.integers(-1, 10, len(targets)).astype(np.int16) for _ in range(3)]
        for name, targets in dataset.targets.items()
    }
    correct, total, _ = score(taken, dataset)
    found = confusions(taken, dataset)
    assert agrees(found, correct, total)
    one = np.array(found["full"])
    one[0, 0] = one[0, 0][::-1]
    one[0, 0, 0] += 1
    assert not agrees({**found, "full": one}, correct, total)
    assert not agrees({"full": found["full"]}, correct, total)


@given(st.integers(0, 1000), st.integers(1, 12), st.integers(1, 3))
def test_counts_come_out_as_they_were_packed(seed: int, classes: int, repeats: int) -> None:
    rng = np.random.default_rng(seed)
    shape = (repeats, classes, classes + 1)
    found = {"full": rng.integers(0, 10_000, shape), "easy": rng.integers(0, 9, shape)}
    again = unpack(pack(found))  # type: ignore[arg-type]
    assert list(again) == ["easy", "full"]
    assert all((again[name] == found[name]).all() for name in found)  # type: ignore[index]


def packed(header: bytes, counts: bytes) -> bytes:
    return len(header).to_bytes(4, "little") + header + zlib.compress(counts)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00",
        packed(b"{}", b""),
        packed(b"[]", b""),
        packed(b'{"classes": 1, "repeats": {"every": 1}}', b"\x00" * 8),
        packed(b'{"classes": -1, "repeats": {"full": 1}}', b""),
        packed(b'{"classes": 1.0, "repeats": {"full": 1}}', b"\x00" * 8),
        packed(b'{"classes": 1, "repeats": {"full": 1}}', b"\x00" * 4),
        packed(b'{"classes": 1, "repeats": {"full": 1}}', b"\x00" * 12),
        packed(b'{"classes": 1, "repeats": {"full": 1}}', b"\xff" * 8),
        packed(b'{"classes": 1, "repeats": {"full": 1}}', b"\x00" * 8) + b"more",
        packed(b'{"classes": 1, "repeats": {"full": 1}}', b"\x00" * 8)[:-2],
        packed(b'{"classes": 100000, "repeats": {"full": 9}}', b"\x00" * 8),
    ],
)
def test_what_nobody_packed_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        unpack(data)
