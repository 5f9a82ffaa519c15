"""What a score's spread comes from: the split, the training seed, the attack's repeat."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]

#: How `components` estimates, in words for those who read a study's results.
ESTIMATOR = (
    "Method of moments: mean squares of the analysis of variance set equal to what they are "
    "expected to be, estimates below 0 taken as 0. Splits are random; within each, its training "
    "seeds and its attack repeats are random and crossed, and what is left is their interaction. "
    "With one repeat its share is part of the split's, which all trainings of a split have in "
    "common, and the interaction is part of the training's."
)


@dataclass(frozen=True, slots=True)
class Components:
    """Variances, each the share of one source; accuracies 0..1, so these are squares of them.

    ``repeat`` and ``rest`` are None where there is one repeat: all trainings of a split share it,
    so ``repeat`` is then part of ``split``, and ``rest`` of ``training``.
    """

    split: float
    training: float
    repeat: float | None
    rest: float | None  # training and repeat together

    @property
    def total(self) -> float:
        """The variance of one draw: one split, one training, one repeat."""
        return self.split + self.training + (self.repeat or 0.0) + (self.rest or 0.0)


def components(values: Values) -> Components:
    """The variance components of a balanced design.

    y_isr = mean + split_i + training_is + repeat_ir + rest_isr: trainings and repeats are nested
    in splits, and crossed in each, because each of its models meets each of its attack's repeats.
    Source: Searle, Casella and McCulloch, Variance Components (1992), Section 4.

    Args:
        values: (splits, seeds, repeats) float64; splits and seeds at least 2.

    Raises:
        ValueError: too few of them, or a value that is no number.
    """
    if values.ndim != 3 or min(values.shape[:2]) < 2 or values.shape[2] < 1:
        allowed = "2 or more splits, 2 or more seeds, 1 or more repeats"
        raise ValueError(f"values: found shape {values.shape}, allowed: {allowed}")
    if not np.isfinite(values).all():
        raise ValueError("values: found one that is no number, allowed: finite ones")
    splits, seeds, repeats = values.shape
    of_split = values.mean(axis=(1, 2))
    of_training = values.mean(axis=2) - of_split[:, None]
    between = seeds * repeats * _square(of_split - of_split.mean(), splits - 1)
    training = repeats * _square(of_training, splits * (seeds - 1))
    if repeats == 1:
        split = (between - training) / seeds
        return Components(max(split, 0.0), training, None, None)
    of_repeat = values.mean(axis=1) - of_split[:, None]
    left = values - of_split[:, None, None] - of_training[:, :, None] - of_repeat[:, None, :]
    drawn = seeds * _square(of_repeat, splits * (repeats - 1))
    rest = _square(left, splits * (seeds - 1) * (repeats - 1))
    return Components(
        split=max((between - training - drawn + rest) / (seeds * repeats), 0.0),
        training=max((training - rest) / repeats, 0.0),
        repeat=max((drawn - rest) / seeds, 0.0),
        rest=rest,
    )


def _square(deviations: Values, freedom: int) -> float:
    """The mean square of deviations with so many degrees of freedom."""
    return float((deviations**2).sum() / freedom)
