"""All entries of one side at one difficulty: their intervals, ranks and what attacks break."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from grbcore.intervals.deviations import (
    Spread,
    averaged,
    cells,
    interval,
    spread,
    spread_and_cells,
    together,
)
from grbcore.intervals.ranks import rank_sets
from grbcore.intervals.sampling import Counts, Sampling
from grbcore.metrics import METRICS, Metric
from grbcore.results import CLEAN
from grbcore.scenario import Side, judged_as


@dataclass(frozen=True, slots=True)
class Place:
    """An entry by one metric: its interval, as fractions (or errors), and where it may stand.

    ``first`` is the probability that it is the first, ``group`` its tie group; these and the ranks
    are None for the row without an attack.
    """

    low: float
    high: float
    ranks: tuple[int, int] | None
    first: float | None
    group: int | None


@dataclass(frozen=True, slots=True)
class Breaks:
    """How many of a number of defenses an attack breaks: the interval of the paired drop below the
    accuracy without an attack, on the same targets, lies wholly below zero; that of the rise of the
    error wholly above."""

    broken: int
    of: int


@dataclass(frozen=True, slots=True)
class EntryInterval:
    """What is known of one entry; ``repeated`` is False where only targets could be varied."""

    places: Mapping[Metric, Place]
    repeated: bool
    breaks: Breaks | None  # attacks only


#: Hits of each counterpart, at each of the difficulties that are averaged over: mostly one.
Hits = Sequence[Sequence[Counts]]

#: The hits behind an entry's score; empty where it has none.
Rows = Callable[[str], Hits]


def standing(
    entries: Sequence[str],
    rows: Rows,
    sampling: Sampling,
    side: Side,
    *,
    clean: Hits = (),
    errors: bool = False,
    pause: Callable[[], None] = lambda: None,
) -> dict[str, EntryInterval]:
    """The intervals of these entries, of those that have a score.

    Args:
        entries: ids; `CLEAN` among those of attacks is not ranked.
        rows: of a defense the hits under each attack and without one, of an attack those of each
            defense.
        sampling: for all of them, and for all difficulties, which have the same targets.
        side: which side they are on.
        clean: of attacks, the hits of the same defenses in the same order without an attack.
        errors: the hits are errors, of which a defense wants few.
        pause: called between two entries; it may raise.
    """
    spreads: dict[str, Spread] = {}
    repeated: dict[str, bool] = {}
    broken: dict[str, Breaks] = {}
    judged = judged_as(side, errors=errors)
    without = averaged([cells(one, sampling) for one in clean]) if clean else None
    for entry in entries:
        pause()
        hits = rows(entry)
        if not hits:
            continue
        repeated[entry] = any(len(row) > 1 for one in hits for row in one)
        if without is None or entry == CLEAN:
            spreads[entry] = averaged([spread(one, sampling, judged) for one in hits])
        else:
            both = [spread_and_cells(one, sampling, judged) for one in hits]
            spreads[entry] = averaged([score for score, _ in both])
            attacked = averaged([each for _, each in both])
            broken[entry] = _breaks(attacked - without if errors else without - attacked)
    places = _places(spreads, judged, most=np.inf if errors else 1.0)
    return {
        entry: EntryInterval(places[entry], repeated[entry], broken.get(entry)) for entry in spreads
    }


def _breaks(lost: Spread) -> Breaks:
    least, _ = interval(lost)
    return Breaks(int((least > 0).sum()), len(least))


def _places(
    spreads: Mapping[str, Spread], side: Side, *, most: float
) -> dict[str, dict[Metric, Place]]:
    found: dict[str, dict[Metric, Place]] = {entry: {} for entry in spreads}
    if not spreads:
        return found
    ranked = [entry for entry in spreads if entry != CLEAN]
    all_of = together(list(spreads.values()))
    lows, highs = interval(all_of)
    rows = [place for place, entry in enumerate(spreads) if entry != CLEAN]
    for at, metric in enumerate(METRICS):
        for place, entry in enumerate(spreads):
            low, high = max(0.0, lows[place, at]), min(most, highs[place, at])
            found[entry][metric] = Place(float(low), float(high), None, None, None)
        if not ranked:
            continue
        sets = rank_sets(all_of[rows, at], side)
        for place, entry in enumerate(ranked):
            alone = found[entry][metric]
            found[entry][metric] = Place(
                alone.low,
                alone.high,
                (int(sets.best[place]), int(sets.last[place])),
                float(sets.first[place]),
                int(sets.group[place]),
            )
    return found
