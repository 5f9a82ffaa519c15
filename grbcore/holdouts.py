"""Hold-outs: attacks that a defense was not trained for, to see what its robustness is worth.

Adversarial training sees the board's budget, exactly: the attacks that it is judged by inject as
many nodes, or flip as many edges, as those that it learned from; of whole graphs it has seen fewer
changes than the largest budget allows.  So the board's references are
made once more at half and at double the budget, and attacks of families that the board has no
reference of at the budget itself.  Nothing of this enters a ranking.

Source: GRB, Tables 5 and 12 (the two budgets are one).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from grbcore.catalog import AttackRecipe, Board, methods_of
from grbcore.results import Cell
from grbcore.scenario import Difficulty, parts_of

#: How much of the board's budget the references are made with once more.  At 1 they are what the
#: board has; they are made alike all the same, so that the three compare like with like.
FACTORS = (0.5, 1.0, 2.0)

#: ``budget``: a reference at another budget; ``unseen``: a family that is not among them.
Kind = Literal["budget", "unseen"]
KINDS: tuple[Kind, ...] = ("budget", "unseen")


@dataclass(frozen=True, slots=True)
class Holdout:
    """An attack to be made: its recipe, and how much of the board's budget it may use."""

    recipe: AttackRecipe
    kind: Kind
    factor: float


def planned(
    board: Board, names: Collection[str], families: Collection[str], *, unseen: bool = True
) -> list[Holdout]:
    """The hold-outs of a board, in the order of its recipes.

    Args:
        board: its recipes are followed.
        names: of the reference attacks that are made from its recipes.
        families: of all of its reference attacks.
        unseen: also families that are not among these: the board's first recipe of each, or the
            method as it is by itself, with the surrogate of the board's first recipe that has one.
    """
    recipes = [recipe for recipe in board.attacks if recipe.name in names]
    found = [Holdout(recipe, "budget", factor) for recipe in recipes for factor in FACTORS]
    if not unseen:
        return found
    surrogate = next((one.surrogate for one in board.attacks if one.surrogate is not None), None)
    for method in methods_of(board.scenario):
        if method in families:
            continue
        own = next((one for one in board.attacks if one.method == method), None)
        plain = AttackRecipe(name=method, method=method, surrogate=surrogate)
        found.append(Holdout(own or plain, "unseen", 1.0))
    return found


@dataclass(frozen=True, slots=True)
class Measured:
    """Accuracies of a defense under one hold-out at one difficulty, one for each repeat."""

    attack: str
    kind: Kind
    factor: float
    accuracies: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean over repeats."""
        return float(np.mean(self.accuracies))


@dataclass(frozen=True, slots=True)
class Summary:
    """A defense under all hold-outs of a kind and budget: the mean of their accuracies, and the
    lowest with its attack."""

    kind: Kind
    factor: float
    attacks: int
    mean: float
    worst: float
    worst_attack: str


def summaries(found: Sequence[Measured]) -> list[Summary]:
    """By kind and budget, the smallest budget first; unseen families last.

    Of budgets only attacks count that were measured at every one of `FACTORS`, so that the rows
    differ in nothing but the budget.
    """
    groups: dict[tuple[Kind, float], list[Measured]] = {}
    for one in _complete(found):
        groups.setdefault((one.kind, one.factor), []).append(one)
    ordered = sorted(groups.items(), key=lambda item: (KINDS.index(item[0][0]), item[0][1]))
    rows = []
    for (kind, factor), members in ordered:
        lowest = min(members, key=lambda one: (one.mean, one.attack))
        mean = float(np.mean([one.mean for one in members]))
        rows.append(Summary(kind, factor, len(members), mean, lowest.mean, lowest.attack))
    return rows


def _complete(found: Sequence[Measured]) -> list[Measured]:
    factors: dict[str, set[float]] = {}
    for one in found:
        if one.kind == "budget":
            factors.setdefault(one.attack, set()).add(one.factor)
    return [one for one in found if one.kind == "unseen" or factors[one.attack] >= {*FACTORS}]


def measured(
    attack: str,
    kind: Kind,
    factor: float,
    correct: Mapping[Difficulty, Sequence[int]],
    total: Mapping[Difficulty, int],
    difficulty: Difficulty,
) -> Measured | None:
    """From counts by difficulty; None where the attack does not carry this one."""
    if not {*parts_of(difficulty)} <= correct.keys():
        return None
    cell = Cell(attack, "", {name: tuple(counts) for name, counts in correct.items()}, total)
    return Measured(attack, kind, factor, cell.accuracy(difficulty))
