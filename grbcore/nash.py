"""The frontier of a board: the equilibrium of the game in which an attacker picks a row and a
defender a column.

Both mix: the attacker to have the accuracy as low as can be, the defender as high.  Of all optimal
mixtures the one of the largest entropy is given, as in Nash averaging (Balduzzi et al.,
Re-evaluating Evaluation, NeurIPS 2018), so the answer is one.  Entries that no optimal mixture
needs get nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: A share below this is none: it comes from how exactly the entropy is made largest.
SUPPORT = 1e-3

_EXACT = 1e-11  # of the simplex tableau, whose payoffs lie between 1 and 2
_SLACK = 1e-6  # of the span of payoffs, by which a mixture of large entropy may miss the value
_ENTROPY = 1e-4  # by which the entropy may miss its largest
_STEPS = 50  # of Newton's method at one weight of the barrier


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """The value of the game and both players' mixtures, each adding up to 1."""

    value: float
    rows: Floats  # (m,)
    columns: Floats  # (n,)


def equilibrium(payoff: Floats) -> Equilibrium:
    """The equilibrium of largest entropy.

    Args:
        payoff: (m, n) float64; the row player wants it low, the column player high.

    Raises:
        ValueError: there is nothing to choose, or a payoff is no number.
    """
    if payoff.ndim != 2 or not payoff.size or not np.isfinite(payoff).all():
        raise ValueError(f"payoff: found shape {payoff.shape}, allowed: (m, n) of finite numbers")
    low, span = float(payoff.min()), float(payoff.max() - payoff.min()) or 1.0
    game = 1.0 + (payoff - low) / span
    value, rows, columns = _simplex(game)
    return Equilibrium(
        low + span * (value - 1.0),
        _entropic(game, value, rows),
        _entropic(-game.T, -value, columns),
    )


def _simplex(game: Floats) -> tuple[float, Floats, Floats]:
    """The value of a game of payoffs above 0, and some optimal mixtures of rows and columns.

    The program is: make the sum of x largest where ``x @ game <= 1`` and ``x >= 0``.  Its optimum
    is 1 over the value; x and the dual prices are the mixtures times that.  It begins at ``x = 0``.
    Source: Dantzig, Linear Programming and Extensions (1963), chapter 13.
    """
    columns, rows = game.shape
    table = np.zeros((rows + 1, columns + rows + 1))
    table[:rows, :columns] = game.T
    table[:rows, columns:-1] = np.eye(rows)
    table[:rows, -1] = 1.0
    table[rows, :columns] = -1.0
    basis = np.arange(columns, columns + rows)
    steps = 0
    while (entering := _entering(table[rows, :-1], careful=steps > 10 * (rows + columns))) >= 0:
        leaving = _leaving(table[:rows, entering], table[:rows, -1], basis)
        table[leaving] /= table[leaving, entering]
        others = table[:, entering].copy()
        others[leaving] = 0.0
        table -= np.outer(others, table[leaving])
        basis[leaving] = entering
        steps += 1
    x = np.zeros(columns + rows)
    x[basis] = table[:rows, -1]
    mixed, prices = x[:columns], np.maximum(table[rows, columns:-1], 0.0)
    return 1.0 / float(table[rows, -1]), mixed / mixed.sum(), prices / prices.sum()


def _entering(costs: Floats, *, careful: bool) -> int:
    """The column of the steepest gain; the first (Bland) where the table might go in circles."""
    gaining = np.flatnonzero(costs < -_EXACT)
    if not gaining.size:
        return -1
    return int(gaining[0] if careful else gaining[np.argmin(costs[gaining])])


def _leaving(column: Floats, right: Floats, basis: NDArray[np.int64]) -> int:
    """The row that bounds the gain first; of several the one of the lowest variable."""
    bounding = np.flatnonzero(column > _EXACT)
    bounds = right[bounding] / column[bounding]
    first = bounding[bounds <= bounds.min() + _EXACT]
    return int(first[np.argmin(basis[first])])


def _entropic(game: Floats, value: float, optimal: Floats) -> Floats:
    """Of the mixtures of rows that hold every column to the value the one of largest entropy.

    Newton's method along the path of a logarithmic barrier.  Shares below `SUPPORT` are left out.
    """
    count, columns = game.shape
    bound = value + _SLACK
    p = (1.0 - _SLACK / 4) * optimal + _SLACK / 4 / count
    weight = 1.0
    while weight * (count + columns) > _ENTROPY:
        weight *= 0.25
        for _ in range(_STEPS):
            slack = bound - p @ game
            step, decrease = _newton(game, p, slack, weight)
            if decrease < 1e-9 * weight:
                break
            p = _walked(game, p, step, bound, weight)
    kept = np.where(p < SUPPORT, 0.0, p)
    return np.asarray(kept / kept.sum())


def _newton(game: Floats, p: Floats, slack: Floats, weight: float) -> tuple[Floats, float]:
    """A step (m,) of the barrier's function that keeps the sum, and what it promises to gain.

    Each share is scaled so that its own curvature is 1.
    """
    scale = p / np.sqrt(p + weight)
    weighed = (game * scale[:, None]) / slack
    system = np.eye(len(p)) + weight * (weighed @ weighed.T)
    gradient = scale * (np.log(p) + 1.0 - weight / p) + weight * weighed.sum(axis=1)
    found = np.linalg.solve(system, np.stack([gradient, scale], axis=1))
    held = found[:, 0] - found[:, 1] * (scale @ found[:, 0]) / (scale @ found[:, 1])
    return -scale * held, float(gradient @ held)


def _walked(game: Floats, p: Floats, step: Floats, bound: float, weight: float) -> Floats:
    """As far along the step as lowers the barrier's function."""

    def cost(there: Floats) -> float:
        slack = bound - there @ game
        if there.min() <= 0 or slack.min() <= 0:
            return np.inf
        held = there @ np.log(there)
        return float(held - weight * (np.log(slack).sum() + np.log(there).sum()))

    before, size = cost(p), 1.0
    while size > 1e-9 and not cost(p + size * step) < before:
        size /= 2
    return p + size * step if size > 1e-9 else p
