"""Accuracy by the degree of targets, and over the budget of attacks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from grbcore.breakdown import degree_groups
from grbcore.datasets.dataset import Dataset
from grbcore.scenario import Difficulty
from grbcore.scoring import Predictions
from grbcore.visualise.figure import COLOURS, WIDE, panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def accuracy_by_degree(
    dataset: Dataset,
    predictions: Mapping[str, Predictions],
    *,
    difficulty: Difficulty = "full",
    groups: int = 8,
) -> Figure:
    """Accuracy of each prediction over the clean degree of the targets.

    Args:
        dataset: the board's dataset; degrees are those of the clean graph.
        predictions: a name, such as ``GCN under FGSM``, to the predicted classes (t,) int16
            of ``dataset.targets[difficulty]``, in that order; not of all nodes.
        difficulty: whose targets they are.
        groups: at most so many groups of about as many targets each; equal degrees are never
            parted.

    Raises:
        ValueError: no predictions, as many as there are no targets, or no groups.
        MissingExtra: matplotlib is not installed.
    """
    targets = dataset.targets[difficulty]
    if not predictions:
        raise ValueError("predictions: found none, allowed: one or more")
    for name, found in predictions.items():
        if found.shape != targets.shape:
            raise ValueError(
                f"predictions: found shape {found.shape} of {name}, allowed: {targets.shape}, "
                f"one for each target of {difficulty}"
            )
    if groups < 1:
        raise ValueError(f"groups: found {groups}, allowed: 1 or more")
    degree = np.diff(dataset.indptr)[targets]
    group = degree_groups(degree, groups)
    sizes = np.bincount(group)
    kept = sizes > 0
    middle = (np.bincount(group, degree) / np.maximum(sizes, 1))[kept]
    figure, (axes,) = panels(1)
    for place, (name, found) in enumerate(predictions.items()):
        hits = found == dataset.labels[targets]
        accuracy = 100 * np.bincount(group, hits)[kept] / sizes[kept]
        colour = COLOURS[place % len(COLOURS)]
        axes.plot(middle, accuracy, marker="o", color=colour, label=name)
    if middle.max() > WIDE * max(middle.min(), 1):
        axes.set_xscale("symlog")
    axes.set_ylim(0, 102)
    axes.set_xlabel("neighbours of a target, mean of its group")
    axes.set_ylabel("accuracy in percent")
    axes.set_title(f"{dataset.name}, {difficulty}: accuracy by degree")
    axes.legend(fontsize=8)
    return figure


Accuracies = Mapping[float, NDArray[np.float64] | tuple[float, ...] | float]


def budget_curves(curves: Mapping[str, Accuracies], *, budget: str = "injected nodes") -> Figure:
    """Accuracy over what the attack may do: a line for each name, a band of its spread.

    Args:
        curves: a name, such as ``GCN under FGSM``, to accuracies (0..1) by budget; several at
            one budget are repeats: their mean is drawn, and a band of one standard deviation
            (ddof 0).
        budget: what the budgets count.

    Raises:
        ValueError: no curve, one without a point, or an accuracy outside 0..1.
        MissingExtra: matplotlib is not installed.
    """
    if not curves or not all(curves.values()):
        raise ValueError("curves: found one without points, allowed: one point or more in each")
    figure, (axes,) = panels(1)
    for place, (name, points) in enumerate(curves.items()):
        budgets = sorted(points)
        repeats = [np.atleast_1d(np.asarray(points[at], np.float64)) for at in budgets]
        outside = [float(v) for values in repeats for v in values if not 0 <= v <= 1]
        if outside or not all(map(len, repeats)):
            found = outside[0] if outside else "no accuracy"
            raise ValueError(f"curves: found {found} of {name}, allowed: accuracies of 0..1")
        mean = 100 * np.array([values.mean() for values in repeats])
        spread = 100 * np.array([values.std() for values in repeats])
        colour = COLOURS[place % len(COLOURS)]
        axes.plot(budgets, mean, marker="o", color=colour, label=name)
        axes.fill_between(budgets, mean - spread, mean + spread, color=colour, alpha=0.2)
    axes.set_ylim(0, 102)
    axes.set_xlabel(budget)
    axes.set_ylabel("accuracy in percent")
    axes.legend(fontsize=8)
    return figure
