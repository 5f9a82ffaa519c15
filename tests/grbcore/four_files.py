"""The four files of a small dataset, as arrays that a test may spoil."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from grbcore.datasets import split
from grbcore.datasets.reading import csr
from tests.grbcore.forging import arrays

BANDS = ("easy", "medium", "hard")
NODES = 20

Files = dict[str, dict[str, np.ndarray]]


def ring() -> Files:
    """The four files of a ring of 20 nodes."""
    ids = np.arange(NODES)
    indptr, indices = csr(np.stack([ids, (ids + 1) % NODES]), NODES)
    made = split(np.diff(indptr))
    return {
        "adj": {
            "indptr": indptr.astype(np.int32),
            "indices": indices.astype(np.int32),
            "data": np.ones(len(indices)),
            "shape": np.array([NODES, NODES]),
            "format": np.array(b"csr"),
        },
        "features": {"data": np.random.default_rng(0).normal(size=(NODES, 3))},
        "labels": {"data": ids % 2},
        "index": {
            "index_train": made.train,
            "index_val": made.val,
            "index_test": made.targets["full"],
            **{f"index_test_{band}": made.targets[band] for band in BANDS},
        },
    }


def written(folder: Path, files: Files) -> Path:
    for name, members in files.items():
        (folder / f"{name}.npz").write_bytes(arrays(**members))
    return folder
