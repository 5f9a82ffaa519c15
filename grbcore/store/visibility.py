"""Who sees a submission: the one place that decides, of a row and in SQL.

A public submission is seen by everybody, one under an embargo from its date on, by time alone.
What is not public is seen by its owner and by admins; for everybody else it is not there, nor is
any cell that it takes part in.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal, get_args

from sqlalchemy import ColumnElement, and_, literal_column, or_, select, true
from sqlalchemy.orm import Session

from grbcore.store.tables import CellRow, Submission, User
from grbcore.store.tables.entries import VISIBILITIES

Visibility = Literal["public", "embargoed", "private"]
assert get_args(Visibility) == VISIBILITIES

#: Who asks; None is anybody.
Viewer = User | None

#: So far ahead an embargo may end.
LONGEST = timedelta(days=366)


def is_public(entry: Submission, now: datetime) -> bool:
    """Whether everybody sees this entry."""
    lapsed = entry.public_at is not None and entry.public_at <= now
    return entry.visibility == "public" or (entry.visibility == "embargoed" and lapsed)


def may_see(entry: Submission, viewer: Viewer, now: datetime) -> bool:
    """Whether this entry is there for the viewer."""
    theirs = viewer is not None and (viewer.role == "admin" or viewer.id == entry.user_id)
    return theirs or is_public(entry, now)


def may_see_cell(cell: CellRow, viewer: Viewer, now: datetime) -> bool:
    """Whether both entries of this cell are there for the viewer."""
    ends = (cell.attack, cell.defense)
    return all(entry is None or may_see(entry, viewer, now) for entry in ends)


def visibility_of(entry: Submission, now: datetime) -> Visibility:
    """What holds now: an embargo that is over is none."""
    return "public" if is_public(entry, now) else entry.visibility  # type: ignore[return-value]


def seen_by(viewer: Viewer, now: datetime) -> ColumnElement[bool]:
    """`may_see` of the entries of a query."""
    if viewer is None:
        return or_(Submission.visibility == "public", lapsed(now))
    if viewer.role == "admin":
        return true()
    return or_(Submission.visibility == "public", lapsed(now), Submission.user_id == viewer.id)


def cells_seen_by(viewer: Viewer, now: datetime) -> ColumnElement[bool]:
    """`may_see_cell` of the cells of a query."""
    if viewer is not None and viewer.role == "admin":
        return true()
    unseen = select(Submission.id).where(_kept(), ~seen_by(viewer, now))
    attack, defense = CellRow.attack_id, CellRow.defense_id
    return and_(or_(attack.is_(None), attack.not_in(unseen)), defense.not_in(unseen))


def lapsed(now: datetime) -> ColumnElement[bool]:
    """An embargo that is over, which nobody has noted yet."""
    return and_(Submission.visibility == "embargoed", Submission.public_at <= now)


def kept(session: Session, board_id: str, now: datetime) -> frozenset[str]:
    """The ids of a board's entries that not everybody sees."""
    query = select(Submission.id).where(Submission.board_id == board_id, _kept(), ~lapsed(now))
    return frozenset(session.scalars(query))


def beyond(
    session: Session, board_id: str, viewer: Viewer, now: datetime
) -> Sequence[tuple[object, ...]]:
    """What the viewer sees of a board beyond what its revision stands for.

    To the eyes of everybody that is an embargo that ended a moment ago, to others also what they
    keep from everybody.  Two viewers who are given the same see the same board.
    """
    told = (
        Submission.id,
        Submission.state,
        Submission.registered_at,
        Submission.withdrawn_at,
        Submission.hidden_at,
        Submission.deleted_at,
    )
    query = select(*told).where(Submission.board_id == board_id, _kept(), seen_by(viewer, now))
    return tuple(tuple(row) for row in session.execute(query.order_by(Submission.id)))


def _kept() -> ColumnElement[bool]:
    """What the index of entries that are not public holds; written out, so that it is used."""
    return Submission.visibility != literal_column("'public'")
