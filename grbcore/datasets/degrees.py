"""How the nodes of a graph, and the targets of each difficulty, are spread over their degrees."""

from __future__ import annotations

from typing import Any

import numpy as np

from grbcore.datasets.dataset import Dataset, Ints
from grbcore.scenario import DIFFICULTIES

_SINGLE = 10  # degrees below it have a bin each
_PER_DECADE = 6  # bins between two powers of ten above it


def degree_bins(dataset: Dataset) -> list[dict[str, Any]]:
    """The number of nodes in each bin of degrees, of the whole graph and of each difficulty.

    Bins are one degree wide at first and grow in even steps of the logarithm, so that a few dozen
    hold any graph.  Empty bins are kept: their widths are the axis.

    Returns:
        ``{"low", "high", "nodes", "targets": {difficulty: count}}`` each, lowest degree first; both
        ends belong to the bin.
    """
    degrees = np.asarray(dataset.degrees)
    lows = _lows(int(degrees.max(initial=0)))
    every = _counts(degrees, lows)
    targets = {name: _counts(degrees[dataset.targets[name]], lows) for name in DIFFICULTIES}
    highs = [*(lows[1:] - 1).tolist(), max(int(degrees.max(initial=0)), int(lows[-1]))]
    return [
        {
            "low": int(low),
            "high": high,
            "nodes": int(every[place]),
            "targets": {name: int(counts[place]) for name, counts in targets.items()},
        }
        for place, (low, high) in enumerate(zip(lows, highs, strict=True))
    ]


def _lows(most: int) -> Ints:
    """The lowest degree of each bin, up to the largest degree ``most``; (b,) int64."""
    if most < _SINGLE:
        return np.arange(most + 1)
    steps = int(np.ceil(_PER_DECADE * np.log10(most / _SINGLE))) + 1
    rising = np.rint(_SINGLE * 10 ** (np.arange(steps) / _PER_DECADE)).astype(np.int64)
    return np.concatenate([np.arange(_SINGLE), rising[rising <= most]])


def _counts(degrees: Ints, lows: Ints) -> Ints:
    places = np.searchsorted(lows, degrees, side="right") - 1
    return np.bincount(places, minlength=len(lows))
