"""What the API tells of a defense under hold-outs."""

from __future__ import annotations

from pydantic import BaseModel

from api.schemas import ScoreOut
from grbcore.holdouts import Kind
from grbcore.scenario import Difficulty


class HoldoutRow(BaseModel):
    """A defense under all hold-outs of a kind and budget at one difficulty.

    ``mean`` is the mean of its accuracies under so many ``attacks``, ``worst`` the lowest.  The
    rows of kind ``budget`` are of the same attacks; ``factor`` is the budget, in times of the
    board's.
    """

    kind: Kind
    factor: float
    attacks: int
    mean: float
    worst: float
    worst_attack: str


class HoldoutAccuracy(BaseModel):
    """A defense under one hold-out at one difficulty."""

    attack: str
    family: str
    kind: Kind
    factor: float
    accuracy: ScoreOut
    sha256: str  # of the attack's file


class HoldoutsOut(BaseModel):
    """How accurate a defense is under attacks that it was not trained for; it ranks nobody.

    ``due`` tells whether workers measure it: adversarially trained references, and whoever asks.
    Of ``attacks`` that the board has, ``done`` are measured and ``failed`` could not be.
    """

    submission: str
    difficulty: Difficulty
    due: bool
    attacks: int
    done: int
    failed: int
    rows: list[HoldoutRow]
    measured: list[HoldoutAccuracy]
