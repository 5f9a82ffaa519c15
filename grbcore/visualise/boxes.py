"""The spread of models' accuracies over splits and initialisations, as box plots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grbcore.visualise.figure import COLOURS, panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from grbcore.pitfalls.results import Results


def split_boxes(results: Results) -> Figure:
    """A panel for each dataset, a box for each model: quartiles, median, outliers as dots.

    Source: Shchur et al., Figures 1 and 2; unlike the first of them outliers are drawn.

    Raises:
        ValueError: no run.
        MissingExtra: matplotlib is not installed.
    """
    if not results.accuracy.size:
        raise ValueError("results: found no run, allowed: one or more")
    figure, every = panels(len(results.datasets), width=1.5 + 0.5 * len(results.models))
    for axes, dataset in zip(every, results.datasets, strict=True):
        values = {name: 100 * results.runs(name, dataset) for name in results.models}
        there = {name: found for name, found in values.items() if len(found)}
        axes.boxplot(
            list(there.values()),
            medianprops={"color": COLOURS[1]},
            flierprops={"marker": ".", "markersize": 4, "markeredgecolor": COLOURS[0]},
        )
        axes.set_xticks(range(1, len(there) + 1), list(there), rotation=45, ha="right")
        axes.set_ylabel("test accuracy in percent")
        axes.set_title(dataset)
        axes.grid(axis="y", alpha=0.3)
    return figure
