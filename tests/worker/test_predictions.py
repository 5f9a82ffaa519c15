"""What the evaluator wrote is read only if it is exactly what was asked for."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from grbcore.datasets import Dataset
from grbcore.store.queue import Entry
from worker.predictions import BadPredictions, expected, read

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


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ({"full/2": np.zeros(3, np.int16)}, "members"),
        ({"full/1": None}, "members"),
        ({"full/1": np.zeros(3, np.int16)}, "allowed: int16"),
        ({"full/1": np.zeros(540, np.float32)}, "allowed"),
        ({"full/1": np.full(540, 10, np.int16)}, "allowed"),
        ({"full/1": np.array([None] * 540)}, "can't be read"),
        ({"full/1": np.zeros(10_000_000, np.int16)}, "bytes, allowed: at most"),
    ],
)
def test_anything_else_is_refused(
    digits: Dataset,
    good: dict[str, NDArray[Any]],
    tmp_path: Path,
    fault: dict[str, NDArray[Any] | None],
    message: str,
) -> None:
    arrays = {name: array for name, array in {**good, **fault}.items() if array is not None}
    np.savez_compressed(tmp_path / "cell.npz", **arrays)  # type: ignore[arg-type]
    with pytest.raises(BadPredictions, match=message):
        read(tmp_path / "cell.npz", digits, REPEATS)  # type: ignore[arg-type]


def test_a_class_that_does_not_exist_is_refused(
    digits: Dataset, good: dict[str, NDArray[Any]], tmp_path: Path
) -> None:
    good["full/1"][0] = digits.classes
    np.savez(tmp_path / "cell.npz", **good)
    with pytest.raises(BadPredictions, match=r"allowed: -1\.\.9"):
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
    assert expected(None) == {"easy": 1, "medium": 1, "hard": 1, "full": 1}


def test_an_attack_has_the_repeats_of_the_difficulties_that_it_carries() -> None:
    contents: dict[str, object] = {"difficulties": ["full", "easy"], "repeats": 3}
    attack = Entry("id", "digits/injection@1", "attack", "0" * 64, contents)
    assert expected(attack) == {"easy": 3, "full": 3}
