"""How the scores of architectures fall with an attack's budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from grbcore.visualise.figure import COLOURS, panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from grbcore.graphlevel.study.results import Results


def robustness_curves(results: Results, attack: str) -> Figure:
    """A line for each model over the budget, clean at 0, and a band of its standard deviation.

    A dotted line is the baseline's clean mean; of models with graphs on which the attack sees no
    slope the legend says how many.  Left scores, right label differences, which
    regression has none of.  Source: the thesis, Figures 5.1, 5.2 and 5.4.

    Raises:
        ValueError: no run of this attack.
        MissingExtra: matplotlib is not installed.
    """
    from grbcore.graphlevel.study.plan import CLEAN

    budgets = [0, *results.budgets(attack)]
    if len(budgets) < 2:
        raise ValueError(f"results: found no run of {attack}, allowed: one or more")
    classes = results.higher_is_better
    shares = results.unmoved_shares(attack)
    figure, every = panels(2 if classes else 1)
    sides = (
        ("accuracy" if classes else "normalised mean absolute error", results.scores),
        ("label difference", results.differences),
    )
    for axes, (what, values) in zip(every, sides, strict=False):
        for place, name in enumerate(results.models):
            points = [(b, values(name, attack if b else CLEAN, b)) for b in budgets]
            there = [(budget, found) for budget, found in points if found]
            if len(there) < 2:
                continue
            at = [budget for budget, _ in there]
            mean = np.array([np.mean(found) for _, found in there])
            spread = np.array([np.std(found) for _, found in there])
            colour = COLOURS[place % len(COLOURS)]
            style = "--" if place >= len(COLOURS) else "-"
            label = f"{name} (no slope: {shares[name]:.0%})" if name in shares else name
            axes.plot(at, mean, style, marker="o", markersize=3, color=colour, label=label)
            axes.fill_between(at, mean - spread, mean + spread, color=colour, alpha=0.12)
        axes.set_xticks(budgets)
        axes.set_xlabel("budget: changes of each graph")
        axes.set_ylabel(what)
        if classes:
            axes.set_ylim(-0.02, 1.02)
    every[0].axhline(results.baseline()[0], color="black", linestyle=":", linewidth=1)
    every[0].set_title(f"{results.dataset}: {attack}")
    every[0].legend(fontsize=7)
    return figure
