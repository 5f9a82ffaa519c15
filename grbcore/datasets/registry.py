"""Finding the files of a registered dataset on this machine."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from grbcore import catalog
from grbcore.datasets.dataset import Dataset
from grbcore.datasets.reading import FILES, DatasetError, digest, hashes, read
from grbcore.datasets.records import expected, own_folder

if TYPE_CHECKING:
    from grbcore.graphlevel.dataset import GraphDataset


def data_folders(data_dir: Path | str | None = None) -> tuple[Path, ...]:
    """Where datasets are looked for, in order: ``data_dir`` or GRB_DATA_DIR, then ``var/data``."""
    chosen = data_dir or os.environ.get("GRB_DATA_DIR")
    return (Path(chosen), own_folder()) if chosen else (own_folder(),)


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
    if not catalog.dataset(name).graphs:
        return locate(name, data_dir=data_dir) is not None
    from grbcore.graphlevel.registered import missing_files  # it needs this module

    return not missing_files(name, data_dir=data_dir)


def load(
    name: str, *, data_dir: Path | str | None = None, known: Mapping[str, str] | None = None
) -> Dataset:
    """A registered dataset, its files checked against the catalog where hashes are recorded.

    ``known`` are the hashes of its files, where the caller has just computed them.

    Raises:
        KeyError: no such dataset.
        DatasetError: its files are not here, or are not what they should be, or it is of whole
            graphs, which `load_any` reads.
    """
    if catalog.dataset(name).graphs:
        told = "found whole graphs, allowed: the nodes of one graph"
        raise DatasetError(f"{name}: {told}; grbcore.datasets.load_any reads both")
    folder = locate(name, data_dir=data_dir)
    if folder is None:
        looked = ", ".join(str(path / name) for path in data_folders(data_dir))
        raise DatasetError(
            f"{name}: found no files in {looked}; allowed: the four files there "
            f"({', '.join(f'{file}.npz' for file in FILES)}), or run: grb datasets fetch {name}"
        )
    found = hashes(folder) if known is None else known
    check_hashes(name, folder, found)
    return read(name, folder, digest(found))


def load_any(name: str, *, data_dir: Path | str | None = None) -> Dataset | GraphDataset:
    """As `load`, of the nodes of one graph or of whole graphs.

    Raises:
        KeyError: no such dataset.
        DatasetError: its files are not here, or are not what they should be.
    """
    if not catalog.dataset(name).graphs:
        return load(name, data_dir=data_dir)
    from grbcore.graphlevel.registered import load_registered  # it needs this module

    return load_registered(name, data_dir=data_dir)


def check_hashes(name: str, folder: Path, found: Mapping[str, str]) -> None:
    """Compare hashes of files with the published ones, or with those recorded on this host.

    Raises:
        DatasetError: a file is not the expected one.
    """
    for file, sha256 in expected(name).items():
        if found[file] != sha256:
            path = folder / f"{file}.npz"
            raise DatasetError(f"{path}: found SHA-256 {found[file]}, allowed: {sha256}")
