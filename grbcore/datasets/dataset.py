"""A graph with features, labels and GRB's split, as plain numpy arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from grbcore.datasets.transform import FeatureTransform
from grbcore.scenario import Difficulty, GraphShape

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


class Judged(Protocol):
    """What predictions are compared with: nodes of one graph, or whole graphs."""

    @property
    def name(self) -> str: ...

    @property
    def digest(self) -> str:
        """SHA-256 that stands for the files."""
        ...

    @property
    def labels(self) -> NDArray[Any]:
        """The true class of each node, or graph."""
        ...

    @property
    def targets(self) -> Mapping[Difficulty, Ints]:
        """Ids of those that count at each difficulty."""
        ...

    @property
    def classes(self) -> int:
        """How many classes there are."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """An undirected graph without self-loops or weights, node features and labels, and a split.

    Both directions of each edge are stored.  Arrays may be read-only memory maps.
    """

    name: str
    digest: str  # SHA-256 over its files (names and SHA-256s), or over the arrays it was made of
    indptr: Ints  # (n + 1,) int64
    indices: Ints  # (2|E|,) int64, sorted within each row
    features: Floats  # (n, d) float32, normalised
    labels: Ints  # (n,) int64, 0..classes-1
    transform: FeatureTransform
    train: Ints  # sorted node ids
    val: Ints
    targets: Mapping[Difficulty, Ints]  # test nodes; full is the union of the others, sorted
    class_count: int | None = None  # where labels are hidden (-1); else the labels tell it

    @staticmethod
    def from_arrays(
        name: str,
        adjacency: Any,
        features: Any,
        labels: Any,
        *,
        train: Any = None,
        val: Any = None,
        test: Any = None,
        seed: int = 0,
    ) -> Dataset:
        """A dataset of one's own, its features normalised as the boards' are.

        Args:
            name: what it is called.
            adjacency: a symmetric scipy matrix of ones, or undirected edges (2, e), whole numbers.
            features: (n, d) numbers, raw.
            labels: (n,) whole numbers from 0; every node has one.
            train: node ids, or a mask (n,); as ``val`` and ``test``.  Without the three of them
                the split is GRB's.
            val: validation nodes.
            test: test nodes, which are then cut by degree into easy, medium and hard, a third
                each; or the three by these names.
            seed: of GRB's split.

        Raises:
            DatasetError: with every fault: the argument, what was found and what is allowed.
        """
        from grbcore.datasets.arrays import from_arrays

        return from_arrays(
            name, adjacency, features, labels, train=train, val=val, test=test, seed=seed
        )

    @property
    def nodes(self) -> int:
        return int(self.features.shape[0])

    @property
    def edges(self) -> int:
        """Undirected edges."""
        return int(self.indices.shape[0]) // 2

    @property
    def classes(self) -> int:
        return int(self.labels.max()) + 1 if self.class_count is None else self.class_count

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
