"""Which ranks an entry could have, how likely it is the first, and who can't be told apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grbcore.intervals.deviations import LEVEL, Spread
from grbcore.scenario import Side

#: So many draws settle how far apart two scores must be; more change little.
RANK_DRAWS = 500


@dataclass(frozen=True, slots=True)
class RankSets:
    """Of each entry, in the order given: its rank interval, both ends counted from 1; how likely
    it is the first; and its tie group, numbered from 1 down the ranking."""

    best: NDArray[np.int64]
    last: NDArray[np.int64]
    first: NDArray[np.float64]
    group: NDArray[np.int64]


def rank_sets(found: Spread, side: Side) -> RankSets:
    """Rank intervals of entries whose scores are ``found`` (J, R), (J, B).

    An entry's rank lies in its interval in 95 % of boards or more: the interval counts who is
    surely before it and who surely behind, by paired differences; the limit of "surely" holds for
    all of the others at once, as the 95 % quantile of the largest of their studentised deviations.
    Counting ranks draw by draw would be too sure of itself where entries are close.

    A tie group begins with the first of the ranking and takes in all below that can't be told from
    it; the first that can begins the next.

    Source: Mogstad, Romano, Shaikh and Wilhelm, Inference for Ranks (2024), Section 3.
    """
    sign = 1.0 if side == "defense" else -1.0  # the higher, the better
    scores = sign * found.mean
    deviations = np.float32(sign) * (found.nodes + found.repeats * found.student)
    errors = _errors(found)
    with np.errstate(divide="ignore"):
        scale = np.where(errors > 0, 1 / errors, 0).astype(np.float32)
    limits = _limits(deviations[:, :RANK_DRAWS], scale)
    apart = scores[None, :] - scores[:, None]  # [i, j]: how far j is above i
    surely = np.abs(apart) > limits[:, None] * errors
    best = 1 + (surely & (apart > 0)).sum(axis=1)
    last = len(scores) - (surely & (apart < 0)).sum(axis=1)
    return RankSets(best, last, _first(scores, deviations), _groups(scores, surely))


def _errors(found: Spread) -> NDArray[np.float64]:
    """(J, J): the standard errors of the differences of the scores."""
    covariance = np.asarray(
        found.nodes @ found.nodes.T / max(found.nodes.shape[1] - 1, 1), np.float64
    )
    repeats = found.values.shape[1]
    if repeats > 1:
        centred = found.values - found.mean[:, None]
        covariance += centred @ centred.T / (repeats * (repeats - 1))
    variance = np.diag(covariance)
    squares = variance[:, None] + variance[None, :] - 2 * covariance
    # what cancels to nothing but rounding is the same entry twice
    same = squares <= 1e-6 * (variance[:, None] + variance[None, :])
    return np.sqrt(np.where(same, 0, squares))


def _limits(deviations: NDArray[np.float32], scale: NDArray[np.float32]) -> NDArray[np.float64]:
    """(J,): how many standard errors the difference from any other may reach by chance."""
    largest = np.empty_like(deviations)  # (J, B): of the deviations from any other
    room = np.empty_like(deviations)
    for place, one in enumerate(deviations):
        np.subtract(deviations, one, out=room)
        room *= scale[place][:, None]
        np.maximum(room.max(axis=0), -room.min(axis=0), out=largest[place])
    return np.asarray(np.quantile(largest, LEVEL, axis=1), np.float64)


def _first(scores: NDArray[np.float64], deviations: NDArray[np.float32]) -> NDArray[np.float64]:
    """(J,): in which share of the draws each is the best; equal ones share a draw."""
    drawn = scores[:, None] + deviations
    best = drawn == drawn.max(axis=0)
    return np.asarray((best / best.sum(axis=0)).mean(axis=1))


def _groups(scores: NDArray[np.float64], surely: NDArray[np.bool_]) -> NDArray[np.int64]:
    groups = np.empty(len(scores), np.int64)
    leader, number = -1, 0
    for place in np.argsort(-scores, kind="stable"):
        if leader < 0 or surely[leader, place]:
            leader, number = int(place), number + 1
        groups[place] = number
    return groups
