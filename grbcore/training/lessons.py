"""What a model learns from and what it is judged on, in the two settings of node classification."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
import torch
from torch import Tensor

from grbcore.datasets.dataset import Dataset
from grbcore.graph import Graph
from grbcore.perturbation import Ints

Mode = Literal["inductive", "transductive"]
MODES: tuple[Mode, ...] = get_args(Mode)


@dataclass(frozen=True, eq=False)
class Lesson:
    """Labelled nodes of a graph."""

    graph: Graph
    nodes: Ints  # (m,) ids in the graph
    labels: Tensor  # (m,) int64
    classes: int  # of the dataset

    @cached_property
    def where(self) -> slice | Tensor:
        """The rows of the nodes; a slice where they are the first ones, which is quicker."""
        size = self.nodes.shape[0]
        if np.array_equal(self.nodes, np.arange(size)):
            return slice(0, size)
        return torch.from_numpy(self.nodes).to(self.graph.device)


def lessons(dataset: Dataset, mode: Mode, device: torch.device | str) -> tuple[Lesson, Lesson]:
    """The training nodes to learn from, and the validation nodes to be judged on.

    Inductive: on the subgraphs of the training nodes, and of the training and validation nodes,
    each normalised there.  Transductive: both on the whole graph.  Test labels are in neither.
    Source: GRB, Section 3.1.  GRB's code: normalises the whole graph and cuts the subgraph out of
    it, which lets degrees of test nodes in.  Here: cut first.

    Raises:
        ValueError: the mode is none of the two; there are no training or no validation nodes, or
            some that the graph lacks or without a label; the training nodes have one class; a
            feature is not finite.
    """
    if mode not in MODES:
        raise ValueError(f"mode: found {mode!r}, allowed: {', '.join(MODES)}")
    for name, ids in (("train", dataset.train), ("val", dataset.val)):
        if ids.shape[0] == 0:
            raise ValueError(f"dataset.{name}: found no nodes, allowed: at least one")
        if ids.min() < 0 or ids.max() >= dataset.nodes:
            found = f"nodes from {ids.min()} to {ids.max()}"
            raise ValueError(f"dataset.{name}: found {found}, allowed: 0..{dataset.nodes - 1}")
        if (dataset.labels[ids] < 0).any():
            raise ValueError(f"dataset.labels: found {name} nodes without one, allowed: none")
    if np.unique(dataset.labels[dataset.train]).shape[0] == 1:
        raise ValueError("dataset.labels: found one class only in train, allowed: two or more")
    if not np.isfinite(dataset.features).all():
        raise ValueError("dataset.features: found NaN or infinity, allowed: finite numbers")
    clean = Graph.from_dataset(dataset, device=device)
    train_labels = torch.from_numpy(dataset.labels[dataset.train]).to(device)
    val_labels = torch.from_numpy(dataset.labels[dataset.val]).to(device)
    if mode == "transductive":
        return (
            Lesson(clean, dataset.train, train_labels, dataset.classes),
            Lesson(clean, dataset.val, val_labels, dataset.classes),
        )
    seen = np.union1d(dataset.train, dataset.val)
    inside = np.arange(dataset.train.shape[0])
    return (
        Lesson(clean.subgraph(dataset.train), inside, train_labels, dataset.classes),
        Lesson(
            clean.subgraph(seen), np.searchsorted(seen, dataset.val), val_labels, dataset.classes
        ),
    )
