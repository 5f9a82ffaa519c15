"""A folder of data whose MUTAG has few small graphs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grbcore.graphlevel import AttributedGraph
from grbcore.graphlevel.models import Shape
from tests.grbcore.graphlevel.samples import random_graphs


def write(folder: Path, graphs: int = 20, seed: int = 0) -> Path:
    """``graphs/tu-mutag/graphs.npz`` in ``folder``: two test graphs of twenty."""
    found = random_graphs(graphs, seed, Shape((7,), (4,), 1))
    keep(folder / "graphs" / "tu-mutag" / "graphs.npz", found, np.arange(graphs) % 2)
    return folder


def keep(path: Path, graphs: Sequence[AttributedGraph], labels: NDArray[Any]) -> None:
    """These graphs as a file of a dataset."""
    path.parent.mkdir(parents=True)
    both = [np.concatenate([graph.edges, graph.edges[::-1]], axis=1) for graph in graphs]
    np.savez(
        path,
        node_ptr=np.cumsum([0, *(graph.n for graph in graphs)]),
        edge_ptr=np.cumsum([0, *(2 * graph.m for graph in graphs)]),
        edge_index=np.concatenate(both, axis=1),
        x=np.concatenate([graph.nodes for graph in graphs]),
        edge_attr=np.concatenate([np.tile(graph.values, (2, 1)) for graph in graphs]),
        y=labels,
    )
