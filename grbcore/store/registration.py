"""Results, and the moment at which an entry becomes registered.

An entry is registered once its cells against every entry registered before it are done.  The
switch is one transaction under the board's lock, so of two newcomers on opposite sides one always
sees the other, and no pair is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, and_, delete, exists, or_, select
from sqlalchemy.orm import Session

from grbcore.scenario import Side
from grbcore.spending import Spending
from grbcore.store import duplicates
from grbcore.store.locks import lock_board
from grbcore.store.notices import FAILED, RANKED, REJECTED, tell
from grbcore.store.presence import in_force, is_in_force
from grbcore.store.queue import held_cell_alone, held_validation
from grbcore.store.quotas import give_back
from grbcore.store.results import CellResult, put
from grbcore.store.shadows import settle_jobs
from grbcore.store.tables import BoardRow, CellRow, Submission
from grbcore.store.visibility import is_public
from grbcore.violations import MOST, Violation, shortened

Pair = tuple[str | None, str]  # attack (None: the clean graph), defense


def counterpart() -> ColumnElement[bool]:
    """Registered and in force: what newcomers are evaluated against.  A hidden reference counts."""
    return and_(Submission.state == "ranked", in_force())


def finish_validation(
    session: Session,
    submission_id: str,
    token: str,
    violations: Sequence[Violation],
    now: datetime,
    *,
    canonical: str | None = None,
    spent: Spending | None = None,
) -> bool:
    """Reject a submission, or queue its cells; False where the lease is lost.

    A valid file of the content of an earlier one of its user (``canonical``) is rejected too.
    ``spent`` is what a valid attack spends of its budget.
    """
    board_id = session.scalar(select(Submission.board_id).where(Submission.id == submission_id))
    if board_id is None:
        return False
    lock_board(session, board_id)
    row = held_validation(session, submission_id, token)
    if row is None:
        return False
    if canonical is not None and not violations:
        violations = duplicates.own_violations(session, row, canonical)
        row.canonical = canonical
    if spent is not None:
        row.spent = {name: dict(counts) for name, counts in spent.items()}
    row.lease_owner = row.lease_token = row.lease_until = None
    row.validated_at, row.reason, row.log = now, None, None
    if violations:
        row.state = "rejected"
        give_back(row)
        row.violations = [violation.as_dict() for violation in shortened(violations)]
        count = "1 violation" if len(violations) == 1 else f"{len(violations)} violations"
        if len(violations) > MOST:
            count += f", of which {MOST} are listed"
        row.reason = f"the file breaks the board's rules: {count}"
        session.flush()
        tell(session, row, REJECTED, now)
        return True
    row.state = "evaluating"
    session.flush()
    settle(session, submission_id, now)
    return True


def finish_cell(
    session: Session, cell_id: str, token: str, result: CellResult, now: datetime
) -> bool:
    """Store a cell's result and register whom it completes; False where the lease is lost.

    A shadow cell completes nobody, perhaps its re-evaluation.  The blob of hits must be stored
    before.
    """
    row = held_cell_alone(session, cell_id, token)
    if row is None:
        return False
    row.state, row.finished_at = "done", now
    row.lease_owner = row.lease_token = row.lease_until = None
    row.error_code = row.reason = row.log = None
    put(row, result)
    session.flush()
    if row.place == "shadow":
        settle_jobs(session, [row.reevaluation_id], now)
        return True
    for submission_id in (row.defense_id, row.attack_id):
        if submission_id is not None:
            settle(session, submission_id, now)
    return True


def fail_cell(
    session: Session,
    cell_id: str,
    token: str,
    *,
    code: str,
    reason: str,
    log: str | None = None,
    now: datetime,
    side: Side | None = None,
) -> bool:
    """Fail a cell by the newcomer's own fault, and with it the newcomer, never its counterpart.

    ``log`` is the end of what the evaluator wrote to stderr.  The newcomer's other open cells are
    removed.  A shadow cell fails alone and notes whose fault it was, the entry of this ``side``
    where it is known.  False where the lease is lost.
    """
    row = held_cell_alone(session, cell_id, token)
    if row is None:
        return False
    row.state, row.finished_at = "failed", now
    row.lease_owner = row.lease_token = row.lease_until = None
    row.error_code, row.reason, row.log = code, reason, log
    if row.place == "shadow":
        blamed = row.attack_id if side == "attack" else row.defense_id if side else None
        row.newcomer_id = blamed or row.newcomer_id
        session.flush()
        settle_jobs(session, [row.reevaluation_id], now)
        return True
    newcomer = session.get_one(Submission, row.newcomer_id, populate_existing=True)
    if newcomer.state == "evaluating":
        newcomer.state, newcomer.reason = "failed", reason
        tell(session, newcomer, FAILED, now)
    session.flush()
    session.execute(
        delete(CellRow)
        .where(
            CellRow.newcomer_id == newcomer.id,
            CellRow.place == "current",
            CellRow.state.in_(_OPEN),
        )
        .execution_options(synchronize_session=False)
    )
    return True


def settle(session: Session, submission_id: str, now: datetime) -> bool:
    """Queue what an evaluating submission lacks, or register it if nothing is left; whether it is.

    Registering raises the board's revision, where everybody sees the entry, and gives each newcomer
    of the other side that is still evaluating its cell against it.
    """
    board_id = session.scalar(select(Submission.board_id).where(Submission.id == submission_id))
    if board_id is None:
        return False
    board = lock_board(session, board_id)
    row = session.get_one(Submission, submission_id, populate_existing=True)
    if row.state != "evaluating" or not is_in_force(row) or board.protocol is None:
        return False
    if _has_open_cells(session, row, board.protocol):
        return False
    existing = _states(session, row, board.protocol)
    required = _required(session, row)
    missing = [pair for pair in required if pair not in existing]
    _queue(session, row, missing, board.protocol, now)
    failed = [pair for pair in required if existing.get(pair) == "failed"]
    _queue_again(session, row, failed, board.protocol, now)
    if missing or any(existing[pair] != "done" for pair in required):
        return False
    row.state, row.registered_at, row.reason = "ranked", now, None
    if is_public(row, now):
        row.published_at = row.published_at or (now if row.visibility == "public" else None)
        board.revision += 1
        board.changed_at = now
    session.flush()
    tell(session, row, RANKED, now)
    _queue_against(session, row, board, now)
    return True


def start_over(session: Session, board: BoardRow, now: datetime) -> None:
    """Evaluate every entry anew under the protocol that this locked board has got.

    Results under other protocols stay; cells under them that are open go, and whoever computes
    one loses the lease.  Ranked entries in force are ``evaluating`` until they are done, in the
    order of their registration.
    """
    drop_other_protocols(session, board)
    entries = session.scalars(
        select(Submission)
        .where(
            Submission.board_id == board.id, or_(Submission.state == "evaluating", counterpart())
        )
        .order_by(Submission.registered_at.is_(None), Submission.registered_at, Submission.id)
        .execution_options(populate_existing=True)
    ).all()
    for entry in entries:
        entry.state, entry.registered_at, entry.reason = "evaluating", None, None
    session.flush()
    for entry in entries:
        settle(session, entry.id, now)


def drop_other_protocols(session: Session, board: BoardRow) -> None:
    """Remove the open cells of protocols that this locked board has left."""
    session.execute(
        delete(CellRow)
        .where(
            CellRow.board_id == board.id,
            CellRow.protocol != board.protocol,
            CellRow.place == "current",
            CellRow.state.in_(_OPEN),
        )
        .execution_options(synchronize_session=False)
    )


def leave(session: Session, submission_id: str, now: datetime) -> None:
    """Drop the open cells of an entry that got a mark, and settle who waited for them.

    A hidden reference stays a counterpart, so nothing changes for it.
    """
    row, _ = _locked(session, submission_id)
    if is_in_force(row):
        return
    drop_open_cells(session, row, now)


def drop_open_cells(session: Session, row: Submission, now: datetime) -> None:
    """Remove every open cell of an entry that left, and settle what waited for them.

    Whoever computes one loses its lease.
    """
    open_cells = and_(
        or_(CellRow.attack_id == row.id, CellRow.defense_id == row.id), CellRow.state.in_(_OPEN)
    )
    waiting = set(
        session.scalars(select(CellRow.newcomer_id).where(open_cells, CellRow.place == "current"))
    )
    jobs = session.scalars(
        select(CellRow.reevaluation_id).where(open_cells, CellRow.place == "shadow").distinct()
    ).all()
    session.execute(delete(CellRow).where(open_cells).execution_options(synchronize_session=False))
    for newcomer_id in sorted(waiting - {row.id}):
        settle(session, newcomer_id, now)
    settle_jobs(session, jobs, now)


def rejoin(session: Session, submission_id: str, now: datetime) -> None:
    """Make an entry that is no longer hidden a counterpart again.

    Entries may have been registered meanwhile: it is ``evaluating`` until its cells against them
    are done.
    """
    row, board = _locked(session, submission_id)
    if board.protocol is None or not is_in_force(row):
        return
    if row.state == "ranked":
        existing = _states(session, row, board.protocol)
        if all(existing.get(pair) == "done" for pair in _required(session, row)):
            _queue_against(session, row, board, now)
            return
        row.state, row.registered_at = "evaluating", None
        session.flush()
    settle(session, submission_id, now)


_OPEN = ("queued", "running", "dead")


def _locked(session: Session, submission_id: str) -> tuple[Submission, BoardRow]:
    board_id = session.scalars(
        select(Submission.board_id).where(Submission.id == submission_id)
    ).one()
    board = lock_board(session, board_id)
    return session.get_one(Submission, submission_id), board


def _other(side: str) -> str:
    return "defense" if side == "attack" else "attack"


def _pair(row: Submission, other: str | None) -> Pair:
    return (other, row.id) if row.side == "defense" else (row.id, str(other))


def _required(session: Session, row: Submission) -> list[Pair]:
    """The cells that this submission needs now, the clean one first."""
    others = session.scalars(
        select(Submission.id)
        .where(
            Submission.board_id == row.board_id,
            Submission.side == _other(row.side),
            counterpart(),
        )
        .order_by(Submission.registered_at, Submission.id)
    ).all()
    clean = [_pair(row, None)] if row.side == "defense" else []
    return clean + [_pair(row, other) for other in others]


def _has_open_cells(session: Session, row: Submission, protocol: str) -> bool:
    mine = and_(
        CellRow.newcomer_id == row.id, CellRow.protocol == protocol, CellRow.place == "current"
    )
    return bool(session.scalar(select(exists().where(mine, CellRow.state.in_(_OPEN)))))


def _states(session: Session, row: Submission, protocol: str) -> dict[Pair, str]:
    cells = session.execute(
        select(CellRow.attack_id, CellRow.defense_id, CellRow.state).where(
            or_(CellRow.attack_id == row.id, CellRow.defense_id == row.id),
            CellRow.protocol == protocol,
            CellRow.place == "current",
        )
    )
    return {(attack, defense): state for attack, defense, state in cells}


def _queue(
    session: Session, newcomer: Submission, pairs: Sequence[Pair], protocol: str, now: datetime
) -> None:
    for attack_id, defense_id in pairs:
        session.add(
            CellRow(
                board_id=newcomer.board_id,
                attack_id=attack_id,
                defense_id=defense_id,
                newcomer_id=newcomer.id,
                protocol=protocol,
                queued_at=now,
            )
        )
    session.flush()


def _queue_again(
    session: Session, newcomer: Submission, pairs: Sequence[Pair], protocol: str, now: datetime
) -> None:
    """Compute once more what failed when the board had this protocol before."""
    for attack_id, defense_id in pairs:
        row = session.scalars(
            select(CellRow)
            .where(
                CellRow.attack_id.is_(None)
                if attack_id is None
                else CellRow.attack_id == attack_id,
                CellRow.defense_id == defense_id,
                CellRow.protocol == protocol,
                CellRow.place == "current",
            )
            .execution_options(populate_existing=True)
        ).one()
        row.state, row.queued_at, row.newcomer_id = "queued", now, newcomer.id
        row.attempts = row.infra_failures = 0
        row.finished_at = row.error_code = row.reason = row.log = None
    session.flush()


def _queue_against(session: Session, row: Submission, board: BoardRow, now: datetime) -> None:
    """Give every newcomer of the other side its cell against ``row``, where it has none."""
    assert board.protocol is not None
    existing = _states(session, row, board.protocol)
    newcomers = session.scalars(
        select(Submission)
        .where(
            Submission.board_id == row.board_id,
            Submission.side == _other(row.side),
            Submission.state == "evaluating",
        )
        .execution_options(populate_existing=True)
    ).all()
    for newcomer in newcomers:
        pair = _pair(newcomer, row.id)
        if is_in_force(newcomer) and pair not in existing:
            _queue(session, newcomer, [pair], board.protocol, now)
