"""What everybody may read of a board's re-evaluations."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel


class AppliedOut(BaseModel):
    """A re-evaluation that changed a board: when, why, and how much."""

    id: str
    at: datetime
    reason: str
    protocol: str
    cells: int  # that were computed once more
    changed: int  # of these, whose counts differ from what they were
    ranks: int  # of the reference view that changed, both sides together


class ComingOut(BaseModel):
    """A re-evaluation that will move the board to another protocol; newcomers wait for it."""

    id: str
    state: Literal["proposed", "running", "ready"]
    reason: str
    protocol: str
    cells: int
    finished: int  # of these cells
    since: datetime


class HistoryOut(BaseModel):
    """The re-evaluations of a board, latest first; ``next`` is the cursor of the next page."""

    board: str
    coming: ComingOut | None
    applied: list[AppliedOut]
    next: str | None
