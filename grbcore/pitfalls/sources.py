"""The paper's datasets, from files that are here or by PyG."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from grbcore.archive import ArchiveLimits, ArrayArchive
from grbcore.folders import DatasetError, data_folders
from grbcore.pitfalls.paper import SOURCES, Source
from grbcore.pitfalls.standard import Standard, standardise
from grbcore.violations import Refused

#: What the four files of a folder may unpack to.
_LIMITS = ArchiveLimits(total=4 << 30, ratio=10_000)

FILES = ("adj", "features_csr", "labels")


def located(name: str, *, data_dir: Path | str | None = None) -> Path | None:
    """The folder ``node/<name>`` of files that are here; None where there is none."""
    for folder in data_folders(data_dir):
        place = folder / "node" / name
        if all((place / f"{file}.npz").is_file() for file in FILES):
            return place
    return None


def load(name: str, *, data_dir: Path | str | None = None) -> Standard:
    """A dataset of the paper, standardised.

    Its files are looked for in ``node/<name>`` of the folders of datasets (`FILES`: two sparse
    matrices as scipy saves them and labels); otherwise PyG is asked, which fetches what is not in
    ``pyg`` of the first of these folders.

    Raises:
        DatasetError: no such dataset, files that can't be read, or none and no network.
    """
    if name not in SOURCES:
        raise DatasetError(f"dataset: found {name!r}, allowed: {', '.join(SOURCES)}")
    source = SOURCES[name]
    folder = located(name, data_dir=data_dir)
    if folder is not None:
        return standardise(name, *_read(folder), rarest=source.rarest)
    root = data_folders(data_dir)[0] / "pyg"
    return standardise(name, *_fetched(name, source, root), rarest=source.rarest)


def differences(dataset: Standard) -> list[str]:
    """What is not as Table 3 says, one line each; empty where nothing is expected."""
    expected = SOURCES[dataset.name].expected if dataset.name in SOURCES else None
    if expected is None:
        return []
    pairs = {
        "classes": (dataset.classes, expected.classes),
        "features": (dataset.features, expected.features),
        "nodes": (dataset.nodes, expected.nodes),
        "edges with self-loops": (dataset.looped_edges, expected.edges),
    }
    return [
        f"{place}: found {found:,}; allowed: {allowed:,}"
        for place, (found, allowed) in pairs.items()
        if found != allowed
    ]


def _read(folder: Path) -> tuple[Any, Any, Any]:
    labels = _members(folder / "labels.npz", ("data",))["data"]
    return _matrix(folder / "adj.npz"), _matrix(folder / "features_csr.npz"), labels


def _matrix(path: Path) -> Any:
    """A scipy CSR read as plain arrays, its indices checked."""
    found = _members(path, ("data", "indices", "indptr", "shape"))
    try:
        rows, columns = (int(size) for size in found["shape"])
        matrix = sparse.csr_matrix(
            (found["data"], found["indices"], found["indptr"]), shape=(rows, columns)
        )
        matrix.check_format(full_check=True)
    except ValueError as error:
        raise DatasetError(f"{path}: {error}") from None
    return matrix


def _members(path: Path, names: tuple[str, ...]) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            # scipy writes the layout's name, which is no array of numbers
            archive = ArrayArchive(file, _LIMITS)
            missing = [name for name in names if name not in archive.arrays]
            if missing:
                allowed = ", ".join(names)
                raise DatasetError(f"{path}: found no member {missing[0]}, allowed: {allowed}")
            return {name: archive.read(name) for name in names}
    except OSError as error:
        raise DatasetError(f"{path}: {error}") from None
    except Refused as refused:
        raise DatasetError(f"{path}: {refused}") from None


def _fetched(name: str, source: Source, root: Path) -> tuple[Any, Any, Any]:
    """The dataset by PyG's own loader: adjacency, features, labels."""
    import torch_geometric.datasets

    kind: Callable[..., Any] = getattr(torch_geometric.datasets, source.kind)
    try:
        data = kind(root=str(root / name), **source.arguments)[0]
    except Exception as error:  # whatever a loader ends with over no network or half a file
        reason = f"{type(error).__name__}: {error}"
        wrong = f"found no files in {root.parent / 'node' / name} and can't fetch them"
        allowed = f"{', '.join(f'{file}.npz' for file in FILES)} there, or a network"
        raise DatasetError(f"{name}: {wrong} ({reason}), allowed: {allowed}") from None
    row, col = data.edge_index.numpy()
    ones = np.ones(len(row), bool)
    adjacency = sparse.coo_matrix((ones, (row, col)), shape=(data.num_nodes, data.num_nodes))
    return adjacency.tocsr(), sparse.csr_matrix(data.x.numpy()), data.y.numpy()
