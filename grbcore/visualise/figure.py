"""Empty figures, without matplotlib's global state, and a clear word where it is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: For the colour-blind; Source: Okabe and Ito, Color Universal Design (2008).
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#f0e442", "#000000")

#: Axes whose largest value is more than this many times the smallest are logarithmic.
WIDE = 30

#: How to install plots and tuning.
STUDY = (
    "pip install -c constraints.txt -e '.[study]' in a checkout, or "
    "pip install 'graph-robustness-leaderboard[study]'"
)


class MissingExtra(ImportError):
    """A library is not installed; the message names the extra that brings it."""


def panels(count: int, *, width: float = 5.0, height: float = 3.6) -> tuple[Figure, list[Axes]]:
    """A figure with ``count`` axes beside each other, each of this size in inches.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra(f"matplotlib: found none, allowed: {STUDY}") from None
    figure = Figure(figsize=(width * count, height), layout="constrained")
    axes = [figure.add_subplot(1, count, place + 1) for place in range(count)]
    return figure, axes
