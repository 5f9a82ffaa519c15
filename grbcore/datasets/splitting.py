"""GRB's splitting scheme: test nodes by degree, so that difficulty means something."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grbcore.scenario import Difficulty
from grbcore.seeds import generator

Ints = NDArray[np.int64]

_BANDS: tuple[Difficulty, ...] = ("easy", "medium", "hard")


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """Sorted node ids of each part; ``targets["full"]`` is the union of the other three."""

    train: Ints
    val: Ints
    targets: Mapping[Difficulty, Ints]


def split(degrees: Ints, seed: int = 0) -> Split:
    """GRB's split of any graph, from the degrees of its nodes (n,).

    Nodes are ranked by degree, the lowest and the highest 5 % set aside, the rest cut into three
    bands of equal size; 10 % of all nodes are drawn from each (easy: lowest degrees).  Of what
    remains, 60 % of all nodes are for training and the rest for validation.  Ties are broken by a
    seeded permutation, so the result does not depend on the platform.

    Source: GRB, Section 4.2 (Splitting scheme).

    Raises:
        ValueError: fewer than 10 nodes.
    """
    nodes = len(degrees)
    if nodes < 10:
        raise ValueError(f"graph: found {nodes} nodes, allowed: 10 or more for a split")
    rng = generator("split", seed)
    shuffled = rng.permutation(nodes)
    ranked = shuffled[np.argsort(degrees[shuffled], kind="stable")]
    tail = nodes * 5 // 100
    bands = np.array_split(ranked[tail : nodes - tail], 3)
    each = nodes // 10
    targets: dict[Difficulty, Ints] = {
        band: np.sort(rng.choice(members, each, replace=False)).astype(np.int64)
        for band, members in zip(_BANDS, bands, strict=True)
    }
    targets["full"] = np.sort(np.concatenate([targets[band] for band in _BANDS]))
    rest = rng.permutation(np.setdiff1d(np.arange(nodes), targets["full"]))
    train = nodes * 6 // 10
    return Split(np.sort(rest[:train]), np.sort(rest[train:]), targets)
