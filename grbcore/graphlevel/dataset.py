"""Sets of small graphs with labels: what a graph-level model learns from and is judged on."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from grbcore.graphlevel.graphs import AttributedGraph, Ints
from grbcore.scenario import BUDGETS, Difficulty

Task = Literal["binary", "multiclass", "regression"]
Part = Literal["train", "val", "test"]


@dataclass(frozen=True, slots=True, eq=False)
class GraphSplit:
    """Ids of graphs for training, validation and testing, ascending, none in two parts."""

    train: Ints
    val: Ints
    test: Ints

    def digest(self) -> str:
        """SHA-256 of the three lists of ids."""
        hasher = hashlib.sha256(b"graph split")
        for part in (self.train, self.val, self.test):
            hasher.update(len(part).to_bytes(8, "little") + part.astype("<i8").tobytes())
        return hasher.hexdigest()


@dataclass(frozen=True, slots=True, eq=False)
class GraphDataset:
    """Graphs, their labels and their split."""

    name: str
    task: Task
    graphs: tuple[AttributedGraph, ...]
    labels: NDArray[Any]  # (G,) int64 classes, or float64 values to predict
    node_sizes: tuple[int, ...]  # rows of the table of each feature of nodes
    edge_sizes: tuple[int, ...]  # and of edges
    split: GraphSplit
    sigma: float = 1.0  # standard deviation of the test labels, of regression
    digest: str = ""  # SHA-256 of graphs and split; of a study's, of the files
    judged: Ints | None = None  # of the test graphs, those that are judged; None: all
    degrees: int = 0  # rows of a table of degrees that stands for nodes' features; 0: there is none

    @property
    def classes(self) -> int:
        """How many classes there are; 1 for regression."""
        return 1 if self.task == "regression" else int(self.labels.max()) + 1

    @property
    def node_rows(self) -> int:
        """Rows of the table by which nodes are embedded."""
        return self.degrees or sum(self.node_sizes)

    @property
    def targets(self) -> Mapping[Difficulty, Ints]:
        """The test graphs that are judged, at every budget of a board."""
        return dict.fromkeys(BUDGETS, self.split.test if self.judged is None else self.judged)

    @property
    def outputs(self) -> int:
        """How many numbers a model gives for each graph."""
        return self.classes if self.task == "multiclass" else 1

    def ids(self, part: Part) -> Ints:
        """The ids of the graphs of this part."""
        found: Ints = getattr(self.split, part)
        return found

    def part(self, part: Part) -> tuple[AttributedGraph, ...]:
        """The graphs of this part, in the order of their ids."""
        return tuple(self.graphs[i] for i in self.ids(part))

    def labels_of(self, part: Part) -> NDArray[Any]:
        """Their labels."""
        found: NDArray[Any] = self.labels[self.ids(part)]
        return found


def folds(graphs: int, of: int, seed: int = 0) -> Ints:
    """The fold (graphs,) of each graph, 0 to ``of`` - 1.

    Released code of the thesis: scikit-learn's `StratifiedKFold` over labels that are all zero,
    so shuffled folds that know nothing of the classes.  Here: the same folds without it.
    """
    sizes = [len(range(fold, graphs, of)) for fold in range(of)]
    found = np.repeat(np.arange(of), sizes)
    np.random.RandomState(seed).shuffle(found)
    return found


def thesis_split(graphs: int, seed: int = 0) -> GraphSplit:
    """The thesis' split of a TU dataset: 8/1/1.

    Test: the first of 10 folds; validation: the first of 9 folds of the others.
    """
    first = folds(graphs, 10, seed) == 0
    rest = np.flatnonzero(~first)
    second = folds(len(rest), 9, seed) == 0
    return GraphSplit(rest[~second], rest[second], np.flatnonzero(first))


def from_pairs(
    sizes: Ints, pointer: Ints, pairs: Ints, nodes: Ints, values: Ints | None
) -> tuple[AttributedGraph, ...]:
    """Graphs from the arrays of a collection.

    ``sizes`` (G+1,) and ``pointer`` (G+1,) say where the nodes (N, d) and the directed edges
    ``pairs`` (2, E), ids local to each graph, with their values (E, e), lie.  Without ``values``
    every edge has one constant feature.

    Raises:
        ValueError: an edge lacks its other direction, or both have different values.
    """
    found: list[AttributedGraph] = []
    for g in range(len(sizes) - 1):
        own = slice(int(pointer[g]), int(pointer[g + 1]))
        u, v = pairs[:, own].astype(np.int64)
        held = np.zeros((len(u), 1), np.int64) if values is None else values[own]
        up, down = u < v, u > v
        n = int(sizes[g + 1] - sizes[g])
        one, other = np.lexsort((v[up], u[up])), np.lexsort((u[down], v[down]))
        forth, back = (u[up] * n + v[up])[one], (v[down] * n + u[down])[other]
        if not (np.array_equal(forth, back) and bool((u != v).all())):
            raise ValueError(f"graph {g}: found an edge in one direction only, or a self-loop")
        if not np.array_equal(held[up][one], held[down][other]):
            raise ValueError(f"graph {g}: found an edge with other values in each direction")
        own_nodes = nodes[int(sizes[g]) : int(sizes[g + 1])]
        found.append(AttributedGraph.of(own_nodes, np.stack([u[up], v[up]]), held[up]))
    return tuple(found)
