"""Datasets and graphs for PyTorch Geometric, and back.

PyG is imported only where these functions are called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from grbcore.datasets.dataset import Dataset, Ints
from grbcore.datasets.edges import simple
from grbcore.datasets.reading import csr
from grbcore.folders import DatasetError
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


def dataset(data: Data, name: str = "pyg", *, seed: int = 0) -> Dataset:
    """A dataset of one's own from PyG's, its features normalised as the boards' are.

    ``x`` (n, d), raw; ``edge_index`` (2, e), made undirected, without self-loops or repeats;
    ``y`` (n,).  Where ``train_mask``, ``val_mask`` and ``test_mask`` are there they are the split,
    with ``test_easy_mask``, ``test_medium_mask`` and ``test_hard_mask`` if there are those; else
    it is GRB's, with this seed.

    Raises:
        DatasetError: with every fault: what was found and what is allowed.
    """
    found = {key: data[key] for key in data.keys() if isinstance(data[key], Tensor)}  # noqa: SIM118
    lacking = [key for key in ("x", "edge_index", "y") if key not in found]
    if lacking:
        raise DatasetError(f"data: found no {', no '.join(lacking)}, allowed: x, edge_index and y")
    weight = found.get("edge_weight")
    if weight is not None and not bool((weight == 1).all()):
        raise DatasetError("edge_weight: found weights other than 1, allowed: 1")
    arrays = {key: tensor.detach().cpu().numpy() for key, tensor in found.items()}
    bands = {band: arrays.get(f"test_{band}_mask") for band in ("easy", "medium", "hard")}
    return Dataset.from_arrays(
        name,
        simple(arrays["edge_index"], arrays["x"].shape[0]),
        arrays["x"],
        arrays["y"],
        train=arrays.get("train_mask"),
        val=arrays.get("val_mask"),
        test=arrays.get("test_mask") if any(part is None for part in bands.values()) else bands,
        seed=seed,
    )


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
