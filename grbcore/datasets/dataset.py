"""A graph with features, labels and GRB's split, as plain numpy arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grbcore.datasets.transform import FeatureTransform
from grbcore.scenario import Difficulty, GraphShape

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """An undirected graph without self-loops or weights, node features and labels, and a split.

    Both directions of each edge are stored.  Arrays may be read-only memory maps.
    """

    name: str
    digest: str  # SHA-256 over the names and SHA-256s of its files
    indptr: Ints  # (n + 1,) int64
    indices: Ints  # (2|E|,) int64, sorted within each row
    features: Floats  # (n, d) float32, normalised
    labels: Ints  # (n,) int64, 0..classes-1
    transform: FeatureTransform
    train: Ints  # sorted node ids
    val: Ints
    targets: Mapping[Difficulty, Ints]  # test nodes; full is the union of the others, sorted

    @property
    def nodes(self) -> int:
        return int(self.features.shape[0])

    @property
    def edges(self) -> int:
        """Undirected edges."""
        return int(self.indices.shape[0]) // 2

    @property
    def classes(self) -> int:
        return int(self.labels.max()) + 1

    @property
    def degrees(self) -> Ints:
        return np.diff(self.indptr)

    @property
    def feature_range(self) -> tuple[float, float]:
        """Smallest and largest clean normalised feature."""
        return float(self.features.min()), float(self.features.max())

    def shape(self, difficulty: Difficulty | None = None) -> GraphShape:
        """What a budget needs to know, with the targets of this difficulty."""
        targets = None if difficulty is None else self.targets[difficulty]
        return GraphShape(self.nodes, int(self.features.shape[1]), targets)
