"""The graph-level datasets of the catalog, their files and splits checked."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from grbcore import catalog
from grbcore.catalog import DatasetEntry
from grbcore.datasets.prepared import alone, kept
from grbcore.datasets.reading import DatasetError
from grbcore.datasets.registry import data_folders
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.graphlevel.files import digest_of
from grbcore.graphlevel.kept import keep
from grbcore.graphlevel.loading import Part, assemble, parts


def load_registered(name: str, *, data_dir: Path | str | None = None) -> GraphDataset:
    """A dataset of the catalog whose graphs are judged; its digest is of its graphs and the split.

    Raises:
        KeyError: no such dataset.
        DatasetError: its files are not here, or they or the split are not what they should be.
    """
    entry = catalog.dataset(name)
    if missing := missing_files(name, data_dir=data_dir):
        looked = ", ".join(str(base / missing[0]) for base in data_folders(data_dir))
        raise DatasetError(
            f"{name}: data not present: found no file {looked}; allowed: it there, or run: "
            f"grb datasets fetch {name}"
        )
    held = parts(name, data_dir=data_dir)
    if wrong := _others(entry, held):
        raise DatasetError("; ".join(wrong))
    digests = " ".join(digest_of(part.graphs, part.labels) for part in held)
    dataset = assemble(name, held, digest="")
    split = dataset.split.digest()
    if entry.split is not None and split != entry.split:
        raise DatasetError(f"{name}: found a split of SHA-256 {split}, allowed: {entry.split}")
    whole = hashlib.sha256(f"graphs {digests} split {split}".encode()).hexdigest()
    return replace(dataset, digest=whole)


def opened(name: str, *, data_dir: Path | str | None = None) -> GraphDataset | None:
    """As `load_registered`, read once in a process while the files stay as they are; None where it
    is not here, or not as it should be."""
    stats = []
    for folder in catalog.dataset(name).files:
        path = found_file(folder, data_dir)
        if path is None:
            return None
        try:
            stat = path.stat()
        except OSError:
            return None
        stats.append((str(path), stat.st_size, stat.st_mtime_ns))
    return _opened(name, None if data_dir is None else str(data_dir), tuple(stats))


@lru_cache(maxsize=8)
def _opened(name: str, data_dir: str | None, _stats: tuple[object, ...]) -> GraphDataset | None:
    try:
        return load_registered(name, data_dir=data_dir)
    except (DatasetError, OSError):
        return None


def content_differences(name: str, *, data_dir: Path | str | None = None) -> list[str]:
    """The files of a dataset of the catalog whose graphs are others than it says, a line each.

    Raises:
        KeyError, DatasetError: see `loading.parts`.
    """
    return _others(catalog.dataset(name), parts(name, data_dir=data_dir))


def _others(entry: DatasetEntry, held: Sequence[Part]) -> list[str]:
    pairs = [(part, entry.files[part.folder].sha256) for part in held]
    found = [(part.path, digest_of(part.graphs, part.labels), must) for part, must in pairs]
    return [
        f"{path}: found graphs of SHA-256 {sha256}, allowed: {must}"
        for path, sha256, must in found
        if must not in (None, sha256)
    ]


def prepare_blind(name: str, *, data_dir: Path | str | None = None, into: Path) -> Path:
    """Keep a dataset without its test labels in a folder below ``into``; that folder.

    Raises:
        KeyError, DatasetError: see `load_registered`.
    """
    dataset = load_registered(name, data_dir=data_dir)
    folder = into / f"{name}-{dataset.digest[:16]}"
    into.mkdir(parents=True, exist_ok=True)
    with alone(into):
        if not folder.is_dir():
            partial = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=into))
            try:
                keep(dataset, partial)
                partial.chmod(0o755)
                partial.rename(folder)
            finally:
                shutil.rmtree(partial, ignore_errors=True)
            for other in kept(name, into):
                if other != folder:
                    shutil.rmtree(other, ignore_errors=True)
    return folder


def missing_files(name: str, *, data_dir: Path | str | None = None) -> list[str]:
    """The files of a dataset of the catalog that are not on this machine, below a data folder."""
    folders = catalog.dataset(name).files
    return [_below(folder) for folder in folders if found_file(folder, data_dir) is None]


def found_file(folder: str, data_dir: Path | str | None) -> Path | None:
    """Where the graphs of this folder lie, in the first data folder that has them."""
    for base in data_folders(data_dir):
        if (base / _below(folder)).is_file():
            return base / _below(folder)
    return None


def _below(folder: str) -> str:
    return f"graphs/{folder}/graphs.npz"
