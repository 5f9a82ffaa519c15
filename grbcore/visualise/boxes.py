"""The spread of accuracies and scores over splits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

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


def split_scores(told: Mapping[str, Any]) -> Figure:
    """Each entry's score on each split beside its official one, and what its spread is made of.

    Args:
        told: of robustness over splits, as `grbcore.pitfalls.robustness_report.document` has it.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    sides = told["sides"]
    entries = [entry for side in ("defense", "attack") for entry in sides[side]["entries"]]
    names = [entry["name"] for entry in entries]
    figure, (left, right) = panels(2, width=5.5, height=1.2 + 0.35 * len(entries))
    for place, entry in enumerate(entries):
        scores = [100 * score for score in entry["by_split"]]
        left.plot(scores, [place] * len(scores), ".", color=COLOURS[0], alpha=0.6)
        left.plot([100 * entry["official"]], [place], "D", color=COLOURS[1], markersize=5)
    left.set_xlabel("Weighted in percent: dots splits, diamond the board's own")
    start = [0.0] * len(entries)
    for source, colour in zip(("split", "training", "repeat", "rest"), COLOURS, strict=False):
        shares = [_share(entry["variance"], source) for entry in entries]
        right.barh(range(len(entries)), shares, left=start, color=colour, label=source)
        start = [one + other for one, other in zip(start, shares, strict=True)]
    right.set_xlabel("share of the variance of a draw, in percent")
    right.legend(loc="upper center", bbox_to_anchor=(0.5, 1.0 + 0.8 / (1 + len(entries))), ncols=4)
    for axes in (left, right):
        axes.set_yticks(range(len(entries)), names)
        axes.set_ylim(len(entries) - 0.4, -0.6)  # the first on top, and room for its marks
        axes.grid(axis="x", alpha=0.3)
    return figure


def _share(variance: Mapping[str, float | None], source: str) -> float:
    part, total = variance[source], variance["total"]
    return 100 * part / total if part and total else 0.0
