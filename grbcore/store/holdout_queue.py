"""Hold-outs that are due, for idle workers: who measures them, and for how long.

As `queue` and `recovery` for cells, but simpler: a pair that nobody has begun has no row, a cell
ends for itself alone, and one that ran into trouble three times has failed until it is asked for.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import uuid4

from sqlalchemy import ColumnElement, Select, and_, or_, select
from sqlalchemy.orm import Session

from grbcore.needs import NEEDS
from grbcore.store.holdouts import changed
from grbcore.store.leases import LEASE, LOST, SILENT, TIME_LIMIT, too_long
from grbcore.store.locks import hidden_seed, lock_board
from grbcore.store.presence import in_force
from grbcore.store.queue import BULK, Batch, Entry, LeasedCell, entry_of, on_boards
from grbcore.store.results import CellResult
from grbcore.store.tables import BoardRow, HoldoutAttack, HoldoutCell, Submission
from grbcore.store.visibility import is_public

#: A cell whose evaluation ended so often without a result is not tried again unless asked for.
MAX_ATTEMPTS = 3

_BATCH = 64
_WAIT = timedelta(seconds=15)  # before the second try; the third waits twice as long


def _claimable(
    now: datetime, excluding: Collection[str], takes: Collection[str]
) -> Select[HoldoutAttack, Submission, HoldoutCell]:
    cell = and_(HoldoutCell.attack_id == HoldoutAttack.id, HoldoutCell.defense_id == Submission.id)
    learned = and_(Submission.is_reference, Submission.adversarially_trained)
    free: ColumnElement[bool] = or_(
        HoldoutCell.id.is_(None),
        and_(HoldoutCell.state == "queued", HoldoutCell.queued_at <= now),
        and_(HoldoutCell.state == "running", HoldoutCell.lease_until < now),
    )
    return (
        select(HoldoutAttack, Submission, HoldoutCell)
        .join(BoardRow, BoardRow.id == HoldoutAttack.board_id)
        .join(Submission, Submission.board_id == HoldoutAttack.board_id)
        .outerjoin(HoldoutCell, cell)
        .where(
            HoldoutAttack.protocol == BoardRow.protocol,
            HoldoutAttack.board_id.not_in(excluding),
            HoldoutAttack.protocol.not_in(excluding),
            on_boards(HoldoutAttack.board_id, takes),
            Submission.side == "defense",
            Submission.state == "ranked",
            in_force(),
            or_(learned, Submission.holdouts_asked_at.is_not(None)),
            free,
        )
        .order_by(Submission.id, HoldoutAttack.id)
    )


def waits(
    session: Session,
    now: datetime,
    *,
    excluding: Collection[str] = (),
    takes: Collection[str] = NEEDS,
) -> bool:
    """Whether a hold-out is due; one query, which finds no row where no board has any."""
    return session.execute(_claimable(now, excluding, takes).limit(1)).first() is not None


def claim(
    session: Session,
    now: datetime,
    *,
    excluding: Collection[str] = (),
    takes: Collection[str] = NEEDS,
) -> Batch | None:
    """Lease the hold-outs of one defense; None where none is due.

    As `queue.claim_cells`; ``scale`` of each cell says how much of the budget it may use.

    Raises:
        IntegrityError: another worker has begun with the same at the same time.
    """
    query = _claimable(now, excluding, takes)
    first = session.execute(query.limit(1)).first()
    if first is None:
        return None
    defense = first[1]
    lock_board(session, defense.board_id)  # as whoever deletes a defense, or replaces hold-outs
    rows = session.execute(query.where(Submission.id == defense.id).limit(_BATCH)).all()
    token, cells = str(uuid4()), []
    for attack, _, cell in rows:
        if cell is None:
            cell = HoldoutCell(
                attack_id=attack.id, defense_id=defense.id, state="queued", queued_at=now
            )
            session.add(cell)
            session.flush()
        elif not _take(session, cell, now):
            continue
        if cell.state == "failed":
            continue
        cell.state, cell.lease_token, cell.lease_until = "running", token, now + LEASE
        cell.started_at = None
        session.flush()
        contents = dict(attack.contents)
        entry = Entry(attack.id, attack.board_id, "attack", attack.sha256, contents)
        cells.append(LeasedCell(cell.id, entry, entry_of(defense), scale=attack.factor))
    if not cells:
        return None
    return Batch(
        token,
        defense.board_id,
        first[0].protocol,
        defense.id,
        tuple(cells),
        BULK,
        shadow=True,
        hidden_seed=hidden_seed(session, defense.board_id),
    )


def _take(session: Session, cell: HoldoutCell, now: datetime) -> bool:
    """Lock a cell that is there, and charge it if it had begun and its lease ended; False where
    another was quicker."""
    locked = session.scalar(
        select(HoldoutCell)
        .where(HoldoutCell.id == cell.id)
        .with_for_update(skip_locked=True)
        .execution_options(populate_existing=True)
    )
    if locked is None:
        return False
    if locked.state == "running" and locked.lease_until is not None and locked.lease_until < now:
        if locked.started_at is not None:
            _charge(locked, LOST, SILENT, now)
        return True
    return locked.state == "queued" and locked.queued_at <= now


def heartbeat(session: Session, token: str, now: datetime) -> bool:
    """Extend a lease; whether anything is still held under it."""
    rows = session.scalars(
        select(HoldoutCell).where(_mine(token)).with_for_update(skip_locked=True)
    ).all()
    for row in rows:
        row.lease_until = now + LEASE
    session.flush()
    return session.scalar(select(HoldoutCell.id).where(_mine(token)).limit(1)) is not None


def release(session: Session, token: str) -> int:
    """Give back what is held under a lease, uncharged; how much that was."""
    boards = select(HoldoutAttack.board_id).join(HoldoutCell).where(_mine(token)).distinct()
    for board_id in session.scalars(boards).all():
        lock_board(session, board_id)
    rows = session.scalars(select(HoldoutCell).where(_mine(token)).with_for_update()).all()
    for row in rows:
        _free(row)
    session.flush()
    return len(rows)


def _mine(token: str) -> ColumnElement[bool]:
    return and_(HoldoutCell.lease_token == token, HoldoutCell.state == "running")


def begin(session: Session, cell_id: str, token: str, now: datetime) -> bool:
    """Whether a lease still holds a cell, which is extended.

    If its worker dies, only cells that had begun are charged with a try.
    """
    row = _held(session, cell_id, token)
    if row is None:
        return False
    row.started_at, row.lease_until = now, now + LEASE
    session.flush()
    return True


def finish(session: Session, cell_id: str, token: str, result: CellResult, now: datetime) -> bool:
    """Store a result; False where the lease is lost.  The blob of hits must be stored before."""
    row = _held(session, cell_id, token, alone=True)
    if row is None:
        return False
    row.state, row.finished_at, row.lease_token, row.lease_until = "done", now, None, None
    row.error_code = row.reason = None
    row.correct = {name: list(counts) for name, counts in result.correct.items()}
    row.total, row.hits_sha256 = dict(result.total), result.hits_sha256
    row.evaluator_version, row.device = result.evaluator_version, result.device
    row.seconds = result.seconds
    session.flush()
    left = and_(HoldoutCell.defense_id == row.defense_id, HoldoutCell.state != "done")
    if session.scalar(select(HoldoutCell.id).where(left).limit(1)) is None:
        defense = session.get_one(Submission, row.defense_id)
        if is_public(defense, now):
            changed(lock_board(session, defense.board_id), now)
    return True


def fail(
    session: Session,
    cell_id: str,
    token: str,
    *,
    code: str,
    reason: str,
    log: str | None = None,
    now: datetime,
    side: str | None = None,
) -> bool:
    """Fail a cell for good, as `registration.fail_cell` does; it changes nothing of the defense."""
    return _spoil(session, cell_id, token, code, reason, now, final=True)


def retry(
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
    """Charge a cell with a try that infrastructure spoiled, as `recovery.retry_cell` does."""
    return _spoil(session, cell_id, token, code, reason, now, final=False)


def time_out(
    session: Session,
    cell_id: str,
    token: str,
    *,
    seconds: float,
    log: str | None = None,
    now: datetime,
) -> bool:
    """Note that a cell exceeded its time, as `recovery.time_out_cell` does."""
    return _spoil(session, cell_id, token, TIME_LIMIT, too_long(seconds), now, final=False)


def _spoil(
    session: Session,
    cell_id: str,
    token: str,
    code: str,
    reason: str,
    now: datetime,
    *,
    final: bool,
) -> bool:
    row = _held(session, cell_id, token)
    if row is None:
        return False
    if final:
        row.attempts = MAX_ATTEMPTS - 1
    _charge(row, code, reason, now)
    session.flush()
    return True


def _charge(row: HoldoutCell, code: str, reason: str, now: datetime) -> None:
    _free(row)
    row.attempts += 1
    row.error_code, row.reason, row.queued_at = code, reason, now + row.attempts * _WAIT
    if row.attempts >= MAX_ATTEMPTS:
        row.state, row.finished_at = "failed", now


def _free(row: HoldoutCell) -> None:
    row.state, row.lease_token, row.lease_until, row.started_at = "queued", None, None, None


def _held(session: Session, cell_id: str, token: str, *, alone: bool = False) -> HoldoutCell | None:
    """The cell, locked, if this lease still holds it; ``alone``: its board is locked first."""
    if alone:
        board = select(Submission.board_id).join(HoldoutCell).where(HoldoutCell.id == cell_id)
        board_id = session.scalar(board)
        if board_id is not None:
            lock_board(session, board_id)
    return session.scalar(
        select(HoldoutCell)
        .where(HoldoutCell.id == cell_id, _mine(token))
        .with_for_update()
        .execution_options(populate_existing=True)
    )
