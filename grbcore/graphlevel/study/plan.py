"""Which runs a study of robustness has: models × seeds, clean and under attacks of some budgets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from grbcore.graphlevel.attacks import AdjPGD, AttrPGD, BruteForce, Genetic, GraphAttack, Random
from grbcore.graphlevel.loading import SOURCES
from grbcore.graphlevel.models import MODELS
from grbcore.graphlevel.random_changes import Kind, Values
from grbcore.graphlevel.training import ADVERSARIAL_RECIPES, RECIPES, Recipe
from grbcore.violations import Refused, Violation

#: One more whenever a run of the same key comes out otherwise, so that no study mixes both; not
#: where only sums are rounded otherwise, as they are on another processor, too.
IMPLEMENTATION = 8

#: What a row that is no attack's is called.
CLEAN = "clean"

#: What the name of a model ends in that is trained adversarially; on MUTAG only, as in the thesis.
ADVERSARIAL = "-adv"

#: How often gradient attacks begin anew, where it is not three times: edges of IMDB have no
#: features that a start would draw.  Source: the thesis, section 5.5, and its code.
REPEATS: Mapping[str, int] = {"imdb-binary": 1, "imdb-multi": 1}

#: Draws of a random attack, of which the mean is told.  Source: the thesis, section 5.3.
DRAWS = 5


@dataclass(frozen=True, slots=True)
class Threat:
    """An attack of a study and what it may change."""

    make: Callable[[Values], GraphAttack]
    attributes: bool = False
    budgets: tuple[int, ...] | None = None  # those that it can do; None: all
    draws: int = 1  # how often it is made


def _random(kind: Kind) -> Callable[[Values], GraphAttack]:
    return lambda values: Random(values, kind)


#: Attacks by the names that ``--attacks`` knows.
THREATS: Mapping[str, Threat] = {
    "brute-force": Threat(BruteForce, budgets=(1,)),
    "brute-force-attributes": Threat(BruteForce, attributes=True, budgets=(1,)),
    "adjpgd": Threat(lambda values: AdjPGD()),
    "attrpgd": Threat(lambda values: AttrPGD(values=values), attributes=True),
    "random": Threat(_random("add"), draws=DRAWS),
    "random-remove": Threat(_random("remove"), draws=DRAWS),
    "random-rewire": Threat(_random("rewire"), draws=DRAWS),
    "random-nodes": Threat(_random("nodes"), attributes=True, draws=DRAWS),
    "genetic": Threat(Genetic),
    "genetic-attributes": Threat(Genetic, attributes=True),
}

#: What attacks with brute force's threat model at budget 1 are compared with.
STRONGEST = {False: "brute-force", True: "brute-force-attributes"}


def recipes(dataset: str) -> dict[str, Recipe]:
    """The thesis' recipe of each model of a study of this dataset."""
    found = dict(RECIPES[dataset])
    if dataset == "mutag":
        found |= {name + ADVERSARIAL: recipe for name, recipe in ADVERSARIAL_RECIPES.items()}
    return found


def attacks_on(dataset: str) -> list[str]:
    """The attacks that there are on a dataset: on edges alone, where degrees stand for features."""
    source = SOURCES.get(dataset)
    bare = source is not None and source.degrees > 0
    return [name for name, threat in THREATS.items() if not (bare and threat.attributes)]


def architecture(model: str) -> str:
    """The architecture of a model of a study."""
    return model.removesuffix(ADVERSARIAL)


@dataclass(frozen=True, slots=True)
class Key:
    """Which run it is: a model of one seed, clean (budget 0) or under an attack."""

    dataset: str
    model: str
    seed: int
    attack: str
    budget: int


@dataclass(frozen=True, slots=True)
class Study:
    """Models of one dataset, one of each seed, and the attacks that they are put to."""

    dataset: str
    models: tuple[str, ...]
    seeds: tuple[int, ...]
    attacks: tuple[str, ...]
    budgets: tuple[int, ...]
    search: bool = False  # learning rates of gradient attacks
    epochs: int | None = None  # fewer than the thesis' recipes have

    def __post_init__(self) -> None:
        found = []
        known = [name for name in SOURCES if name in RECIPES]
        if self.dataset not in known:
            found.append(Violation("format", "--dataset", self.dataset, ", ".join(known)))
        has = list(recipes(self.dataset) if self.dataset in known else MODELS)
        for option, names, allowed in (
            ("--models", self.models, has),
            ("--attacks", self.attacks, attacks_on(self.dataset)),
        ):
            listed = ", ".join(allowed)
            found += [Violation("format", option, n, listed) for n in names if n not in allowed]
        if self.epochs is not None and self.epochs < 1:
            found.append(Violation("parameters", "--epochs", f"{self.epochs}", "1 or more"))
        for option, numbers, least, such in (
            ("--seeds", self.seeds, 0, "a count of 1 or more, or seeds such as 3-4"),
            ("--budgets", self.budgets, 1, "1 or more, such as 1-5"),
        ):
            if not numbers or min(numbers) < least:
                listed = ", ".join(map(str, numbers)) or "none"
                found.append(Violation("parameters", option, listed, such))
        if found:
            raise Refused(found)

    def recipe(self, model: str) -> Recipe:
        """How a model is trained."""
        recipe = recipes(self.dataset)[model]
        if self.epochs is None:
            return recipe
        return replace(recipe, epochs=min(self.epochs, recipe.epochs))

    def runs(self) -> list[Key]:
        """Every run: all models clean, seed by seed; then attack by attack, model by model."""
        pairs = [(model, seed) for seed in self.seeds for model in self.models]
        clean = [Key(self.dataset, model, seed, CLEAN, 0) for model, seed in pairs]
        return clean + [
            Key(self.dataset, model, seed, attack, budget)
            for attack in self.attacks
            for budget in THREATS[attack].budgets or self.budgets
            for model, seed in pairs
            if budget in self.budgets
        ]
