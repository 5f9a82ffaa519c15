"""Random graphs of a given size, as datasets."""

from __future__ import annotations

import numpy as np

from grbcore.datasets import Dataset
from grbcore.datasets.transform import FeatureTransform


def synthetic(
    nodes: int, edges: int, *, features: int = 100, classes: int, seed: int = 0
) -> Dataset:
    """Uniform random undirected edges, normal features squashed to (-1, 1), random labels.

    A tenth of the nodes for each of easy, medium and hard, a tenth to validate, the rest to train.
    """
    rng = np.random.default_rng(seed)
    keys = np.zeros(0, np.int64)
    while keys.shape[0] < edges:
        ends = rng.integers(0, nodes, (2, edges // 8 + edges - keys.shape[0]))
        low, high = ends.min(0), ends.max(0)
        keys = np.unique(np.concatenate([keys, (low * nodes + high)[low != high]]))
    keys = np.sort(rng.permutation(keys)[:edges])
    low, high = keys // nodes, keys % nodes
    both = np.sort(np.concatenate([keys, high * nodes + low]))
    indptr = np.searchsorted(both, np.arange(nodes + 1) * nodes)
    matrix = rng.standard_normal((nodes, features), dtype=np.float32)
    np.arctan(matrix, out=matrix)
    matrix *= 2 / np.pi
    order = rng.permutation(nodes)
    tenth = nodes // 10
    parts = [np.sort(order[i * tenth : (i + 1) * tenth]) for i in range(4)]
    easy, medium, hard, val = parts
    return Dataset(
        name=f"synthetic, {nodes} nodes",
        digest="0" * 64,
        indptr=indptr.astype(np.int64),
        indices=both % nodes,
        features=matrix,
        labels=rng.integers(0, classes, nodes),
        transform=FeatureTransform(0.0, 1.0),
        train=np.sort(order[4 * tenth :]),
        val=val,
        targets={
            "easy": easy,
            "medium": medium,
            "hard": hard,
            "full": np.sort(np.concatenate([easy, medium, hard])),
        },
    )
