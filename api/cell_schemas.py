"""What the API tells of a cell beyond its counts."""

from __future__ import annotations

from pydantic import BaseModel

from api.schemas import ScoreOut
from grbcore.scenario import Difficulty


class GroupOut(BaseModel):
    """Targets whose degree in the clean graph, or whose class, is ``low`` to ``high``."""

    low: int
    high: int
    targets: int
    correct: list[int]  # per repeat
    accuracy: ScoreOut
    clean: ScoreOut | None  # of the same targets without an attack, where that is known


class ChangeOut(BaseModel):
    """Targets by what was predicted without and with the attack, one count per repeat."""

    kept: list[int]  # right in both
    lost: list[int]  # right without the attack only
    gained: list[int]  # right with the attack only
    missed: list[int]  # wrong in both


class BreakdownOut(BaseModel):
    """Where a defense was right at one difficulty: by degree, by class, before and after.

    ``missing`` says why there is nothing, where that is so.
    """

    cell: str
    difficulty: Difficulty
    degrees: list[GroupOut]
    classes: list[GroupOut]
    change: ChangeOut | None  # null without an attack, or where hits without one are not known
    missing: str | None
