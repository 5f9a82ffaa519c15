"""Datasets without the labels of their test nodes, for processes that read what strangers wrote."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np

from grbcore import catalog
from grbcore.datasets.dataset import Dataset
from grbcore.datasets.prepared import ABOUT, LABELS, folder_of, map_folder, prepare
from grbcore.folders import DatasetError, alone, replaced
from grbcore.graphlevel import kept as graphs
from grbcore.graphlevel.dataset import GraphDataset

#: The label of a node whose label is not told.
HIDDEN = -1


def prepare_blind(
    name: str, *, data_dir: Path | str | None = None, cache: Path, into: Path
) -> Path:
    """Keep a dataset without its test labels in a folder below ``into``; that folder.

    As `prepare`, which is called first; the other arrays of the nodes of one graph are the same
    files, by a second name.

    Raises:
        KeyError: no such dataset.
        DatasetError: its files are not here, or are not what they should be.
    """
    dataset = prepare(name, data_dir=data_dir, cache=cache)
    if isinstance(dataset, GraphDataset):
        folder = into / f"{name}-{dataset.digest[:16]}"
        with alone(into):
            if not folder.is_dir():
                with replaced(name, folder) as partial:
                    graphs.keep(dataset, partial)
        return folder
    source = folder_of(name, data_dir, cache)
    if source is None:
        raise DatasetError(f"{name}: found no files, allowed: the four files of the dataset")
    folder = into / source.name
    with alone(into):
        if not _is_of(folder, source):
            with replaced(name, folder) as partial:
                _keep(dataset, source, partial)
    return folder


def load_blind(name: str, folder: Path) -> Dataset | GraphDataset:
    """What `prepare_blind` kept: `HIDDEN` is the label of every test node, `classes` is as it was.

    Of whole graphs see `grbcore.graphlevel.kept`.

    Raises:
        DatasetError: nothing is kept there, or it is damaged.
    """
    if catalog.dataset(name).graphs:
        return graphs.opened(name, folder)
    try:
        return map_folder(name, folder)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DatasetError(f"{folder}: found {error}, allowed: a prepared dataset") from error


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
    for path in source.iterdir():
        if path.name not in (ABOUT, LABELS):
            os.link(path, folder / path.name)
    np.save(folder / LABELS, labels)
    (folder / ABOUT).write_text(json.dumps(about), "utf-8")
