"""What the evaluator wrote is read only if it is exactly what was asked for."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from grbcore import catalog
from grbcore.datasets import Dataset
from grbcore.store.queue import Entry
from worker.predictions import BadPredictions, expected, read, read_margins

REPEATS = {"full": 2}


@pytest.fixture
def good(digits: Dataset) -> dict[str, NDArray[Any]]:
    count = len(digits.targets["full"])
    return {f"full/{repeat}": np.full(count, repeat, np.int16) for repeat in range(2)}


def test_predictions_come_back_by_difficulty_and_repeat(
    digits: Dataset, good: dict[str, NDArray[Any]], tmp_path: Path
) -> None:
    np.savez(tmp_path / "cell.npz", **good)
    found = read(tmp_path / "cell.npz", digits, REPEATS)  # type: ignore[arg-type]
    assert [int(array[0]) for array in found["full"]] == [0, 1]


def test_a_member_too_many_or_too_few_is_refused(
    digits: Dataset, good: dict[str, NDArray[Any]], tmp_path: Path
) -> None:
    for names in (["full/0", "full/1", "full/2"], ["full/0"]):
        np.savez_compressed(tmp_path / "cell.npz", **{name: good["full/0"] for name in names})
        message = f"members: found {names}, allowed: ['full/0', 'full/1']"
        with pytest.raises(BadPredictions, match=f"^{re.escape(message)}$"):
            read(tmp_path / "cell.npz", digits, REPEATS)  # type: ignore[arg-type]


BOARD = catalog.board("digits/injection@1")
TARGETS = 537  # of digits at full: three times 179


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.zeros(3, np.int16), "full/1: found int16 (3,), allowed: int16 (537,)"),
        (np.zeros((1, TARGETS), np.int16), "full/1: found int16 (1, 537), allowed: int16 (537,)"),
        (np.zeros(TARGETS, np.int32), "full/1: found int32 (537,), allowed: int16 (537,)"),
        (np.full(TARGETS, 10, np.int16), "full/1: found 10..10, allowed: -1..9"),
        (np.full(TARGETS, -2, np.int16), "full/1: found -2..-2, allowed: -1..9"),
    ],
)
def test_an_array_that_is_not_one_class_for_each_target_is_refused(
    digits: Dataset,
    good: dict[str, NDArray[Any]],
    tmp_path: Path,
    array: NDArray[Any],
    message: str,
) -> None:
    np.savez_compressed(tmp_path / "cell.npz", **{**good, "full/1": array})
    with pytest.raises(BadPredictions, match=f"^{re.escape(message)}$"):
        read(tmp_path / "cell.npz", digits, REPEATS)  # type: ignore[arg-type]


def test_a_pickled_object_is_never_read(
    digits: Dataset, good: dict[str, NDArray[Any]], tmp_path: Path
) -> None:
    good["full/1"] = np.array([None] * TARGETS)
    np.savez_compressed(tmp_path / "cell.npz", **good)
    with pytest.raises(BadPredictions, match=r"^full/1: found type '\|O'"):
        read(tmp_path / "cell.npz", digits, REPEATS)  # type: ignore[arg-type]


def test_an_archive_that_unpacks_to_more_than_the_answer_is_refused(
    digits: Dataset, good: dict[str, NDArray[Any]], tmp_path: Path
) -> None:
    """Headers of 128 bytes: found 128 + 2 * 537 + 128 + 2,000,000, allowed 2 * (2 * 537 + 4096)."""
    good["full/1"] = np.zeros(1_000_000, np.int16)
    np.savez_compressed(tmp_path / "cell.npz", **good)
    message = "^file: found 2001330 bytes when unpacked; allowed: at most 10340 bytes"
    with pytest.raises(BadPredictions, match=message):
        read(tmp_path / "cell.npz", digits, REPEATS)  # type: ignore[arg-type]


def test_a_file_larger_than_the_answer_is_refused(digits: Dataset, tmp_path: Path) -> None:
    (tmp_path / "cell.npz").write_bytes(bytes(10_341))
    with pytest.raises(BadPredictions, match=r"^file: found 10341 bytes, allowed: at most 10340$"):
        read(tmp_path / "cell.npz", digits, REPEATS)  # type: ignore[arg-type]


def test_a_file_that_is_missing_a_link_or_no_archive_is_refused(
    digits: Dataset, tmp_path: Path
) -> None:
    (tmp_path / "link").symlink_to("/etc/hostname")
    (tmp_path / "text").write_text("hello")
    with zipfile.ZipFile(tmp_path / "zip", "w") as archive:
        archive.writestr("full/0.npy", b"hello")
    for name in ("missing", "link", "text", "zip", "."):
        with pytest.raises(BadPredictions):
            read(tmp_path / name, digits, {"full": 1})


def test_the_clean_row_has_one_repeat_of_every_difficulty() -> None:
    assert expected(None, BOARD) == {
        "easy": 1,
        "medium": 1,
        "hard": 1,
        "full": 1,
    }


def test_an_attack_has_the_repeats_of_the_difficulties_that_it_carries() -> None:
    contents: dict[str, object] = {"difficulties": ["full", "easy"], "repeats": 3}
    attack = Entry("id", "digits/injection@1", "attack", "0" * 64, contents)
    assert expected(attack, BOARD) == {"easy": 3, "full": 3}


def test_margins_come_back_where_the_child_says_so(digits: Dataset, tmp_path: Path) -> None:
    path = tmp_path / "cell.margins.npz"
    np.savez(path, margins=np.full(TARGETS, 42, np.uint8))
    found = read_margins(path, {"margins": True}, digits, "full")
    assert found is not None and found.tolist() == [42] * TARGETS
    assert read_margins(tmp_path / "none", {}, digits, "full") is None


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.zeros(3, np.uint8), "margins: found uint8 (3,), allowed: uint8 (537,)"),
        (np.zeros(TARGETS, np.int16), "margins: found int16 (537,), allowed: uint8 (537,)"),
        (np.full(TARGETS, 101, np.uint8), "margins: found 101, allowed: 0..100 and 255"),
    ],
)
def test_margins_that_are_not_one_percent_for_each_target_are_refused(
    digits: Dataset, tmp_path: Path, array: NDArray[Any], message: str
) -> None:
    path = tmp_path / "cell.margins.npz"
    np.savez_compressed(path, margins=array)
    with pytest.raises(BadPredictions, match=f"^{re.escape(message)}$"):
        read_margins(path, {"margins": True}, digits, "full")
