"""What the service does at the moment: its queue, its workers, its failures, its pace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from sqlalchemy import and_, func, select
from sqlalchemy.orm import Session

from grbcore.needs import NEEDS, Need
from grbcore.scenario import Side
from grbcore.store import workers
from grbcore.store.failures import DAY, Failures, Work, ended, failures
from grbcore.store.line import counterparts, current, pace, stopped, waiters
from grbcore.store.presence import stays
from grbcore.store.queue import claimable_cell, claimable_validation
from grbcore.store.tables import BoardRow, CellRow, Submission, WorkerRow
from grbcore.store.visibility import seen_by
from grbcore.store.waiting import Pace, Waiter, cells_of_newcomer


@dataclass(frozen=True, slots=True)
class Queue:
    """One kind of work: what waits, what runs, what was done."""

    waiting: int
    oldest: datetime | None  # since when the oldest waits
    running: int
    done: int  # within the last day
    stopped: int  # wait for an admin


@dataclass(frozen=True, slots=True)
class AtWork:
    """What a worker holds a lease of."""

    kind: Work
    submission: Submission
    cells: int  # under the lease


@dataclass(frozen=True, slots=True)
class BoardPace:
    """What a newcomer to a board may expect."""

    row: BoardRow
    cell_seconds: float | None
    counterparts: Mapping[Side, int]  # that are public
    expected: Mapping[Side, float | None]  # seconds until a new entry of this side is ranked


@dataclass(frozen=True, slots=True)
class Unserved:
    """Work that waits for a need which no living worker takes."""

    need: str
    cells: int
    validations: int


@dataclass(frozen=True, slots=True)
class Status:
    """Everything that the page of the service's state shows."""

    at: datetime
    workers: Sequence[WorkerRow]
    alive: int
    takers: Mapping[Need, int]  # living workers that take boards of each need
    unserved: Sequence[Unserved]
    at_work: Mapping[str, AtWork]  # by worker
    validations: Queue
    cells: Queue
    failures: Sequence[Failures]
    boards: Sequence[BoardPace]


def status(session: Session, now: datetime) -> Status:
    """The state of the service."""
    boards = session.scalars(select(BoardRow).order_by(BoardRow.id)).all()
    known = [board.id for board in boards]
    line = waiters(session)
    speed = pace(session, known, now)
    counts, public = counterparts(session), counterparts(session, seen_by(None, now))
    takers = {need: sum(need in taken for taken in speed.takes) for need in NEEDS}
    return Status(
        at=now,
        workers=workers.known(session),
        alive=len(speed.takes),
        takers=takers,
        unserved=_unserved(session, boards, takers, now),
        at_work=_at_work(session),
        validations=_validations(session, now),
        cells=_cells(session, known, now),
        failures=failures(session, known, now),
        boards=[
            _board(board, speed, counts.get(board.id, {}), public.get(board.id, {}), line, now)
            for board in boards
        ],
    )


def cells_by_state(session: Session) -> dict[str, int]:
    """How many cells are in each state under their board's protocol; reads an entry of each."""
    query = select(CellRow.state, func.count()).join(BoardRow, current()).group_by(CellRow.state)
    return {state: count for state, count in session.execute(query)}


def _board(
    row: BoardRow,
    speed: Pace,
    counts: Mapping[Side, int],
    public: Mapping[Side, int],
    line: Sequence[Waiter],
    now: datetime,
) -> BoardPace:
    sides: tuple[Side, Side] = ("attack", "defense")
    return BoardPace(
        row=row,
        cell_seconds=speed.cell_seconds.get(row.id),
        counterparts={side: public.get(side, 0) for side in sides},
        expected={
            side: speed.expected(line, _newcomer(row.id, side, counts, now)) for side in sides
        },
    )


def _newcomer(board_id: str, side: Side, counts: Mapping[Side, int], now: datetime) -> Waiter:
    """What would wait if a user of whom nothing waits submitted now."""
    return Waiter(
        submission_id="",
        board_id=board_id,
        side=side,
        user_id="",
        served_at=None,
        since=now,
        validated=False,
        leased=False,
        waiting=cells_of_newcomer(side, counts),
    )


def _unserved(
    session: Session, boards: Sequence[BoardRow], takers: Mapping[Need, int], now: datetime
) -> list[Unserved]:
    """What nobody will take until a worker comes that does."""
    needs = {board.id: board.need for board in boards if takers.get(cast(Need, board.need)) == 0}
    if not needs:
        return []
    cells: Counter[str] = Counter()
    validations: Counter[str] = Counter()
    of_cell, of_entry = CellRow.board_id, Submission.board_id
    for counts, board_id, waits in (
        (cells, of_cell, claimable_cell(now)),
        (validations, of_entry, claimable_validation(now)),
    ):
        found = select(board_id, func.count()).where(board_id.in_(needs), waits).group_by(board_id)
        for board, count in session.execute(found):
            counts[needs[board]] += count
    return [
        Unserved(need, cells[need], validations[need])
        for need in takers
        if cells[need] or validations[need]
    ]


def _validations(session: Session, now: datetime) -> Queue:
    waits = and_(Submission.state == "received", ~stopped(), stays())
    pending = session.execute(
        select(
            func.count().filter(waits),
            func.min(Submission.received_at).filter(waits),
            func.count().filter(Submission.state == "validating"),
            func.count().filter(stopped(), stays()),
        ).where(Submission.state.in_(("received", "validating")))
    ).one()
    lately = Submission.validated_at >= now - DAY
    done = session.scalar(select(func.count()).select_from(Submission).where(lately))
    return Queue(pending[0], pending[1], pending[2], done or 0, pending[3])


def _cells(session: Session, boards: Sequence[str], now: datetime) -> Queue:
    open_cells = session.execute(
        select(CellRow.state, func.count(), func.min(CellRow.queued_at))
        .join(BoardRow, current())
        .where(CellRow.state.in_(("queued", "running", "dead")))
        .group_by(CellRow.state)
    )
    found = {state: (count, oldest) for state, count, oldest in open_cells}
    none = (0, None)
    done = session.scalar(
        select(func.count()).select_from(CellRow).where(ended(boards, "done", now))
    )
    waiting, oldest = found.get("queued", none)
    return Queue(
        waiting, oldest, found.get("running", none)[0], done or 0, found.get("dead", none)[0]
    )


def _at_work(session: Session) -> dict[str, AtWork]:
    """What each worker holds, as the leases tell."""
    found = {}
    validating = select(Submission).where(Submission.state == "validating")
    for row in session.scalars(validating):
        found[str(row.lease_owner)] = AtWork("validation", row, 0)
    held = session.execute(
        select(CellRow.lease_owner, CellRow.newcomer_id, func.count())
        .where(CellRow.state == "running")
        .group_by(CellRow.lease_owner, CellRow.newcomer_id)
    )
    for owner, newcomer_id, count in held:
        newcomer = session.get_one(Submission, newcomer_id)
        found[str(owner)] = AtWork("cells", newcomer, count)
    return found
