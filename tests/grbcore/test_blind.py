"""What a process that reads uploads is given of a dataset: everything but the test labels."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from grbcore import datasets
from grbcore.datasets import Dataset, DatasetError, load_blind, prepare, prepare_blind
from grbcore.datasets.blind import HIDDEN


def blind(tmp_path: Path) -> Path:
    return prepare_blind("digits", cache=tmp_path / "prepared", into=tmp_path / "blind")


def test_it_lacks_the_labels_of_test_nodes_and_nothing_else(tmp_path: Path) -> None:
    whole, found = datasets.load("digits"), load_blind("digits", blind(tmp_path))
    hidden = np.zeros(whole.nodes, bool)
    hidden[whole.targets["full"]] = True
    assert (found.labels[hidden] == HIDDEN).all()
    assert np.array_equal(found.labels[~hidden], whole.labels[~hidden])
    for field in fields(Dataset):
        mine, theirs = getattr(whole, field.name), getattr(found, field.name)
        if field.name == "targets":
            assert all(np.array_equal(mine[name], theirs[name]) for name in mine)
        elif field.name not in ("labels", "class_count"):
            assert np.array_equal(mine, theirs), field.name
    assert found.classes == whole.classes


def test_no_file_of_it_tells_a_test_label(tmp_path: Path) -> None:
    """The labels as they lie in the file that has them are in no file of the folder."""
    labels = np.array(datasets.load("digits").labels)
    told = [path.read_bytes() for path in blind(tmp_path).iterdir()]
    assert labels.tobytes() in (next((tmp_path / "prepared").iterdir()) / "labels.npy").read_bytes()
    assert not any(labels.tobytes() in content for content in told)


def test_the_large_arrays_are_there_once(tmp_path: Path) -> None:
    folder = blind(tmp_path)
    (source,) = (tmp_path / "prepared").iterdir()
    assert (folder / "features.npy").samefile(source / "features.npy")
    assert not (folder / "labels.npy").samefile(source / "labels.npy")


def test_many_at_once_keep_one(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda _: blind(tmp_path), range(8)))
    assert [*(tmp_path / "blind").iterdir()] == [*found]


def test_it_is_made_anew_when_the_dataset_is_and_the_old_one_goes(tmp_path: Path) -> None:
    folder = blind(tmp_path)
    before = (folder / "labels.npy").stat().st_ino
    assert (blind(tmp_path) / "labels.npy").stat().st_ino == before
    (source,) = (tmp_path / "prepared").iterdir()
    (source / "about.json").write_text("damaged")
    prepare("digits", cache=tmp_path / "prepared")
    other = folder.with_name("digits-0123456789abcdef")
    other.mkdir()
    assert blind(tmp_path) == folder
    assert load_blind("digits", folder).nodes == datasets.load("digits").nodes
    assert (folder / "features.npy").samefile(source / "features.npy")
    assert not other.exists()


def test_a_folder_that_holds_none_says_so(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="allowed: a prepared dataset"):
        load_blind("digits", tmp_path)
