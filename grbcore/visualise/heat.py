"""A matrix as a heat map with numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from grbcore.results import CLEAN
from grbcore.scenario import Difficulty
from grbcore.visualise.figure import panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from grbcore.matrix import Matrix


def heat_map(matrix: Matrix, difficulty: Difficulty) -> Figure:
    """Accuracy in percent, or error, mean over repeats: attacks down, defenses across.

    The clean row is the last.

    Raises:
        MissingExtra: matplotlib is not installed.
        ValueError: no attack of the matrix carries this difficulty.
    """
    if difficulty not in matrix.difficulties:
        allowed = ", ".join(matrix.difficulties)
        raise ValueError(f"difficulty: found {difficulty!r}, allowed: {allowed}")
    cells = {(cell.attack, cell.defense): cell for cell in matrix.cells}
    rows = (*matrix.attacks, CLEAN)
    factor, digits, label = (1, 3, "error") if matrix.of_errors else (100, 1, "accuracy in percent")
    low, high = (None, None) if matrix.of_errors else (0, 100)
    values = np.full((len(rows), len(matrix.defenses)), np.nan)
    for row, attack in enumerate(rows):
        for column, defense in enumerate(matrix.defenses):
            cell = cells.get((attack, defense))
            if cell is not None and difficulty in cell.carried:
                values[row, column] = factor * np.mean(cell.accuracy(difficulty))
    title = f"{matrix.board}, {difficulty}"
    width = max(2.5 + 0.55 * len(matrix.defenses), 0.6 + 0.09 * len(title))
    figure, (axes,) = panels(1, width=width, height=1.6 + 0.35 * len(rows))
    image = axes.imshow(values, cmap="viridis", vmin=low, vmax=high, aspect="auto")
    axes.set_xticks(range(len(matrix.defenses)), matrix.defenses, rotation=45, ha="right")
    axes.set_yticks(range(len(rows)), rows)
    shades = np.asarray(image.norm(values))  # 0 to 1
    for (row, column), value in np.ndenumerate(values):
        if np.isfinite(value):
            colour = "white" if shades[row, column] < 0.6 else "black"
            text = f"{value:.{digits}f}"
            axes.text(column, row, text, ha="center", va="center", color=colour, fontsize=7)
    figure.suptitle(title, fontsize=10)
    figure.colorbar(image, label=label)
    return figure
