"""The only thing that is measured: one attack against one defense."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from grbcore.scenario import BUDGETS, MEAN, Difficulty, in_order, parts_of

#: The name of the row without an attack.
CLEAN = "clean"

#: Raised only when the numbers that an evaluation gives may change; a golden test watches it.
EVALUATOR_VERSION = 1

#: Raised only when a metric's definition changes.
METRIC_VERSION = 1


@dataclass(frozen=True, slots=True)
class Cell:
    """Correct predictions of one defense under one attack, for every difficulty and repeat.

    ``attack`` and ``defense`` are ids of submissions, or `CLEAN` for the row without an attack.
    ``correct[difficulty]`` has one count per repeat (R, or 1); ``total[difficulty]`` counts the
    targets.  A difficulty that the attack does not carry is absent.  Where the board's metric is
    an error, ``errors`` has its mean over targets in their place.  ``confusion`` counts them by
    true and predicted class (`grbcore.confusion`); where that is not known it is empty.
    """

    attack: str
    defense: str
    correct: Mapping[Difficulty, tuple[int, ...]]
    total: Mapping[Difficulty, int]
    provenance: Mapping[str, object] = field(default_factory=dict)
    confusion: Mapping[Difficulty, NDArray[np.int64]] = field(default_factory=dict, compare=False)
    errors: Mapping[Difficulty, tuple[float, ...]] = field(default_factory=dict)

    @property
    def carried(self) -> tuple[Difficulty, ...]:
        """The difficulties that the attack carries, in order."""
        return in_order((*self.correct, *self.errors))

    @property
    def choices(self) -> tuple[Difficulty, ...]:
        """What it may be looked at by: what the attack carries, and `MEAN` where that is every
        budget."""
        return (*self.carried, MEAN) if {*BUDGETS} <= {*self.carried} else self.carried

    def accuracy(self, difficulty: Difficulty) -> tuple[float, ...]:
        """Accuracy (0..1), or the mean error, in each repeat.

        At `MEAN` it is that over budgets; a single repeat stands for all.

        Raises:
            KeyError: the attack does not carry this difficulty.
        """
        if difficulty == MEAN:
            several = [self.accuracy(budget) for budget in parts_of(difficulty)]
            most = max(map(len, several))
            filled = [one if len(one) == most else one * most for one in several]
            return tuple(np.mean(filled, axis=0).tolist())
        if difficulty in self.errors:
            return self.errors[difficulty]
        total = self.total[difficulty]
        return tuple(count / total for count in self.correct[difficulty])
