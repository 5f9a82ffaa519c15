"""How far an attack is from the clean graph, in a few quantiles; without torch and without labels.

Two things tell what an attack adds from what was there: how alike neighbours are (node-centric
homophily), and how far injected features are from those of the nodes that the graph has.
Source: Chen et al., Understanding and Improving Graph Injection Attack by Promoting Unnoticeability
(ICLR 2022), Definition 4.1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from grbcore.datasets.dataset import Dataset
from grbcore.perturbation import Injection, Modification, Perturbation, of_nodes
from grbcore.seeds import generator

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]
Values = NDArray[np.float64]

#: Of more nodes than this on a side, so many are drawn.
MOST = 2000

#: The quantiles that are kept, and those between which a clean feature lies in its coordinate.
QUANTILES = (0.05, 0.5, 0.95)
INSIDE = (0.01, 0.99)

#: The quantile of the clean nodes' norms that a typical injected node should not exceed.
FAR = 0.99

Finite = Annotated[float, Field(allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1)]
Three = tuple[Finite, Finite, Finite]


class Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Extremity(Record):
    """How injected features compare with clean ones.

    ``far`` is the quantile `FAR` of the clean nodes' Euclidean norms, ``norm`` the median of the
    injected ones; ``outside`` the share of injected values that lie outside the `INSIDE` quantiles
    of their coordinate, which is at most 0.02 of clean ones where values are continuous.
    """

    far: Finite
    norm: Finite
    outside: Share


class Shift(Record):
    """An attack at difficulty full, over all its repeats.

    ``clean`` and ``attacked`` are the `QUANTILES` of node-centric homophily (-1..1).  Of an
    injection ``clean`` is of the clean graph's nodes and ``attacked`` of the injected ones; of a
    modification both are of the nodes whose edges it flips, before and after.  ``nodes`` were
    looked at after the attack.
    """

    clean: Three
    attacked: Three
    nodes: int = Field(ge=1)
    features: Extremity | None = None  # of an injection


def measure_shift(dataset: Dataset, repeats: Sequence[Perturbation]) -> Shift | None:
    """The shift of one difficulty's perturbations; None where they change nothing.

    Nodes are drawn by a seed of the dataset's digest, so that the same file gives the same figures.
    """
    rng = generator("shift", dataset.digest)
    each = [
        _looked_at(dataset, of_nodes(one), rng, -(-MOST // max(1, len(repeats)))) for one in repeats
    ]
    after = np.concatenate([found for found, _ in each]) if each else np.zeros(0)
    if not after.size:
        return None
    injected = [one for one in repeats if isinstance(one, Injection)]
    if injected:
        before = homophily(_drawn(rng, np.arange(dataset.nodes), MOST), _clean(dataset))
        features = _extremity(dataset, injected, rng)
    else:
        before = np.concatenate([found for _, found in each])
        features = None
    return Shift(
        clean=_quantiles(before),
        attacked=_quantiles(after),
        nodes=int(after.size),
        features=features,
    )


Around = Callable[[int], tuple[Floats, Floats, int, Ints]]


def homophily(nodes: Ints, around: Around) -> Values:
    """How much each of these nodes looks like its neighbours: (m,) float64, -1..1.

    The cosine of a node's features and the sum of its neighbours', each divided by
    ``sqrt(d_j · d_i)``; 0 where either is zero.  ``around(i)`` gives node i's features (d,), those
    of its neighbours (k, d), its degree, and the neighbours' degrees (k,).
    """
    found = np.zeros(len(nodes))
    for place, node in enumerate(nodes.tolist()):
        own, others, degree, degrees = around(node)
        weight = 1 / np.sqrt(np.maximum(degrees, 1) * max(degree, 1))
        mixed = weight @ others.astype(np.float64)
        scale = float(np.linalg.norm(mixed) * np.linalg.norm(own))
        found[place] = 0.0 if scale == 0 else float(mixed @ own) / scale
    return found


def _clean(dataset: Dataset) -> Around:
    degrees = dataset.degrees

    def around(node: int) -> tuple[Floats, Floats, int, Ints]:
        beside = dataset.indices[dataset.indptr[node] : dataset.indptr[node + 1]]
        own, others = dataset.features[node], dataset.features[beside]
        return own, others, int(degrees[node]), degrees[beside]

    return around


def _looked_at(
    dataset: Dataset, one: Injection | Modification, rng: np.random.Generator, most: int
) -> tuple[Values, Values]:
    """The homophily of the nodes that a perturbation adds or touches: after it, and before."""
    if isinstance(one, Injection):
        nodes = _drawn(rng, np.arange(one.nodes) + dataset.nodes, most)
        return homophily(nodes, _injected(dataset, one)), np.zeros(0)
    nodes = _drawn(rng, np.unique(one.flips), most)
    return homophily(nodes, _flipped(dataset, one)), homophily(nodes, _clean(dataset))


def _injected(dataset: Dataset, one: Injection) -> Around:
    ends = np.concatenate([one.edges, one.edges[::-1]], axis=1)
    joined = _by_first(ends)
    more = np.bincount(ends[0], minlength=dataset.nodes + one.nodes)
    more[: dataset.nodes] += dataset.degrees

    def features(nodes: Ints) -> Floats:
        new = nodes >= dataset.nodes
        found = np.empty((len(nodes), dataset.features.shape[1]), np.float32)
        found[new] = one.features[nodes[new] - dataset.nodes]
        found[~new] = dataset.features[nodes[~new]]
        return found

    def around(node: int) -> tuple[Floats, Floats, int, Ints]:
        beside = joined(node)  # an injected node has no other neighbours
        own = one.features[node - dataset.nodes]
        return own, features(beside), int(more[node]), more[beside]

    return around


def _flipped(dataset: Dataset, one: Modification) -> Around:
    ends = np.concatenate([one.flips, one.flips[::-1]], axis=1)
    joined = _by_first(ends)
    present = np.array([_has(dataset, first, second) for first, second in ends.T.tolist()], bool)
    degrees = dataset.degrees + np.bincount(ends[0], minlength=dataset.nodes)
    degrees -= 2 * np.bincount(ends[0][present], minlength=dataset.nodes)

    def around(node: int) -> tuple[Floats, Floats, int, Ints]:
        before = dataset.indices[dataset.indptr[node] : dataset.indptr[node + 1]]
        beside = np.setxor1d(before, joined(node))
        own, others = dataset.features[node], dataset.features[beside]
        return own, others, int(degrees[node]), degrees[beside]

    return around


def _has(dataset: Dataset, first: int, second: int) -> bool:
    beside = dataset.indices[dataset.indptr[first] : dataset.indptr[first + 1]]
    place = int(np.searchsorted(beside, second))
    return place < len(beside) and int(beside[place]) == second


def _by_first(ends: Ints) -> Callable[[int], Ints]:
    """The second ends (k,) of the pairs (2, e) that begin at a node."""
    order = np.argsort(ends[0], kind="stable")
    first, second = ends[0][order], ends[1][order]

    def of(node: int) -> Ints:
        low, high = np.searchsorted(first, [node, node + 1]).tolist()
        found: Ints = second[low:high]
        return found

    return of


def _extremity(
    dataset: Dataset, repeats: Sequence[Injection], rng: np.random.Generator
) -> Extremity | None:
    injected = np.concatenate([one.features for one in repeats])
    if not injected.size:
        return None
    injected = injected[_drawn(rng, np.arange(len(injected)), MOST)]
    clean = dataset.features[_drawn(rng, np.arange(dataset.nodes), MOST)]
    low, high = np.quantile(clean, INSIDE, axis=0)
    return Extremity(
        far=float(np.quantile(np.linalg.norm(clean, axis=1), FAR)),
        norm=float(np.median(np.linalg.norm(injected, axis=1))),
        outside=float(((injected < low) | (injected > high)).mean()),
    )


def _drawn(rng: np.random.Generator, nodes: Ints, most: int) -> Ints:
    """At most so many of these nodes, in ascending order."""
    if len(nodes) <= most:
        return nodes
    return np.sort(rng.choice(nodes, most, replace=False))


def _quantiles(values: Values) -> Three:
    low, middle, high = np.quantile(values, QUANTILES).tolist()
    return low, middle, high
