"""Datasets and graphs for PyTorch Geometric, and back.

PyG is imported only where these functions are called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from grbcore.datasets.dataset import Dataset, Ints
from grbcore.datasets.reading import csr
from grbcore.graph import Graph
from grbcore.scenario import DIFFICULTIES
from grbcore.spmm import Pattern

if TYPE_CHECKING:
    from torch_geometric.data import Data


def data(dataset: Dataset) -> Data:
    """A dataset as PyG has it, on the CPU, its arrays copied.

    ``x`` (n, d) float32, normalised; ``edge_index`` (2, 2|E|) int64, both directions of each edge,
    no self-loops; ``y`` (n,) int64; ``train_mask``, ``val_mask`` and, per difficulty,
    ``test_easy_mask`` to ``test_full_mask``, (n,) bool; ``test_mask`` is that of full.

    Training is inductive on the boards: the edges of ``data.subgraph(data.train_mask)`` only.
    """
    from torch_geometric.data import Data

    rows = np.repeat(np.arange(dataset.nodes), dataset.degrees)
    found = Data(
        x=torch.tensor(dataset.features),
        edge_index=torch.from_numpy(np.stack([rows, dataset.indices])),
        y=torch.tensor(dataset.labels),
        train_mask=_mask(dataset.train, dataset.nodes),
        val_mask=_mask(dataset.val, dataset.nodes),
        test_mask=_mask(dataset.targets["full"], dataset.nodes),
    )
    for difficulty in DIFFICULTIES:
        found[f"test_{difficulty}_mask"] = _mask(dataset.targets[difficulty], dataset.nodes)
    return found


def graph(data: Data) -> Graph:
    """The graph of ``data.x`` (n, d) and ``data.edge_index`` (2, e), on their device.

    As on the boards: undirected, whatever the direction of an edge, without self-loops, repeats
    or weights.

    Raises:
        ValueError: there are no features or no edges, or an edge names a node that is not there.
    """
    if data.x is None or data.edge_index is None:
        lacking = "x" if data.x is None else "edge_index"
        raise ValueError(f"data: found no {lacking}, allowed: features x and an edge_index")
    nodes = int(data.x.shape[0])
    pairs = data.edge_index.cpu().numpy().astype(np.int64)
    if pairs.size and not 0 <= pairs.min() <= pairs.max() < nodes:
        found = int(pairs.min() if pairs.min() < 0 else pairs.max())
        raise ValueError(f"edge_index: found node {found}, allowed: 0..{nodes - 1}")
    rowptr, col = (torch.from_numpy(part).to(data.x.device) for part in csr(pairs, nodes))
    return Graph(Pattern(rowptr, col), data.x.float())


def _mask(ids: Ints, nodes: int) -> Tensor:
    mask = torch.zeros(nodes, dtype=torch.bool)
    mask[torch.tensor(ids)] = True
    return mask
