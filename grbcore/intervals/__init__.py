"""How sure a score and a rank are: what would change over new attack samples and new targets.

**What is estimated.**  The expected score of an entry: the mean of what the board would show, were
every attack drawn anew by the same method (new repeats) and the target nodes drawn anew from the
same distribution, as many of both as there are now.  Trained weights, the graph around the targets
and the list of counterparts stay as they are.

**How.**  A bootstrap in two layers.  Target nodes are drawn with replacement, one draw for every
cell of a difficulty, since all cells have the same targets; every metric is computed again in each
repeat of each draw.  Repeats are varied jointly: one attack sample hits every defense.  Since a
score is the mean of its repeats, this layer is linear: the deviations of the repeats from their
mean are weighted by random numbers, and widened for the small number of repeats (`interval`), so
that alone they give the classical ``mean ± t(R-1) s / sqrt(R)``.  Resampling few repeats as they
are would give far too narrow an interval, by ``z/t(R-1) sqrt((R-1)/R)``.  With one repeat nothing
is known of new ones: only targets are varied.
"""

from __future__ import annotations

from grbcore.intervals.deviations import LEVEL, Spread, averaged, interval, spread, together
from grbcore.intervals.entries import Breaks, EntryInterval, Place, standing
from grbcore.intervals.pairs import (
    Difference,
    Paired,
    difference,
    holm,
    paired,
    wilcoxon,
)
from grbcore.intervals.ranks import RANK_DRAWS, RankSets, rank_sets
from grbcore.intervals.sampling import Counts, Sampling, grouped, sample

__all__ = [
    "LEVEL",
    "RANK_DRAWS",
    "Breaks",
    "Counts",
    "Difference",
    "EntryInterval",
    "Paired",
    "Place",
    "RankSets",
    "Sampling",
    "Spread",
    "averaged",
    "difference",
    "grouped",
    "holm",
    "interval",
    "paired",
    "rank_sets",
    "sample",
    "spread",
    "standing",
    "together",
    "wilcoxon",
]
