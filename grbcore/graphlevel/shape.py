"""Test graphs as a board's budget looks at them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grbcore.changes_budget import GraphsShape
from grbcore.graphlevel.changes import Changes, pack, unpack
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.graphlevel.graphs import AttributedGraph
from grbcore.perturbation import GraphChanges


def shape_of(
    graphs: Sequence[AttributedGraph], node_sizes: Sequence[int], edge_sizes: Sequence[int]
) -> GraphsShape:
    """Graphs one after another, with how many values each of their features has."""
    return GraphsShape(
        sizes=np.array([graph.n for graph in graphs], np.int64),
        nodes=np.concatenate([graph.nodes for graph in graphs]),
        edge_ptr=np.cumsum([0, *(graph.m for graph in graphs)]).astype(np.int64),
        edges=np.concatenate([graph.edges for graph in graphs], axis=1),
        values=np.concatenate([graph.values for graph in graphs]),
        node_sizes=np.array(node_sizes, np.int64),
        edge_sizes=np.array(edge_sizes, np.int64),
    )


def shape_of_tests(dataset: GraphDataset) -> GraphsShape:
    """The test graphs of a dataset."""
    return shape_of(dataset.part("test"), dataset.node_sizes, dataset.edge_sizes)


def together(changes: Sequence[Changes]) -> GraphChanges:
    """The perturbations of several graphs as one."""
    return GraphChanges(**pack(changes))


def apart(changes: GraphChanges) -> list[Changes]:
    """The perturbation of each graph.

    Raises:
        ValueError: pointers don't fit their arrays, or one another.
    """
    return unpack({name: getattr(changes, name) for name in GraphChanges.__dataclass_fields__})
