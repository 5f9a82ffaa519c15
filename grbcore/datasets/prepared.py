"""Datasets kept ready as plain arrays, which processes map into memory instead of reading again."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
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


def load_prepared(name: str, *, data_dir: Path | str | None = None, cache: Path | None) -> Dataset:
    """As `grbcore.datasets.load`, but its arrays are read-only memory maps of files in ``cache``.

    The first call reads and checks the dataset and keeps it; later ones, in any process, take
    milliseconds and share the memory.  A dataset whose files have changed is read anew.  Without
    a ``cache`` this is `load`.

    Raises:
        KeyError: no such dataset.
        DatasetError: its files are not here, or are not what they should be.
    """
    source = locate(name, data_dir=data_dir)
    if source is None or cache is None:
        return load(name, data_dir=data_dir)
    folder = cache / f"{name}-{_key(source)}"
    if not (folder / "about.json").is_file():
        _keep(load(name, data_dir=data_dir), folder)
    return _open(name, folder)


def _key(source: Path) -> str:
    """What changes whenever a file of the dataset does: sizes and times, without reading them."""
    stats = [(path, path.stat()) for path in (source / f"{file}.npz" for file in FILES)]
    text = repr([(str(path), stat.st_size, stat.st_mtime_ns) for path, stat in stats])
    return hashlib.sha256(f"{_LAYOUT} {text}".encode()).hexdigest()[:16]


def _keep(dataset: Dataset, folder: Path) -> None:
    """Write the arrays under another name and move them into place, so that half never counts."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    partial = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        for member, array in _arrays(dataset).items():
            np.save(partial / f"{member}.npy", array)
        about = {"digest": dataset.digest, "transform": asdict(dataset.transform)}
        (partial / "about.json").write_text(json.dumps(about), "utf-8")
        partial.chmod(0o755)
        partial.rename(folder)
    except OSError:
        if not (folder / "about.json").is_file():  # another process was first
            raise
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _arrays(dataset: Dataset) -> dict[str, NDArray[Any]]:
    names = ("indptr", "indices", "features", "labels", "train", "val")
    arrays = {name: getattr(dataset, name) for name in names}
    return arrays | {f"targets-{name}": dataset.targets[name] for name in DIFFICULTIES}


def _open(name: str, folder: Path) -> Dataset:
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
