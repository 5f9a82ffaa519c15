"""How an attack is made, in a few hundred bytes: whom it touches, and what its features look like.

Of the edges: the multiset of original nodes that injected ones are joined to (of a modification:
the pairs that are flipped; of whole graphs: every change of each), over all repeats at full or at
the largest budget, as a min-wise hash (Broder 1997), so that the
share of equal numbers in two sketches estimates the Jaccard similarity.  Of the features: quantiles
of the injected features along fixed random directions, which no order of nodes changes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from grbcore.perturbation import GraphChanges, Injection, Perturbation

#: Two attacks of at least this resemblance are made alike.
MADE_ALIKE = 0.5

_HASHES = 128
_DIRECTIONS = 16
_QUANTILES = (0.0, 0.25, 0.5, 0.75, 1.0)
_EDGES = 4 * _HASHES  # bytes
_FEATURES = 4 * _DIRECTIONS * len(_QUANTILES)

#: Hexadecimal digits of a sketch, of what injects nothing and of an injection.
LENGTHS = (2 * _EDGES, 2 * (_EDGES + _FEATURES))

_NOTHING = np.uint64(0xFFFFFFFF)
Words = NDArray[np.uint64]


def sketch(repeats: Sequence[Perturbation], nodes: int = 0) -> str:
    """The sketch of an attack's perturbations, in hexadecimal: of a graph with this many nodes, or
    of whole graphs."""
    edges = _minima(np.concatenate([_touched(one, nodes) for one in repeats]))
    found = edges.astype("<u4").tobytes()
    injected = [one.features for one in repeats if isinstance(one, Injection)]
    if injected:
        found += _profile(np.concatenate(injected)).astype("<f4").tobytes()
    return found.hex()


def resemblance(one: str, other: str) -> float:
    """From 0 to 1: how alike two attacks are made, the lesser of edges and features.

    Of edges it is the estimated Jaccard similarity, of features the cosine of their profiles.
    """
    if not one or len(one) != len(other):
        return 0.0
    first, second = bytes.fromhex(one), bytes.fromhex(other)
    left, right = (np.frombuffer(data[:_EDGES], "<u4") for data in (first, second))
    alike = float((left == right).mean())
    if len(first) == _EDGES:
        return alike
    a, b = (np.frombuffer(data[_EDGES:], "<f4").astype(np.float64) for data in (first, second))
    size = float(np.linalg.norm(a) * np.linalg.norm(b))
    cosine = float(a @ b) / size if size else float(np.array_equal(a, b))
    return min(alike, max(0.0, cosine))


def _touched(perturbation: Perturbation, nodes: int) -> Words:
    """A word for each member of the multiset: what is touched, and for the how-manieth time."""
    if isinstance(perturbation, GraphChanges):
        return _changed(perturbation)
    if isinstance(perturbation, Injection):
        ends = perturbation.edges
        keys = np.sort(ends[ends < nodes])
    else:
        low, high = np.sort(perturbation.flips, axis=0)
        keys = np.sort(low * nodes + high)
    if not keys.size:
        return np.zeros(0, np.uint64)
    begins = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    sizes = np.diff(np.append(begins, keys.size))
    turn = np.arange(keys.size) - np.repeat(begins, sizes)
    return _mixed(keys.astype(np.uint64) * np.uint64(65_537) + turn.astype(np.uint64))


def _changed(changes: GraphChanges) -> Words:
    """A word for each change: of which kind it is, of which graph, and all that is said of it."""
    found = []
    parts = (
        (changes.graph_ptr, changes.flips),
        (changes.node_ptr, changes.node_changes),
        (changes.edge_ptr, changes.edge_changes),
    )
    for kind, (pointer, part) in enumerate(parts):
        graph = np.repeat(np.arange(len(pointer) - 1), np.diff(pointer))
        words = np.full(len(graph), kind, np.uint64)
        for row in (graph, *part):
            words = _mixed(words ^ row.astype(np.uint64))
        found.append(words)
    return np.concatenate(found)


def _minima(words: Words) -> Words:
    """(128,): under each of so many hashes the lowest value; of nothing the highest there is."""
    seeds = _mixed(np.arange(1, _HASHES + 1, dtype=np.uint64))
    lowest = np.full(_HASHES, _NOTHING)
    for some in np.array_split(np.unique(words), max(1, words.size // 65_536)):
        if some.size:
            hashed = _mixed(some[:, None] ^ seeds) >> np.uint64(32)
            lowest = np.minimum(lowest, hashed.min(axis=0))
    return lowest


def _mixed(words: Words) -> Words:
    """SplitMix64's finaliser (Steele, Lea and Flood 2014): every bit of a word stirs all others."""
    with np.errstate(over="ignore"):
        words = words + np.uint64(0x9E3779B97F4A7C15)
        words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def _profile(features: NDArray[np.float32]) -> NDArray[np.float64]:
    """(16 x 5,): quantiles of the features along each direction; zeros where there are none."""
    if not features.shape[0]:
        return np.zeros(_DIRECTIONS * len(_QUANTILES))
    rng = np.random.default_rng(0)
    directions = rng.standard_normal((features.shape[1], _DIRECTIONS)) / np.sqrt(features.shape[1])
    projected = features.astype(np.float64) @ directions
    return np.asarray(np.quantile(projected, _QUANTILES, axis=0).ravel())
