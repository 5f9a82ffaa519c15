"""Finding the files of a registered dataset on this machine."""

from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path

from grbcore import catalog
from grbcore.datasets.dataset import Dataset
from grbcore.datasets.reading import FILES, DatasetError, digest, file_digest, read


def data_folders(data_dir: Path | str | None = None) -> tuple[Path, ...]:
    """Where datasets are looked for, in order: ``data_dir`` or GRB_DATA_DIR, then ``var/data``."""
    chosen = data_dir or os.environ.get("GRB_DATA_DIR")
    own = Path(os.environ.get("GRB_VAR_DIR", "var")) / "data"
    return (Path(chosen), own) if chosen else (own,)


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
    """Compare the files with the catalog's hashes, where it has them.

    Raises:
        DatasetError: a file is not the published one.
    """
    for file, entry in catalog.dataset(name).files.items():
        path = folder / f"{file}.npz"
        if entry.sha256 and file_digest(path) != entry.sha256:
            raise DatasetError(
                f"{path}: found SHA-256 {file_digest(path)}, allowed: {entry.sha256}"
            )
