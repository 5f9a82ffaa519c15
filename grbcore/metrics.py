"""GRB's metrics, exactly: Avg, Avg 3-Min / 3-Max and Weighted, per repeat first; the worst case.

Source: GRB, Section 4.3 (Evaluation metrics) and Tables 13-17.  The paper's tables are reproduced
when the row without an attack is counted for defenses, and when each metric is computed in each
repeat and averaged afterwards.  The worst case is not GRB's: the one counterpart that is worst for
an entry, in each repeat the worst of that repeat.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from grbcore.scenario import Side

Accuracies = NDArray[np.float64]

#: By which a ranking may be ordered; the names are those of the fields of `Metrics`.
Metric = Literal["weighted", "average", "three", "worst"]
METRICS: tuple[Metric, ...] = ("weighted", "average", "three", "worst")


@dataclass(frozen=True, slots=True)
class Score:
    """A mean over repeats and its population standard deviation (ddof 0), as fractions.

    ``std`` is None where there is a single repeat to speak of.
    """

    mean: float
    std: float | None


@dataclass(frozen=True, slots=True)
class Metrics:
    """The metrics of one entry; ``three`` is 3-Min for a defense, 3-Max for an attack.

    ``worst`` is the lowest accuracy of a defense, the highest that an attack leaves; ``n`` counts
    the rows behind them.
    """

    weighted: Score
    average: Score
    three: Score
    worst: Score
    n: int

    def of(self, metric: Metric) -> Score:
        """The score by this metric."""
        found: Score = getattr(self, metric)
        return found


def weights(n: int) -> Accuracies:
    """``w_i = i^-2 / sum_j j^-2`` for i = 1..n: the first rank counts most.  (n,) float64."""
    raw = 1.0 / np.arange(1, n + 1, dtype=np.float64) ** 2
    return np.asarray(raw / raw.sum())


def per_repeat(accuracies: Accuracies, side: Side) -> Accuracies:
    """Weighted, average, three-row metric and worst case in each repeat.

    Args:
        accuracies: (..., n, R) float64: one row for each counterpart.  For a defense these are the
            attacks and the row without an attack; for an attack they are the defenses.
        side: a defense is judged by its lowest rows, an attack by its highest; of errors see
            `scenario.judged_as`.

    Returns:
        (..., 4, R) float64: Weighted, Avg, Avg 3-Min (defense) or 3-Max (attack), and the lowest
        (defense) or highest (attack) accuracy.  Of many entries at once the numbers are those of
        each alone, to the last bit.

    Raises:
        ValueError: no rows, or an accuracy that is no number.
    """
    if accuracies.ndim < 2 or not accuracies.size:
        raise ValueError(
            f"accuracies: found shape {accuracies.shape}, allowed: (n, R) of 1 or more"
        )
    if not np.isfinite(accuracies).all():
        raise ValueError("accuracies: found a value that is no number, allowed: finite ones")
    # the order of a sum depends on how its numbers lie
    ordered = np.sort(np.ascontiguousarray(accuracies), axis=-2)
    if side == "attack":
        ordered = ordered[..., ::-1, :]
    count = ordered.shape[-2]
    means = ordered.mean(axis=-2), ordered[..., :3, :].mean(axis=-2)
    return np.stack([weights(count) @ ordered, *means, ordered[..., 0, :]], axis=-2)


def places(accuracies: Accuracies, side: Side) -> NDArray[np.int64]:
    """The place of each row in each repeat: 0 is the one that counts most in Weighted.

    Args:
        accuracies: (n, R) float64, see `per_repeat`.
        side: a defense is judged by its lowest rows, an attack by its highest.

    Returns:
        (n, R) int64.  With ``weights(n)[places(…)]`` as weights the accuracies of a repeat add up
        to its Weighted; rows that are equal take places beside each other, in their order.
    """
    order = np.argsort(accuracies if side == "defense" else -accuracies, axis=0, kind="stable")
    found = np.empty(order.shape, np.int64)
    np.put_along_axis(found, order, np.arange(len(order), dtype=np.int64)[:, None], axis=0)
    return found


def summarise(accuracies: Accuracies, side: Side, *, repeated: bool = True) -> Metrics:
    """The metrics of one entry: mean and standard deviation over repeats.

    Args:
        accuracies: (n, R) float64, see `per_repeat`; or (b, n, R) of b budgets, over which each
            metric is averaged in each repeat.
        side: which side the entry is on, see `per_repeat`.
        repeated: whether any row behind the score has more than one repeat; if not, the
            standard deviation is None.
    """
    values = per_repeat(accuracies, side)
    if values.ndim == 3:
        values = values.mean(axis=0)
    weighted, average, three, worst = (score(row, repeated=repeated) for row in values)
    return Metrics(weighted, average, three, worst, accuracies.shape[-2])


def score(values: Accuracies, *, repeated: bool = True) -> Score:
    """Mean and population standard deviation of one number per repeat, (R,) float64."""
    spread = float(values.std()) if repeated and len(values) > 1 else None
    return Score(float(values.mean()), spread)
