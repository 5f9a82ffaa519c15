"""Finding the files of a registered dataset on this machine."""

from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path

from grbcore import catalog
from grbcore.datasets.dataset import Dataset
from grbcore.datasets.reading import FILES, DatasetError, digest, file_digest, read
from grbcore.datasets.records import expected, own_folder


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
    return locate(name, data_dir=data_dir) is not None


def load(name: str, *, data_dir: Path | str | None = None) -> Dataset:
    """A registered dataset, its files checked against the catalog where hashes are recorded.

    Raises:
        KeyError: no such dataset.
        DatasetError: its files are not here, or are not what they should be.
    """
    folder = locate(name, data_dir=data_dir)
    if folder is None:
        looked = ", ".join(str(path / name) for path in data_folders(data_dir))
        raise DatasetError(
            f"{name}: found no files in {looked}; allowed: the four files there "
            f"({', '.join(f'{file}.npz' for file in FILES)}), or run: grb datasets fetch {name}"
        )
    check_hashes(name, folder)
    return read(name, folder, digest(folder))


def check_hashes(name: str, folder: Path) -> None:
    """Compare the files with their published hashes, or with those recorded on this host.

    Raises:
        DatasetError: a file is not the expected one.
    """
    for file, sha256 in expected(name).items():
        path = folder / f"{file}.npz"
        found = file_digest(path)
        if found != sha256:
            raise DatasetError(f"{path}: found SHA-256 {found}, allowed: {sha256}")
