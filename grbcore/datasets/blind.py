"""Datasets without the labels of their test nodes, for processes that read what strangers wrote."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from grbcore import catalog
from grbcore.datasets.dataset import Dataset
from grbcore.datasets.prepared import ABOUT, LABELS, alone, folder_of, kept, map_folder, prepare
from grbcore.datasets.reading import DatasetError

if TYPE_CHECKING:
    from grbcore.graphlevel.dataset import GraphDataset

#: The label of a node whose label is not told.
HIDDEN = -1


def prepare_blind(
    name: str, *, data_dir: Path | str | None = None, cache: Path, into: Path
) -> Path:
    """Keep a dataset without its test labels in a folder below ``into``; that folder.

    As `prepare`, which is called first; the other arrays are the same files, by a second name.

    Raises:
        KeyError: no such dataset.
        DatasetError: its files are not here, or are not what they should be.
    """
    if catalog.dataset(name).graphs:
        from grbcore.graphlevel import registered  # it needs this package

        return registered.prepare_blind(name, data_dir=data_dir, into=into)
    dataset = prepare(name, data_dir=data_dir, cache=cache)
    source = folder_of(name, data_dir, cache)
    if source is None:
        raise DatasetError(f"{name}: found no files, allowed: the four files of the dataset")
    folder = into / source.name
    into.mkdir(parents=True, exist_ok=True)
    with alone(into):
        if not _is_of(folder, source):
            shutil.rmtree(folder, ignore_errors=True)
            _keep(dataset, source, folder)
            for other in kept(name, into):
                if other != folder:
                    shutil.rmtree(other, ignore_errors=True)
    return folder


def load_blind(name: str, folder: Path) -> Dataset:
    """What `prepare_blind` kept: `HIDDEN` is the label of every test node, `classes` is as it was.

    Raises:
        DatasetError: nothing is kept there, or it is damaged.
    """
    try:
        return map_folder(name, folder)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DatasetError(f"{folder}: found {error}, allowed: a prepared dataset") from error


def load_any_blind(name: str, folder: Path) -> Dataset | GraphDataset:
    """As `load_blind`, of the nodes of one graph or of whole graphs.

    Raises:
        DatasetError: nothing is kept there, or it is damaged.
    """
    if not catalog.dataset(name).graphs:
        return load_blind(name, folder)
    from grbcore.graphlevel import kept as graph_kept  # it needs this package

    return graph_kept.opened(name, folder)


def _is_of(folder: Path, source: Path) -> bool:
    """Whether this folder was made of the arrays that are there now."""
    members = [path.name for path in source.iterdir() if path.name not in (ABOUT, LABELS)]
    try:
        return (folder / LABELS).is_file() and all(
            (folder / member).samefile(source / member) for member in members
        )
    except OSError:
        return False


def _keep(dataset: Dataset, source: Path, folder: Path) -> None:
    labels = np.array(dataset.labels)
    labels[dataset.targets["full"]] = HIDDEN
    about = json.loads((source / ABOUT).read_text("utf-8")) | {"classes": dataset.classes}
    partial = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        for path in source.iterdir():
            if path.name not in (ABOUT, LABELS):
                os.link(path, partial / path.name)
        np.save(partial / LABELS, labels)
        (partial / ABOUT).write_text(json.dumps(about), "utf-8")
        partial.chmod(0o755)
        partial.rename(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
