"""Datasets mapped into memory are the datasets that were read."""

from __future__ import annotations

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from grbcore import datasets
from grbcore.datasets import Dataset, DatasetError, prepare
from tests.killed import die, killed


def same(one: Dataset, other: Dataset) -> bool:
    for field in fields(Dataset):
        mine, theirs = getattr(one, field.name), getattr(other, field.name)
        if field.name == "targets":
            assert list(mine) == list(theirs)
            assert all(np.array_equal(mine[name], theirs[name]) for name in mine)
        elif isinstance(mine, np.ndarray):
            assert mine.dtype == theirs.dtype
            assert np.array_equal(mine, theirs)
        else:
            assert mine == theirs
    return True


def test_what_is_prepared_is_the_dataset(tmp_path: Path) -> None:
    read = datasets.load("digits")
    assert same(read, prepare("digits", cache=tmp_path))
    assert same(read, prepare("digits", cache=tmp_path))


def test_arrays_are_maps_that_nobody_can_write_to(tmp_path: Path) -> None:
    dataset = prepare("digits", cache=tmp_path)
    assert isinstance(dataset.features, np.memmap)
    with pytest.raises(ValueError, match="read-only"):
        dataset.features[0, 0] = 1


def test_many_at_once_keep_one(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: prepare("digits", cache=tmp_path), range(8)))
    assert all(same(found[0], other) for other in found)
    assert len(list(tmp_path.iterdir())) == 1


def test_what_was_kept_of_other_files_is_removed_and_other_datasets_stay(tmp_path: Path) -> None:
    old, other = tmp_path / "digits-0123456789abcdef", tmp_path / "digits-large-0123456789abcdef"
    old.mkdir()
    other.mkdir()
    prepare("digits", cache=tmp_path)
    assert not old.exists()
    assert other.exists()
    assert len(list(tmp_path.iterdir())) == 2


def test_what_one_that_was_killed_left_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", die)  # all of it is there, but not in its place
        killed(lambda: prepare("digits", cache=tmp_path))
    assert len(list(tmp_path.iterdir())) == 1
    assert isinstance(prepare("digits", cache=tmp_path).labels, np.memmap)
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("member", ["labels.npy", "about.json"])
def test_what_is_damaged_is_read_anew(tmp_path: Path, member: str) -> None:
    prepare("digits", cache=tmp_path)
    (folder,) = tmp_path.iterdir()
    (folder / member).write_bytes(b"{}")
    read = datasets.load("digits")
    assert same(read, prepare("digits", cache=tmp_path))
    assert isinstance(prepare("digits", cache=tmp_path).labels, np.memmap)


@pytest.mark.real_data
def test_changed_files_are_read_anew(tmp_path: Path, real_data: Path) -> None:
    folder = tmp_path / "data" / "grb-cora"
    shutil.copytree(real_data / "grb-cora", folder, copy_function=shutil.copyfile)
    folder.chmod(0o755)
    prepare("grb-cora", data_dir=folder.parent, cache=tmp_path / "prepared")
    labels = folder / "labels.npz"
    damaged = bytearray(labels.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    labels.write_bytes(damaged)
    os.utime(labels, (1, 1))
    with pytest.raises(DatasetError, match="labels"):
        prepare("grb-cora", data_dir=folder.parent, cache=tmp_path / "prepared")


def test_a_dataset_that_is_not_here_says_where_it_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="grb datasets fetch grb-reddit"):
        prepare("grb-reddit", data_dir=tmp_path, cache=tmp_path)
