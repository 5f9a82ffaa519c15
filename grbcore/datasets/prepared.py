"""Datasets kept ready as plain arrays, which processes map into memory instead of reading again."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from grbcore import catalog
from grbcore.datasets.dataset import Dataset
from grbcore.datasets.reading import FILES
from grbcore.datasets.registry import load, load_any, locate
from grbcore.datasets.transform import FeatureTransform
from grbcore.scenario import DIFFICULTIES

if TYPE_CHECKING:
    from grbcore.graphlevel.dataset import GraphDataset

_LAYOUT = 1  # raised when what is kept changes

#: Files of a folder that is kept, beside the other arrays.
LABELS, ABOUT = "labels.npy", "about.json"


def prepare(name: str, *, data_dir: Path | str | None = None, cache: Path) -> Dataset:
    """Keep a dataset in ``cache``, here and for other processes, and load it.

    Its arrays are read-only maps of files, which takes milliseconds and shares the memory.

    It is read and checked where it is not kept yet, or its files have changed; what was kept of
    it before is removed then.  Of several processes one does that, and the others wait.

    Raises:
        KeyError: no such dataset.
        DatasetError: its files are not here, or are not what they should be.
    """
    folder = folder_of(name, data_dir, cache)
    if folder is None:
        return load(name, data_dir=data_dir)
    found = _open(name, folder)
    if found is not None:
        return found
    cache.mkdir(parents=True, exist_ok=True)
    with alone(cache):
        found = _open(name, folder)  # another process may have been first
        if found is not None:
            return found
        dataset = load(name, data_dir=data_dir)
        shutil.rmtree(folder, ignore_errors=True)
        _keep(dataset, folder)
        for other in kept(name, cache):
            if other != folder:
                shutil.rmtree(other, ignore_errors=True)
        return _open(name, folder) or dataset


def prepare_any(
    name: str, *, data_dir: Path | str | None = None, cache: Path
) -> Dataset | GraphDataset:
    """As `prepare`, of the nodes of one graph or of whole graphs, which are small: they are read.

    Raises:
        KeyError: no such dataset.
        DatasetError: its files are not here, or are not what they should be.
    """
    if catalog.dataset(name).graphs:
        return load_any(name, data_dir=data_dir)
    return prepare(name, data_dir=data_dir, cache=cache)


def opened(name: str, *, data_dir: Path | str | None = None, cache: Path) -> Dataset | None:
    """A dataset that `prepare` keeps ready; None where it is not: nothing is read or checked."""
    folder = folder_of(name, data_dir, cache)
    return None if folder is None else _open(name, folder)


def opened_any(
    name: str, *, data_dir: Path | str | None = None, cache: Path
) -> Dataset | GraphDataset | None:
    """As `opened`; whole graphs, which are small, are read once in a process."""
    if not catalog.dataset(name).graphs:
        return opened(name, data_dir=data_dir, cache=cache)
    from grbcore.graphlevel import registered  # it needs this package

    return registered.opened(name, data_dir=data_dir)


def folder_of(name: str, data_dir: Path | str | None, cache: Path) -> Path | None:
    """Where `prepare` keeps a dataset; None where its files are not here."""
    source = locate(name, data_dir=data_dir)
    return None if source is None else cache / f"{name}-{_key(source)}"


def kept(name: str, cache: Path) -> list[Path]:
    """Every folder of this dataset; its name may begin another's."""
    return [path for path in cache.glob(f"{name}-*") if path.name[len(name) + 1 :].isalnum()]


def _key(source: Path) -> str:
    """What changes whenever a file of the dataset does: sizes and times, without reading them."""
    stats = [(path, path.stat()) for path in (source / f"{file}.npz" for file in FILES)]
    text = repr([(str(path), stat.st_size, stat.st_mtime_ns) for path, stat in stats])
    return hashlib.sha256(f"{_LAYOUT} {text}".encode()).hexdigest()[:16]


@contextmanager
def alone(cache: Path) -> Iterator[None]:
    """Hold the lock of this folder; it ends with its holder, however that ends."""
    lock = os.open(cache, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _keep(dataset: Dataset, folder: Path) -> None:
    """Write the arrays under another name and move them into place, so that half never counts."""
    partial = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        for member, array in _arrays(dataset).items():
            np.save(partial / f"{member}.npy", array)
        about = {"digest": dataset.digest, "transform": asdict(dataset.transform)}
        (partial / ABOUT).write_text(json.dumps(about), "utf-8")
        partial.chmod(0o755)
        partial.rename(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


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
