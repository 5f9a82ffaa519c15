"""The size of a board's graph, as far as the header stage needs it."""

from __future__ import annotations

from dataclasses import dataclass

from grbcore.datasets.dataset import Dataset


@dataclass(frozen=True, slots=True)
class Scale:
    """The size of a board's graph, as far as the header stage needs it."""

    nodes: int
    edges: int  # undirected
    features: int
    classes: int


def scale_of(dataset: Dataset) -> Scale:
    """The size of a dataset's graph."""
    return Scale(dataset.nodes, dataset.edges, int(dataset.features.shape[1]), dataset.classes)
