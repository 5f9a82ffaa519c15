"""How well graph-level models do, and how well they hold: pure functions of numbers.

Outputs are (G, 1) logits of binary tasks or predictions of regression, (G, C) logits of C classes.
Source: the thesis, sections 5.1 to 5.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grbcore.graphlevel.dataset import Task

Reals = NDArray[np.float64]


def hits(outputs: NDArray[Any], labels: NDArray[Any], task: Task) -> NDArray[np.bool_]:
    """Which graphs (G,) are classified right; outputs that are not finite are misses.

    Raises:
        ValueError: regression has no classes.
    """
    if task == "regression":
        raise ValueError("task: found regression, allowed: binary or multiclass")
    predicted = outputs[:, 0] > 0 if task == "binary" else outputs.argmax(axis=1)
    found: NDArray[np.bool_] = (predicted == labels) & np.isfinite(outputs).all(axis=1)
    return found


def errors(outputs: NDArray[Any], labels: NDArray[Any], *, sigma: float = 1.0) -> Reals:
    """|ŷ - y|/σ (G,): absolute errors; normalised with the σ of the test labels."""
    found: Reals = np.abs(outputs[:, 0].astype(np.float64) - labels) / sigma
    return found


def label_difference(outputs: NDArray[Any], labels: NDArray[Any], task: Task) -> Reals:
    """How far the predicted probabilities (G,) are from the labels, 0 to 1.

    Binary: |σ(ŷ) - y|.  C classes: the mean over the classes of |softmax(ŷ) - onehot(y)|.
    Paper: the sum over the classes.  Released code, and all printed numbers: the mean.
    """
    wide = outputs.astype(np.float64)
    if task == "binary":
        binary: Reals = np.abs(0.5 * (1 + np.tanh(wide[:, 0] / 2)) - labels)
        return binary
    shifted = np.exp(wide - wide.max(axis=1, keepdims=True))
    chances = shifted / shifted.sum(axis=1, keepdims=True)
    chances[np.arange(len(labels)), labels] -= 1
    found: Reals = np.abs(chances).mean(axis=1)
    return found


def without_worst(values: Reals, share: float = 0.05) -> Reals:
    """The errors but the ``share`` of graphs with the largest, as the thesis reports ZINC."""
    return np.sort(values)[: len(values) - int(share * len(values))]


def roc_auc(scores: NDArray[Any], labels: NDArray[Any]) -> float:
    """The chance that a positive graph has the higher score; ties count a half.

    Raises:
        ValueError: all labels are one class.
    """
    positive, negative = scores[labels == 1], np.sort(scores[labels == 0])
    if not (len(positive) and len(negative)):
        raise ValueError("labels: found one class, allowed: both")
    below = np.searchsorted(negative, positive, side="left")
    upto = np.searchsorted(negative, positive, side="right")
    return float((below + upto).sum() / 2 / (len(positive) * len(negative)))


def crr(
    budgets: Sequence[float], values: Sequence[float], *, baseline: float, higher_is_better: bool
) -> float:
    """The clean robustness region of a curve: how far, and how long, it beats the ``baseline``.

    ``budgets`` ascend and include the clean point 0.  The area above the baseline (below it for
    errors), over the length, × 100; the first step is as long as the second.
    Source: the thesis, section 5.4, equation for CRR.

    Raises:
        ValueError: fewer than two points, budgets that don't ascend, or lengths that differ.
    """
    if len(budgets) < 2 or len(budgets) != len(values):
        raise ValueError(f"budgets: found {len(budgets)} for {len(values)} values, allowed: 2 up")
    points = np.asarray(budgets, np.float64)
    steps = np.diff(points, prepend=2 * points[0] - points[1])
    if not bool((steps > 0).all()):
        raise ValueError("budgets: found budgets that don't ascend, allowed: ascending ones")
    gain = np.asarray(values, np.float64) - baseline
    gain = gain if higher_is_better else -gain
    return float(100 * (steps * np.maximum(gain, 0)).sum() / steps.sum())


def efficacy(clean: float, attacked: float, strongest: float) -> float:
    """The share of what brute force gains that an attack gains: (clean - attacked)/(clean - best).

    1 where brute force gains nothing.  All three are one metric of one model.
    """
    whole = clean - strongest
    return 1.0 if whole == 0 else (clean - attacked) / whole
