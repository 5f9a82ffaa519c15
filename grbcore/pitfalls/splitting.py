"""Splits of a graph's nodes: so many of each class, or GRB's scheme with another seed."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from grbcore import datasets
from grbcore.datasets import DatasetError
from grbcore.pitfalls.paper import TRAIN, VAL
from grbcore.pitfalls.standard import Standard
from grbcore.scenario import DIFFICULTIES
from grbcore.seeds import generator

Ints = NDArray[np.int64]
Scheme = Literal["per-class", "grb"]


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """Sorted node ids; the three are disjoint and together all nodes."""

    train: Ints
    val: Ints
    test: Ints


def per_class(labels: Ints, seed: int, *, train: int = TRAIN, val: int = VAL) -> Split:
    """``train`` and ``val`` nodes of each class, uniformly without replacement, the rest tested.

    Source: Shchur et al., Section 3.

    Args:
        labels: (n,) 0..classes-1.
        seed: of the draw.
        train: training nodes of each class.
        val: validation nodes of each class.

    Raises:
        DatasetError: a class that has too few nodes, or none that would be tested.
    """
    sizes = np.bincount(labels)
    if train < 1 or val < 1:
        raise DatasetError(f"split: found {train} and {val} of each class, allowed: 1 or more")
    small = np.flatnonzero(sizes < train + val)
    if small.size:
        found = f"class {small[0]} of {sizes[small[0]]} nodes"
        raise DatasetError(f"split: found {found}, allowed: {train + val} or more")
    if len(labels) == (train + val) * len(sizes):
        raise DatasetError("split: found no node left to test, allowed: one or more")
    rng = generator("pitfalls split", seed)
    drawn = [
        rng.choice(np.flatnonzero(labels == label), train + val, replace=False)
        for label in range(len(sizes))
    ]
    chosen = Split(
        train=np.sort(np.concatenate([ids[:train] for ids in drawn])),
        val=np.sort(np.concatenate([ids[train:] for ids in drawn])),
        test=np.setdiff1d(np.arange(len(labels)), np.concatenate(drawn)),
    )
    verify(chosen, labels, train=train, val=val)
    return chosen


def grb(dataset: Standard, seed: int) -> Split:
    """GRB's split by degree with this seed: its full targets are tested.

    Nodes that the scheme leaves over, which GRB takes for validation, are validated here too.
    """
    made = by_degree(dataset.degrees, seed)
    return Split(made.train, made.val, made.targets["full"])


def by_degree(degrees: Ints, seed: int) -> datasets.Split:
    """GRB's split of a graph with these degrees (n,), held to what the scheme promises."""
    made = datasets.split(degrees, seed)
    verify_by_degree(made, degrees)
    return made


def split(dataset: Standard, scheme: Scheme, seed: int) -> Split:
    """The split of this seed by one of the schemes."""
    return per_class(dataset.labels, seed) if scheme == "per-class" else grb(dataset, seed)


def verify(made: Split, labels: Ints, *, train: int, val: int) -> None:
    """Hold a split to what it promises: counts of each class, no node twice, none left out.

    Raises:
        DatasetError: it does not keep to that.
    """
    classes = int(labels.max()) + 1
    for part, ids, count in (("train", made.train, train), ("val", made.val, val)):
        found = np.bincount(labels[ids], minlength=classes)
        if (found != count).any():
            raise DatasetError(f"split: found {found.tolist()} in {part}, allowed: {count} each")
    every = np.sort(np.concatenate([made.train, made.val, made.test]))
    if not np.array_equal(every, np.arange(len(labels))):
        raise DatasetError("split: found a node twice or left out, allowed: each node once")


def verify_by_degree(made: datasets.Split, degrees: Ints) -> None:
    """Hold GRB's split to what it promises: sizes, bands by degree, each node in one part.

    Raises:
        DatasetError: it does not keep to that.
    """
    nodes = len(degrees)
    bands = [made.targets[name] for name in DIFFICULTIES if name != "full"]
    sizes = [len(made.train), *map(len, bands)]
    allowed = [nodes * 6 // 10, *[nodes // 10] * len(bands)]
    if sizes != allowed:
        raise DatasetError(f"split: found {sizes} in train and bands, allowed: {allowed}")
    for lower, higher in itertools.pairwise(bands):
        if degrees[lower].max() > degrees[higher].min():
            found = f"degree {degrees[lower].max()} below {degrees[higher].min()}"
            raise DatasetError(f"split: found {found}, allowed: bands by degree")
    if not np.array_equal(np.sort(np.concatenate(bands)), made.targets["full"]):
        raise DatasetError("split: found full to be other than the bands, allowed: all of them")
    every = np.sort(np.concatenate([made.train, made.val, *bands]))
    if not np.array_equal(every, np.arange(nodes)):
        raise DatasetError("split: found a node twice or left out, allowed: each node once")
