"""Node datasets of the Open Graph Benchmark, by OGB's own loader.

OGB is imported only where these functions are called.
"""

from __future__ import annotations

import contextlib
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np

from grbcore.datasets.dataset import Dataset
from grbcore.datasets.edges import simple
from grbcore.folders import DatasetError


class OGBMissing(ImportError):
    """OGB is not installed; the message names the extra that brings it."""


def load(name: str, *, root: Path | str = "dataset") -> Dataset:
    """The OGB dataset of this name, such as ``ogbn-arxiv``, from ``root``, fetched if not there.

    Edges are made undirected, without self-loops or repeats; features are whole and normalised as
    the boards' are.  The split is OGB's; its test nodes are cut by degree into easy, medium and
    hard, a third each.  What OGB says while it loads goes to standard error.

    Raises:
        OGBMissing: OGB is not installed.
        DatasetError: no such dataset, it can't be fetched, or it is none of one graph, with node
            features and one class for each node.
    """
    try:
        from ogb.nodeproppred import NodePropPredDataset
    except ImportError:
        raise OGBMissing(
            "ogb: found none, allowed: pip install 'graph-robustness-leaderboard[ogb]'"
        ) from None
    try:
        if re.fullmatch(r"ogbn-\w+", name):
            _forget(Path(root) / name.replace("-", "_"))
        with contextlib.redirect_stdout(sys.stderr):
            found = NodePropPredDataset(name, root=str(root))
            _check(found)
            graph, labels = found[0]
            parts = found.get_idx_split()
    except (SystemExit, EOFError, OSError, RuntimeError) as error:
        reason = f"{type(error).__name__}: {error}"
        wrong = f"found files in {root} that can't be read, or none and can't fetch them"
        raise DatasetError(f"{name}: {wrong} ({reason})") from None
    except ValueError as error:
        raise DatasetError(f"{name}: {error}") from None
    labels = labels[:, 0]
    if labels.dtype.kind == "f" and not np.isnan(labels).any():
        labels = labels.astype(np.int64)
    return Dataset.from_arrays(
        name,
        simple(graph["edge_index"], int(graph["num_nodes"])),
        graph["node_feat"],
        labels,
        train=np.asarray(parts["train"]),
        val=np.asarray(parts["valid"]),
        test=np.asarray(parts["test"]),
    )


def _check(found: Any) -> None:
    if found.is_hetero:
        raise ValueError("found nodes of several kinds, allowed: one kind")
    if found.num_tasks != 1:
        raise ValueError(f"found {found.num_tasks} labels for each node, allowed: 1")
    if found.graph.get("node_feat") is None:
        raise ValueError("found no node features, allowed: features of every node")


def _forget(folder: Path) -> None:
    """Remove what OGB kept of the raw files, so that it reads them again.

    It keeps a pickle that torch.load has refused since 2.6, unless told to trust any code in it.
    """
    if (folder / "raw").is_dir():
        (folder / "processed" / "data_processed").unlink(missing_ok=True)
