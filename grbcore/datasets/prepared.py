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
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grbcore.datasets.dataset import Dataset
from grbcore.datasets.reading import FILES
from grbcore.datasets.registry import load, locate
from grbcore.datasets.transform import FeatureTransform
from grbcore.scenario import DIFFICULTIES

_LAYOUT = 1  # raised when what is kept changes


def prepare(name: str, *, data_dir: Path | str | None = None, cache: Path) -> Dataset:
    """Keep a dataset in ``cache``, for `load_prepared` here and in other processes, and load it.

    It is read and checked where it is not kept yet, or its files have changed; what was kept of
    it before is removed then.  Of several processes one does that, and the others wait.

    Raises:
        KeyError: no such dataset.
        DatasetError: its files are not here, or are not what they should be.
    """
    folder = _folder(name, data_dir, cache)
    if folder is None:
        return load(name, data_dir=data_dir)
    kept = _open(name, folder)
    if kept is not None:
        return kept
    cache.mkdir(parents=True, exist_ok=True)
    with _alone(cache):
        kept = _open(name, folder)  # another process may have been first
        if kept is not None:
            return kept
        dataset = load(name, data_dir=data_dir)
        shutil.rmtree(folder, ignore_errors=True)
        _keep(dataset, folder)
        for other in _kept(name, cache):
            if other != folder:
                shutil.rmtree(other, ignore_errors=True)
        return _open(name, folder) or dataset


def load_prepared(name: str, *, data_dir: Path | str | None = None, cache: Path | None) -> Dataset:
    """As `grbcore.datasets.load`, by read-only memory maps of what `prepare` kept in ``cache``.

    That takes milliseconds and shares the memory.  Where nothing is kept, or it was kept of other
    files, this is `load`; nothing is written.

    Raises:
        KeyError: no such dataset.
        DatasetError: its files are not here, or are not what they should be.
    """
    folder = None if cache is None else _folder(name, data_dir, cache)
    kept = None if folder is None else _open(name, folder)
    return load(name, data_dir=data_dir) if kept is None else kept


def _folder(name: str, data_dir: Path | str | None, cache: Path) -> Path | None:
    source = locate(name, data_dir=data_dir)
    return None if source is None else cache / f"{name}-{_key(source)}"


def _kept(name: str, cache: Path) -> list[Path]:
    """Every folder of this dataset; its name may begin another's."""
    return [path for path in cache.glob(f"{name}-*") if path.name[len(name) + 1 :].isalnum()]


def _key(source: Path) -> str:
    """What changes whenever a file of the dataset does: sizes and times, without reading them."""
    stats = [(path, path.stat()) for path in (source / f"{file}.npz" for file in FILES)]
    text = repr([(str(path), stat.st_size, stat.st_mtime_ns) for path, stat in stats])
    return hashlib.sha256(f"{_LAYOUT} {text}".encode()).hexdigest()[:16]


@contextmanager
def _alone(cache: Path) -> Iterator[None]:
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
        (partial / "about.json").write_text(json.dumps(about), "utf-8")
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
        return _map(name, folder)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _map(name: str, folder: Path) -> Dataset:
    def array(member: str) -> NDArray[Any]:
        found: NDArray[Any] = np.load(folder / f"{member}.npy", mmap_mode="r", allow_pickle=False)
        return found

    about = json.loads((folder / "about.json").read_text("utf-8"))
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
    )
