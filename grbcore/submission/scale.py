"""The size of a board's data, as far as the header stage needs it."""

from __future__ import annotations

import numpy as np

from grbcore.architectures.scale import Scale
from grbcore.datasets.dataset import Dataset
from grbcore.graphlevel.dataset import GraphDataset

__all__ = ["Scale", "scale_of"]


def scale_of(dataset: Dataset | GraphDataset) -> Scale:
    """The size of a dataset's graph, or of its test graphs."""
    if isinstance(dataset, Dataset):
        return Scale(dataset.nodes, dataset.edges, int(dataset.features.shape[1]), dataset.classes)
    sizes = np.array([graph.n for graph in dataset.part("test")])
    return Scale(
        nodes=int(sizes.sum()),
        edges=sum(graph.m for graph in dataset.part("test")),
        features=dataset.node_rows,
        classes=dataset.classes,
        edge_features=sum(dataset.edge_sizes),
        graphs=len(sizes),
        pairs=int((sizes**2).sum()),
    )
