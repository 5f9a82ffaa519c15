"""What a robustness study's runs say: means over seeds, robustness scores, efficacy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from grbcore.graphlevel.loading import SOURCES
from grbcore.graphlevel.metrics import crr, efficacy
from grbcore.graphlevel.study.paper import PUBLISHED
from grbcore.graphlevel.study.plan import CLEAN, STRONGEST, THREATS
from grbcore.graphlevel.study.store import Kept, Run

#: The models whose clean mean a robustness score is measured from.
BASELINE = "Bag"


@dataclass(frozen=True, slots=True)
class Mean:
    """A number over the models of several seeds."""

    runs: int
    mean: float
    std: float  # ddof 0

    @staticmethod
    def of(values: Sequence[float]) -> Mean | None:
        """None of nothing."""
        if not values:
            return None
        return Mean(len(values), float(np.mean(values)), float(np.std(values)))


@dataclass(frozen=True, slots=True)
class Results:
    """The runs of a study by what they are."""

    dataset: str
    models: tuple[str, ...]
    attacks: tuple[str, ...]
    runs: Mapping[tuple[str, str, int], Mapping[int, Run]]  # model, attack, budget; then seed

    @staticmethod
    def of(
        kept: Sequence[Kept], dataset: str, models: Sequence[str], attacks: Sequence[str]
    ) -> Results:
        """The runs of these models under these attacks, in this order."""
        found: dict[tuple[str, str, int], dict[int, Run]] = {}
        for one in kept:
            place = (one.key.model, one.key.attack, one.key.budget)
            found.setdefault(place, {})[one.key.seed] = one.run
        return Results(dataset, tuple(models), tuple(attacks), found)

    @property
    def higher_is_better(self) -> bool:
        """Whether scores are accuracies."""
        return SOURCES[self.dataset].task != "regression"

    def at(self, model: str, attack: str, budget: int) -> Mapping[int, Run]:
        """The runs of each seed."""
        return self.runs.get((model, attack, budget), {})

    def scores(self, model: str, attack: str, budget: int) -> list[float]:
        """The scores of all seeds that are there."""
        return [run.score for run in self.at(model, attack, budget).values()]

    def differences(self, model: str, attack: str, budget: int) -> list[float]:
        """The label differences of all seeds that are there."""
        found = (run.label_difference for run in self.at(model, attack, budget).values())
        return [value for value in found if value is not None]

    def unmoved(self, model: str, attack: str, budget: int) -> list[float]:
        """The share of graphs on which a gradient attack sees no slope, of all seeds with one.

        See `Ascent.unmoved`.
        """
        found = (run.unmoved for run in self.at(model, attack, budget).values())
        return [value for value in found if value is not None]

    def unmoved_shares(self, attack: str) -> dict[str, float]:
        """The models with such graphs, and their mean share at the least budget that has it."""
        found = {}
        for name in self.models:
            every = (self.unmoved(name, attack, budget) for budget in self.budgets(attack))
            share = Mean.of(next(filter(None, every), []))
            if share is not None and share.mean > 0:
                found[name] = share.mean
        return found

    def budgets(self, attack: str) -> list[int]:
        """The budgets that some model was attacked with, ascending."""
        return sorted({budget for _, name, budget in self.runs if name == attack})

    def baseline(self) -> tuple[float, str]:
        """What robustness is measured from, and whose it is: this study's, or the thesis'."""
        own = Mean.of(self.scores(BASELINE, CLEAN, 0))
        if own is not None:
            return (
                own.mean,
                f"mean of {own.runs} {'model' if own.runs == 1 else 'models'} of the study",
            )
        return PUBLISHED[self.dataset][BASELINE][0], "published"

    def robustness(self, model: str, attack: str) -> Mean | None:
        """The robustness score of each seed with runs at every budget, clean ones among them.

        Source: the thesis, section 5.4; see `metrics.crr`.
        """
        budgets = [0, *self.budgets(attack)]
        rows = [self.at(model, attack if budget else CLEAN, budget) for budget in budgets]
        if len(rows) < 2:
            return None
        seeds = sorted(set(rows[0]).intersection(*rows[1:]))
        level = self.baseline()[0]
        return Mean.of(
            [
                crr(
                    budgets,
                    [row[seed].score for row in rows],
                    baseline=level,
                    higher_is_better=self.higher_is_better,
                )
                for seed in seeds
            ]
        )

    def efficacy(self, model: str, attack: str) -> Mean | None:
        """What an attack gains at budget 1 of brute force's gain, for each seed that has both."""
        strongest = self.at(model, STRONGEST[THREATS[attack].attributes], 1)
        clean, attacked = self.at(model, CLEAN, 0), self.at(model, attack, 1)
        return Mean.of(
            [
                efficacy(clean[seed].score, attacked[seed].score, strongest[seed].score)
                for seed in sorted(set(clean) & set(attacked) & set(strongest))
            ]
        )
