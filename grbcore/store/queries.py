"""What the service reads: boards, submissions, cells.  Every function is one query.

Where a function takes ``seen``, it is a clause of `visibility`: `seen_by`, or `cells_seen_by`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, LargeBinary, Select, and_, func, literal, or_, select
from sqlalchemy.orm import Session, joinedload, load_only, selectinload, undefer

from grbcore import catalog
from grbcore.measure import ERROR, Measure
from grbcore.results import CLEAN, Cell
from grbcore.scenario import Side
from grbcore.store.presence import BASELINES, shown
from grbcore.store.tables import BoardRow, CellRow, Reevaluation, Submission, User

Q = TypeVar("Q", bound=Select[Any])

#: States of a submission whose end is not reached.
PENDING = ("received", "validating", "evaluating")

#: States of a submission that will never be ranked.
REFUSED = ("failed", "rejected")


@dataclass(frozen=True, slots=True)
class Tally:
    """How many entries a board has."""

    attacks: int = 0  # registered and shown
    defenses: int = 0
    pending: int = 0  # received, validating or evaluating


def board_rows(session: Session) -> dict[str, BoardRow]:
    """Every board that this database knows, by id."""
    return {row.id: row for row in session.scalars(select(BoardRow))}


def board_row(session: Session, board_id: str) -> BoardRow | None:
    """What this database knows of one board."""
    return session.get(BoardRow, board_id)


def measure_of(session: Session, board_id: str) -> Measure:
    """What the results of a board are; where it has left the catalog, by those that are kept."""
    known = board_id in catalog.boards()
    kept = select(CellRow.id).where(CellRow.board_id == board_id, CellRow.errors.is_not(None))
    if not known and session.scalar(kept.limit(1)) is not None:
        return ERROR
    return catalog.measure_of(board_id)


def attempts_shown(
    session: Session, board_id: str, side: Side, seen: ColumnElement[bool]
) -> list[tuple[Any, ...]]:
    """How many submissions those users have made on this side who have an entry in its ranking.

    That entry is ``seen``; what they submitted beside counts whoever sees it.
    """
    query = (
        select(Submission.user_id, func.count())
        .where(Submission.board_id == board_id, Submission.side == side)
        .group_by(Submission.user_id)
        .having(func.count(Submission.registered_at).filter(seen) > 0)
        .order_by(Submission.user_id)
    )
    return [tuple(row) for row in session.execute(query)]


def tallies(
    session: Session, seen: ColumnElement[bool], board_id: str | None = None
) -> dict[str, Tally]:
    """How many entries that are ``seen`` each board has, or only this one; absent: none ever."""
    registered = and_(Submission.registered_at.is_not(None), shown(), seen)
    query = select(
        Submission.board_id,
        func.count().filter(registered, Submission.side == "attack"),
        func.count().filter(registered, Submission.side == "defense"),
        func.count().filter(Submission.state.in_(PENDING), shown(), seen),
    ).group_by(Submission.board_id)
    if board_id is not None:
        query = query.where(Submission.board_id == board_id)
    return {row[0]: Tally(*row[1:]) for row in session.execute(query)}


def submission(session: Session, submission_id: str) -> Submission | None:
    """One submission with its user."""
    query = select(Submission).options(joinedload(Submission.user))
    return session.scalar(query.where(Submission.id == submission_id))


def submissions(
    session: Session,
    seen: ColumnElement[bool],
    *,
    board_id: str | None = None,
    side: Side | None = None,
    state: str | None = None,
    user_id: str | None = None,
    before: str | None = None,
    limit: int,
) -> Sequence[Submission]:
    """Submissions, of one user or of all, newest first, at most ``limit``, all older than the id
    ``before``."""
    query = select(Submission).where(seen).order_by(Submission.id.desc()).limit(limit)
    if board_id is not None:
        query = query.where(Submission.board_id == board_id)
    if side is not None:
        query = query.where(Submission.side == side)
    if state is not None:
        query = query.where(Submission.state == state)
    if user_id is not None:
        query = query.where(Submission.user_id == user_id)
    if before is not None:
        query = query.where(Submission.id < before)
    return session.scalars(query).all()


def entries(session: Session, board_id: str) -> Sequence[Submission]:
    """Every entry that is registered or being evaluated, marks included, oldest first."""
    return session.scalars(_entries(board_id)).all()


def _entries(board_id: str, also: Collection[str] = ()) -> Select[Submission]:
    there = Submission.state.in_(("evaluating", "ranked"))
    return (
        select(Submission)
        .where(Submission.board_id == board_id, or_(there, Submission.id.in_(also)))
        .order_by(Submission.registered_at.is_(None), Submission.registered_at, Submission.id)
    )


def references(session: Session, board_id: str) -> dict[tuple[Side, str], Submission]:
    """References, and baselines that no season takes in, by side and name: baselines first; one
    that was refused only where it is alone."""
    baseline = User.name == BASELINES
    query = (
        select(Submission)
        .join(User, User.id == Submission.user_id)
        .where(Submission.board_id == board_id, or_(baseline, Submission.is_reference))
        .order_by(baseline, Submission.state.in_(REFUSED).desc(), Submission.id)
    )
    return {(row.side, row.name): row for row in session.scalars(query)}  # type: ignore[misc]


def heads(session: Session, board_id: str, *, also: Collection[str] = ()) -> Sequence[Submission]:
    """As `entries`, these ``also``, with what the head of a row or column says alone, and who sees
    it."""
    fields = ("board_id", "side", "name", "state", "is_reference")
    eyes = ("user_id", "visibility", "public_at")
    marks = ("registered_at", "withdrawn_at", "hidden_at", "deleted_at")
    wanted = load_only(*(getattr(Submission, name) for name in (*fields, *eyes, *marks)))
    return session.scalars(_entries(board_id, also).options(wanted)).all()


def newcomers(session: Session, board_id: str, seen: ColumnElement[bool]) -> list[tuple[Any, ...]]:
    """What the heads of those entries say whose evaluation is not over; they change at any time."""
    query = (
        select(
            Submission.id,
            Submission.name,
            Submission.withdrawn_at,
            Submission.hidden_at,
            Submission.deleted_at,
        )
        .where(Submission.board_id == board_id, Submission.state == "evaluating", seen)
        .order_by(Submission.id)
    )
    return [tuple(row) for row in session.execute(query)]


def named(session: Session, ids: Collection[str]) -> Sequence[Submission]:
    """The submissions of these ids."""
    return session.scalars(select(Submission).where(Submission.id.in_(ids))).all()


def latest(
    session: Session, board_id: str, seen: ColumnElement[bool], limit: int
) -> Sequence[Submission]:
    """The ranked entries of a board that everybody has seen ranked last, latest first."""
    # an embargo that ended a moment ago is not noted yet
    since = func.coalesce(Submission.published_at, Submission.public_at, Submission.registered_at)
    query = (
        select(Submission)
        .where(
            Submission.board_id == board_id, Submission.registered_at.is_not(None), shown(), seen
        )
        .order_by(since.desc(), Submission.id.desc())
        .limit(limit)
    )
    return session.scalars(query).all()


def attempts(session: Session, board_id: str) -> dict[tuple[str, str], int]:
    """How many submissions each (user id, side) has made on this board."""
    query = (
        select(Submission.user_id, Submission.side, func.count())
        .where(Submission.board_id == board_id)
        .group_by(Submission.user_id, Submission.side)
    )
    return {(row[0], row[1]): row[2] for row in session.execute(query)}


def results(session: Session, board_id: str, protocol: str) -> list[Cell]:
    """Every finished cell of a board under one protocol."""
    wanted = load_only(*(getattr(CellRow, name) for name in RESULT))
    query = select(CellRow).options(wanted).where(counted(board_id, protocol))
    return [as_cell(row) for row in session.scalars(query)]


#: The columns that `as_cell` reads.
RESULT = ("attack_id", "defense_id", "state", "correct", "total", "errors")


def as_cell(row: CellRow) -> Cell:
    """A cell's row as the value that is ranked; without results until it is done."""
    done = row.state == "done"

    def held(found: dict[str, Any] | None) -> Any:
        return {at: tuple(values) for at, values in (found or {}).items()} if done else {}

    return Cell(
        attack=row.attack_id or CLEAN,
        defense=row.defense_id,
        correct=held(row.correct),
        total=(row.total or {}) if done else {},  # type: ignore[arg-type]
        errors=held(row.errors),
    )


def applied(session: Session, board_id: str) -> tuple[Any, ...]:
    """Changes whenever results that a board shows are replaced by those of a re-evaluation."""
    query = select(func.count(), func.max(Reevaluation.decided_at)).where(
        Reevaluation.board_id == board_id, Reevaluation.state == "applied"
    )
    return tuple(session.execute(query).one())


def counted(board_id: str, protocol: str) -> ColumnElement[bool]:
    """The finished cells that a board shows under one protocol."""
    return and_(
        CellRow.board_id == board_id,
        CellRow.protocol == protocol,
        CellRow.place == "current",
        CellRow.state == "done",
    )


def strung(
    session: Session,
    cells: ColumnElement[bool],
    side: Side,
    only: Collection[str] | None = None,
) -> Iterator[tuple[str, str, bytes]]:
    """Of these finished cells those of each entry of a side, or ``only`` of some.

    `CLEAN` is an attack too.  For each entry the ids of the other side, with spaces between, and
    as many packed counts, all of one length.  The database strings them together: a row for each
    cell would take longer to hand over than to rank.
    """
    attack, defense = func.coalesce(CellRow.attack_id, CLEAN), CellRow.defense_id
    mine, other = (attack, defense) if side == "attack" else (defense, attack)
    length = func.length(CellRow.counts)
    query = (
        select(
            mine,
            func.min(length),
            func.max(length),
            func.aggregate_strings(other, " "),
            _together(session),
        )
        .where(cells, CellRow.counts.is_not(None))
        .group_by(CellRow.attack_id if side == "attack" else CellRow.defense_id)
        .execution_options(yield_per=_GROUPS)
    )
    mixed = []
    for some in _named(query, side, only):
        for entry, least, most, names, counts in session.execute(some):
            if least == most:
                yield entry, names, _bytes(counts)
            else:
                mixed.append(entry)
    for some in _named(query.group_by(length), side, mixed):
        for entry, _, _, names, counts in session.execute(some):
            yield entry, names, _bytes(counts)


#: So many groups of cells are held in memory before they are given away.
_GROUPS = 32


def _named(query: Q, side: Side, only: Collection[str] | None) -> Iterator[Q]:
    """The query for these entries; the row without an attack is asked for alone."""
    column = CellRow.attack_id if side == "attack" else CellRow.defense_id
    if only is None:
        yield query
        return
    names = [name for name in only if name != CLEAN]
    for first in range(0, len(names), _NAMES):
        yield query.where(column.in_(names[first : first + _NAMES]))
    if len(names) < len(only):
        yield query.where(column.is_(None))


#: So many entries are named to the database at once.
_NAMES = 1000


def _together(session: Session) -> ColumnElement[Any]:
    """The packed counts of a group one after another; SQLite strings texts only."""
    if session.get_bind().dialect.name == "sqlite":
        return func.aggregate_strings(func.hex(CellRow.counts), "")
    return func.string_agg(CellRow.counts, literal(b"", LargeBinary))


def _bytes(counts: bytes | str) -> bytes:
    return bytes.fromhex(counts) if isinstance(counts, str) else counts


def cells_of(
    session: Session,
    submission_id: str,
    protocol: str | None,
    seen: ColumnElement[bool],
    *,
    by_class: bool = False,
) -> Sequence[CellRow]:
    """Every cell in which this submission takes part, oldest first; counts by class if asked."""
    mine = or_(CellRow.attack_id == submission_id, CellRow.defense_id == submission_id)
    query = select(CellRow).where(mine, CellRow.protocol == protocol, CellRow.place == "current")
    more = (undefer(CellRow.confusion),) if by_class else ()
    return session.scalars(query.where(seen).order_by(CellRow.id).options(*more)).all()


def clean_cell(session: Session, found: CellRow) -> CellRow | None:
    """The finished cell of the same defense without an attack, under the same protocol.

    Of a cell that a re-evaluation computed it is the one of that re-evaluation.
    """
    beside = CellRow.place == "current"
    if found.place == "shadow":
        beside = and_(CellRow.place == "shadow", CellRow.reevaluation_id == found.reevaluation_id)
    query = select(CellRow).where(
        CellRow.defense_id == found.defense_id,
        CellRow.attack_id.is_(None),
        CellRow.protocol == found.protocol,
        beside,
        CellRow.state == "done",
    )
    return session.scalar(query)


def marked_counterparts(session: Session, found: Sequence[CellRow]) -> Sequence[Submission]:
    """The entries of these cells that are withdrawn, hidden or deleted."""
    ids = {entry for cell in found for entry in (cell.attack_id, cell.defense_id) if entry}
    return session.scalars(select(Submission).where(Submission.id.in_(ids), ~shown())).all()


def cell_counts(
    session: Session, ids: Collection[str], seen: ColumnElement[bool]
) -> dict[str, dict[str, int]]:
    """How many of each newcomer's cells are in which state, under its board's protocol."""
    query = (
        select(CellRow.newcomer_id, CellRow.state, func.count())
        .join(BoardRow, BoardRow.id == CellRow.board_id)
        .where(
            CellRow.newcomer_id.in_(ids),
            CellRow.protocol == BoardRow.protocol,
            CellRow.place == "current",
            seen,
        )
        .group_by(CellRow.newcomer_id, CellRow.state)
    )
    counts: dict[str, dict[str, int]] = {}
    for newcomer, state, count in session.execute(query):
        counts.setdefault(newcomer, {})[state] = count
    return counts


def cell(session: Session, cell_id: str) -> CellRow | None:
    """One cell with its two entries."""
    entries_too = (selectinload(CellRow.attack), selectinload(CellRow.defense))
    return session.scalar(select(CellRow).options(*entries_too).where(CellRow.id == cell_id))
