"""The graph-level datasets of the catalog, their files and splits checked."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from threading import Lock

from grbcore import catalog
from grbcore.datasets.records import wrong
from grbcore.folders import DatasetError
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.graphlevel.files import digest_of
from grbcore.graphlevel.loading import Part, assemble, found_file, parts


def load(name: str, *, data_dir: Path | str | None = None) -> GraphDataset:
    """A dataset of the catalog whose graphs are judged; its digest is of its graphs and the split.

    Raises:
        KeyError: no such dataset.
        DatasetError: its files are not here, or they or the split are not what they should be.
    """
    entry = catalog.dataset(name)
    held = parts(name, data_dir=data_dir)
    digests = [digest_of(part.graphs, part.labels) for part in held]
    if others := _others(name, held, digests):
        raise DatasetError("; ".join(others))
    dataset = assemble(name, held, digest="")
    split = dataset.split.digest()
    if entry.split is not None and split != entry.split:
        raise DatasetError(f"{name}: found a split of SHA-256 {split}, allowed: {entry.split}")
    text = f"graphs {' '.join(digests)} split {split}"
    if dataset.degrees:  # by which nodes are embedded, whatever edges are flipped
        text += f" degrees {dataset.degrees}"
    return replace(dataset, digest=hashlib.sha256(text.encode()).hexdigest())


def opened(name: str, *, data_dir: Path | str | None = None) -> GraphDataset | None:
    """As `load`, read once in a process while the files stay as they are; None where it
    is not here, or not as it should be, which is tried again whenever it is asked for."""
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
    with _reading.setdefault(name, Lock()):  # others who want it wait, and need not read it
        known, dataset = _read.get(name, (None, None))
        if known != stats:
            try:
                dataset = load(name, data_dir=data_dir)
            except (DatasetError, OSError):
                return None
            _read[name] = (stats, dataset)
        return dataset


#: Of each dataset what `opened` read last, and of which files: their places, sizes and times.
_read: dict[str, tuple[list[tuple[str, int, int]], GraphDataset]] = {}
_reading: dict[str, Lock] = {}


def content_differences(name: str, *, data_dir: Path | str | None = None) -> list[str]:
    """The files of a dataset of the catalog whose graphs are others than it says, a line each.

    Raises:
        KeyError, DatasetError: see `loading.parts`.
    """
    held = parts(name, data_dir=data_dir)
    digests = [digest_of(part.graphs, part.labels) for part in held]
    return _others(name, held, digests)


def _others(name: str, held: Sequence[Part], digests: Sequence[str]) -> list[str]:
    return [
        told
        for part, sha256 in zip(held, digests, strict=True)
        if (told := wrong(name, part.folder, part.path, sha256))
    ]
