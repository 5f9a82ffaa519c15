"""How the best of a side grew over time."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from grbcore.scenario import Side


class Entered(NamedTuple):
    """An entry with the time it was registered and its score, as it is today."""

    at: datetime
    id: str
    score: float


def records(entries: Iterable[Entered], side: Side) -> list[Entered]:
    """Those that beat everything registered before them, oldest first.

    A defense does so with a higher score, an attack with a lower one (of errors see
    `scenario.judged_as`); who only reaches the best does not.  Scores are those of today's
    counterparts, so that all of them can be compared.
    """
    sign = 1.0 if side == "defense" else -1.0
    found: list[Entered] = []
    for entry in sorted(entries, key=lambda one: (one.at, one.id)):
        if not found or sign * entry.score > sign * found[-1].score:
            found.append(entry)
    return found
