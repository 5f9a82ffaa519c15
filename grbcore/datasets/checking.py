"""Comparing a dataset's files with what the catalog says of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from grbcore import catalog
from grbcore.catalog import DatasetEntry
from grbcore.datasets.dataset import Dataset
from grbcore.datasets.reading import digest, hashes, read
from grbcore.datasets.records import expected, origin, remember
from grbcore.scenario import DIFFICULTIES


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not as the catalog says."""

    place: str
    found: str
    allowed: str

    def __str__(self) -> str:
        return f"{self.place}: found {self.found}; allowed: {self.allowed}"


def differences(name: str, folder: Path) -> tuple[Difference, ...]:
    """Hashes and statistics of the files in ``folder`` against the catalog, all at once.

    Hashes that are not published are recorded the first time, if nothing else differs.

    Raises:
        KeyError: no such dataset.
        DatasetError: a file is missing or can't be read.
    """
    entry = catalog.dataset(name)
    seen = hashes(folder)
    dataset = read(name, folder, digest(seen))
    known = expected(name)
    found = [
        Difference(f"{file}.npz", f"SHA-256 {sha256}", f"{known[file]}, {origin(name, file)}")
        for file, sha256 in seen.items()
        if known.get(file, sha256) != sha256
    ]
    found += _statistics(entry, dataset)
    if not found:
        remember(name, seen)
    return tuple(found)


def _statistics(entry: DatasetEntry, dataset: Dataset) -> list[Difference]:
    each, train = entry.nodes // 10, entry.nodes * 6 // 10
    pairs = {
        "nodes": (dataset.nodes, entry.nodes),
        "undirected edges": (dataset.edges, entry.edges),
        "features": (int(dataset.features.shape[1]), entry.features),
        "classes": (dataset.classes, entry.classes),
        "training nodes": (len(dataset.train), train),
        "validation nodes": (len(dataset.val), entry.nodes - train - 3 * each),
    }
    for difficulty in DIFFICULTIES:
        size = 3 * each if difficulty == "full" else each
        pairs[f"{difficulty} targets"] = (len(dataset.targets[difficulty]), size)
    found = [
        Difference(place, f"{count:,}", f"{allowed:,}")
        for place, (count, allowed) in pairs.items()
        if count != allowed
    ]
    low, high = dataset.feature_range
    for board in catalog.boards().values():
        if board.dataset != entry.name:
            continue
        ends, tolerance = board.feature_range, board.feature_tolerance
        if abs(low - ends[0]) > tolerance or abs(high - ends[1]) > tolerance:
            allowed = f"{ends[0]:g} to {ends[1]:g} (tolerance {tolerance:g})"
            found.append(Difference("normalised features", f"{low:.6f} to {high:.6f}", allowed))
            break
    return found
