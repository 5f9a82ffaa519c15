"""Putting a board's file into a database: what is new comes in, in one transaction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from sqlalchemy import and_, func, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, joinedload

from grbcore.scenario import SIDES, Side
from grbcore.store import audit, orphans, queries, seasons, tokens
from grbcore.store.blobs import Blobs
from grbcore.store.locks import lock_board
from grbcore.store.moving.container import Member, chunks
from grbcore.store.moving.reading import BoardFile
from grbcore.store.moving.records import SubmissionRecord, columns
from grbcore.store.registration import counterpart, settle
from grbcore.store.tables import BoardRow, CellRow, Season, Submission, User

#: Owners that are the service itself on every host.
SERVICE = frozenset({"baselines"})

#: Who owns entries that were deleted elsewhere.
NOBODY = "deleted"


class Refusal(ValueError):
    """A file that this host can't take as it was asked to; the text says what may be done."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What the admin decides."""

    merge: bool = False  # beside entries that are here
    anew: bool = False  # believe no result
    prefix: str = ""  # of the name of every owner
    same_users: bool = False  # owners of a name that is taken here are that user


@dataclass(frozen=True, slots=True)
class Plan:
    """What an import would do."""

    believed: bool  # results come in; else every entry is evaluated here
    other_protocol: str | None  # this host's, where it is another
    known: Mapping[str, str]  # ids of the file that are entries here, and which
    fresh: tuple[SubmissionRecord, ...]  # entries that come in, in order of registration
    new_users: tuple[str, ...]
    same_users: tuple[str, ...]  # names that are taken as the same people


@dataclass(slots=True)
class Taken:
    """What an import did."""

    submissions: int = 0
    known: int = 0
    cells: int = 0
    waiting: list[str] = field(default_factory=list)  # entries that lack results here


def plan(session: Session, found: BoardFile, choices: Choices) -> Plan:
    """What an import would do now.

    Raises:
        Refusal: the board has no data here or has entries already, names of owners are taken, or
            an entry can't be beside those that are here.
    """
    board_id = found.board.id
    row = session.get(BoardRow, board_id)
    if row is None or row.protocol is None or row.state == "no-data":
        raise Refusal(
            f"board: found no data of {board_id} here, allowed: grb datasets fetch "
            f"{found.board.dataset}, then grb board sync"
        )
    if row.hidden_seed is not None and not choices.anew:
        raise Refusal(
            f"results: found those of all targets, half of which {board_id} hides here, "
            "allowed: --anew, which measures every entry here"
        )
    entries = select(Submission).where(Submission.board_id == board_id)
    here = session.scalars(entries.options(joinedload(Submission.user))).all()
    known = _known(found, here, choices)
    fresh = [entry for entry in found.submissions.values() if entry.id not in known]
    others = len({one.id for one in here} - set(known.values()))
    if others and not choices.merge:
        raise Refusal(
            f"board: found {others} other entries of {board_id} here, "
            "allowed: none, or --merge to have both evaluated against each other"
        )
    _refuse_other_references(session, board_id, fresh)
    owners = sorted({_owner(entry, choices) for entry in fresh})
    taken = set(session.scalars(select(User.name).where(User.name.in_(owners))))
    asked = sorted(taken - SERVICE - {NOBODY})
    if asked and not choices.same_users:
        raise Refusal(
            f"owners: found users {', '.join(asked)} here too, allowed: --same-users if they are "
            "the same people, or --user-prefix"
        )
    long = [owner for owner in owners if len(owner) > 80]
    if long:
        raise Refusal(f"--user-prefix: found {long[0]!r}, allowed: names of at most 80 characters")
    same = row.protocol == found.manifest.protocol
    return Plan(
        believed=same and not choices.anew,
        other_protocol=None if same else row.protocol,
        known=known,
        fresh=tuple(sorted(fresh, key=_turn)),
        new_users=tuple(owner for owner in owners if owner not in taken),
        same_users=tuple(asked),
    )


def put_blobs(found: BoardFile, blobs: Blobs, scratch: Path, plan: Plan) -> Iterator[int]:
    """Store what entries that come in need; bytes stored so far.  Those that are here are kept."""
    done = 0
    for sha256, member in _needed(found, plan).items():
        _store(found, blobs, scratch, sha256, member)
        done += member.size
        yield done


def keep_blobs(session: Session, found: BoardFile, blobs: Blobs, scratch: Path, plan: Plan) -> None:
    """Have what `put_blobs` stored there until this transaction, which takes the board in, ends.

    Call it before any other lock is taken.
    """
    for sha256, member in _needed(found, plan).items():
        again = partial(_store, found, blobs, scratch, sha256, member)
        orphans.keep(session, blobs, sha256, again)


def _needed(found: BoardFile, plan: Plan) -> dict[str, Member]:
    wanted = {entry.sha256 for entry in plan.fresh if entry.has_file}
    if plan.believed:
        fresh = {entry.id for entry in plan.fresh}
        for cell in found.cells():
            if cell.hits_sha256 and {cell.attack_id, cell.defense_id} & fresh:
                wanted.add(cell.hits_sha256)
    blobs = {member.sha256: member for member in found.blobs() if member.sha256}
    return {sha256: member for sha256, member in blobs.items() if sha256 in wanted}


def _store(found: BoardFile, blobs: Blobs, scratch: Path, sha256: str, member: Member) -> None:
    scratch.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=scratch, prefix="import-") as copy:
        copy.writelines(chunks(found.file, member))
        copy.flush()
        blobs.put_file(Path(copy.name), sha256)


def take_in(session: Session, found: BoardFile, choices: Choices, now: datetime) -> Taken:
    """Add what is new, in the caller's transaction; the blobs must be stored before.

    An entry stays ranked only with a result against every entry of the other side: with a file
    that lacks some, or beside entries that were here, it is evaluated until it has them all.

    Raises:
        Refusal: as `plan`, or the database refuses a row.
    """
    lock_board(session, found.board.id)
    planned = plan(session, found, choices)
    taken = Taken(submissions=len(planned.fresh), known=len(planned.known))
    if not planned.fresh:
        return taken
    board = session.get_one(BoardRow, found.board.id)
    for name in planned.new_users:
        tokens.create_user(session, name, now=now)
    try:
        _add_submissions(session, found, planned, choices)
        if planned.believed:
            taken.cells = _add_cells(session, found, planned)
    except IntegrityError as error:
        raise Refusal(
            f"rows: found what the database refuses ({error.orig}), allowed: ids and pairs that "
            "are not here yet"
        ) from error
    if planned.believed:
        _add_seasons(session, found, planned)
    _number(session, found.board.id)
    board.revision += 1
    board.changed_at = now
    session.flush()
    audit.record(
        session,
        user_id=None,
        via="cli",
        action="board.import",
        subject_kind="board",
        subject_id=board.id,
        now=now,
        details={"entries": taken.submissions, "results": taken.cells},
    )
    if planned.believed:
        taken.waiting = _settle(session, board.id, planned, now)
    return taken


def _known(found: BoardFile, here: Sequence[Submission], choices: Choices) -> dict[str, str]:
    """The entries that are here: by their id, or the same bytes of the same owner."""
    by_id = {row.id: row for row in here}
    by_file = {(row.user.name, row.side, row.sha256): row.id for row in here}
    known = {}
    for entry in found.submissions.values():
        same = by_id.get(entry.id)
        if same is not None:
            if (same.side, same.sha256) != (entry.side, entry.sha256) and not (
                same.deleted_at or entry.deleted_at
            ):
                raise Refusal(
                    f"submission {entry.id}: found another file here, allowed: the same one"
                )
            known[entry.id] = same.id
            continue
        twin = by_file.get((_owner(entry, choices), entry.side, entry.sha256))
        if twin is not None:
            known[entry.id] = twin
    return known


def _refuse_other_references(
    session: Session, board_id: str, fresh: list[SubmissionRecord]
) -> None:
    """References are frozen with their board: one of a name, of one file."""
    frozen = queries.references(session, board_id)
    for entry in fresh:
        same = frozen.get((entry.side, entry.name)) if entry.is_reference else None
        if same is not None and same.state not in queries.REFUSED:
            raise Refusal(
                f"reference: found other bytes for the {entry.side} {entry.name!r}, allowed: those "
                f"of {board_id} here, SHA-256 {same.sha256}"
            )


def _owner(entry: SubmissionRecord, choices: Choices) -> str:
    if entry.owner is None:
        return NOBODY
    return entry.owner if entry.owner in SERVICE else choices.prefix + entry.owner


def _turn(entry: SubmissionRecord) -> tuple[bool, datetime, str]:
    return entry.registered_at is None, entry.registered_at or entry.received_at, entry.id


def _add_submissions(session: Session, found: BoardFile, planned: Plan, choices: Choices) -> None:
    owners = {_owner(entry, choices) for entry in planned.fresh}
    named = select(User.name, User.id).where(User.name.in_(owners))
    users = {row.name: row.id for row in session.execute(named)}
    for entry in planned.fresh:
        fields = columns(entry)
        if not planned.believed and entry.deleted_at is None:
            fields |= _anew(entry)
        if seasons.frozen(session, found.board.id):
            fields["is_reference"] = False  # until a season of this host takes it in
        if entry.visibility == "public":  # older hosts didn't write since when
            fields["published_at"] = entry.published_at or entry.registered_at
        session.add(
            Submission(board_id=found.board.id, user_id=users[_owner(entry, choices)], **fields)
        )
    session.flush()


def _anew(entry: SubmissionRecord) -> dict[str, Any]:
    """The fields of an entry that is to be validated and evaluated here."""
    if entry.state not in ("evaluating", "ranked"):
        return {}
    return {"state": "received", "reason": None, "validated_at": None, "registered_at": None}


def _add_cells(session: Session, found: BoardFile, planned: Plan) -> int:
    """Add results in which an entry that came in takes part; how many."""
    count = 0
    fresh = _fresh_cells(found, planned)
    while some := list(islice(fresh, 1000)):
        session.execute(insert(CellRow.__table__), some)  # type: ignore[arg-type]
        count += len(some)
    return count


def _add_seasons(session: Session, found: BoardFile, planned: Plan) -> None:
    """Take over the seasons of the file where none has begun here and every reference is here."""
    if seasons.frozen(session, found.board.id):
        return
    for season in found.manifest.seasons:
        members = [
            {**one.model_dump(), "id": planned.known.get(one.id, one.id)} for one in season.members
        ]
        session.add(
            Season(
                board_id=found.board.id,
                **season.model_dump(exclude={"members"}),
                members=members,
                left_out=[],
            )
        )
    session.flush()


def _fresh_cells(found: BoardFile, planned: Plan) -> Iterator[dict[str, Any]]:
    def here(submission_id: str | None) -> str | None:
        return None if submission_id is None else planned.known.get(submission_id, submission_id)

    for cell in found.cells():
        ends = {cell.attack_id, cell.defense_id} - {None}
        if ends <= planned.known.keys():
            continue
        if cell.state == "failed" and found.submissions[cell.newcomer_id].state != "failed":
            continue  # computed again: it may not leave anybody waiting for ever
        yield {
            **columns(cell),
            "board_id": found.board.id,
            "attack_id": here(cell.attack_id),
            "defense_id": here(cell.defense_id),
            "newcomer_id": here(cell.newcomer_id),
            "priority": 0,
            "max_attempts": _MAX_ATTEMPTS,
        }


_MAX_ATTEMPTS: int = CellRow.__table__.c.max_attempts.default.arg


def _number(session: Session, board_id: str) -> None:
    """Number every owner's attempts anew where two of them share a number."""
    rows = session.scalars(
        select(Submission)
        .where(Submission.board_id == board_id)
        .order_by(Submission.received_at, Submission.id)
    ).all()
    theirs: dict[tuple[str, str], list[Submission]] = {}
    for row in rows:
        theirs.setdefault((row.user_id, row.side), []).append(row)
    for mine in theirs.values():
        if len({row.attempt for row in mine}) < len(mine):
            for number, row in enumerate(mine, start=1):
                row.attempt = number
    session.flush()


def _complete(session: Session, board_id: str, side: Side, only: str | None = None) -> set[str]:
    """The entries of a side, or ``only`` this one, that have a result against every counterpart
    of the other side, a defense also without attack."""
    attack = side == "attack"
    mine = CellRow.attack_id if attack else CellRow.defense_id
    other = CellRow.defense_id if attack else CellRow.attack_id
    others = and_(Submission.board_id == board_id, Submission.side != side, counterpart())
    needed = session.scalar(select(func.count()).select_from(Submission).where(others)) or 0
    done = (
        select(mine, func.count(Submission.id), func.count().filter(CellRow.attack_id.is_(None)))
        .join(BoardRow, BoardRow.id == CellRow.board_id)
        .outerjoin(Submission, and_(Submission.id == other, others))
        .where(
            CellRow.board_id == board_id,
            CellRow.protocol == BoardRow.protocol,
            CellRow.place == "current",
            CellRow.state == "done",
        )
        .group_by(mine)
    )
    if only is not None:
        done = done.where(mine == only)
    return {
        str(entry)
        for entry, count, clean in session.execute(done)
        if count == needed and (attack or clean)
    }


def _settle(session: Session, board_id: str, planned: Plan, now: datetime) -> list[str]:
    """Queue what entries that came in lack; the ids of those that wait for it."""
    whole = set().union(*(_complete(session, board_id, side) for side in SIDES))
    for entry in planned.fresh:
        if entry.state != "ranked" or not entry.in_force or entry.id in whole:
            continue
        # those before it that lack something are no counterparts any more
        if not _complete(session, board_id, entry.side, entry.id):
            row = session.get_one(Submission, entry.id)
            row.state, row.registered_at = "evaluating", None
            session.flush()
    waiting = []
    for entry in planned.fresh:
        row = session.get_one(Submission, entry.id)
        if row.state == "evaluating" and entry.in_force and not settle(session, row.id, now):
            waiting.append(row.id)
    return waiting
