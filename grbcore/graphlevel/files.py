"""The file of a collection of small graphs: ``graphs.npz``, and what it holds as one number.

``node_ptr`` and ``edge_ptr`` (G+1) say which nodes and edges are each graph's, ``edge_index``
(2, E) has both directions of each edge, ids local to the graph; ``x`` (N, d) and ``edge_attr``
(E, e) are the values of features, where there are any, and ``y`` (G,) the labels.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grbcore.archive import MIB, ArchiveLimits, ArrayArchive
from grbcore.folders import DatasetError
from grbcore.graphlevel.dataset import from_pairs
from grbcore.graphlevel.graphs import AttributedGraph
from grbcore.violations import Refused, Violation

#: Bytes that a file may have, and unpack to; the largest of the boards' unpacks to 13 million.
MAX_BYTES = 256 * MIB

#: Nodes of all graphs together; where a file has no ``x`` nothing else bounds them.
MAX_NODES = 16 * MIB

_MEMBERS = ("node_ptr", "edge_ptr", "edge_index", "y")
_FEATURES = ("x", "edge_attr")

# a member of one value alone is packed a thousand times; numpy writes what is transposed by columns
_LIMITS = ArchiveLimits(total=MAX_BYTES, ratio=10_000, fortran=True)


def read(path: Path) -> tuple[tuple[AttributedGraph, ...], NDArray[Any]]:
    """The graphs of a file and their labels (G,); nothing in it is trusted.

    Raises:
        DatasetError: it can't be read, is damaged, or is another file.
    """
    try:
        held = _members(path)
        _fit(held)
        sizes, pairs = held["node_ptr"], held["edge_index"]
        nodes = held["x"] if "x" in held else np.zeros(int(sizes[-1]), np.int64)
        values = held.get("edge_attr")
        graphs = from_pairs(
            sizes,
            held["edge_ptr"],
            pairs,
            _columns(nodes),
            None if values is None else _columns(values),
        )
    except OSError as error:
        raise DatasetError(f"{path}: found {error}, allowed: an .npz that can be read") from None
    except Refused as refused:
        raise DatasetError(f"{path}: {'; '.join(map(_said, refused.violations))}") from None
    except ValueError as error:
        raise DatasetError(f"{path}: {error}") from None
    return graphs, held["y"]


def _said(violation: Violation) -> str:
    where = "" if violation.place == "file" else f"{violation.place}: "
    return f"{where}found {violation.found}, allowed: {violation.allowed}"


def _members(path: Path) -> Mapping[str, NDArray[Any]]:
    """The members that are known.

    Raises:
        OSError: the file can't be read.
        Refused: it is damaged, unpacks to too much, or is no archive of arrays.
        ValueError: it lacks one.
    """
    with path.open("rb") as file:
        archive = ArrayArchive(file, _LIMITS)
        if missing := [member for member in _MEMBERS if member not in archive.arrays]:
            raise ValueError(f"found no {missing[0]}, allowed: members {', '.join(_MEMBERS)}")
        known = [member for member in (*_MEMBERS, *_FEATURES) if member in archive.arrays]
        return {member: archive.read(member) for member in known}


def _fit(held: Mapping[str, NDArray[Any]]) -> None:
    """Raise a ValueError where members are no arrays of one collection of graphs."""
    for member, array in held.items():
        kinds, words = ("iuf", "numbers") if member == "y" else ("iub", "whole numbers")
        if array.dtype.kind not in kinds:
            raise ValueError(f"{member}: found {array.dtype}, allowed: {words}")
    labels, pairs = held["y"], held["edge_index"]
    if labels.ndim != 1 or not len(labels) or not np.isfinite(labels).all():
        found = f"found {labels.dtype} {labels.shape}"
        raise ValueError(f"y: {found}, allowed: finite numbers (G,), G of 1 or more")
    if pairs.ndim != 2 or len(pairs) != 2:
        raise ValueError(f"edge_index: found {pairs.shape}, allowed: (2, E)")
    nodes = _ends("node_ptr", held["node_ptr"], len(labels))
    if nodes > MAX_NODES:
        raise ValueError(f"node_ptr: found {nodes} nodes, allowed: at most {MAX_NODES}")
    for member, rows in (("x", nodes), ("edge_attr", pairs.shape[1])):
        table = held.get(member)
        if table is not None and (table.ndim not in (1, 2) or len(table) != rows):
            raise ValueError(f"{member}: found {table.shape}, allowed: {rows} rows of values")
    edges = _ends("edge_ptr", held["edge_ptr"], len(labels))
    if edges != pairs.shape[1]:
        raise ValueError(f"edge_ptr: found {edges} edges, allowed: {pairs.shape[1]}")


def _columns(table: NDArray[Any]) -> NDArray[Any]:
    return table if table.ndim == 2 else table[:, None]


def _ends(member: str, pointer: NDArray[Any], graphs: int) -> int:
    """Where the last of the graphs ends."""
    if pointer.shape != (graphs + 1,) or pointer[0] != 0 or (pointer[1:] < pointer[:-1]).any():
        allowed = f"allowed: {graphs + 1} that grow from 0, for {graphs} labels"
        raise ValueError(
            f"{member}: found numbers {np.array2string(pointer.ravel()[:9])} of "
            f"shape {pointer.shape}, {allowed}"
        )
    return int(pointer[-1])


def write(path: Path, graphs: Sequence[AttributedGraph], labels: NDArray[Any]) -> None:
    """Write a file as `read` reads it; its folder is made, and a half file never stands there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    both = [np.concatenate([graph.edges, graph.edges[::-1]], axis=1) for graph in graphs]
    with tempfile.TemporaryDirectory(prefix=f".{path.name}-", dir=path.parent) as folder:
        partial = Path(folder) / path.name
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
