"""Folders of datasets on this host: where they are looked for, and how one is kept whole."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class DatasetError(ValueError):
    """A dataset's files are missing, damaged or inconsistent; the message says where."""


def own_folder() -> Path:
    """``data`` under GRB_VAR_DIR, or ``var/data``: this host's own datasets and records."""
    return Path(os.environ.get("GRB_VAR_DIR", "var")) / "data"


def data_folders(data_dir: Path | str | None = None) -> tuple[Path, ...]:
    """Where datasets are looked for, in order: ``data_dir`` or GRB_DATA_DIR, then ``var/data``."""
    chosen = data_dir or os.environ.get("GRB_DATA_DIR")
    return (Path(chosen), own_folder()) if chosen else (own_folder(),)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold the lock of this folder, which is made; it ends with its holder, however that ends."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def remove_left(folder: Path, pattern: str) -> None:
    """Remove folders that those who were killed left here; the caller is `alone` with them."""
    for left in folder.glob(pattern):
        shutil.rmtree(left, ignore_errors=True)


@contextmanager
def replaced(name: str, folder: Path) -> Iterator[Path]:
    """A folder to fill with this dataset; whole, it becomes ``folder``, ``name-…``.

    What was there, and other folders of the dataset beside it, go; so does what one that was killed
    left.  The caller is `alone` in the folder above.
    """
    remove_left(folder.parent, f".{name}-*")
    partial = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        yield partial
        partial.chmod(0o755)
        shutil.rmtree(folder, ignore_errors=True)
        partial.rename(folder)
        for other in folder.parent.glob(f"{name}-*"):
            if other != folder and other.name[len(name) + 1 :].isalnum():  # else another dataset's
                shutil.rmtree(other, ignore_errors=True)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
