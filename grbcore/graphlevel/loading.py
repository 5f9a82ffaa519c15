"""Reading graph-level datasets: from files beside those of node-level boards, PyG's or OGB's.

========== ========================================= =======================================
name       folders of GRB_DATA_DIR                   features
========== ========================================= =======================================
mutag      graphs/tu-mutag                           atom type (7); type of bond (4)
imdb-binary graphs/imdb-binary                       none of their own: one constant each; nodes
                                                     are embedded by their degree, at most 25
imdb-multi graphs/imdb-multi                         as imdb-binary
zinc       graphs/zinc12k-train, …-val, …-test       atom type (28); type of bond (4)
zinc-small graphs/zinc12k-val, …-test                as zinc; 900 of its validation graphs are
                                                     for training, 100 for validation
========== ========================================= =======================================

Each folder holds one ``graphs.npz``.  `load` reads them, `from_pyg` takes what PyG has loaded,
`load_ogb` asks OGB's own loader.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grbcore import catalog
from grbcore.files import sha256_of
from grbcore.folders import DatasetError, data_folders
from grbcore.graphlevel.dataset import (
    GraphDataset,
    GraphSplit,
    Task,
    from_pairs,
    thesis_split,
)
from grbcore.graphlevel.files import read
from grbcore.graphlevel.graphs import AttributedGraph, Ints


@dataclass(frozen=True, slots=True)
class Source:
    """Where a dataset lies and what its features are."""

    folders: tuple[str, ...]
    task: Task
    node_sizes: tuple[int, ...]
    edge_sizes: tuple[int, ...]
    degrees: int = 0  # rows of a table of degrees that stands for nodes' features
    parts: tuple[int, ...] = ()  # how many graphs of the files train and validate, in order


#: The graph-level datasets that `load` knows.
SOURCES: Mapping[str, Source] = {
    "mutag": Source(("tu-mutag",), "binary", (7,), (4,)),
    "imdb-binary": Source(("imdb-binary",), "binary", (1,), (1,), degrees=26),
    "imdb-multi": Source(("imdb-multi",), "multiclass", (1,), (1,), degrees=26),
    "zinc": Source(
        ("zinc12k-train", "zinc12k-val", "zinc12k-test"),
        "regression",
        (28,),
        (4,),
        parts=(10_000, 1_000),
    ),
    "zinc-small": Source(
        ("zinc12k-val", "zinc12k-test"), "regression", (28,), (4,), parts=(900, 100)
    ),
}


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """What one file of a dataset holds."""

    folder: str
    path: Path
    graphs: tuple[AttributedGraph, ...]
    labels: NDArray[Any]  # (G,)


def load(name: str, *, data_dir: Path | str | None = None) -> GraphDataset:
    """A graph-level dataset of this name, from ``data_dir``, GRB_DATA_DIR or ``var/data``.

    The split of TU datasets is the thesis'; ZINC's is that of its files.

    Raises:
        KeyError: no such dataset.
        DatasetError: its files are not here, or are not what they should be.
    """
    held = parts(name, data_dir=data_dir)
    hasher = hashlib.sha256()
    for part in held:
        hasher.update(sha256_of(part.path).encode())
    return assemble(name, held, digest=hasher.hexdigest())


def parts(name: str, *, data_dir: Path | str | None = None) -> tuple[Part, ...]:
    """What the files of a graph-level dataset hold, in the order of its folders.

    Raises:
        KeyError: no such dataset.
        DatasetError: its files are not here, or can't be read.
    """
    if name not in SOURCES:
        raise KeyError(f"found {name!r}, allowed: {', '.join(SOURCES)}")
    folders = SOURCES[name].folders
    paths = [_find(name, folder, data_dir) for folder in folders]
    return tuple(Part(*pair, *read(pair[1])) for pair in zip(folders, paths, strict=True))


def assemble(name: str, held: Sequence[Part], *, digest: str) -> GraphDataset:
    """The dataset of what its files hold, split.

    Raises:
        KeyError: no such dataset.
        DatasetError: they don't hold what they should.
    """
    source = SOURCES[name]
    graphs = [graph for part in held for graph in part.graphs]
    y = np.concatenate([part.labels for part in held])
    split = _in_order(len(y), source.parts) if source.parts else thesis_split(len(y))
    return make(
        name,
        source.task,
        graphs,
        y,
        node_sizes=source.node_sizes,
        edge_sizes=source.edge_sizes,
        split=split,
        digest=digest,
        degrees=source.degrees,
    )


def make(
    name: str,
    task: Task,
    graphs: Sequence[AttributedGraph],
    labels: NDArray[Any],
    *,
    node_sizes: tuple[int, ...],
    edge_sizes: tuple[int, ...],
    split: GraphSplit,
    digest: str = "",
    degrees: int = 0,
) -> GraphDataset:
    """A dataset of graphs at hand, checked.

    Raises:
        DatasetError: labels don't fit the graphs or the task, or a value is outside its table.
    """
    y = np.asarray(labels)
    if y.shape != (len(graphs),):
        raise DatasetError(f"{name}: found labels {y.shape}, allowed: one for each graph")
    y = y.astype(np.float64 if task == "regression" else np.int64)
    if task != "regression" and not (y.min() >= 0 and (task != "binary" or y.max() <= 1)):
        raise DatasetError(f"{name}: found labels {y.min()} to {y.max()}, allowed: classes from 0")
    for g, graph in enumerate(graphs):
        for what, held, sizes in (
            ("nodes", graph.nodes, node_sizes),
            ("edges", graph.values, edge_sizes),
        ):
            if held.shape[1] != len(sizes):
                found = f"found {held.shape[1]} features of {what}, allowed: {len(sizes)}"
                raise DatasetError(f"{name}: graph {g}: {found}")
            if not bool(((held >= 0) & (held < np.array(sizes))).all()):
                found = f"found a value of {what} outside its table, allowed: below {sizes}"
                raise DatasetError(f"{name}: graph {g}: {found}")
    return GraphDataset(
        name,
        task,
        tuple(graphs),
        y,
        node_sizes,
        edge_sizes,
        split,
        float(y[split.test].std()) if task == "regression" else 1.0,
        digest,
        degrees=degrees,
    )


def found_file(folder: str, data_dir: Path | str | None) -> Path | None:
    """Where the graphs of this folder lie, in the first data folder that has them."""
    return next((path for path in _places(folder, data_dir) if path.is_file()), None)


def from_pyg(name: str, parts: Sequence[Sequence[Any]]) -> GraphDataset:
    """A dataset of the table above from PyG's `Data` objects, such as TUDataset or ZINC holds.

    ``parts`` is one sequence of graphs for each of the dataset's files: one for a TU dataset, the
    three of ``zinc``.  One-hot columns, as TUDataset has them, become values.

    Raises:
        KeyError: no such dataset.
        DatasetError: the graphs are not this dataset's kind.
    """
    source = SOURCES[name]
    graphs: list[AttributedGraph] = []
    labels: list[float] = []
    for data in (data for part in parts for data in part):
        features = None if source.degrees else data.x
        nodes = _values(features, source.node_sizes, int(data.num_nodes))
        pairs = data.edge_index.numpy()
        values = _values(data.edge_attr, source.edge_sizes, pairs.shape[1])
        whole = (np.array([0, len(nodes)]), np.array([0, pairs.shape[1]]))
        try:
            graphs += from_pairs(*whole, pairs, nodes, values)
        except ValueError as error:
            raise DatasetError(f"{name}: {len(graphs)}: {error}") from None
        labels.append(float(data.y))
    split = _in_order(len(labels), source.parts) if source.parts else thesis_split(len(labels))
    return make(
        name,
        source.task,
        graphs,
        np.array(labels),
        node_sizes=source.node_sizes,
        edge_sizes=source.edge_sizes,
        split=split,
        degrees=source.degrees,
    )


def load_ogb(name: str = "ogbg-molhiv", *, root: Path | str = "dataset") -> GraphDataset:
    """A molecule dataset of OGB with one binary label, from ``root``, fetched if not there.

    Features and split are OGB's; its loader's words go to standard error.

    Raises:
        DatasetError: OGB is not installed, has no such dataset or can't fetch it, or it has no
            one binary label for each graph.
    """
    try:
        from ogb.graphproppred import GraphPropPredDataset
        from ogb.utils.features import get_atom_feature_dims, get_bond_feature_dims
    except ImportError:
        allowed = "pip install 'graph-robustness-leaderboard[ogb]'"
        raise DatasetError(f"ogb: found none, allowed: {allowed}") from None
    folder = Path(root) / name.replace("-", "_")
    if re.fullmatch(r"ogbg-\w+", name) and (folder / "raw").is_dir():
        # a pickle that torch.load refuses since 2.6; OGB reads the raw files again
        (folder / "processed" / "data_processed").unlink(missing_ok=True)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            found = GraphPropPredDataset(name, root=str(root))
            parts = found.get_idx_split()
        raw, labels = found.graphs, np.asarray(found.labels)
    except (SystemExit, EOFError, OSError, RuntimeError, ValueError) as error:
        raise DatasetError(f"{name}: {type(error).__name__}: {error}") from None
    if labels.shape[1:] != (1,) or not np.isin(labels, (0, 1)).all():
        raise DatasetError(f"{name}: found other labels, allowed: one of 0 and 1 for each graph")
    graphs: list[AttributedGraph] = []
    for graph in raw:
        pairs = graph["edge_index"]
        whole = (np.array([0, graph["num_nodes"]]), np.array([0, pairs.shape[1]]))
        try:
            graphs += from_pairs(*whole, pairs, graph["node_feat"], graph["edge_feat"])
        except ValueError as error:
            raise DatasetError(f"{name}: {len(graphs)}: {error}") from None
    return make(
        name,
        "binary",
        graphs,
        labels[:, 0],
        node_sizes=tuple(get_atom_feature_dims()),
        edge_sizes=tuple(get_bond_feature_dims()),
        split=GraphSplit(*(np.sort(parts[part]) for part in ("train", "valid", "test"))),
    )


def _find(name: str, folder: str, data_dir: Path | str | None) -> Path:
    if path := found_file(folder, data_dir):
        return path
    looked = ", ".join(map(str, _places(folder, data_dir)))
    fetched = f", or run: grb datasets fetch {name}" if name in catalog.datasets() else ""
    raise DatasetError(
        f"{name}: data not present: found no file {looked}; allowed: it there{fetched}"
    )


def _places(folder: str, data_dir: Path | str | None) -> list[Path]:
    return [base / "graphs" / folder / "graphs.npz" for base in data_folders(data_dir)]


def _in_order(graphs: int, parts: tuple[int, ...]) -> GraphSplit:
    train, val = parts
    ids = np.arange(graphs)
    return GraphSplit(ids[:train], ids[train : train + val], ids[train + val :])


def _values(table: Any, sizes: tuple[int, ...], rows: int) -> Ints:
    """Categorical columns from values, from one-hot columns, or constant ones from nothing."""
    if table is None:
        return np.zeros((rows, len(sizes)), np.int64)
    array = np.asarray(table.numpy())
    array = array.reshape(rows, -1)
    if array.shape[1] == sum(sizes) and len(sizes) == 1 and sizes[0] > 1:
        array = array.argmax(axis=1)[:, None]
    found: Ints = array.astype(np.int64)
    return found
