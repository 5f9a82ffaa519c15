"""The two views of a ranking: who is ranked, and over whom.

``reference``: counterparts are the board's references, hidden ones included, so that nobody's
upload moves anybody's score.  ``all``: every registered entry that is not withdrawn, hidden or
deleted, which is GRB's own rule.  In both, these are the entries that are ranked.

What a reader does not see is neither ranked nor a counterpart: not in public, as long as an entry
is private or under an embargo.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Literal

from sqlalchemy.orm import Session

from grbcore.catalog import Board
from grbcore.columns import columns_of, rows_of
from grbcore.leaderboard import Arena, Leaderboard, Row, ordered
from grbcore.scenario import Difficulty, Side
from grbcore.store.counts import Counts
from grbcore.store.presence import is_shown
from grbcore.store.queries import heads
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


def arena(
    board_entries: Sequence[Submission],
    board: Board,
    *,
    view: View,
    joining: Collection[str] = (),
) -> Arena:
    """Ranked entries and counterparts of both sides, in the order given; pure.

    Those that are ``joining`` stand as if they were registered.
    """

    def ids(side: Side, chosen: Sequence[Submission]) -> tuple[str, ...]:
        return tuple(entry.id for entry in chosen if entry.side == side)

    def joins(entry: Submission) -> bool:
        return entry.id in joining

    ranked = [
        entry for entry in board_entries if is_ranked(entry) or (joins(entry) and is_shown(entry))
    ]
    counted = [
        entry
        for entry in board_entries
        if is_counterpart(entry, view)
        or (joins(entry) and (entry.is_reference if view == "reference" else is_shown(entry)))
    ]
    return Arena(
        repeats=board.repeats,
        attacks=ids("attack", ranked),
        defenses=ids("defense", ranked),
        attack_counterparts=ids("defense", counted),
        defense_counterparts=ids("attack", counted),
        difficulties=board.difficulties,
        errors=board.errors,
    )


def scores(
    session: Session,
    board: Board,
    protocol: str | None,
    *,
    view: View,
    side: Side,
    known: Counts | None = None,
    viewer: Viewer = None,
    at: datetime | None = None,
) -> list[Row]:
    """The rows of one side with their metrics at every difficulty, in no order.

    They are of the entries that the viewer sees ``at`` that time (now), over the finished cells of
    this protocol; of those that are ``known`` already only what came since is read.
    """
    entries = heads(session, board.id)
    moment = at or now()
    seen = [entry for entry in entries if may_see(entry, viewer, moment)]
    found = arena(seen, board, view=view)
    if protocol is None:
        return rows_of(found, columns_of(found), side)
    attacks = found.attacks if side == "attack" else found.defense_counterparts
    defenses = found.defenses if side == "defense" else found.attack_counterparts
    known = known or Counts(board)
    return rows_of(found, known.columns(session, protocol, entries, attacks, defenses), side)


def standing(
    session: Session,
    board: Board,
    protocol: str | None,
    *,
    view: View,
    side: Side,
    difficulty: Difficulty | None = None,
    known: Counts | None = None,
) -> Leaderboard:
    """The ranking of one side as everybody sees it, over the finished cells of this protocol; by
    what the board's are ordered by unless one chooses."""
    rows = scores(session, board, protocol, view=view, side=side, known=known)
    return ordered(rows, side, difficulty or board.ranked, errors=board.errors)
