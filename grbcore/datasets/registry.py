"""Finding the files of a registered dataset on this machine."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import TypeVar, overload

from grbcore import catalog
from grbcore.datasets.dataset import Dataset
from grbcore.datasets.reading import FILES, digest, hashes, read
from grbcore.datasets.records import wrong
from grbcore.folders import DatasetError, data_folders
from grbcore.graphlevel import registered
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.graphlevel.loading import found_file

_Kind = TypeVar("_Kind", bound=Dataset | GraphDataset)

_WORDS = {Dataset: "the nodes of one graph", GraphDataset: "whole graphs"}


def locate(name: str, *, data_dir: Path | str | None = None) -> Path | None:
    """The folder that holds all four files of this dataset, or None.

    Raises:
        KeyError: no such dataset in the catalog.
    """
    if catalog.dataset(name).bundled:
        return Path(str(files("grbcore.datasets") / name))
    for folder in data_folders(data_dir):
        if all((folder / name / f"{file}.npz").is_file() for file in FILES):
            return folder / name
    return None


def present(name: str, *, data_dir: Path | str | None = None) -> bool:
    """Whether the dataset's files are on this machine."""
    return None not in places(name, data_dir=data_dir).values()


def places(name: str, *, data_dir: Path | str | None = None) -> dict[str, Path | None]:
    """Where each file of the dataset lies on this machine; None where it does not."""
    entry = catalog.dataset(name)
    if entry.graphs:
        return {file: found_file(file, data_dir) for file in entry.files}
    folder = locate(name, data_dir=data_dir)
    return {file: folder and folder / f"{file}.npz" for file in entry.files}


@overload
def load(name: str, *, data_dir: Path | str | None = None) -> Dataset | GraphDataset: ...
@overload
def load(name: str, kind: type[_Kind], *, data_dir: Path | str | None = None) -> _Kind: ...
def load(
    name: str,
    kind: type[_Kind] | None = None,
    *,
    data_dir: Path | str | None = None,
) -> Dataset | GraphDataset:
    """A registered dataset, its files checked against the catalog where hashes are recorded.

    With ``kind`` it is one of that kind, of the nodes of one graph or of whole graphs.

    Raises:
        KeyError: no such dataset.
        DatasetError: its files are not here, or are not what they should be, or it is of the other
            kind.
    """
    found = GraphDataset if catalog.dataset(name).graphs else Dataset
    if kind is not None and kind is not found:
        raise DatasetError(f"{name}: found {_WORDS[found]}, allowed: {_WORDS[kind]}")
    if found is GraphDataset:
        return registered.load(name, data_dir=data_dir)
    folder = locate(name, data_dir=data_dir)
    if folder is None:
        looked = ", ".join(str(path / name) for path in data_folders(data_dir))
        raise DatasetError(
            f"{name}: found no files in {looked}; allowed: the four files there "
            f"({', '.join(f'{file}.npz' for file in FILES)}), or run: grb datasets fetch {name}"
        )
    return load_hashed(name, folder, hashes(folder))


def load_hashed(name: str, folder: Path, found: Mapping[str, str]) -> Dataset:
    """The dataset in a folder whose files have these hashes, which are checked.

    Raises:
        DatasetError: a file is not the published one, or the one that this host recorded.
    """
    for file, sha256 in found.items():
        if told := wrong(name, file, folder / f"{file}.npz", sha256):
            raise DatasetError(told)
    return read(name, folder, digest(found))
