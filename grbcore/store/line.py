"""The queue as it stands: who waits in it, and how fast it moves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from statistics import median
from typing import Any, cast

from sqlalchemy import ColumnElement, and_, func, select, true
from sqlalchemy.orm import Session

from grbcore.scenario import Side
from grbcore.store import workers
from grbcore.store.presence import stays
from grbcore.store.queue import MAX_VALIDATIONS
from grbcore.store.registration import counterpart
from grbcore.store.tables import BoardRow, CellRow, Submission, User
from grbcore.store.waiting import Pace, Place, Waiter, cells_of_newcomer, place

#: So many of a board's latest cells tell how long one takes.
MEASURED = 200


def place_of(session: Session, submission_id: str, now: datetime) -> Place | None:
    """Where a submission stands in the queue; None where it waits for nothing."""
    line = waiters(session)
    if all(waiter.submission_id != submission_id for waiter in line):
        return None
    return place(submission_id, line, pace(session, {one.board_id for one in line}, now))


def waiters(session: Session) -> list[Waiter]:
    """Every submission that waits for its validation or has open cells, in no order."""
    counts = counterparts(session)
    received = session.execute(
        select(
            Submission.id,
            Submission.board_id,
            Submission.side,
            Submission.user_id,
            User.served_at,
            Submission.received_at,
            Submission.state,
        )
        .join(User, User.id == Submission.user_id)
        .where(Submission.state.in_(("received", "validating")), ~stopped(), stays())
    )
    found = [
        Waiter(
            *_who(row),
            validated=False,
            leased=row[6] == "validating",
            waiting=cells_of_newcomer(cast(Side, row[2]), counts.get(row[1], {})),
        )
        for row in received
    ]
    queued = CellRow.state == "queued"
    evaluating = session.execute(
        select(
            Submission.id,
            Submission.board_id,
            Submission.side,
            Submission.user_id,
            User.served_at,
            func.min(CellRow.queued_at),
            func.count().filter(queued),
            func.count().filter(~queued),
            func.min(CellRow.priority),
        )
        .select_from(CellRow)
        .join(BoardRow, current())
        .join(Submission, Submission.id == CellRow.newcomer_id)
        .join(User, User.id == Submission.user_id)
        .where(CellRow.state.in_(("queued", "running")))
        .group_by(
            Submission.id, Submission.board_id, Submission.side, Submission.user_id, User.served_at
        )
    )
    found += [
        Waiter(
            *_who(row),
            validated=True,
            leased=row[7] > 0,
            waiting=row[6],
            running=row[7],
            priority=row[8],
        )
        for row in evaluating
    ]
    return found


def counterparts(
    session: Session, seen: ColumnElement[bool] | None = None
) -> dict[str, dict[Side, int]]:
    """How many registered counterparts each board has, by side; those that are ``seen``."""
    query = (
        select(Submission.board_id, Submission.side, func.count())
        .where(counterpart(), true() if seen is None else seen)
        .group_by(Submission.board_id, Submission.side)
    )
    found: dict[str, dict[Side, int]] = {}
    for board_id, side, count in session.execute(query):
        found.setdefault(board_id, {})[cast(Side, side)] = count
    return found


def pace(session: Session, boards: Iterable[str], now: datetime) -> Pace:
    """The medians of these boards' latest cells, what they need, and what living workers take."""
    boards = [*boards]
    medians = {}
    for board_id in boards:
        latest = (
            select(CellRow.seconds)
            .where(CellRow.board_id == board_id, CellRow.state == "done")
            .order_by(CellRow.finished_at.desc())
            .limit(MEASURED)
        )
        seconds = [value for value in session.scalars(latest) if value is not None]
        if seconds:
            medians[board_id] = median(seconds)
    wanted = select(BoardRow.id, BoardRow.need).where(BoardRow.id.in_(boards))
    needs = {board_id: need for board_id, need in session.execute(wanted)}
    return Pace(medians, workers.taken(session, now), needs)


def current() -> ColumnElement[bool]:
    """Joins a current cell to its board, where its protocol is the board's."""
    return and_(
        BoardRow.id == CellRow.board_id,
        BoardRow.protocol == CellRow.protocol,
        CellRow.place == "current",
    )


def _who(row: Sequence[Any]) -> tuple[str, str, Side, str, datetime | None, datetime]:
    """The first fields of a `Waiter`, in their order."""
    submission_id, board_id, side, user_id, served_at, since, *_ = row
    return submission_id, board_id, side, user_id, served_at, since


def stopped() -> ColumnElement[bool]:
    """Whether a validation waits for an admin."""
    return and_(Submission.state == "received", Submission.attempts >= MAX_VALIDATIONS)
