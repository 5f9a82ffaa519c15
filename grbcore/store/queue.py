"""The queue of record: who may work on what, and for how long.

Work is a validation of a submission, or a batch of cells.  A lease is a token with an end: its
holder extends it, and whoever finds it ended gives the work back to the queue (`recovery`).
Every result names its token (`registration`), so a worker that was given up changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from sqlalchemy import ColumnElement, ScalarSelect, and_, exists, or_, select, true
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased, joinedload

from grbcore.needs import NEEDS
from grbcore.scenario import Side
from grbcore.store.leases import LEASE, is_alive
from grbcore.store.locks import alone, hidden_seed, lock_board
from grbcore.store.presence import stays
from grbcore.store.tables import BoardRow, CellRow, Reevaluation, Submission, User, WorkerRow
from grbcore.store.turns import served, turn

#: What cells are for: a new submission, one that is run again, many that are run again.
NEW, RERUN, BULK = 0, 10, 20

_RERUN_KEY = 0x67726203  # of the advisory lock of those who take cells of re-evaluations

#: A validation that ended so often without an answer waits for an admin.
MAX_VALIDATIONS = 4


@dataclass(frozen=True, slots=True)
class Entry:
    """What a worker needs to know of a submission."""

    id: str
    board_id: str
    side: Side
    sha256: str
    contents: dict[str, object]


@dataclass(frozen=True, slots=True)
class LeasedValidation:
    """A submission that a worker may validate."""

    token: str
    entry: Entry


@dataclass(frozen=True, slots=True)
class LeasedCell:
    """A cell that a worker may compute: an attack (None: the clean graph) against a defense.

    Of a hold-out ``scale`` says how many times the board's budget the attack may use.
    """

    id: str
    attack: Entry | None
    defense: Entry
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class Batch:
    """Cells of one newcomer under one lease, in the order to compute them, the clean one first.

    Of a re-evaluation, whose cells come after everybody's, the "newcomer" is what is run again.
    """

    token: str
    board_id: str
    protocol: str
    newcomer_id: str
    cells: tuple[LeasedCell, ...]
    priority: int = NEW
    shadow: bool = False
    hidden_seed: str | None = None  # which half of the targets is hidden; None: none is


def claimable_cell(now: datetime) -> ColumnElement[bool]:
    """Whether a cell waits for a worker: of the board's protocol, or of a re-evaluation."""
    protocol = select(BoardRow.protocol).where(BoardRow.id == CellRow.board_id).scalar_subquery()
    runs = exists().where(
        Reevaluation.id == CellRow.reevaluation_id, Reevaluation.state == "running"
    )
    wanted = or_(
        and_(CellRow.place == "current", CellRow.protocol == protocol),
        and_(CellRow.place == "shadow", runs),
    )
    return and_(CellRow.state == "queued", CellRow.queued_at <= now, wanted)


def _elsewhere(excluding: Collection[str]) -> ColumnElement[bool]:
    """Whether a cell belongs to none of these boards and protocols."""
    return and_(CellRow.board_id.not_in(excluding), CellRow.protocol.not_in(excluding))


def claimable_validation(now: datetime) -> ColumnElement[bool]:
    """Whether a submission waits for its validation."""
    return and_(
        Submission.state == "received",
        or_(Submission.retry_at.is_(None), Submission.retry_at <= now),
        Submission.attempts < MAX_VALIDATIONS,
        stays(),
    )


def on_boards(board_id: InstrumentedAttribute[str], takes: Collection[str]) -> ColumnElement[bool]:
    """Whether the board is of a need that a worker takes."""
    if {*NEEDS} <= {*takes}:
        return true()
    return board_id.in_(select(BoardRow.id).where(BoardRow.need.in_(takes)))


def pending(
    session: Session,
    now: datetime,
    *,
    excluding: Collection[str] = (),
    takes: Collection[str] = NEEDS,
    priority: int = BULK,
    beside: str | None = None,
) -> bool:
    """Whether anything waits for a worker that is as urgent as ``priority``; one query.

    ``excluding`` names boards and protocols that do not count, ``takes`` the needs that do.  What
    the user of the submission ``beside`` has sent does not count.
    """
    others = true() if beside is None else Submission.user_id != _user_of(beside)
    validation = exists().where(
        claimable_validation(now),
        others,
        Submission.board_id.not_in(excluding),
        on_boards(Submission.board_id, takes),
    )
    cell = exists().where(
        claimable_cell(now),
        CellRow.priority <= priority,
        _elsewhere(excluding),
        on_boards(CellRow.board_id, takes),
    )
    if beside is not None:
        cell = cell.where(Submission.id == CellRow.newcomer_id, others)
    return bool(session.scalar(select(or_(validation, cell))))


def _user_of(submission_id: str) -> ScalarSelect[str]:
    its = aliased(Submission)
    return select(its.user_id).where(its.id == submission_id).scalar_subquery()


def claim_validation(
    session: Session,
    owner: str,
    now: datetime,
    *,
    excluding: Collection[str] = (),
    takes: Collection[str] = NEEDS,
) -> LeasedValidation | None:
    """Lease a submission for its validation: users in turns, the oldest of each first.

    ``owner`` is ``host/pid/uuid``.  A worker validates for the boards whose cells it ``takes``, as
    these are the ones whose data it is expected to have.
    """
    row = session.scalar(
        select(Submission)
        .join(User, User.id == Submission.user_id)
        .where(
            claimable_validation(now),
            Submission.board_id.not_in(excluding),
            on_boards(Submission.board_id, takes),
        )
        .order_by(*turn(), Submission.received_at, Submission.id)
        .limit(1)
        .with_for_update(skip_locked=True, of=Submission)
        .execution_options(populate_existing=True)
    )
    if row is None:
        return None
    token = str(uuid4())
    row.state = "validating"
    row.lease_owner, row.lease_token, row.lease_until = owner, token, now + LEASE
    session.flush()
    served(session, row.user_id, now)
    return LeasedValidation(token, entry_of(row))


def claim_cells(
    session: Session,
    owner: str,
    now: datetime,
    limit: int = 64,
    *,
    excluding: Collection[str] = (),
    takes: Collection[str] = NEEDS,
) -> Batch | None:
    """Lease up to ``limit`` queued cells of the newcomer whose turn it is.

    Urgent cells first; among equals users take turns, and of each the oldest cell comes first.
    Of several workers one is always free of re-evaluations, so that new work need not wait for
    the cell at hand.

    ``owner`` is ``host/pid/uuid``; ``excluding`` names boards and protocols to leave alone,
    ``takes`` the needs of the boards to look at.
    """
    first = _next_cell(session, now, excluding, takes, BULK)
    if first is not None and first.priority > NEW:
        alone(session, _RERUN_KEY)
        if _is_needed_for_new_work(session, owner, first.board_id, now):
            first = _next_cell(session, now, excluding, takes, NEW)
    if first is None:
        return None
    rows = session.scalars(
        select(CellRow)
        .where(
            claimable_cell(now),
            CellRow.newcomer_id == first.newcomer_id,
            CellRow.protocol == first.protocol,
            CellRow.place == first.place,
            CellRow.priority == first.priority,
            CellRow.reevaluation_id.is_not_distinct_from(first.reevaluation_id),
        )
        .order_by(CellRow.attack_id.is_not(None), CellRow.queued_at, CellRow.id)
        .limit(limit)
        .with_for_update(skip_locked=True, of=CellRow)
        .options(joinedload(CellRow.attack), joinedload(CellRow.defense))
        .execution_options(populate_existing=True)
    ).all()
    token = str(uuid4())
    for row in rows:
        row.state = "running"
        row.lease_owner, row.lease_token, row.lease_until = owner, token, now + LEASE
        row.heartbeat_at, row.started_at = now, None
    session.flush()
    if first.place == "current":
        newcomer = session.get_one(Submission, first.newcomer_id)
        served(session, newcomer.user_id, now)
    return Batch(
        token, first.board_id, first.protocol, first.newcomer_id, _leased(rows), first.priority,
        first.place == "shadow", hidden_seed(session, first.board_id),
    )  # fmt: skip


def _next_cell(
    session: Session,
    now: datetime,
    excluding: Collection[str],
    takes: Collection[str],
    priority: int,
) -> CellRow | None:
    """The cell whose turn it is, of those at least as urgent as ``priority``, locked."""
    return session.scalar(
        select(CellRow)
        .join(Submission, Submission.id == CellRow.newcomer_id)
        .join(User, User.id == Submission.user_id)
        .where(
            claimable_cell(now),
            CellRow.priority <= priority,
            _elsewhere(excluding),
            on_boards(CellRow.board_id, takes),
        )
        .order_by(CellRow.priority, *turn(), CellRow.queued_at, CellRow.id)
        .limit(1)
        .with_for_update(skip_locked=True, of=CellRow)
    )


def _is_needed_for_new_work(session: Session, owner: str, board_id: str, now: datetime) -> bool:
    """Whether every other worker that takes this board holds cells of re-evaluations.

    False where there is no other.
    """
    need = session.get_one(BoardRow, board_id).need
    living = session.execute(select(WorkerRow.id, WorkerRow.takes).where(is_alive(now)))
    others = {worker for worker, takes in living if need in takes} - {owner}
    busy = select(CellRow.lease_owner).where(CellRow.state == "running", CellRow.priority > NEW)
    return bool(others) and not others - {*session.scalars(busy.distinct())}


def begin_cell(session: Session, cell_id: str, token: str, now: datetime) -> bool:
    """Note that a leased cell's computation begins; False where the lease is lost.

    If its worker dies, only cells that had begun are charged with an attempt.
    """
    row = held_cell(session, cell_id, token)
    if row is None:
        return False
    row.started_at = now
    session.flush()
    return True


def heartbeat(session: Session, tokens: Collection[str], now: datetime) -> set[str]:
    """Extend these leases; the tokens that are still held.

    Rows that another transaction is writing are left out this time, so this waits for nobody.
    """
    cells = and_(CellRow.lease_token.in_(tokens), CellRow.state == "running")
    free = select(CellRow).where(cells).with_for_update(skip_locked=True)
    for cell in session.scalars(free):
        cell.lease_until, cell.heartbeat_at = now + LEASE, now
    validations = and_(Submission.lease_token.in_(tokens), Submission.state == "validating")
    for row in session.scalars(
        select(Submission).where(validations).with_for_update(skip_locked=True)
    ):
        row.lease_until = now + LEASE
    session.flush()
    held = {*session.scalars(select(CellRow.lease_token).where(cells).distinct())}
    held |= {*session.scalars(select(Submission.lease_token).where(validations))}
    return {token for token in held if token is not None}


def release(session: Session, token: str, now: datetime) -> int:
    """Give everything under this lease back to the queue, uncharged; how much that was."""
    mine = and_(CellRow.lease_token == token, CellRow.state == "running")
    for board_id in session.scalars(select(CellRow.board_id).where(mine).distinct()).all():
        lock_board(session, board_id)
    found = 0
    for cell in session.scalars(select(CellRow).where(mine).with_for_update()):
        free_cell(cell)
        found += 1
    validation = select(Submission).where(
        Submission.lease_token == token, Submission.state == "validating"
    )
    for row in session.scalars(validation.with_for_update(of=Submission)):
        free_validation(row)
        found += 1
    session.flush()
    return found


def free_cell(row: CellRow) -> None:
    """Queue a leased cell again."""
    row.state = "queued"
    row.lease_owner = row.lease_token = row.lease_until = None
    row.heartbeat_at = row.started_at = None


def free_validation(row: Submission) -> None:
    """Let a leased submission wait for its validation again."""
    row.state = "received"
    row.lease_owner = row.lease_token = row.lease_until = None


def held_cell(session: Session, cell_id: str, token: str) -> CellRow | None:
    """The cell, locked for writing, if this lease still holds it: the fence of every write."""
    return session.scalar(
        select(CellRow)
        .where(CellRow.id == cell_id, CellRow.lease_token == token, CellRow.state == "running")
        .with_for_update()
        .execution_options(populate_existing=True)
    )


def held_cell_alone(session: Session, cell_id: str, token: str) -> CellRow | None:
    """As `held_cell`, with the board locked first: for writes that touch more than this cell."""
    board_id = session.scalar(select(CellRow.board_id).where(CellRow.id == cell_id))
    if board_id is None:
        return None
    lock_board(session, board_id)
    return held_cell(session, cell_id, token)


def held_validation(session: Session, submission_id: str, token: str) -> Submission | None:
    """The submission, locked for writing, if this lease still holds its validation."""
    return session.scalar(
        select(Submission)
        .where(
            Submission.id == submission_id,
            Submission.lease_token == token,
            Submission.state == "validating",
        )
        .with_for_update(of=Submission)
        .execution_options(populate_existing=True)
    )


def entry_of(row: Submission) -> Entry:
    """What a worker needs to know of it."""
    side: Side = "attack" if row.side == "attack" else "defense"
    return Entry(row.id, row.board_id, side, row.sha256, dict(row.contents))


def _leased(rows: Sequence[CellRow]) -> tuple[LeasedCell, ...]:
    return tuple(
        LeasedCell(
            row.id, None if row.attack is None else entry_of(row.attack), entry_of(row.defense)
        )
        for row in rows
    )
