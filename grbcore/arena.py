"""The open arena: everybody against everybody, by GRB's formula and by one that no clone moves.

GRB gives the i-th worst opponent the weight 1/i^2, so whoever uploads an opponent once more gives
it another weight.  The clone-robust form gives each opponent a mass, 1 over the size of its cluster
of near-duplicates, and weighs it by the mass that stands before it: with
``G(t) = H_k + (t - k) / (k + 1)^2`` for k = floor(t), which is piecewise linear through
``G(k) = H_k = sum_{j<=k} j^-2``,

    score = sum_i s_(i) (G(T_i) - G(T_{i-1})) / G(T_n),    T_i = m_(1) + … + m_(i).

At unit masses this is GRB's Weighted.  An opponent that is split into c copies of mass 1/c each
leaves it as it is, and no accuracy that rises lowers it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grbcore.scenario import Side

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

#: Below this Kendall's tau a ranking hangs on one opponent.
FRAGILE = 0.9

#: Scores that differ by less are equal: sums of the same numbers in another order do.
_DECIMALS = 12

#: The cluster of an opponent that is never left out: the row without an attack.
ALWAYS = -1


@dataclass(frozen=True, slots=True)
class Duel:
    """One side against the other at one difficulty.

    Attributes:
        side: of the entries; a defense is judged by its lowest rows, an attack by its highest (of
            errors see `scenario.judged_as`).
        values: (E, O, R) float64, accuracies of each entry against each opponent in each repeat.
        kin: (E,) int64, the cluster of each entry.
        clusters: (O,) int64, the cluster of each opponent, `ALWAYS` for the row without an attack.
        masses: (O,) float64, what each opponent counts.
    """

    side: Side
    values: Floats
    kin: Places
    clusters: Places
    masses: Floats


@dataclass(frozen=True, slots=True)
class Influence:
    """The cluster of opponents without which an entry's rank would change most, and that rank."""

    cluster: int
    rank: int


@dataclass(frozen=True, slots=True)
class Form:
    """A ranking by one formula.

    ``tau`` is the lowest Kendall's tau-b between the ranking and those without one opponent; None
    where there are fewer than two different entries, or nobody can be left out.
    """

    scores: Floats  # (E,) means over repeats, fractions
    ranks: Places  # (E,) from 1
    tau: float | None

    @property
    def fragile(self) -> bool:
        """Whether some single opponent makes the ranking."""
        return self.tau is not None and self.tau < FRAGILE


@dataclass(frozen=True, slots=True)
class Verdict:
    """Both forms, and on whom each entry's clone-robust rank depends most."""

    own: Form  # GRB's
    robust: Form
    influences: tuple[Influence | None, ...]  # one for each entry; None: its rank never changes


def growth(mass: Floats) -> Floats:
    """``G`` of the module, for masses of any shape; 0 at 0 and below."""
    held = np.maximum(mass, 0.0)
    whole = np.floor(held)
    top = int(whole.max(initial=0.0))
    sums = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, top + 1, dtype=np.float64) ** 2)])
    return np.asarray(sums[whole.astype(np.int64)] + (held - whole) / (whole + 1.0) ** 2)


def pooled(values: Floats, masses: Floats, side: Side) -> Floats:
    """The clone-robust score in each repeat; GRB's Weighted where every mass is 1.

    Args:
        values: (..., n, R) accuracies, a row for each opponent.
        masses: (n,) what each counts, none negative.
        side: a defense is judged by its lowest rows, an attack by its highest.

    Returns:
        (..., R) float64.

    Raises:
        ValueError: no opponent counts anything.
    """
    if not masses.size or masses.min() < 0 or masses.sum() <= 0:
        raise ValueError("masses: found nothing that counts, allowed: one above 0, none below")
    return _summed(*_sorted(values, side), masses)


def _summed(ordered: Floats, order: Places, masses: Floats) -> Floats:
    gaps = _gaps(masses[order])
    return np.asarray((ordered * gaps).sum(axis=-2) / growth(masses.sum()[None])[0])


def masses_of(clusters: Places, mute: NDArray[np.bool_] | None = None) -> Floats:
    """(n,) float64: 1 over the size of each opponent's cluster; 0 for those that are ``mute``.

    Whom no attack touches says nothing about attacks, and takes no share of its cluster either.
    Where all are mute they count like others.
    `ALWAYS` is a cluster of one.
    """
    counts = np.ones(len(clusters))
    if mute is not None and not mute.all():
        counts = np.where(mute, 0.0, 1.0)
    places = np.unique(clusters, return_inverse=True)[1]
    return counts / np.maximum(np.bincount(places, weights=counts), 1.0)[places]


def judge(duel: Duel) -> Verdict:
    """Both rankings of a side, how much they hang on one opponent, and on whom each rank does."""
    count = duel.values.shape[1]
    unit = np.ones(count)
    alone = np.where(duel.clusters == ALWAYS, ALWAYS, np.arange(count))
    scores = pooled(duel.values, unit, duel.side).mean(axis=-1)
    own = Form(
        scores,
        _plain_ranks(scores, duel.side),
        _lowest_tau(scores, _without(duel.values, unit, alone, duel.side)[1]),
    )
    scores = pooled(duel.values, duel.masses, duel.side).mean(axis=-1)
    ranks = cluster_ranks(scores, duel.kin, duel.side)
    left_out, others = _without(duel.values, duel.masses, duel.clusters, duel.side)
    first = np.unique(duel.kin, return_index=True)[1]
    robust = Form(scores, ranks, _lowest_tau(scores[first], others[:, first]))
    return Verdict(own, robust, _influences(duel, robust, left_out, others))


def cluster_ranks(scores: Floats, kin: Places, side: Side) -> Places:
    """(E,) int64: 1 and the number of other clusters whose best member is better.

    A cluster takes one place however many members it has, so a copy pushes nobody down.
    """
    signed = np.round(-scores if side == "defense" else scores, _DECIMALS)
    names, inverse = np.unique(kin, return_inverse=True)
    best = np.full(len(names), np.inf)
    np.minimum.at(best, inverse, signed)
    better = np.searchsorted(np.sort(best), signed, side="left")
    better -= best[inverse] < signed  # its own cluster is none of the others
    return np.asarray(better + 1, np.int64)


def kendall(first: Sequence[float] | Floats, second: Sequence[float] | Floats) -> float | None:
    """Kendall's tau-b of two scores of the same entries, from -1 to 1; None where either is flat.

    Source: Kendall, The treatment of ties in ranking problems, Biometrika 33 (1945).
    """
    return _taus(np.asarray(first, np.float64), np.asarray(second, np.float64)[None])[0]


def _taus(scores: Floats, others: Floats) -> list[float | None]:
    """`kendall` of scores (E,) and of each of the others (C, E)."""
    above = _above(scores)
    below, pairs = above.T.copy(), int(np.count_nonzero(above))
    found: list[float | None] = []
    for row in others:
        theirs = _above(row)
        both = float(np.sqrt(float(pairs) * np.count_nonzero(theirs)))
        agreed = np.count_nonzero(theirs & above) - np.count_nonzero(theirs & below)
        found.append(None if both == 0 else agreed / both)
    return found


def _above(scores: Floats) -> NDArray[np.bool_]:
    """(E, E): who is above whom; nobody above an equal."""
    # small numbers in place of scores: many of these matrices are made
    held = np.unique(np.round(scores, _DECIMALS), return_inverse=True)[1].astype(np.int32)
    return np.asarray(held[:, None] > held[None, :])


def _plain_ranks(scores: Floats, side: Side) -> Places:
    signed = np.round(-scores if side == "defense" else scores, _DECIMALS)
    return np.asarray(np.searchsorted(np.sort(signed), signed, side="left") + 1, np.int64)


def _sorted(values: Floats, side: Side) -> tuple[Floats, Places]:
    """Values (..., n, R), the one that counts most first, and where each stood."""
    order = np.argsort(values if side == "defense" else -values, axis=-2, kind="stable")
    return np.take_along_axis(values, order, axis=-2), order


def _gaps(held: Floats, less: float = 0.0) -> Floats:
    """``G(T_i - less) - G(T_{i-1} - less)`` of masses (..., n, R) in their order."""
    ends = np.cumsum(held, axis=-2)
    return growth(ends - less) - growth(ends - held - less)


def _without(values: Floats, masses: Floats, clusters: Places, side: Side) -> tuple[Places, Floats]:
    """The clusters that can be left out, (C,), and the scores (C, E) without each.

    One that counts nothing changes nothing, and one that alone counts can't be left out.
    """
    total = masses.sum()
    names = [
        name
        for name in np.unique(clusters[clusters != ALWAYS]).tolist()
        if 0 < masses[clusters == name].sum() < total - 1e-9
    ]
    singles = _without_one(values, masses, side)
    ordered, order = _sorted(values, side)
    rows = []
    for name in names:
        members = np.flatnonzero(clusters == name)
        if len(members) == 1:
            rows.append(singles[:, members[0]])
        else:
            rest = np.where(clusters == name, 0.0, masses)
            rows.append(_summed(ordered, order, rest).mean(axis=-1))
    found = np.array(rows).reshape(len(names), values.shape[0])
    return np.array(names, np.int64), found


def _without_one(values: Floats, masses: Floats, side: Side) -> Floats:
    """(E, O): the score without each opponent of mass 1, all at once; others are not to be read.

    What stands before it keeps its weight, and what stands behind it moves up by its mass.
    """
    left = masses.sum() - 1.0
    if left <= 1e-9:
        return np.zeros(values.shape[:2])
    ordered, order = _sorted(values, side)
    held = masses[order]
    before, behind = ordered * _gaps(held), ordered * _gaps(held, 1.0)
    before = np.cumsum(before, axis=-2) - before
    behind = np.cumsum(behind[..., ::-1, :], axis=-2)[..., ::-1, :] - behind
    found = np.empty_like(ordered)
    np.put_along_axis(found, order, before + behind, axis=-2)
    return np.asarray(found.mean(axis=-1) / growth(np.array([left]))[0])


def _lowest_tau(scores: Floats, others: Floats) -> float | None:
    return min((tau for tau in _taus(scores, others) if tau is not None), default=None)


def _influences(
    duel: Duel, robust: Form, left_out: Places, others: Floats
) -> tuple[Influence | None, ...]:
    if not left_out.size:
        return (None,) * len(robust.ranks)
    ranks = np.array([cluster_ranks(row, duel.kin, duel.side) for row in others])
    moved = np.abs(ranks - robust.ranks)
    shift = np.abs(others - robust.scores)  # of equal moves the one that changes the score more
    chosen = np.lexsort((shift, moved), axis=0)[-1]
    return tuple(
        Influence(int(left_out[at]), int(ranks[at, entry])) if moved[at, entry] else None
        for entry, at in enumerate(chosen.tolist())
    )
