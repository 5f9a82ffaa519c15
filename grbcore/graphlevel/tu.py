"""Reading an archive of TUDataset: text files, one line an edge, a node or a graph."""

from __future__ import annotations

import zlib
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

import numpy as np
from numpy.typing import NDArray

from grbcore.folders import DatasetError
from grbcore.graphlevel.dataset import from_pairs
from grbcore.graphlevel.graphs import AttributedGraph, Ints

#: Bytes of one text file at most; the largest of the boards' has 2.3 million.
MAX_TEXT = 64 << 20

# what a damaged archive, or text that is no number that fits, is told by
_DAMAGE = (OSError, BadZipFile, zlib.error, EOFError, ValueError, RuntimeError, OverflowError)


def read(archive: Path) -> tuple[tuple[AttributedGraph, ...], NDArray[np.int64]]:
    """The graphs of ``NAME.zip`` and their labels (G,), classes from 0 in order of their values.

    As PyG reads them: labels of nodes and of edges are values from the least on, self-loops and
    repeated edges are dropped.  Without labels of nodes every node has one constant value.

    Raises:
        DatasetError: it is no archive of TUDataset, or what it holds does not fit together.
    """
    try:
        with ZipFile(archive) as held:
            names = {name.rpartition("/")[2]: name for name in held.namelist()}
            stems = [name.removesuffix("_A.txt") for name in names if name.endswith("_A.txt")]
            if len(stems) != 1:
                raise DatasetError(f"{archive}: found {len(stems)} files _A.txt, allowed: one")

            def numbers(what: str) -> Ints | None:
                name = f"{stems[0]}_{what}.txt"
                return _numbers(held, names[name], archive) if name in names else None

            edges, owners, labels = (
                _needed(numbers(what), archive, what)
                for what in ("A", "graph_indicator", "graph_labels")
            )
            nodes, values = numbers("node_labels"), numbers("edge_labels")
    except _DAMAGE as error:
        if isinstance(error, DatasetError):
            raise
        raise DatasetError(f"{archive}: found {error}, allowed: an archive of TUDataset") from None
    try:
        graphs = _graphs(edges.reshape(-1, 2).T - 1, owners.ravel() - 1, nodes, values)
    except (ValueError, IndexError) as error:
        raise DatasetError(f"{archive}: {error}") from None
    classes = np.unique(labels.ravel(), return_inverse=True)[1].astype(np.int64)
    if len(classes) != len(graphs):
        found = f"found {len(classes)} labels of {len(graphs)} graphs, allowed: one of each"
        raise DatasetError(f"{archive}: {found}")
    return graphs, classes


def _numbers(held: ZipFile, name: str, archive: Path) -> Ints:
    member = held.getinfo(name)
    if member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        found = f"found compression method {member.compress_type}"
        raise DatasetError(f"{archive}: {name}: {found}, allowed: stored or deflated")
    if member.file_size > MAX_TEXT:
        found = f"found {member.file_size} bytes"
        raise DatasetError(f"{archive}: {name}: {found}, allowed: at most {MAX_TEXT}")
    with held.open(
        member
    ) as file:  # `ZipFile.read` unpacks all there is, whatever it is said to be
        text = file.read(member.file_size).decode("ascii").replace(",", " ")
    return np.array(text.split(), np.int64)


def _needed(found: Ints | None, archive: Path, what: str) -> Ints:
    if found is None:
        raise DatasetError(f"{archive}: found no file _{what}.txt, allowed: one")
    return found


def _graphs(
    edges: Ints, owners: Ints, nodes: Ints | None, values: Ints | None
) -> tuple[AttributedGraph, ...]:
    """Graphs of edges (2, E) between nodes (N,) of these owners, all counted from 0."""
    if not len(owners) or owners[0] != 0 or not np.isin(np.diff(owners), (0, 1)).all():
        raise ValueError("graph_indicator: found graphs out of order, allowed: 1, 1, …, 2, …")
    if edges.size and not 0 <= edges.min() <= edges.max() < len(owners):
        raise ValueError(f"A: found node {edges.max() + 1}, allowed: 1..{len(owners)}")
    of = owners[edges]
    if (of[0] != of[1]).any():
        raise ValueError("A: found an edge between two graphs, allowed: within one")
    for what, found, rows in (("node", nodes, len(owners)), ("edge", values, edges.shape[1])):
        if found is not None and len(found) != rows:
            raise ValueError(f"{what}_labels: found {len(found)}, allowed: {rows}")
    counts = np.bincount(owners)
    starts = np.concatenate([[0], np.cumsum(counts)])
    _, first = np.unique(edges[0] * len(owners) + edges[1], return_index=True)
    first = first[edges[0][first] != edges[1][first]]
    pairs = edges[:, first]  # by their first node, and so by their graph
    own = owners[pairs[0]]
    pointer = np.concatenate([[0], np.cumsum(np.bincount(own, minlength=len(counts)))])
    held = np.zeros(len(owners), np.int64) if nodes is None else nodes - nodes.min()
    kinds = None if values is None else (values - values.min())[first][:, None]
    return from_pairs(starts, pointer, pairs - starts[own], held[:, None], kinds)
