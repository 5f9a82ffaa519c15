"""What flags compare: accuracies with the targets behind them, and the board's yardsticks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

#: Attacks that follow gradients, by family, and those that draw at random.
GRADIENT = frozenset(
    {"FGSM", "PGD", "SPEIT", "TDGIA", "AGIA", "FGA", "PRBCD", "GRBCD", "LRBCD", "AdjPGD", "AttrPGD"}
)
RANDOM = frozenset({"RND", "Random"})


class Accuracy(NamedTuple):
    """A mean accuracy (0..1) over repeats, and perhaps over budgets, of so many targets."""

    mean: float
    total: int


@dataclass(frozen=True, slots=True)
class Standard:
    """The yardsticks of a board at full, or at the mean over budgets: its references, and floors.

    ``families`` names the family of each reference attack, ``clean`` the architecture and the
    accuracy without attack of each reference defense; ``random`` is what the strongest random
    reference attack leaves each reference defense.  ``names`` are those of references.  ``mlp``
    is the accuracy of the best reference that does not see the graph, ``majority`` that of always
    answering the most frequent class; None where the board has none, or it is not known.
    ``floor`` is what the former is called.  Where results are ``errors`` accuracies say nothing.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    families: Mapping[str, str] = field(default_factory=dict)
    clean: Mapping[str, tuple[str, Accuracy]] = field(default_factory=dict)
    random: Mapping[str, Accuracy] = field(default_factory=dict)
    mlp: Accuracy | None = None
    majority: Accuracy | None = None
    floor: str = "MLP floor"
    errors: bool = False


def standard_error(*found: Accuracy) -> float:
    """Of an accuracy, or of the difference of two, over targets drawn at random.

    The binomial one, ``sqrt(p (1 - p) / n)``, which of a mean over budgets is the most that it
    can be; of a difference as if the targets were others for
    each.  Two entries share their targets, which makes it too large where they agree: a flag is
    rather left out.
    """
    return math.sqrt(sum(one.mean * (1 - one.mean) / one.total for one in found))


def median_gain(random: Sequence[Accuracy], left: Sequence[Accuracy]) -> tuple[int, float, float]:
    """How much less an attack leaves the median defense than the random attack does.

    Args:
        random: what the random attack leaves each defense, one or more.
        left: what the attack leaves the same defenses.

    Returns:
        The place of the defense whose gain is the median, of an even number the better half's; its
        gain; and the standard error of that.
    """
    gains = [one.mean - other.mean for one, other in zip(random, left, strict=True)]
    typical = sorted(range(len(gains)), key=gains.__getitem__)[len(gains) // 2]
    return typical, gains[typical], standard_error(random[typical], left[typical])


def root(family: str) -> str:
    """A family without what is added to it: ``PGD`` of ``PGD+HAO``."""
    return family.split("+", 1)[0]


def percent(share: float) -> str:
    """As a sentence says it."""
    return f"{100 * share:.2f} %"


def points(difference: float) -> str:
    """As a sentence says it."""
    return f"{100 * difference:.2f} points"


def errors(difference: float, error: float) -> str:
    """How many standard errors a difference is, as a sentence says it."""
    return f"{difference / error:.1f} standard errors" if error > 0 else "without any error"
