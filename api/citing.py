"""A board's state as BibTeX has it."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from api import schemas
from grbcore import latex


def board_bibtex(board: schemas.BoardOut, address: str, today: datetime) -> str:
    """A record of a board at its revision: what was there, since when, and where it is read.

    Args:
        board: its state.
        address: of its page, with scheme and host.
        today: when it is read.
    """
    key = re.sub("[^a-z0-9]+", "-", board.id.lower())
    since = board.changed_at or today
    state = f"{board.defenses} defenses and {board.attacks} attacks, as of {_day(since)}"
    protocol = f"; protocol {board.protocol}" if board.protocol else ""
    lines = (
        ("title", f"{{{latex.escape(board.title)}}} ({board.id}), revision {board.revision}"),
        ("author", "{Graph Robustness Leaderboard}"),
        ("year", _day(since)[:4]),
        ("howpublished", rf"\url{{{address}}}"),
        ("urldate", _day(today)),
        ("note", latex.escape(state + protocol)),
    )
    body = ",\n".join(f"  {name} = {{{value}}}" for name, value in lines)
    return f"@misc{{{key}-r{board.revision},\n{body}\n}}\n"


def _day(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d}"
