"""What ``grb study`` writes to results.json, checked before a service shows it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from grbcore.results import CLEAN
from grbcore.scenario import Difficulty, Side

Accuracy = Annotated[float, Field(ge=0, le=1)]
Positive = Annotated[float, Field(ge=0)]
Count = Annotated[int, Field(ge=0)]
Rank = Annotated[int, Field(ge=1)]


class _Numbers(BaseModel):
    """Part of a study's results: every number in it is finite."""

    model_config = ConfigDict(allow_inf_nan=False)


class SplitCell(_Numbers):
    """A model on a dataset, over all splits and initialisations; null where it has no run."""

    runs: Count
    mean: Accuracy | None = None
    std: Positive | None = None
    median: Accuracy | None = None
    low: Accuracy | None = None  # first quartile
    high: Accuracy | None = None  # third quartile
    failures: Count | None = None
    published: tuple[float, float] | None = None  # the paper's mean and standard deviation


class SplitModel(_Numbers):
    """A model over all datasets."""

    model: str
    configuration: dict[str, float]
    relative_accuracy: Positive | None
    average_rank: Positive | None
    datasets: dict[str, SplitCell]


class SplitStudy(_Numbers):
    """Which runs were made."""

    datasets: list[str]
    models: list[str]
    splits: int
    inits: int
    scheme: Literal["per-class", "grb"]
    seed: int


class SplitPair(_Numbers):
    """Two models on one dataset, paired on its splits."""

    dataset: str
    first: str
    second: str
    difference: float  # how much higher the first is, mean over splits
    wins: Count
    splits: Count
    p_value: Accuracy  # Wilcoxon's, corrected by Holm


class SplitFlip(_Numbers):
    """Two splits of the same sizes with different winners."""

    dataset: str
    splits: tuple[int, int]
    winners: tuple[str, str]
    leads: tuple[float, float]
    accuracies: tuple[dict[str, Accuracy], dict[str, Accuracy]]


class SplitResults(_Numbers):
    """Models over many splits: results.json of ``grb study splits``."""

    kind: Literal["splits"]
    study: SplitStudy
    models: list[SplitModel]
    pairs: list[SplitPair]
    winners: dict[str, dict[str, int]]
    flips: list[SplitFlip]

    @model_validator(mode="after")
    def _of_one_study(self) -> Self:
        models, datasets = self.study.models, self.study.datasets
        _same("models", [one.model for one in self.models], models)
        for one in self.models:
            _same(f"datasets of {one.model}", one.datasets, datasets)
        for flip in self.flips:
            _among("flips", [flip.dataset], datasets)
            first, second = flip.accuracies
            _same("accuracies of a flip", second, first)
            _among("flips", [*flip.winners, *first], models)
        for pair in self.pairs:
            _among("pairs", [pair.dataset], datasets)
            _among("pairs", [pair.first, pair.second], models)
        _among("winners", self.winners, datasets)
        for wins in self.winners.values():
            _among("winners", wins, models)
        return self


class Variance(_Numbers):
    """Variances of a draw by source; with one repeat its own is part of the split's."""

    split: Positive
    training: Positive
    repeat: Positive | None
    rest: Positive | None
    total: Positive


class RobustnessEntry(_Numbers):
    """A defense's or an attack's score: official, and over splits."""

    name: str
    official: Accuracy
    official_rank: Rank
    mean: Accuracy
    variance: Variance
    by_split: list[Accuracy]
    ranks: Annotated[list[Rank], Field(min_length=1)]  # on each split
    rank: Positive  # their mean


class RobustnessSide(_Numbers):
    """The entries of a side, by official rank, and on how many splits each is the first."""

    entries: list[RobustnessEntry]
    winners: dict[str, int]


class RobustnessCell(_Numbers):
    """A defense under an attack."""

    defense: str
    attack: str
    official: Accuracy
    mean: Accuracy
    variance: Variance


class RobustnessStudy(_Numbers):
    """Which runs were made."""

    board: str
    difficulty: Difficulty
    splits: int
    seeds: int
    repeats: int
    seed: int
    defenses: list[str]
    attacks: list[str]


class RobustnessResults(_Numbers):
    """A board over many splits: results.json of ``grb study robustness``."""

    kind: Literal["robustness"]
    study: RobustnessStudy
    estimator: str
    sides: dict[Side, RobustnessSide]
    cells: list[RobustnessCell]

    @model_validator(mode="after")
    def _of_one_study(self) -> Self:
        study = self.study
        _same("sides", self.sides, ("defense", "attack"))
        for side, names in (("defense", study.defenses), ("attack", study.attacks)):
            found = self.sides["defense" if side == "defense" else "attack"]
            _same(f"{side}s", [entry.name for entry in found.entries], names)
            _among(f"winners of {side}s", found.winners, names)
        _among("cells", [cell.defense for cell in self.cells], study.defenses)
        _among("cells", [cell.attack for cell in self.cells], [CLEAN, *study.attacks])
        return self


class SeedMean(_Numbers):
    """A number over the models of several seeds; ``std`` with ddof 0."""

    runs: Annotated[int, Field(ge=1)]
    mean: float
    std: Positive


class SeedScore(SeedMean):
    """Accuracies, or errors over the standard deviation of the test labels."""

    mean: Positive


class SeedShare(SeedMean):
    """Shares of the test graphs."""

    mean: Accuracy


class CurveClean(_Numbers):
    """A model on clean graphs."""

    score: SeedScore | None
    label_difference: SeedMean | None
    published: tuple[Positive, Positive] | None  # the thesis' mean and standard deviation


class CurvePoint(_Numbers):
    """A model under an attack of one budget."""

    score: SeedScore | None
    label_difference: SeedMean | None
    unmoved: SeedShare | None = None  # on which a gradient attack sees no slope


class Curve(_Numbers):
    """A model under an attack, by budget; clean robustness region, share of brute force's gain."""

    budgets: dict[str, CurvePoint]
    crr: SeedMean | None
    efficacy: SeedMean | None

    def scores(self) -> list[SeedScore]:
        """Those that there are, of all budgets."""
        return [point.score for point in self.budgets.values() if point.score is not None]

    def unmoved(self) -> SeedShare | None:
        """The share of graphs without a slope, at the least budget that has it."""
        points = (self.budgets[name] for name in sorted(self.budgets, key=int))
        return next((point.unmoved for point in points if point.unmoved is not None), None)


class CurveModel(_Numbers):
    """An architecture, and how it is trained."""

    model: str
    recipe: dict[str, str | int | float]
    clean: CurveClean
    attacks: dict[str, Curve]


class CurveStudy(_Numbers):
    """Which runs were made."""

    dataset: str
    models: Annotated[list[str], Field(max_length=100)]
    seeds: Annotated[list[Count], Field(max_length=1000)]
    attacks: Annotated[
        list[Annotated[str, Field(pattern="^[a-z][a-z-]{0,30}$")]], Field(max_length=50)
    ]
    budgets: Annotated[list[Rank], Field(max_length=100)]
    search: bool  # for the rate of gradient attacks
    epochs: int | None  # at most; null: those of the recipes


class CurveBaseline(_Numbers):
    """What the clean robustness region is measured from."""

    score: Positive
    source: str


class CurveFailure(_Numbers):
    """A model that has no runs."""

    dataset: str
    model: str
    seed: Count
    reason: str


class ExpressiveResults(_Numbers):
    """Models attacked one by one, white box: results.json of ``grb study expressive``."""

    kind: Literal["expressive"]
    study: CurveStudy
    score: Literal["accuracy", "normalised mean absolute error"]
    baseline: CurveBaseline
    models: list[CurveModel]
    failures: list[CurveFailure]

    @model_validator(mode="after")
    def _of_one_study(self) -> Self:
        study = self.study
        _same("models", [one.model for one in self.models], study.models)
        _among("failures", [one.model for one in self.failures], study.models)
        known = [str(budget) for budget in study.budgets]
        _same("budgets", set(known), known)
        seeds = [str(seed) for seed in study.seeds]
        _same("seeds", set(seeds), seeds)
        for one in self.models:
            _same(f"attacks of {one.model}", one.attacks, study.attacks)
            scores = [] if one.clean.score is None else [one.clean.score]
            for curve in one.attacks.values():
                _among(f"budgets of {one.model}", curve.budgets, known)
                scores += curve.scores()
            numbers = [number for found in scores for number in (found.mean, found.std)]
            highest = max([*numbers, *(one.clean.published or ())], default=0.0)
            if self.score == "accuracy" and highest > 1:
                raise ValueError(f"accuracies of {one.model}: found {highest}, allowed: 0 to 1")
        return self

    def budgets(self, attack: str) -> list[int]:
        """Those that some model has a score at under an attack, ascending."""
        curves = [one.attacks[attack].budgets for one in self.models]
        return [
            budget
            for budget in sorted(self.study.budgets)
            if any((point := c.get(str(budget))) and point.score for c in curves)
        ]

    def has_unmoved(self, attack: str) -> bool:
        """Whether an attack sees no slope on some graph."""
        shares = (one.attacks[attack].unmoved() for one in self.models)
        return any(share is not None and share.mean > 0 for share in shares)


def _same(place: str, found: Iterable[str], allowed: Iterable[str]) -> None:
    """The same names, in whatever order, each once."""
    listed, known = sorted(found), sorted(allowed)
    if listed != known or len(set(known)) < len(known):
        raise ValueError(f"{place}: found {', '.join(listed)}, allowed: {', '.join(known)}, once")


def _among(place: str, found: Iterable[str], allowed: Iterable[str]) -> None:
    """No other names."""
    known = set(allowed)
    for name in found:
        if name not in known:
            raise ValueError(f"{place}: found {name}, allowed: {', '.join(sorted(known))}")


AnyResults = SplitResults | RobustnessResults | ExpressiveResults
Results = Annotated[AnyResults, Field(discriminator="kind")]
RESULTS: TypeAdapter[AnyResults] = TypeAdapter(Results)
