"""What happens to work whose worker or evaluator did not finish it.

Two families of failure: infrastructure (this module: tried again, counted, never the submitter's
fault) and submission (`registration.fail_cell`: final).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, exists, func, or_, select, union
from sqlalchemy.orm import Session

from grbcore.store.leases import LOST, SILENT, TIME_LIMIT, too_long
from grbcore.store.locks import lock_board
from grbcore.store.notices import STUCK, tell
from grbcore.store.presence import in_force
from grbcore.store.publishing import publish_due
from grbcore.store.queue import (
    MAX_VALIDATIONS,
    free_cell,
    free_validation,
    held_cell_alone,
    held_validation,
)
from grbcore.store.quotas import give_back
from grbcore.store.registration import fail_cell, settle
from grbcore.store.shadows import is_through, reopen, settle_jobs
from grbcore.store.stuck import why, why_stuck
from grbcore.store.tables import BoardRow, CellRow, Reevaluation, Submission
from grbcore.store.visibility import lapsed
from grbcore.store.workers import forget, forgotten

#: How often the reaper looks.
REAP = timedelta(seconds=10)

#: A cell that killed so many evaluators is put aside.
MAX_EVALUATORS_KILLED = 2

_REAPER_KEY = 0x67726201  # of the advisory lock that elects one reaper


def retry_cell(
    session: Session,
    cell_id: str,
    token: str,
    *,
    code: str,
    reason: str,
    log: str | None = None,
    killed: bool = False,
    now: datetime,
) -> bool:
    """Charge a cell with a try that infrastructure spoiled; False where the lease is lost.

    ``log`` is the end of what the evaluator wrote to stderr in it.

    It waits 5, 15, 45 s before the next try.  After ``max_attempts``, or once it has ``killed``
    its second evaluator, it is dead until `requeue`.
    """
    row = held_cell_alone(session, cell_id, token)
    if row is None:
        return False
    row.log = log
    _charge(session, row, code=code, reason=reason, killed=killed, wait=True, now=now)
    session.flush()
    return True


def time_out_cell(
    session: Session,
    cell_id: str,
    token: str,
    *,
    seconds: float,
    log: str | None = None,
    now: datetime,
) -> bool:
    """Note that a cell exceeded its time: once may be a busy machine, twice is the submission's."""
    row = held_cell_alone(session, cell_id, token)
    if row is None:
        return False
    reason = too_long(seconds)
    if row.error_code == TIME_LIMIT:
        return fail_cell(session, cell_id, token, code=TIME_LIMIT, reason=reason, log=log, now=now)
    row.log = log
    _charge(session, row, code=TIME_LIMIT, reason=reason, killed=False, wait=True, now=now)
    session.flush()
    return True


def retry_validation(
    session: Session,
    submission_id: str,
    token: str,
    *,
    reason: str,
    log: str | None = None,
    now: datetime,
) -> bool:
    """Charge a validation that ended without an answer; False where the lease is lost.

    ``log`` is the end of what the validator wrote to stderr.

    It waits 5, 15, 45 s before the next try.
    """
    row = held_validation(session, submission_id, token)
    if row is None:
        return False
    _charge_validation(session, row, reason, now, log)
    row.retry_at = now + _pause(row.attempts)
    session.flush()
    return True


def release_predecessors(
    session: Session, host: str, alive: Callable[[str], bool], now: datetime
) -> int:
    """Give back what dead workers of this host still lease; how much that was.

    ``alive`` says whether the worker of this name, ``host/pid/uuid``, is alive.
    """

    def dead(owner: str | None) -> bool:
        return not alive(str(owner))

    mine = CellRow.lease_owner.startswith(f"{host}/", autoescape=True)
    found = session.execute(
        select(CellRow.id, CellRow.board_id, CellRow.lease_owner).where(
            CellRow.state == "running", mine
        )
    ).all()
    lost = [(cell, board, owner) for cell, board, owner in found if dead(owner)]
    # another worker may have claimed such a cell since it was looked up
    theirs = CellRow.lease_owner.in_({owner for _, _, owner in lost})
    count = _reclaim(session, [(cell, board) for cell, board, _ in lost], theirs, now=now)
    validations = session.scalars(
        select(Submission)
        .where(
            Submission.state == "validating",
            Submission.lease_owner.startswith(f"{host}/", autoescape=True),
        )
        .with_for_update(skip_locked=True, of=Submission)
    )
    for row in validations:
        if dead(row.lease_owner):
            _charge_validation(session, row, "its worker ended", now)
            count += 1
    session.flush()
    return count


def overdue(session: Session, now: datetime) -> bool:
    """Whether the reaper has anything to do; one query."""
    cells = exists().where(CellRow.state == "running", CellRow.lease_until < now)
    validations = exists().where(Submission.state == "validating", Submission.lease_until < now)
    unsettled = exists().where(_unsettled())
    through = exists().where(is_through())
    gone = exists().where(forgotten(now))
    public = exists().where(lapsed(now))
    return bool(session.scalar(select(or_(cells, validations, unsettled, through, gone, public))))


def reap(session: Session, now: datetime) -> int:
    """Queue again whatever has an expired lease, settle what was left, and note what has become
    public; how much that was.

    Workers of which nothing was heard for a day are forgotten.

    One reaper at a time on Postgres; on SQLite a second one finds nothing.
    """
    if session.get_bind().dialect.name == "postgresql":
        elected = session.scalar(select(func.pg_try_advisory_xact_lock(_REAPER_KEY)))
        if not elected:
            return 0
    late = CellRow.lease_until < now
    for board_id in _boards_to_reap(session, now):
        lock_board(session, board_id)
    expired = session.execute(
        select(CellRow.id, CellRow.board_id).where(CellRow.state == "running", late)
    ).all()
    count = _reclaim(session, [(cell, board) for cell, board in expired], late, now=now)
    validations = session.scalars(
        select(Submission)
        .where(Submission.state == "validating", Submission.lease_until < now)
        .with_for_update(skip_locked=True, of=Submission)
    )
    for row in validations:
        _charge_validation(session, row, "its worker gave no sign of life", now)
        count += 1
    session.flush()
    left = session.execute(
        select(Submission.board_id, Submission.id).where(_unsettled()).order_by(Submission.board_id)
    ).all()
    for _, submission_id in left:
        settle(session, submission_id, now)
        count += 1
    count += publish_due(session, now)
    through = session.scalars(select(Reevaluation.id).where(is_through())).all()
    return count + settle_jobs(session, through, now) + forget(session, now)


def _boards_to_reap(session: Session, now: datetime) -> list[str]:
    """The boards on which something is to be put right, in the order in which all lock them."""
    late = select(CellRow.board_id).where(CellRow.state == "running", CellRow.lease_until < now)
    silent = select(Submission.board_id).where(
        Submission.state == "validating", Submission.lease_until < now
    )
    unsettled = select(Submission.board_id).where(_unsettled())
    through = select(Reevaluation.board_id).where(is_through())
    public = select(Submission.board_id).where(lapsed(now))
    return sorted({*session.scalars(union(late, silent, unsettled, through, public))})


def requeue(session: Session, cell_id: str, now: datetime) -> bool:
    """Give a dead cell its attempts back; False where it is not dead."""
    board_id = session.scalar(select(CellRow.board_id).where(CellRow.id == cell_id))
    if board_id is None:
        return False
    lock_board(session, board_id)
    row = session.get_one(CellRow, cell_id, populate_existing=True)
    if row.state != "dead" or row.place == "past":
        return False
    row.state, row.queued_at = "queued", now
    row.attempts = row.infra_failures = 0
    row.error_code = row.reason = row.log = row.finished_at = None
    session.flush()
    if row.place == "shadow":
        reopen(session, row.reevaluation_id)
        return True
    newcomer = session.get_one(Submission, row.newcomer_id, populate_existing=True)
    newcomer.reason = why_stuck(session, newcomer, now)
    session.flush()
    return True


def revalidate(session: Session, submission_id: str) -> bool:
    """Give a submission's validation its attempts back; False where it does not wait for one."""
    row = session.get(Submission, submission_id, populate_existing=True, with_for_update=True)
    if row is None or row.state != "received" or row.deleted_at is not None:
        return False
    row.attempts, row.reason, row.log, row.retry_at = 0, None, None, None
    session.flush()
    return True


def _reclaim(
    session: Session,
    found: Sequence[tuple[str, str]],
    lost: ColumnElement[bool],
    *,
    now: datetime,
) -> int:
    """Take these cells (id, board) where the lease is still ``lost``; charge those begun."""
    if not found:
        return 0
    for board_id in sorted({board_id for _, board_id in found}):
        lock_board(session, board_id)
    ids = [cell_id for cell_id, _ in found]
    rows = session.scalars(
        select(CellRow)
        .where(CellRow.id.in_(ids), CellRow.state == "running", lost)
        .with_for_update(skip_locked=True)
        .execution_options(populate_existing=True)
    ).all()
    for row in rows:
        if row.started_at is None:
            free_cell(row)
        else:
            row.log = None
            _charge(session, row, code=LOST, reason=SILENT, killed=False, wait=False, now=now)
    session.flush()
    return len(rows)


def _charge(
    session: Session,
    row: CellRow,
    *,
    code: str,
    reason: str,
    killed: bool,
    wait: bool,
    now: datetime,
) -> None:
    free_cell(row)
    row.attempts += 1
    row.infra_failures += int(killed)
    row.error_code, row.reason = code, reason
    if row.infra_failures >= MAX_EVALUATORS_KILLED:
        row.reason = f"put aside after it ended {row.infra_failures} evaluators: {reason}"
    elif row.attempts >= row.max_attempts:
        row.reason = f"stopped after {row.attempts} attempts: {reason}"
    else:
        if wait:
            row.queued_at = now + _pause(row.attempts)
        return
    row.state, row.finished_at = "dead", now
    if row.place == "shadow":
        session.flush()
        settle_jobs(session, [row.reevaluation_id], now)
        return
    newcomer = session.get_one(Submission, row.newcomer_id)
    give_back(newcomer)
    newcomer.reason = why(row, now)
    tell(session, newcomer, STUCK, now)


def _pause(attempts: int) -> timedelta:
    return timedelta(seconds=5 * 3 ** (attempts - 1))


def _charge_validation(
    session: Session, row: Submission, reason: str, now: datetime, log: str | None = None
) -> None:
    free_validation(row)
    row.attempts += 1
    row.reason, row.log = reason, log
    if row.attempts >= MAX_VALIDATIONS:
        give_back(row)
        row.reason = (
            f"waits for an admin, validation stopped after {row.attempts} attempts: {reason}"
        )
        tell(session, row, STUCK, now)


def _unsettled() -> ColumnElement[bool]:
    """Evaluating in force, with no open cell: something else changed what it waited for."""
    open_cell = exists().where(
        CellRow.newcomer_id == Submission.id,
        CellRow.state.in_(("queued", "running", "dead")),
        BoardRow.id == CellRow.board_id,
        BoardRow.protocol == CellRow.protocol,
        CellRow.place == "current",
    )
    return and_(Submission.state == "evaluating", in_force(), ~open_cell)
