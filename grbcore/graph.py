"""A graph as models see it: an adjacency pattern and node features, as torch tensors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from grbcore.architectures import Features
from grbcore.datasets.dataset import Dataset
from grbcore.perturbation import Injection, Modification, Perturbation, of_nodes
from grbcore.spmm import Pattern

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Graph:
    """An undirected graph with node features; nothing here changes once it is made."""

    pattern: Pattern  # both directions of each edge, no self-loops
    features: Tensor  # (n, d) float32

    @property
    def nodes(self) -> int:
        return self.features.shape[0]

    @property
    def rowptr(self) -> Tensor:
        return self.pattern.rowptr

    @property
    def col(self) -> Tensor:
        return self.pattern.col

    @property
    def device(self) -> torch.device:
        return self.features.device

    @staticmethod
    def from_dataset(
        dataset: Dataset, *, raw: bool = False, device: torch.device | str = "cpu"
    ) -> Graph:
        """The clean graph of a dataset, with normalised features or, where ``raw``, raw ones."""
        features = declared(dataset.features, dataset, "raw" if raw else "normalised")
        return Graph(
            Pattern(_tensor(dataset.indptr, device), _tensor(dataset.indices, device)),
            _tensor(features, device),
        )

    def apply(self, perturbation: Perturbation) -> Graph:
        """The attacked graph, for a perturbation that keeps to the rules of a budget.

        The features of an `Injection` must be of the same kind, normalised or raw, as this
        graph's (`declared_perturbation` sees to it).
        """
        found = of_nodes(perturbation)
        if isinstance(found, Modification):
            return Graph(flip(self.pattern, found.flips), self.features)
        features = _tensor(found.features, self.device)
        pattern = join(self.pattern, found.nodes, found.edges)
        return Graph(pattern, torch.cat([self.features, features]))

    def subgraph(self, ids: Ints) -> Graph:
        """The graph induced on distinct nodes; node i of the result is ``ids[i]``."""
        kept = _tensor(ids, self.device)
        place = torch.full((self.nodes,), -1, dtype=torch.int64, device=self.device)
        place[kept] = torch.arange(kept.shape[0], device=self.device)
        row, col = place[self.pattern.row], place[self.col]
        inside = (row >= 0) & (col >= 0)
        return Graph(_from_pairs(row[inside], col[inside], kept.shape[0]), self.features[kept])


def join(pattern: Pattern, nodes: int, edges: Ints) -> Pattern:
    """The pattern with ``nodes`` more rows, joined by undirected ``edges`` (2, e) int64.

    Every edge has an end among the new rows n..n+nodes-1.
    """
    ends = _tensor(edges, pattern.col.device)
    size = pattern.size + nodes
    new_row, new_col = torch.cat([ends, ends.flip(0)], dim=1)
    order = torch.argsort(new_row * size + new_col)
    new_row, new_col = new_row[order], new_col[order]
    added = torch.bincount(new_row, minlength=size)
    added_before = torch.cumsum(added, 0) - added
    # In a row, injected neighbours have higher ids than original ones, so they come last.
    old_end = torch.cat([pattern.rowptr[1:], pattern.rowptr[-1:].expand(nodes)])
    col = torch.empty(pattern.entries + new_col.shape[0], dtype=torch.int64, device=ends.device)
    shift = torch.repeat_interleave(
        added_before[: pattern.size], pattern.degrees, output_size=pattern.entries
    )
    col[torch.arange(pattern.entries, device=ends.device) + shift] = pattern.col
    col[old_end[new_row] + torch.arange(new_col.shape[0], device=ends.device)] = new_col
    rowptr = torch.cat([pattern.rowptr[:1], old_end + torch.cumsum(added, 0)])
    return Pattern(rowptr, col)


def flip(pattern: Pattern, flips: Ints) -> Pattern:
    """The pattern with undirected pairs (2, f) int64 added where absent, removed where present."""
    ends = _tensor(flips, pattern.col.device)
    row, col = torch.cat([ends, ends.flip(0)], dim=1)
    size = pattern.size
    present, changed = pattern.row * size + pattern.col, row * size + col
    keys = torch.cat(
        [present[~torch.isin(present, changed)], changed[~torch.isin(changed, present)]]
    )
    return _from_pairs(keys // max(size, 1), keys % max(size, 1), size)


def cut_off(pattern: Pattern, nodes: Tensor) -> Pattern:
    """The pattern without the edges that have an end among ``nodes`` (m,) int64."""
    gone = torch.zeros(pattern.size, dtype=torch.bool, device=pattern.col.device)
    gone[nodes] = True
    kept = ~(gone[pattern.row] | gone[pattern.col])
    return _from_pairs(pattern.row[kept], pattern.col[kept], pattern.size)


def _from_pairs(row: Tensor, col: Tensor, size: int) -> Pattern:
    order = torch.argsort(row * size + col)
    counts = torch.bincount(row, minlength=size)
    rowptr = torch.cat([counts.new_zeros(1), torch.cumsum(counts, 0)])
    return Pattern(rowptr, col[order])


def declared(features: Floats, dataset: Dataset, kind: Features) -> Floats:
    """Normalised features as a defense declares to take them: as they are, or raw."""
    return features if kind == "normalised" else dataset.transform.restore(features)


def declared_perturbation(
    perturbation: Perturbation, dataset: Dataset, kind: Features
) -> Injection | Modification:
    """A perturbation whose injected features are of the kind that a defense declares."""
    found = of_nodes(perturbation)
    if kind == "normalised" or isinstance(found, Modification):
        return found
    return Injection(declared(found.features, dataset, kind), found.edges)


def _tensor(array: Floats | Ints, device: torch.device | str) -> Tensor:
    """A tensor of the array's own; read-only memory maps are copied."""
    return torch.tensor(array, device=device)
