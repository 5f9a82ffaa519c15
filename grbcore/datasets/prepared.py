"""Datasets kept ready as plain arrays, which processes map into memory instead of reading again."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grbcore import catalog
from grbcore.datasets.dataset import Dataset
from grbcore.datasets.reading import FILES
from grbcore.datasets.registry import load, locate
from grbcore.datasets.transform import FeatureTransform
from grbcore.folders import alone, replaced
from grbcore.graphlevel import registered
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.scenario import DIFFICULTIES

_LAYOUT = 1  # raised when what is kept changes

#: Files of a folder that is kept, beside the other arrays.
LABELS, ABOUT = "labels.npy", "about.json"


def prepare(
    name: str, *, data_dir: Path | str | None = None, cache: Path
) -> Dataset | GraphDataset:
    """Keep a dataset in ``cache``, here and for other processes, and load it.

    Its arrays are read-only maps of files, which takes milliseconds and shares the memory.  Whole
    graphs, which are small, are read.

    It is read and checked where it is not kept yet, or its files have changed; what was kept of
    it before is removed then.  Of several processes one does that, and the others wait.

    Raises:
        KeyError: no such dataset.
        DatasetError: its files are not here, or are not what they should be.
    """
    if catalog.dataset(name).graphs or (folder := folder_of(name, data_dir, cache)) is None:
        return load(name, data_dir=data_dir)
    found = _open(name, folder)
    if found is not None:
        return found
    with alone(cache):
        found = _open(name, folder)  # another process may have been first
        if found is not None:
            return found
        dataset = load(name, Dataset, data_dir=data_dir)
        with replaced(name, folder) as partial:
            _keep(dataset, partial)
        return _open(name, folder) or dataset


def opened(
    name: str, *, data_dir: Path | str | None = None, cache: Path
) -> Dataset | GraphDataset | None:
    """A dataset that `prepare` keeps ready; None where it is not: nothing is read or checked.

    Whole graphs are read once in a process.
    """
    if catalog.dataset(name).graphs:
        return registered.opened(name, data_dir=data_dir)
    folder = folder_of(name, data_dir, cache)
    return None if folder is None else _open(name, folder)


def folder_of(name: str, data_dir: Path | str | None, cache: Path) -> Path | None:
    """Where `prepare` keeps a dataset; None where its files are not here."""
    source = locate(name, data_dir=data_dir)
    return None if source is None else cache / f"{name}-{_key(source)}"


def _key(source: Path) -> str:
    """What changes whenever a file of the dataset does: sizes and times, without reading them."""
    stats = [(path, path.stat()) for path in (source / f"{file}.npz" for file in FILES)]
    text = repr([(str(path), stat.st_size, stat.st_mtime_ns) for path, stat in stats])
    return hashlib.sha256(f"{_LAYOUT} {text}".encode()).hexdigest()[:16]


def _keep(dataset: Dataset, folder: Path) -> None:
    for member, array in _arrays(dataset).items():
        np.save(folder / f"{member}.npy", array)
    about = {"digest": dataset.digest, "transform": asdict(dataset.transform)}
    (folder / ABOUT).write_text(json.dumps(about), "utf-8")


def _arrays(dataset: Dataset) -> dict[str, NDArray[Any]]:
    names = ("indptr", "indices", "features", "labels", "train", "val")
    arrays = {name: getattr(dataset, name) for name in names}
    return arrays | {f"targets-{name}": dataset.targets[name] for name in DIFFICULTIES}


def _open(name: str, folder: Path) -> Dataset | None:
    """What is kept in this folder; None where there is none, or it is damaged."""
    try:
        return map_folder(name, folder)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def map_folder(name: str, folder: Path) -> Dataset:
    """The dataset whose arrays are kept in this folder.

    Raises:
        OSError, ValueError, KeyError, TypeError: there is none, or it is damaged.
    """

    def array(member: str) -> NDArray[Any]:
        found: NDArray[Any] = np.load(folder / f"{member}.npy", mmap_mode="r", allow_pickle=False)
        return found

    about = json.loads((folder / ABOUT).read_text("utf-8"))
    return Dataset(
        name=name,
        digest=about["digest"],
        indptr=array("indptr"),
        indices=array("indices"),
        features=array("features"),
        labels=array("labels"),
        transform=FeatureTransform(**about["transform"]),
        train=array("train"),
        val=array("val"),
        targets={difficulty: array(f"targets-{difficulty}") for difficulty in DIFFICULTIES},
        class_count=about.get("classes"),
    )
