"""Hidden halves of the targets, and the Ladder: a public number that moves only by a step.

Scores over the same targets, asked for again and again, fit those targets in the end.  So one half
of them stays hidden until a season is over, and the best of a submitter moves only by what is more
than luck (A. Blum and M. Hardt, The Ladder: A Reliable Leaderboard for Machine Learning
Competitions, ICML 2015, figure 1).
"""

from __future__ import annotations

import hmac
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from grbcore.datasets.dataset import Dataset
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.scenario import Difficulty, Side, in_order

Mask = NDArray[np.bool_]
_Data = TypeVar("_Data", bound=Dataset | GraphDataset)

#: Steps that an admin may choose, as fractions: 0.005 is half a percent point.
STEPS = (0.0001, 0.1)

_SLACK = 1e-9  # scores are fractions of counts: two that are a step apart may differ by so much


def halves(targets: Mapping[Difficulty, NDArray[np.int64]], seed: str) -> dict[Difficulty, Mask]:
    """Which targets of each difficulty are public: (t,) in the order of ``targets``.

    The rest is hidden.  Graphs are the same targets at every budget, so one half of them is public
    at all.  Nodes that are targets of the same difficulties are halved together, in the
    order of their HMAC-SHA256 under the seed; of an odd number the seed says which half gets more.
    So a node is public at all of its difficulties or at none, and the halves of easy, medium and
    hard, where they share no node, differ by one target at most.
    """
    nodes = np.unique(np.concatenate([targets[name] for name in targets]))
    inside = np.stack([np.isin(nodes, targets[d]) for d in in_order(targets)], axis=1)
    public = np.zeros(len(nodes), np.bool_)
    key = seed.encode()
    for alike in np.unique(inside, axis=0):
        places = np.flatnonzero((inside == alike).all(axis=1))
        order = sorted(places.tolist(), key=lambda at: _digest(key, int(nodes[at])))
        odd = _digest(key, -1 - int(alike @ (1 << np.arange(len(alike)))))[0] & 1
        public[order[: (len(order) + odd) // 2]] = True
    return {name: public[np.searchsorted(nodes, found)] for name, found in targets.items()}


def _digest(key: bytes, number: int) -> bytes:
    return hmac.digest(key, number.to_bytes(8, "little", signed=True), "sha256")


def half(dataset: _Data, masks: Mapping[Difficulty, Mask]) -> _Data:
    """The dataset with these of its targets only; of graphs at each budget the same."""
    if isinstance(dataset, GraphDataset):
        ((judged, mask), *_) = ((dataset.targets[d], mask) for d, mask in masks.items())
        return replace(dataset, judged=judged[mask])
    return replace(dataset, targets={d: dataset.targets[d][mask] for d, mask in masks.items()})


def ladder(scores: Sequence[float], step: float, side: Side) -> tuple[float, ...]:
    """The public number after each of a submitter's attempts, in their order.

    It moves only where an attempt beats it by more than ``step``, and then to the attempt's score,
    rounded to the step, but not above 1.  ``scores`` are accuracies, 0..1: higher is better for
    defenses, lower for attacks.  The first attempt sets it.
    """
    found: list[float] = []
    for score, moved in zip(scores, climbs(scores, step, side), strict=True):
        found.append(_rounded(score, step) if moved else found[-1])
    return tuple(found)


def climbs(scores: Sequence[float], step: float, side: Side) -> tuple[bool, ...]:
    """Which attempts move the number of `ladder`."""
    return tuple(_climbs(scores, step, 1.0 if side == "defense" else -1.0))


@dataclass(frozen=True, slots=True)
class Climbing:
    """Of each group of attempts the one that moved its number last, and the number after each."""

    best: frozenset[str]
    numbers: Mapping[str, float]


def climbing(
    scores: Mapping[str, float], groups: Mapping[str, Hashable], step: float, side: Side
) -> Climbing:
    """`ladder` for every group of attempts, whose ``scores`` come in the order of the attempts."""
    attempts: dict[Hashable, list[str]] = {}
    for name in scores:
        if name in groups:
            attempts.setdefault(groups[name], []).append(name)
    best: set[str] = set()
    numbers: dict[str, float] = {}
    for names in attempts.values():
        mine = [scores[name] for name in names]
        numbers |= dict(zip(names, ladder(mine, step, side), strict=True))
        best.add([n for n, moved in zip(names, climbs(mine, step, side), strict=True) if moved][-1])
    return Climbing(frozenset(best), numbers)


def _climbs(scores: Sequence[float], step: float, sign: float) -> Iterator[bool]:
    best = -np.inf
    for score in scores:
        moved = sign * score > best + step + _SLACK
        if moved:
            best = sign * _rounded(score, step)
        yield bool(moved)


def _rounded(score: float, step: float) -> float:
    return min(1.0, step * round(score / step))
