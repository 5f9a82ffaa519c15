"""What the API gives of flags."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel

from grbcore.flags import Severity, Unit


class FlagKindOut(BaseModel):
    """A flag that entries can have; `docs/flags.md` has its threshold and what it proves.

    `warning`: the numbers may mean less than they seem to.  `note`: what to know when reading them.
    `context`: what holds of many entries, or is declared; the page's rankings leave it out.
    """

    code: str
    title: str
    severity: Severity
    meaning: str


class FigureOut(BaseModel):
    """A number behind a flag; ``text`` is the value with its unit, as a page shows it."""

    name: str
    value: float
    unit: Unit
    text: str


class DismissalOut(BaseModel):
    """Why an admin has dismissed a flag, and when."""

    reason: str
    at: datetime


class FlagOut(FlagKindOut):
    """A flag of one entry: why it was raised, in a sentence, and the numbers.

    One that an admin has ``dismissed`` is shown beside the entry only, with why.
    """

    reason: str
    figures: list[FigureOut]
    dismissed: DismissalOut | None
