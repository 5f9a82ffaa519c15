"""A dataset of one's own from arrays: checked as strictly as the boards' files, all at once."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grbcore.datasets.dataset import Dataset
from grbcore.datasets.edges import undirected
from grbcore.datasets.reading import MAX_CLASSES
from grbcore.datasets.splitting import Split, split
from grbcore.datasets.transform import FeatureTransform
from grbcore.folders import DatasetError
from grbcore.scenario import Difficulty

Ints = NDArray[np.int64]
Faults = list[str]

_BANDS: tuple[Difficulty, ...] = ("easy", "medium", "hard")


def from_arrays(
    name: str,
    adjacency: Any,
    features: Any,
    labels: Any,
    *,
    train: Any = None,
    val: Any = None,
    test: Any = None,
    seed: int = 0,
) -> Dataset:
    """The dataset of these arrays; `Dataset.from_arrays` describes them.

    Raises:
        DatasetError: with every fault: the argument, what was found and what is allowed.
    """
    faults: Faults = []
    raw = _features(features, faults)
    known = _labels(labels, raw, faults)
    edges = undirected(adjacency, None if raw is None else raw.shape[0], faults)
    parts = _parts({"train": train, "val": val}, test, raw, faults)
    if faults or raw is None or known is None or edges is None:
        raise DatasetError("; ".join(faults))
    indptr, indices = edges
    try:
        made = _split(parts, np.diff(indptr), seed)
        transform = FeatureTransform.fit(raw)
    except ValueError as error:
        raise DatasetError(str(error)) from None
    if len(np.unique(known[made.train])) < 2:
        raise DatasetError("labels: found one class only in train, allowed: two or more")
    arrays = (indptr, indices, raw, known, made.train, made.val, *map(made.targets.get, _BANDS))
    return Dataset(
        name=name,
        digest=_digest(arrays),
        indptr=indptr,
        indices=indices,
        features=transform.normalise(raw),
        labels=known,
        transform=transform,
        train=made.train,
        val=made.val,
        targets=made.targets,
    )


def _features(features: Any, faults: Faults) -> NDArray[Any] | None:
    allowed = "finite numbers of shape (nodes, features), at least one of each"
    try:
        found = np.asarray(features.toarray() if hasattr(features, "toarray") else features)
    except ValueError:
        faults.append(f"features: found rows of different lengths, allowed: {allowed}")
        return None
    if found.ndim != 2 or 0 in found.shape or found.dtype.kind not in "fiub":
        faults.append(f"features: found {found.dtype} of shape {found.shape}, allowed: {allowed}")
        return None
    if found.dtype.kind != "f":
        found = found.astype(np.float32)
    if not np.isfinite(found).all():
        row, column = np.argwhere(~np.isfinite(found))[0]
        faults.append(f"features: found {found[row, column]} at [{row}, {column}], allowed: finite")
    return found


def _labels(labels: Any, features: NDArray[Any] | None, faults: Faults) -> Ints | None:
    found = np.asarray(labels)
    if found.dtype.kind == "f" and np.isnan(found).any():
        faults.append(f"labels: found {np.isnan(found).sum()} nodes without one, allowed: 0")
        return None
    nodes = found.size if features is None else len(features)
    if found.shape != (nodes,) or found.dtype.kind not in "iu":
        allowed = f"one whole number for each of {nodes} nodes, shape ({nodes},)"
        faults.append(f"labels: found {found.dtype} of shape {found.shape}, allowed: {allowed}")
        return None
    if (found < 0).any():
        faults.append(f"labels: found {(found < 0).sum()} nodes without one (below 0), allowed: 0")
    elif found.size and found.max() >= MAX_CLASSES:
        faults.append(f"labels: found {found.max()}, allowed: 0..{MAX_CLASSES - 1}")
    elif len(np.unique(found)) == 1:
        faults.append("labels: found one class only, allowed: two or more")
    return found.astype(np.int64)


def _parts(
    pair: Mapping[str, Any], test: Any, features: NDArray[Any] | None, faults: Faults
) -> dict[str, Ints]:
    """The parts that were given, as sorted ids: train, val, and test or easy, medium and hard."""
    given = {**pair, "test": test}
    lacking = [name for name, part in given.items() if part is None]
    if len(lacking) == 3 or features is None:
        return {}
    if lacking:
        faults.append(f"split: found no {' and no '.join(lacking)}, allowed: all three or none")
        return {}
    if isinstance(test, Mapping):
        if set(test) - {"full"} != set(_BANDS):
            faults.append(f"test: found {', '.join(test)}, allowed: {', '.join(_BANDS)}")
            return {}
        given = {**pair, **{band: test[band] for band in _BANDS}}
    parts = {name: _ids(name, part, len(features), faults) for name, part in given.items()}
    every = np.concatenate(list(parts.values()))
    distinct, counts = np.unique(every, return_counts=True)
    if (counts > 1).any():
        twice = distinct[counts > 1][0]
        faults.append(f"split: found node {twice} in two parts, allowed: each node in one")
    return parts


def _ids(name: str, part: Any, nodes: int, faults: Faults) -> Ints:
    """Node ids, given as ids or as a mask."""
    found = np.asarray(part)
    if found.dtype == bool and found.shape == (nodes,):
        found = np.flatnonzero(found)
    allowed = f"distinct node ids, 0..{nodes - 1}, one at least, or a mask of shape ({nodes},)"
    if found.ndim != 1 or found.dtype.kind not in "iu" or found.size == 0:
        faults.append(f"{name}: found {found.dtype} of shape {found.shape}, allowed: {allowed}")
        return np.zeros(0, np.int64)
    ids = np.unique(found.astype(np.int64))
    if ids.size != found.size or ids[0] < 0 or ids[-1] >= nodes:
        seen = f"ids from {found.min()} to {found.max()}, {found.size - ids.size} of them repeated"
        faults.append(f"{name}: found {seen}, allowed: {allowed}")
    return ids


def _split(parts: Mapping[str, Ints], degrees: Ints, seed: int) -> Split:
    if not parts:
        return split(degrees, seed)
    if "test" in parts:
        ids = parts["test"]
        ranked = ids[np.argsort(degrees[ids], kind="stable")]
        bands = dict(zip(_BANDS, map(np.sort, np.array_split(ranked, 3)), strict=True))
    else:
        bands = {band: parts[band] for band in _BANDS}
    full = np.sort(np.concatenate(list(bands.values())))
    return Split(parts["train"], parts["val"], {**bands, "full": full})


def _digest(arrays: tuple[Any, ...]) -> str:
    """A SHA-256 over what the arrays hold, in place of the files that are not there."""
    hasher = hashlib.sha256()
    for array in arrays:
        hasher.update(f"{array.dtype.str} {array.shape} ".encode())
        hasher.update(np.ascontiguousarray(array).tobytes())
    return hasher.hexdigest()
