"""What a study's runs say: means, medians, failures, relative accuracy, ranks, tests, flips."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from grbcore.intervals import holm, wilcoxon
from grbcore.pitfalls.store import Kept

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """Accuracies of test nodes, 0..1; not a number where there is no run."""

    models: tuple[str, ...]
    datasets: tuple[str, ...]
    accuracy: Values  # (models, datasets, splits, inits)
    diverged: NDArray[np.bool_]  # the same; no validation loss was finite

    @staticmethod
    def of(kept: Sequence[Kept], models: Sequence[str], datasets: Sequence[str]) -> Results:
        """The runs of these models on these datasets, in this order."""
        chosen = [one for one in kept if one.key.model in models and one.key.dataset in datasets]
        splits = 1 + max((one.key.split for one in chosen), default=-1)
        inits = 1 + max((one.key.init for one in chosen), default=-1)
        accuracy = np.full((len(models), len(datasets), splits, inits), np.nan)
        diverged = np.zeros(accuracy.shape, bool)
        for one in chosen:
            key = one.key
            place = (models.index(key.model), datasets.index(key.dataset), key.split, key.init)
            accuracy[place] = one.run.accuracy
            diverged[place] = not np.isfinite(one.run.val_loss)
        return Results(tuple(models), tuple(datasets), accuracy, diverged)

    def by_split(self) -> Values:
        """Mean over initialisations: (models, datasets, splits)."""
        return _mean(self.accuracy)

    def runs(self, model: str, dataset: str) -> Values:
        """Every run of a model on a dataset: (r,)."""
        found = self.accuracy[self.models.index(model), self.datasets.index(dataset)]
        values: Values = found[~np.isnan(found)]
        return values


@dataclass(frozen=True, slots=True)
class Cell:
    """A model on a dataset, over all splits and initialisations; accuracies 0..1."""

    runs: int
    mean: float
    std: float  # ddof 0
    median: float
    low: float  # first quartile
    high: float  # third quartile
    failures: int  # runs that diverged, or reached less than half of the median


def cell(results: Results, model: str, dataset: str) -> Cell | None:
    """The numbers of a model on a dataset; None where it has no run."""
    values = results.runs(model, dataset)
    if not len(values):
        return None
    place = results.models.index(model), results.datasets.index(dataset)
    low, median, high = (float(value) for value in np.quantile(values, (0.25, 0.5, 0.75)))
    whole = results.accuracy[place]
    failed = results.diverged[place] | (whole < median / 2)
    return Cell(
        runs=len(values),
        mean=float(values.mean()),
        std=float(values.std()),
        median=median,
        low=low,
        high=high,
        failures=int(failed.sum()),
    )


def relative_accuracy(accuracy: Values) -> Values:
    """How near each model is to the best of a split, mean over datasets and splits: (models,).

    For each dataset and split the means over initialisations are divided by the largest.  Where a
    model has no run it is left out, as GS-maxpool on Computers must have been in the paper: its
    mean is over what it has, and where it was the best nobody knows.  Every dataset and split
    weighs the same.

    Source: Shchur et al., Section 3, Results.

    Args:
        accuracy: (models, datasets, splits, inits), not a number where there is no run.
    """
    means = _mean(accuracy)
    best = np.nanmax(np.where(np.isnan(means), -np.inf, means), axis=0)
    return _mean((means / best).reshape(len(means), -1))


def average_rank(accuracy: Values) -> Values:
    """The rank of each model, 1 for the best, mean over datasets and splits: (models,).

    Equal ones share the mean of their ranks.  Where a model has no run, the others are ranked
    without it, and it has no rank.
    """
    means = _mean(accuracy)
    ranks = np.full(means.shape, np.nan)
    for place in np.ndindex(means.shape[1:]):
        values = means[(slice(None), *place)]
        there = ~np.isnan(values)
        ranks[(there, *place)] = rankdata(-values[there])
    return _mean(ranks.reshape(len(ranks), -1))


@dataclass(frozen=True, slots=True)
class Pair:
    """Two models on one dataset, paired on its splits."""

    dataset: str
    first: str
    second: str
    difference: float  # how much higher the first is, mean over splits
    wins: int  # splits on which the first is higher
    splits: int
    p_value: float  # Wilcoxon's signed ranks, corrected by Holm for all pairs of the dataset


def paired(results: Results) -> list[Pair]:
    """Every pair of models on every dataset.

    The splits are of one graph and overlap, so the p-values say that a difference is more than
    the luck of these draws, not that it holds on another graph.
    """
    found: list[Pair] = []
    means = results.by_split()
    for place, dataset in enumerate(results.datasets):
        rows: list[tuple[str, str, Values]] = []
        for one, other in itertools.combinations(range(len(results.models)), 2):
            gap = means[one, place] - means[other, place]
            gap = gap[~np.isnan(gap)]
            if len(gap):
                rows.append((results.models[one], results.models[other], gap))
        corrected = holm([wilcoxon(gap) for _, _, gap in rows])
        found += [
            Pair(dataset, one, other, float(gap.mean()), int((gap > 0).sum()), len(gap), p_value)
            for (one, other, gap), p_value in zip(rows, corrected, strict=True)
        ]
    return found


@dataclass(frozen=True, slots=True)
class Flip:
    """Two splits of the same sizes with different winners; accuracies are by model, 0..1."""

    dataset: str
    splits: tuple[int, int]
    winners: tuple[str, str]
    leads: tuple[float, float]  # of each winner over the other one, on its split
    accuracies: tuple[dict[str, float], dict[str, float]]


def flip(results: Results, dataset: str) -> Flip | None:
    """The clearest pair of splits with different winners; None where one model wins all.

    Clearest: the smaller of both leads is as large as it can be.
    """
    means = results.by_split()[:, results.datasets.index(dataset)]
    means = means[:, ~np.isnan(means).all(axis=0)]
    winner = np.array([int(np.nanargmax(column)) for column in means.T], np.int64)
    best: tuple[float, int, int] | None = None
    for one, other in itertools.combinations(range(means.shape[1]), 2):
        if winner[one] == winner[other]:
            continue
        leads = _leads(means, winner, one, other)
        if best is None or min(leads) > best[0]:
            best = (min(leads), one, other)
    if best is None or not best[0] > 0:
        return None
    _, one, other = best
    names = results.models
    tables = [
        {name: float(value) for name, value in zip(names, means[:, split], strict=True)
         if not np.isnan(value)}
        for split in (one, other)
    ]  # fmt: skip
    return Flip(
        dataset,
        (one, other),
        (names[winner[one]], names[winner[other]]),
        _leads(means, winner, one, other),
        (tables[0], tables[1]),
    )


def _leads(means: Values, winner: NDArray[np.int64], one: int, other: int) -> tuple[float, float]:
    first, second = winner[one], winner[other]
    return (
        float(means[first, one] - means[second, one]),
        float(means[second, other] - means[first, other]),
    )


def winners(results: Results, dataset: str) -> dict[str, int]:
    """On how many splits each model is the best, most first; of equal ones the first counts."""
    means = results.by_split()[:, results.datasets.index(dataset)]
    means = means[:, ~np.isnan(means).all(axis=0)]
    counts = np.bincount(
        [int(np.nanargmax(column)) for column in means.T], minlength=len(results.models)
    )
    order = np.argsort(-counts, kind="stable")
    return {results.models[place]: int(counts[place]) for place in order if counts[place]}


def _mean(values: Values) -> Values:
    """Mean over the last axis of what is a number; not a number where none is."""
    there = ~np.isnan(values)
    count = there.sum(axis=-1)
    total = np.where(there, values, 0).sum(axis=-1)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)
