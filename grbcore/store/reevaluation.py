"""Computing cells once more, beside those that the board shows, and putting them in their place.

A re-evaluation has shadow cells, which wait behind everybody's new work.  Nothing of it is seen on
the board before it is applied, in one transaction; cancelled, it leaves a row that says so.  A
board whose data or rules changed gets one that is ``proposed`` and moves it to its new protocol.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session, joinedload

from grbcore.store import audit, workers
from grbcore.store.audit import Via
from grbcore.store.effects import required
from grbcore.store.estimates import estimates
from grbcore.store.locks import lock_board, take_time
from grbcore.store.pairs import Pair
from grbcore.store.queue import BULK, RERUN
from grbcore.store.reached import progress
from grbcore.store.recovery import requeue
from grbcore.store.registration import counterpart
from grbcore.store.selection import Selection, selected
from grbcore.store.shadows import settle_jobs
from grbcore.store.tables import BoardRow, CellRow, Reevaluation, Submission

#: States of a re-evaluation that is not decided.
OPEN = ("proposed", "running", "ready")


#: So many cells are queued by one statement.
_AT_ONCE = 5000


class NotPossible(Exception):
    """What was asked for can't be done now; the text says what was found and what is allowed."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Plan:
    """What a selection amounts to."""

    protocol: str
    cells: int
    attacks: int
    defenses: int
    seconds: float  # of one worker
    expected: float | None  # seconds with the workers that are there; None without any


def plan(session: Session, board_id: str, selection: Selection, now: datetime) -> Plan:
    """What would be computed, and how long that takes; nothing is written.

    Raises:
        NotPossible: the board has no data here.
    """
    board = _board(session, board_id)
    pairs = selected(session, board, selection)
    return _plan(session, board, str(board.protocol), pairs, now)


def create(
    session: Session,
    board_id: str,
    selection: Selection,
    *,
    reason: str,
    author_id: str | None,
    via: Via,
    now: datetime,
) -> Reevaluation:
    """Begin to compute the selected cells once more, in the shadow.

    Raises:
        NotPossible: the board has no data here, or nothing is selected.
    """
    board = _board(session, board_id, lock=True)
    take_time(session)
    pairs = selected(session, board, selection)
    if not pairs:
        raise NotPossible(
            "nothing-selected", "selection: found no cells, allowed: one that selects some"
        )
    found = _plan(session, board, str(board.protocol), pairs, now)
    job = Reevaluation(
        board_id=board.id,
        protocol=found.protocol,
        selection=selection.stored,
        reason=reason,
        author_id=author_id,
        state="running",
        cells=found.cells,
        estimate=found.seconds,
        created_at=now,
        started_at=now,
    )
    session.add(job)
    session.flush()
    _queue(session, job, pairs, selection.submissions, now)
    _note(session, job, "create", author_id, via, reason, now)
    return job


def propose(
    session: Session,
    board: BoardRow,
    protocol: str,
    facts: dict[str, Any],
    now: datetime,
    *,
    host: str,
) -> Reevaluation:
    """Suggest that this locked board moves to a new protocol; the one that is suggested already
    where there is one.  What this host suggested for other protocols is cancelled."""
    for job in jobs(session, board_id=board.id, states=OPEN, limit=1000):
        if job.protocol == protocol:
            return job
        if job.protocol != board.protocol and job.host in (None, host):
            reason = f"the data or the rules changed again, to protocol {protocol}"
            _close(session, job, None, "service", reason, now)
    pairs = required(_counterparts(session, board.id))
    found = _plan(session, board, protocol, pairs, now)
    job = Reevaluation(
        board_id=board.id,
        protocol=protocol,
        facts=facts,
        selection={},
        host=host,
        reason=f"the board's data or rules changed: from protocol {board.protocol} to {protocol}",
        state="proposed",
        cells=found.cells,
        estimate=found.seconds,
        created_at=now,
    )
    session.add(job)
    session.flush()
    _note(session, job, "propose", None, "service", job.reason, now)
    return job


def withdraw_proposals(session: Session, board: BoardRow, now: datetime, *, host: str) -> None:
    """Cancel what this host suggested and nobody began, since its data is the board's again.

    Another host may have other data, and its reasons.
    """
    for job in jobs(session, board_id=board.id, states=("proposed",), limit=1000):
        if job.host in (None, host):
            reason = f"the board's data and rules are those of protocol {board.protocol} again"
            _close(session, job, None, "service", reason, now)


def start(
    session: Session, job_id: str, *, user_id: str | None, via: Via, now: datetime
) -> Reevaluation:
    """Begin to compute a proposed re-evaluation: every entry against every other.

    Raises:
        NotPossible: there is none, or it is not proposed.
    """
    job = locked(session, job_id, ("proposed",))
    pairs = required(_counterparts(session, job.board_id))
    job.state, job.started_at, job.cells = "running", now, len(pairs)
    _queue(session, job, pairs, (), now)
    settle_jobs(session, [job.id], now)
    _note(session, job, "start", user_id, via, None, now)
    return job


def cancel(
    session: Session, job_id: str, *, user_id: str | None, via: Via, reason: str, now: datetime
) -> Reevaluation:
    """Drop a re-evaluation with its shadow cells; whoever computes one loses the lease.

    Raises:
        NotPossible: there is none, or it is decided.
    """
    job = locked(session, job_id, OPEN)
    _close(session, job, user_id, via, reason, now)
    return job


def cancel_other_protocols(session: Session, board: BoardRow, now: datetime) -> None:
    """Cancel what is open under protocols that this locked board has left."""
    for job in jobs(session, board_id=board.id, states=OPEN, limit=1000):
        if job.protocol != board.protocol:
            reason = f"the board has moved to protocol {board.protocol}"
            _close(session, job, None, "service", reason, now)


def requeue_dead(
    session: Session,
    job_id: str,
    *,
    user_id: str | None,
    via: Via,
    reason: str | None = None,
    now: datetime,
) -> int:
    """Give the dead cells of a re-evaluation their attempts back; how many that was.

    Raises:
        NotPossible: there is none, or it neither runs nor is ready.
    """
    job = locked(session, job_id, ("running", "ready"))
    dead = session.scalars(
        select(CellRow.id).where(
            CellRow.reevaluation_id == job.id, CellRow.place == "shadow", CellRow.state == "dead"
        )
    ).all()
    count = sum(requeue(session, cell_id, now) for cell_id in dead)
    if count:
        _note(session, job, "requeue", user_id, via, reason, now, {"cells": count})
    return count


def find(session: Session, job_id: str) -> Reevaluation | None:
    """One re-evaluation with its people."""
    people = (joinedload(Reevaluation.author), joinedload(Reevaluation.decider))
    return session.scalar(select(Reevaluation).options(*people).where(Reevaluation.id == job_id))


def jobs(
    session: Session,
    *,
    board_id: str | None = None,
    states: Collection[str] | None = None,
    before: str | None = None,
    limit: int,
) -> Sequence[Reevaluation]:
    """Re-evaluations, newest first, at most ``limit``, all older than the id ``before``."""
    people = (joinedload(Reevaluation.author), joinedload(Reevaluation.decider))
    query = select(Reevaluation).options(*people).order_by(Reevaluation.id.desc()).limit(limit)
    if board_id is not None:
        query = query.where(Reevaluation.board_id == board_id)
    if states is not None:
        query = query.where(Reevaluation.state.in_(states))
    if before is not None:
        query = query.where(Reevaluation.id < before)
    return session.scalars(query).all()


def seconds_left(session: Session, job: Reevaluation, now: datetime) -> float | None:
    """How long the rest takes if nothing new comes in between; None without a worker."""
    unfinished = session.execute(
        select(CellRow.attack_id, CellRow.defense_id).where(
            CellRow.reevaluation_id == job.id,
            CellRow.place == "shadow",
            CellRow.state.in_(("queued", "running")),
        )
    ).all()
    board = session.get_one(BoardRow, job.board_id)
    pairs: list[Pair] = [(attack, defense) for attack, defense in unfinished]
    return _plan(session, board, job.protocol, pairs, now).expected


def locked(session: Session, job_id: str, states: Sequence[str]) -> Reevaluation:
    """The re-evaluation with its board locked first, in one of these states.

    Raises:
        NotPossible: there is none, or it is in another state.
    """
    board_id = session.scalar(select(Reevaluation.board_id).where(Reevaluation.id == job_id))
    if board_id is None:
        raise NotPossible("unknown", f"re-evaluation: found no {job_id!r}")
    lock_board(session, board_id)
    job = session.get_one(Reevaluation, job_id, populate_existing=True)
    if job.state not in states:
        allowed = " or ".join(states)
        raise NotPossible("state", f"state: found {job.state}, allowed: {allowed}")
    return job


def _board(session: Session, board_id: str, *, lock: bool = False) -> BoardRow:
    row = session.get(BoardRow, board_id)
    if row is None or row.protocol is None:
        raise NotPossible("no-data", f"{board_id}: its data was never present here")
    return lock_board(session, board_id) if lock else row


def _plan(
    session: Session, board: BoardRow, protocol: str, pairs: Sequence[Pair], now: datetime
) -> Plan:
    attacks = {attack for attack, _ in pairs if attack is not None}
    defenses = Counter(defense for _, defense in pairs)
    contents = select(Submission.id, Submission.contents).where(
        Submission.board_id == board.id, Submission.side == "defense"
    )
    speed = estimates(session, board)
    seconds = sum(
        defenses[defense] * speed.seconds(board, known)
        for defense, known in session.execute(contents)
        if defense in defenses
    )
    alive = sum(board.need in taken for taken in workers.taken(session, now))
    expected = seconds / max(1, alive - 1) if alive else None  # one stays free for new work
    return Plan(protocol, len(pairs), len(attacks), len(defenses), seconds, expected)


def _counterparts(session: Session, board_id: str) -> list[tuple[str, str]]:
    rows = session.execute(
        select(Submission.id, Submission.side)
        .where(Submission.board_id == board_id, counterpart())
        .order_by(Submission.registered_at, Submission.id)
    )
    return [(entry, side) for entry, side in rows]


def _queue(
    session: Session,
    job: Reevaluation,
    pairs: Iterable[Pair],
    again: Collection[str],
    now: datetime,
) -> None:
    """Queue the shadow cells; a worker takes those of one entry together."""
    rows = (
        {
            "board_id": job.board_id,
            "attack_id": attack_id,
            "defense_id": defense_id,
            "newcomer_id": attack_id if attack_id in again else defense_id,
            "protocol": job.protocol,
            "place": "shadow",
            "reevaluation_id": job.id,
            "priority": RERUN if len(again) == 1 else BULK,
            "queued_at": now,
        }
        for attack_id, defense_id in pairs
    )
    while some := list(islice(rows, _AT_ONCE)):
        session.execute(insert(CellRow.__table__), some)  # type: ignore[arg-type]


def _close(
    session: Session,
    job: Reevaluation,
    user_id: str | None,
    via: Via,
    reason: str,
    now: datetime,
) -> None:
    """Cancel a re-evaluation whose board is locked."""
    reached = progress(session, [job.id])[job.id]
    session.execute(
        delete(CellRow)
        .where(CellRow.reevaluation_id == job.id, CellRow.place == "shadow")
        .execution_options(synchronize_session=False)
    )
    job.state, job.decided_at, job.decider_id = "cancelled", now, user_id
    job.outcome = {"done": reached.done, "failed": reached.failed, "dead": reached.dead}
    session.flush()
    _note(session, job, "cancel", user_id, via, reason, now)


def _note(
    session: Session,
    job: Reevaluation,
    action: str,
    user_id: str | None,
    via: Via,
    reason: str | None,
    now: datetime,
    details: dict[str, Any] | None = None,
) -> None:
    audit.record(
        session,
        user_id=user_id,
        via=via,
        action=f"reevaluation.{action}",
        subject_kind="reevaluation",
        subject_id=job.id,
        reason=reason,
        details={"board": job.board_id, **(details or {})},
        now=now,
    )
