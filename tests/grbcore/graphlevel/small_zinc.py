"""ZINC of few small graphs, which stands in for it: its own training graphs are not at hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from grbcore import catalog
from grbcore.graphlevel import loading
from grbcore.graphlevel.models import Shape
from tests.grbcore.graphlevel.samples import random_graphs
from tests.grbcore.graphlevel.small_mutag import keep

#: Graphs for training, validation and testing.
SIZES = {"train": 12, "val": 6, "test": 20}
SHAPE = Shape((28,), (4,), 1)


def write(folder: Path, patch: pytest.MonkeyPatch) -> Path:
    """The three files of ZINC below ``folder``, each graph's number its edges for each node; while
    ``patch`` holds, the catalog asks for no other files."""
    source = loading.SOURCES["zinc"]
    sizes = (SIZES["train"], SIZES["val"])
    patch.setitem(loading.SOURCES, "zinc", replace(source, parts=sizes))  # type: ignore[arg-type]
    entry = catalog.dataset("zinc")
    files = {name: known.model_copy(update={"sha256": None}) for name, known in entry.files.items()}
    patch.setitem(catalog.datasets(), "zinc", entry.model_copy(update={"files": files}))
    for seed, (part, count) in enumerate(SIZES.items()):
        graphs = random_graphs(count, seed, SHAPE)
        labels = np.array([graph.m / graph.n for graph in graphs])
        keep(folder / "graphs" / f"zinc12k-{part}" / "graphs.npz", graphs, labels)
    return folder
