"""Who is a near-duplicate of whom: by content, by behaviour, and by what an admin decided.

Two entries of a side are *exact* duplicates where their files have one canonical hash, and *near*
ones where they behave alike: against the references of the board they differ on less than 1 % of
the target nodes.  Attacks must also be made alike, since any two that achieve nothing behave alike:
`sketch.resemblance` of their edges and features decides.  Defenses that no reference attack moves
at a single target are one cluster, *unmoved*: they tell attacks apart no better than one does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from grbcore.sketch import MADE_ALIKE, resemblance

Floats = NDArray[np.float64]
Why = Literal["exact", "near", "unmoved", "decided"]

#: Entries that differ on a smaller share of the targets are near-duplicates.
NEAR = 0.01


@dataclass(frozen=True, slots=True)
class Told:
    """What is known of an entry beside its results."""

    id: str
    canonical: str | None  # hash of what its file says
    sketch: str | None  # of an attack, empty where none was taken; None of a defense


@dataclass(frozen=True, slots=True)
class Cluster:
    """Entries that count as one opponent, the earliest first.

    ``apart`` is the largest share of targets on which two of them differ, None where that was not
    measured.
    """

    members: tuple[str, ...]
    why: Why
    apart: float | None


@dataclass(frozen=True, slots=True)
class Decision:
    """What an admin decided: these entries are one cluster, or each of them stands alone."""

    kind: Literal["merge", "split"]
    members: tuple[str, ...]


def disagreement(
    blocks: Iterable[tuple[NDArray[np.intp], NDArray[np.bool_]]], count: int
) -> Floats:
    """The share of targets on which each two entries differ.

    Args:
        blocks: for each reference, the places of the entries that have a result against it, (k,),
            and their hits, (k, bits).
        count: of entries.

    Returns:
        (count, count) float64, NaN where two have no result against a common reference.
    """
    unlike, seen = np.zeros((count, count)), np.zeros((count, count))
    for places, hits in blocks:
        signs = hits.astype(np.float32) * 2.0 - 1.0
        both = np.ix_(places, places)
        unlike[both] += (hits.shape[1] - signs @ signs.T) / 2.0
        seen[both] += hits.shape[1]
    with np.errstate(invalid="ignore"):
        return unlike / seen


def clusters(
    entries: Sequence[Told], apart: Floats, *, unmoved: frozenset[str] = frozenset()
) -> list[Cluster]:
    """The clusters of two entries or more.

    Args:
        entries: of one side, the earliest first.
        apart: (E, E), see `disagreement`.
        unmoved: defenses that no reference attack moves.
    """
    distances = np.where(np.isnan(apart), 1.0, apart)
    exact = np.zeros(apart.shape, np.bool_)
    for first, one in enumerate(entries):
        for second in range(first + 1, len(entries)):
            other = entries[second]
            same = one.canonical is not None and one.canonical == other.canonical
            exact[first, second] = exact[second, first] = same
            if not same and distances[first, second] < NEAR and not _made_alike(one, other):
                distances[first, second] = distances[second, first] = 1.0
    distances[exact] = 0.0
    np.fill_diagonal(distances, 0.0)
    still = np.array([entry.id in unmoved for entry in entries], np.bool_)
    found = []
    for members in _groups(distances, still):
        inside = np.ix_(members, members)
        why: Why = "near"
        if exact[inside].sum() == len(members) * (len(members) - 1):
            why = "exact"
        elif still[members].all():
            why = "unmoved"
        widest = apart[inside]
        known = None if np.isnan(widest).all() else float(np.nanmax(widest))
        names = tuple(entries[place].id for place in members)
        found.append(Cluster(names, why, known))
    return found


def decided(found: Sequence[Cluster], decisions: Sequence[Decision]) -> list[Cluster]:
    """Clusters after what an admin decided, the latest decision last."""
    held = list(found)
    for decision in decisions:
        named = set(decision.members)
        touched = [cluster for cluster in held if named & set(cluster.members)]
        held = [cluster for cluster in held if not named & set(cluster.members)]
        if decision.kind == "merge":
            together = {*named, *(one for cluster in touched for one in cluster.members)}
            held.append(Cluster(tuple(sorted(together)), "decided", None))
            continue
        for cluster in touched:
            left = tuple(one for one in cluster.members if one not in named)
            if len(left) > 1:
                held.append(Cluster(left, cluster.why, cluster.apart))
    return held


def labels(ids: Sequence[str], found: Sequence[Cluster]) -> NDArray[np.int64]:
    """(E,) int64: a number for each entry, the same for members of one cluster."""
    of: Mapping[str, int] = {
        member: len(ids) + number
        for number, cluster in enumerate(found)
        for member in cluster.members
    }
    return np.array([of.get(one, place) for place, one in enumerate(ids)], np.int64)


def _made_alike(one: Told, other: Told) -> bool:
    """What defenses do is all that counts of them; an attack without a sketch is like none."""
    if one.sketch is None or other.sketch is None:
        return True
    return resemblance(one.sketch, other.sketch) >= MADE_ALIKE


def _groups(distances: Floats, still: NDArray[np.bool_]) -> list[NDArray[np.intp]]:
    """Places of the members of each cluster of two or more, in the order of their first."""
    found = [
        members
        for part in _parts(distances < NEAR)
        if len(part) > 1
        for members in _average_linkage(distances, part)
    ]
    alone = [members for members in found if not still[members].any()]
    touched = [members for members in found if still[members].any()]
    together = np.unique(np.concatenate([np.flatnonzero(still), *touched]))
    groups = [*alone, together] if still.any() else alone
    return sorted((g for g in groups if len(g) > 1), key=lambda members: int(members[0]))


def _parts(near: NDArray[np.bool_]) -> list[NDArray[np.intp]]:
    """Places that are connected by pairs that are near; average linkage joins no others."""
    left = set(range(len(near)))
    found = []
    while left:
        part = {min(left)}
        edge = set(part)
        while edge:
            edge = set(np.flatnonzero(near[sorted(edge)].any(axis=0)).tolist()) - part
            part |= edge
        left -= part
        found.append(np.array(sorted(part), np.intp))
    return found


def _average_linkage(distances: Floats, part: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """The clusters whose members are nearer to each other than `NEAR` on average.

    The two nearest are joined first (Sokal and Michener 1958).
    """
    groups = [[int(place)] for place in part]
    between = distances[np.ix_(part, part)].copy()
    np.fill_diagonal(between, np.inf)
    while len(groups) > 1:
        first, second = sorted(divmod(int(np.argmin(between)), len(groups)))
        if not between[first, second] < NEAR:
            break
        one, two = len(groups[first]), len(groups[second])
        joined = (one * between[first] + two * between[second]) / (one + two)
        between[first], between[:, first] = joined, joined
        between[first, first] = np.inf
        between = np.delete(np.delete(between, second, axis=0), second, axis=1)
        groups[first] += groups.pop(second)
    return [np.array(sorted(members), np.intp) for members in groups if len(members) > 1]
