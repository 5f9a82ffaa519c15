"""Reading GRB's four files without trusting a single index in them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grbcore.archive import ArchiveLimits, ArrayArchive
from grbcore.datasets.dataset import Dataset
from grbcore.datasets.splitting import Split
from grbcore.datasets.transform import FeatureTransform
from grbcore.files import sha256_of
from grbcore.folders import DatasetError
from grbcore.scenario import Difficulty
from grbcore.violations import Refused

FILES = ("adj", "features", "index", "labels")

Ints = NDArray[np.int64]

#: Predictions are stored as int16.
MAX_CLASSES = 1 << 15

# 660k nodes of 602 float64 features, and room: what the largest dataset may unpack to
_LIMITS = ArchiveLimits(total=8 << 30, ratio=10_000)

_PARTS: tuple[tuple[Difficulty, str], ...] = (
    ("easy", "index_test_easy"),
    ("medium", "index_test_medium"),
    ("hard", "index_test_hard"),
    ("full", "index_test"),
)


@dataclass(frozen=True, slots=True, eq=False)
class RawFiles:
    """What the four files hold, checked: edges in both directions, raw features, labels, split."""

    indptr: Ints
    indices: Ints
    features: NDArray[Any]  # (n, d), raw
    labels: Ints
    split: Split


def hashes(folder: Path) -> dict[str, str]:
    """The SHA-256 of each of the four files.

    Raises:
        DatasetError: a file is missing or can't be read.
    """
    found = {}
    for name in FILES:
        try:
            found[name] = sha256_of(folder / f"{name}.npz")
        except OSError as error:
            raise _wrong(folder, name, str(error), "a file that can be read") from None
    return found


def digest(hashes: Mapping[str, str]) -> str:
    """One SHA-256 over the names and hashes of the four files."""
    lines = "".join(f"{name} {hashes[name]}\n" for name in FILES)
    return hashlib.sha256(lines.encode()).hexdigest()


def read(name: str, folder: Path, whole: str | None = None) -> Dataset:
    """The dataset in ``folder``, its features normalised.

    Args:
        name: what it is called.
        folder: holds adj, features, index and labels, each ``.npz``.
        whole: the digest, if it is known already.

    Raises:
        DatasetError: a file is missing, damaged, or at odds with the others.
    """
    raw = read_raw(folder)
    try:
        transform = FeatureTransform.fit(raw.features)
    except ValueError as error:
        raise DatasetError(f"{folder / 'features.npz'}: {error}") from None
    return Dataset(
        name=name,
        digest=whole or digest(hashes(folder)),
        indptr=raw.indptr,
        indices=raw.indices,
        features=transform.normalise(raw.features),
        labels=raw.labels,
        transform=transform,
        train=raw.split.train,
        val=raw.split.val,
        targets=raw.split.targets,
    )


def read_raw(folder: Path) -> RawFiles:
    """The contents of the four files, checked against each other.

    Raises:
        DatasetError: a file is missing, damaged, or at odds with the others.
    """
    features = _arrays(folder, "features", ("data",))["data"]
    if features.ndim != 2 or features.dtype.kind != "f":
        found = f"{features.dtype} {features.shape}"
        raise _wrong(folder, "features", found, "float32 or float64 of shape (n, d)")
    if not np.isfinite(features).all():
        row, column = np.argwhere(~np.isfinite(features))[0]
        found = f"{features[row, column]} at [{row}, {column}]"
        raise _wrong(folder, "features", found, "finite numbers")
    nodes = len(features)
    labels = _arrays(folder, "labels", ("data",))["data"]
    if labels.shape != (nodes,) or labels.dtype.kind not in "iu":
        found = f"{labels.dtype} {labels.shape}"
        raise _wrong(folder, "labels", found, f"one whole number for each of {nodes} nodes")
    if len(labels) and not 0 <= labels.min() <= labels.max() < MAX_CLASSES:
        found = f"labels from {labels.min()} to {labels.max()}"
        raise _wrong(folder, "labels", found, f"0..{MAX_CLASSES - 1}")
    indptr, indices = read_adjacency(folder, nodes)
    return RawFiles(indptr, indices, features, labels.astype(np.int64), _split(folder, nodes))


def _arrays(folder: Path, name: str, members: tuple[str, ...]) -> Mapping[str, NDArray[Any]]:
    path = folder / f"{name}.npz"
    try:
        with path.open("rb") as file:
            archive = ArrayArchive(file, _LIMITS)
            missing = [member for member in members if member not in archive.arrays]
            if missing:
                found = f"no member {missing[0]}"
                raise _wrong(folder, name, found, f"members {', '.join(members)}")
            return {member: archive.read(member) for member in members}
    except FileNotFoundError:
        raise _wrong(folder, name, "no such file", "the four files of the dataset") from None
    except OSError as error:
        raise _wrong(folder, name, str(error), "a file that can be read") from None
    except Refused as refused:
        raise DatasetError(f"{path}: {refused}") from None


def _wrong(folder: Path, name: str, found: str, allowed: str) -> DatasetError:
    return DatasetError(f"{folder / name}.npz: found {found}, allowed: {allowed}")


def read_adjacency(folder: Path, nodes: int | None = None) -> tuple[Ints, Ints]:
    """The graph of ``adj.npz``: a scipy CSR read as plain arrays.

    Symmetrised, without self-loops, weights or repeats.

    Args:
        folder: holds ``adj.npz``.
        nodes: how many there are by the other files; None takes what the file says.

    Returns:
        Row pointers (n + 1,) and sorted columns (2|E|,), int64.

    Raises:
        DatasetError: the file is missing or damaged, or an index lies outside.
    """
    arrays = _arrays(folder, "adj", ("indptr", "indices", "shape"))
    for name, array in arrays.items():
        if array.ndim != 1 or array.dtype.kind not in "iu":
            found = f"{name}: {array.dtype} {array.shape}"
            raise _wrong(folder, "adj", found, "one row of whole numbers")
    indptr, indices = arrays["indptr"].astype(np.int64), arrays["indices"].astype(np.int64)
    nodes = len(indptr) - 1 if nodes is None else nodes
    if arrays["shape"].tolist() != [nodes, nodes] or indptr.shape != (nodes + 1,):
        found = f"shape {arrays['shape'].tolist()} with {len(indptr)} row pointers"
        raise _wrong(folder, "adj", found, f"[{nodes}, {nodes}] with {nodes + 1}")
    if indptr[0] != 0 or indptr[-1] != len(indices) or (indptr[1:] < indptr[:-1]).any():
        raise _wrong(folder, "adj", "row pointers out of order", "a valid CSR matrix")
    if len(indices) and not 0 <= indices.min() <= indices.max() < nodes:
        worst = indices.min() if indices.min() < 0 else indices.max()
        raise _wrong(folder, "adj", f"column {worst}", f"0..{nodes - 1}")
    rows = np.repeat(np.arange(nodes), np.diff(indptr))
    return csr(np.stack([rows, indices]), nodes)


def csr(pairs: Ints, nodes: int) -> tuple[Ints, Ints]:
    """Row pointers and sorted columns of the undirected graph with these edges (2, e).

    Both directions are stored once each; self-loops and repeats are dropped.
    """
    pairs = pairs[:, pairs[0] != pairs[1]]
    keys = np.unique(np.concatenate([pairs[0] * nodes + pairs[1], pairs[1] * nodes + pairs[0]]))
    rows, columns = np.divmod(keys, nodes)
    indptr = np.zeros(nodes + 1, np.int64)
    np.cumsum(np.bincount(rows, minlength=nodes), out=indptr[1:])
    return indptr, columns.astype(np.int64)


def _split(folder: Path, nodes: int) -> Split:
    names = ("index_train", "index_val", *(member for _, member in _PARTS))
    arrays = {}
    for name, array in _arrays(folder, "index", names).items():
        if array.ndim != 1 or array.dtype.kind not in "iu":
            raise _wrong(folder, "index", f"{name} of {array.dtype}", "node ids")
        ids = np.sort(array.astype(np.int64))
        if len(ids) and (not 0 <= ids[0] <= ids[-1] < nodes or (np.diff(ids) == 0).any()):
            found = f"{name} from {ids[0]} to {ids[-1]}"
            raise _wrong(folder, "index", found, f"each node id once, 0..{nodes - 1}")
        arrays[name] = ids
    targets = {difficulty: arrays[member] for difficulty, member in _PARTS}
    union = np.sort(np.concatenate([targets["easy"], targets["medium"], targets["hard"]]))
    if not np.array_equal(union, targets["full"]):
        raise _wrong(folder, "index", "another index_test", "the union of easy, medium and hard")
    parts = np.concatenate([arrays["index_train"], arrays["index_val"], targets["full"]])
    if len(np.unique(parts)) != len(parts):
        raise _wrong(folder, "index", "a node in two parts", "train, val and test apart")
    return Split(arrays["index_train"], arrays["index_val"], targets)


def write(folder: Path, raw: RawFiles) -> None:
    """Write the four files, as `read_raw` reads them.  Features keep their type."""
    folder.mkdir(parents=True, exist_ok=True)
    nodes = len(raw.features)
    np.savez_compressed(
        folder / "adj.npz",
        indptr=raw.indptr.astype(np.int32),
        indices=raw.indices.astype(np.int32),
        shape=np.array([nodes, nodes]),
    )
    np.savez_compressed(folder / "features.npz", data=raw.features)
    np.savez_compressed(folder / "labels.npz", data=raw.labels)
    write_split(folder, raw.split)


def write_split(folder: Path, split: Split) -> None:
    """Write ``index.npz``."""
    parts = {"index_train": split.train, "index_val": split.val}
    parts |= {member: split.targets[difficulty] for difficulty, member in _PARTS}
    np.savez_compressed(folder / "index.npz", **parts)  # type: ignore[arg-type]
