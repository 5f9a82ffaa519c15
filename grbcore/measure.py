"""What the results of a board are, and how they are written: accuracies in percent, errors as they
are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from grbcore.scenario import Side, judged_as


@dataclass(frozen=True, slots=True)
class Measure:
    """``word`` is what a result is, ``many`` what several are, ``unit`` what they are written
    in: times ``factor``, with so many ``digits``.  Of ``errors`` less is better for a defense."""

    word: str
    many: str
    unit: str
    factor: int
    digits: int
    errors: bool

    @property
    def metric(self) -> Literal["accuracy", "error"]:
        """The metric of a board with such results."""
        return "error" if self.errors else "accuracy"

    def number(self, value: float | None, *, sign: bool = False) -> str:
        """A result, or with a ``sign`` a difference of two, as text; a dash where there is none."""
        if value is None:
            return "–"
        return f"{self.factor * value:{'+' if sign else ''}.{self.digits}f}"

    def score(self, mean: float, std: float | None = None, *, join: str = " ± ") -> str:
        """A mean result, and behind it the standard deviation where there is one."""
        return self.number(mean) + ("" if std is None else f"{join}{self.number(std)}")

    def three(self, side: Side) -> str:
        """The name of the metric of three rows: of those by which the side is judged."""
        return "3-Min" if judged_as(side, errors=self.errors) == "defense" else "3-Max"

    def wanted(self, side: Side) -> str:
        """Which results a side wants, such as ``higher is better``."""
        high = judged_as(side, errors=self.errors) == "defense"
        return f"{'higher' if high else 'lower'} is {'better' if side == 'defense' else 'stronger'}"

    @property
    def head(self) -> str:
        """What stands behind the name of a column: the unit, where there is one."""
        return " (%)" if self.unit == "percent" else ""

    @property
    def after(self) -> str:
        """What stands behind a result: a percent sign, where it is in percent."""
        return " %" if self.unit == "percent" else ""

    @property
    def title(self) -> str:
        """The name of a column of results."""
        return f"{self.word.capitalize()}{self.head}"


ACCURACY = Measure("accuracy", "accuracies", "percent", 100, 2, errors=False)

#: Mean absolute errors over the standard deviation of the test labels.
ERROR = Measure("error", "errors", "standard deviations of the labels", 1, 3, errors=True)

#: By the metric of a board.
MEASURES: Mapping[str, Measure] = {"accuracy": ACCURACY, "error": ERROR}
