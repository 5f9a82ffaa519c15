"""A graph-level dataset without the labels of its test graphs, for processes that read what
strangers wrote."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from grbcore.folders import DatasetError
from grbcore.graphlevel.dataset import GraphDataset, GraphSplit
from grbcore.graphlevel.graphs import AttributedGraph

#: The label of a graph whose class is not told; where numbers are predicted it is NaN.
HIDDEN = -1

_ABOUT, _ARRAYS = "about.json", "graphs.npz"


def keep(dataset: GraphDataset, folder: Path) -> None:
    """Write a dataset into an empty folder, its test labels left out."""
    labels = np.array(dataset.labels)
    labels[dataset.split.test] = np.nan if dataset.task == "regression" else HIDDEN
    graphs = dataset.graphs
    with (folder / _ARRAYS).open("wb") as file:
        np.savez(
            file,
            node_ptr=np.cumsum([0, *(graph.n for graph in graphs)]),
            edge_ptr=np.cumsum([0, *(graph.m for graph in graphs)]),
            nodes=np.concatenate([graph.nodes for graph in graphs]),
            edges=np.concatenate([graph.edges for graph in graphs], axis=1),
            values=np.concatenate([graph.values for graph in graphs]),
            labels=labels,
            train=dataset.split.train,
            val=dataset.split.val,
            test=dataset.split.test,
        )
    about = {
        "name": dataset.name,
        "task": dataset.task,
        "node_sizes": dataset.node_sizes,
        "edge_sizes": dataset.edge_sizes,
        "sigma": dataset.sigma,
        "digest": dataset.digest,
        "degrees": dataset.degrees,
    }
    (folder / _ABOUT).write_text(json.dumps(about), "utf-8")


def opened(name: str, folder: Path) -> GraphDataset:
    """What `keep` wrote.

    Raises:
        DatasetError: nothing of this name is kept there, or it is damaged.
    """
    try:
        about = json.loads((folder / _ABOUT).read_text("utf-8"))
        with np.load(folder / _ARRAYS, allow_pickle=False) as archive:
            held = {member: archive[member] for member in archive.files}
        nodes, edges = held["node_ptr"].tolist(), held["edge_ptr"].tolist()
        graphs = tuple(
            AttributedGraph(
                held["nodes"][nodes[g] : nodes[g + 1]],
                held["edges"][:, edges[g] : edges[g + 1]],
                held["values"][edges[g] : edges[g + 1]],
            )
            for g in range(len(nodes) - 1)
        )
        found = GraphDataset(
            about["name"],
            about["task"],
            graphs,
            held["labels"],
            tuple(about["node_sizes"]),
            tuple(about["edge_sizes"]),
            GraphSplit(held["train"], held["val"], held["test"]),
            about["sigma"],
            about["digest"],
            degrees=about.get("degrees", 0),  # what was kept before has none
        )
    except (OSError, EOFError, ValueError, LookupError, TypeError, BadZipFile) as error:
        raise DatasetError(f"{folder}: found {error}, allowed: a prepared dataset") from error
    if found.name != name:
        raise DatasetError(f"{folder}: found {found.name}, allowed: {name}")
    return found
