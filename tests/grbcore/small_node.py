"""A small dataset of the Pitfalls protocol, in the layout of its files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy import sparse

from grbcore.pitfalls.standard import Standard, standardise

CLASSES, EACH, FEATURES = 3, 70, 40


def parts(seed: int = 0) -> tuple[sparse.csr_matrix, sparse.csr_matrix, np.ndarray]:
    """Adjacency, features and labels: neighbours and features tell the class, mostly."""
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(CLASSES), EACH)
    same = labels[:, None] == labels
    edges = np.triu(rng.random(same.shape) < np.where(same, 0.06, 0.01), 1)
    path = np.arange(len(labels) - 1)
    edges[path, path + 1] = True  # one component
    likely = np.arange(FEATURES) % CLASSES == labels[:, None]
    words = rng.random(likely.shape) < np.where(likely, 0.2, 0.08)
    return sparse.csr_matrix(edges), sparse.csr_matrix(words.astype(np.float32)), labels


def small(seed: int = 0) -> Standard:
    return standardise("cora-ml", *parts(seed))


def write(data: Path, name: str = "cora-ml", seed: int = 0) -> Path:
    """The files of ``node/<name>`` under ``data``, which is given back."""
    folder = data / "node" / name
    folder.mkdir(parents=True)
    adjacency, words, labels = parts(seed)
    sparse.save_npz(folder / "adj.npz", adjacency.astype(np.float32))
    sparse.save_npz(folder / "features_csr.npz", words)
    np.savez(folder / "labels.npz", data=labels)
    return data
