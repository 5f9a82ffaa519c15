"""The two views of a ranking: who is ranked, and over whom.

``reference``: counterparts are the board's references, hidden ones included, so that nobody's
upload moves anybody's score.  ``all``: every registered entry that is not withdrawn, hidden or
deleted, which is GRB's own rule.  In both, these are the entries that are ranked.

What a reader does not see is neither ranked nor a counterpart: not in public, as long as an entry
is private or under an embargo.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy.orm import Session

from grbcore.catalog import Board
from grbcore.columns import columns_of, rows_of
from grbcore.leaderboard import Arena, Leaderboard, Row, ordered
from grbcore.scenario import SIDES, Difficulty, Side
from grbcore.store.presence import is_shown
from grbcore.store.queries import fill, heads
from grbcore.store.session import now
from grbcore.store.tables import Submission
from grbcore.store.visibility import Viewer, may_see

View = Literal["reference", "all"]
VIEWS: tuple[View, ...] = ("reference", "all")


def is_ranked(entry: Submission) -> bool:
    """Registered, and neither withdrawn, hidden nor deleted."""
    return entry.registered_at is not None and is_shown(entry)


def is_counterpart(entry: Submission, view: View) -> bool:
    """Whether scores of the other side run over this entry."""
    if view == "all":
        return is_ranked(entry)
    return entry.is_reference and entry.registered_at is not None


def arena(board_entries: Sequence[Submission], *, repeats: int, view: View) -> Arena:
    """Ranked entries and counterparts of both sides, in the order given; pure."""

    def ids(side: Side, chosen: Sequence[Submission]) -> tuple[str, ...]:
        return tuple(entry.id for entry in chosen if entry.side == side)

    ranked = [entry for entry in board_entries if is_ranked(entry)]
    counted = [entry for entry in board_entries if is_counterpart(entry, view)]
    return Arena(
        repeats=repeats,
        attacks=ids("attack", ranked),
        defenses=ids("defense", ranked),
        attack_counterparts=ids("defense", counted),
        defense_counterparts=ids("attack", counted),
    )


@dataclass(frozen=True, slots=True)
class Scores:
    """The rows of one side or both, with their metrics at every difficulty, in no order."""

    rows: Mapping[Side, Sequence[Row]]

    def ranking(self, side: Side, difficulty: Difficulty) -> Leaderboard:
        """These rows in the order of one difficulty."""
        return ordered(self.rows[side], side, difficulty)


def scores(
    session: Session,
    board: Board,
    protocol: str | None,
    *,
    view: View,
    sides: Sequence[Side] = SIDES,
    viewer: Viewer = None,
    at: datetime | None = None,
) -> Scores:
    """What rankings of these sides are made of, over the finished cells of this protocol.

    They are of entries that the viewer sees at this moment, which is now if none is given.
    A single side in the reference view needs the cells of the references alone.
    """
    at = at or now()
    seen = [entry for entry in heads(session, board.id) if may_see(entry, viewer, at)]
    found = arena(seen, repeats=board.repeats, view=view)
    cells = columns_of(found, sides)
    attacks = found.defense_counterparts if view == "reference" and "attack" not in sides else None
    defenses = found.attack_counterparts if view == "reference" and "defense" not in sides else None
    if protocol is not None:
        fill(session, board.id, protocol, cells, attacks=attacks, defenses=defenses)
    return Scores({side: rows_of(found, cells, side) for side in sides})


def standing(
    session: Session,
    board: Board,
    protocol: str | None,
    *,
    view: View,
    side: Side,
    difficulty: Difficulty = "full",
) -> Leaderboard:
    """The ranking of one side as everybody sees it, over the finished cells of this protocol."""
    return scores(session, board, protocol, view=view, sides=(side,)).ranking(side, difficulty)
