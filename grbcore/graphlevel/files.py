"""The file of a collection of small graphs: ``graphs.npz``, and what it holds as one number.

``node_ptr`` and ``edge_ptr`` (G+1) say which nodes and edges are each graph's, ``edge_index``
(2, E) has both directions of each edge, ids local to the graph; ``x`` (N, d) and ``edge_attr``
(E, e) are the values of features, where there are any, and ``y`` (G,) the labels.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from grbcore.datasets.reading import DatasetError
from grbcore.graphlevel.dataset import from_pairs
from grbcore.graphlevel.graphs import AttributedGraph

_MEMBERS = ("node_ptr", "edge_ptr", "edge_index", "y")


def read(path: Path) -> tuple[tuple[AttributedGraph, ...], NDArray[Any]]:
    """The graphs of a file and their labels (G,).

    Raises:
        DatasetError: it can't be read, or is another file.
    """
    try:
        with np.load(path, allow_pickle=False) as archive:
            if missing := [member for member in _MEMBERS if member not in archive.files]:
                allowed = ", ".join(_MEMBERS)
                raise DatasetError(f"{path}: found no {missing[0]}, allowed: members {allowed}")
            optional = [member for member in ("x", "edge_attr") if member in archive.files]
            held = {member: archive[member] for member in (*_MEMBERS, *optional)}
    except (OSError, ValueError, BadZipFile) as error:
        if isinstance(error, DatasetError):
            raise
        raise DatasetError(f"{path}: found {error}, allowed: an .npz that can be read") from None
    sizes, pointer = held["node_ptr"], held["edge_ptr"]
    nodes = held.get("x", np.zeros(int(sizes[-1]), np.int64))
    values = held.get("edge_attr")
    try:
        graphs = from_pairs(
            sizes,
            pointer,
            held["edge_index"],
            nodes.reshape(len(nodes), -1),
            None if values is None else values.reshape(len(values), -1),
        )
    except (ValueError, IndexError) as error:
        raise DatasetError(f"{path}: {error}") from None
    return graphs, held["y"]


def write(path: Path, graphs: Sequence[AttributedGraph], labels: NDArray[Any]) -> None:
    """Write a file as `read` reads it; its folder is made, and a half file never stands there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    both = [np.concatenate([graph.edges, graph.edges[::-1]], axis=1) for graph in graphs]
    partial = path.with_name(f".{path.name}.part")
    try:
        with partial.open("wb") as file:
            np.savez_compressed(
                file,
                node_ptr=np.cumsum([0, *(graph.n for graph in graphs)]),
                edge_ptr=np.cumsum([0, *(2 * graph.m for graph in graphs)]),
                edge_index=np.concatenate(both, axis=1).astype(np.int32),
                x=np.concatenate([graph.nodes for graph in graphs]),
                edge_attr=np.concatenate([np.tile(graph.values, (2, 1)) for graph in graphs]),
                y=labels,
            )
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def digest_of(graphs: Sequence[AttributedGraph], labels: NDArray[Any]) -> str:
    """SHA-256 of what a file holds, however it is packed and its edges are ordered.

    Sizes, nodes, edges (u < v, sorted), values and labels of the graphs in their order.
    """
    hasher = hashlib.sha256(b"graphs")
    for part in (
        np.array([(graph.n, graph.m) for graph in graphs]),
        np.concatenate([graph.nodes for graph in graphs]),
        np.concatenate([graph.edges for graph in graphs], axis=1),
        np.concatenate([graph.values for graph in graphs]),
        labels,
    ):
        array = np.ascontiguousarray(part, "<f8" if part.dtype.kind == "f" else "<i8")
        hasher.update(f"{array.dtype.str} {array.shape} ".encode() + array.tobytes())
    return hasher.hexdigest()
