"""Snapshots of boards: made, found, and issued anew where a name has to leave them.

What a snapshot says never changes but for names.  Once an entry is withdrawn, hidden or deleted, or
the account that it belongs to is, every snapshot keeps its numbers and hashes under no name: the
files are made anew, and those with the name are removed.  Nobody is given a file that still has it,
since `current` looks before anything is read.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import cast

from sqlalchemy import exists, or_, select
from sqlalchemy.orm import Session, selectinload

from grbcore import snapshots
from grbcore.catalog import Board
from grbcore.datasets.records import expected
from grbcore.results import CLEAN, EVALUATOR_VERSION, METRIC_VERSION
from grbcore.scenario import Side
from grbcore.snapshots import CellRecord, Entry, Mark, Snapshot
from grbcore.store import audit, orphans, queries
from grbcore.store.audit import Via
from grbcore.store.blobs import Blobs, BlobsAway
from grbcore.store.locks import lock_board
from grbcore.store.reevaluation import NotPossible
from grbcore.store.session import Sessions
from grbcore.store.tables import CellRow, SnapshotFile, SnapshotRow, Submission, User
from grbcore.store.tables.base import new_id
from grbcore.store.views import is_counterpart, is_ranked
from grbcore.store.visibility import may_see

log = logging.getLogger(__name__)


def make(
    sessions: Sessions,
    blobs: Blobs,
    board: Board,
    *,
    user_id: str | None,
    via: Via,
    reason: str | None,
    now: datetime,
    month: str | None = None,
) -> str:
    """Freeze what everybody sees of a board now; the snapshot's id.

    ``month`` is of one that the service makes by itself; of each there is one on a board.

    Raises:
        NotPossible: nothing is ranked there yet.
        BlobsAway: the blob store does not answer; nothing was stored.
    """
    with sessions.reading() as session:
        read, marks = _read(session, board, now)
    # the session is left: PostgreSQL ends a transaction that idles while places are worked out
    places = snapshots.rankings(board.id, read.entries, read.cells, read.repeats)
    found = snapshots.unnamed(read.model_copy(update={"rankings": places}), marks)
    contents = snapshots.files(found)
    names = {blobs.put_bytes(content): name for name, content in contents.items()}
    with sessions.writing() as session:
        _keep(session, blobs, names, contents)
        lock_board(session, board.id)
        if month is not None and _made(session, board.id, month):
            raise NotPossible("state", f"snapshot: found one of {month} already, allowed: none")
        session.add(
            SnapshotRow(
                id=found.id,
                board_id=board.id,
                month=month,
                revision=found.revision,
                protocol=found.protocol,
                made_at=now,
                author_id=user_id,
                reason=reason,
                digest=snapshots.numbers_digest(found),
                attacks=sum(entry.side == "attack" for entry in found.entries),
                defenses=sum(entry.side == "defense" for entry in found.entries),
                cells=len(found.cells),
                entries=[entry.id for entry in found.entries],
                unnamed=[entry.id for entry in found.entries if entry.mark is not None],
                files=_rows(names, contents),
            )
        )
        audit.record(
            session,
            user_id=user_id,
            via=via,
            action="snapshot.make",
            subject_kind="snapshot",
            subject_id=found.id,
            reason=reason,
            details={"board": board.id, "revision": found.revision},
            now=now,
        )
    return found.id


def make_monthly(sessions: Sessions, blobs: Blobs, board: Board, now: datetime) -> str | None:
    """The snapshot of this month, unless it is made or nothing was ranked before the month began.

    So that of 2026-12 says how the board stood when December began.
    """
    month = f"{now:%Y-%m}"
    begun = now.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    with sessions.reading() as session:
        before = session.scalar(
            select(
                exists().where(Submission.board_id == board.id, Submission.registered_at < begun)
            )
        )
        if not before or _made(session, board.id, month):
            return None
    try:
        return make(
            sessions, blobs, board, user_id=None, via="service", reason=None, now=now, month=month
        )
    except NotPossible as error:  # another process was quicker, or nothing is ranked any more
        log.info("no snapshot of %s: %s", board.id, error)
        return None


def page(
    session: Session, board_id: str, *, before: str | None, limit: int
) -> Sequence[SnapshotRow]:
    """Snapshots of a board, newest first, at most ``limit``, all older than the id ``before``."""
    query = select(SnapshotRow).where(SnapshotRow.board_id == board_id)
    if before is not None:
        query = query.where(SnapshotRow.id < before)
    return session.scalars(query.order_by(SnapshotRow.id.desc()).limit(limit)).all()


def current(
    sessions: Sessions, blobs: Blobs, snapshot_id: str, now: datetime
) -> SnapshotRow | None:
    """A snapshot with its files, issued anew first where a name has to leave it.

    Raises:
        BlobsAway, BlobError: a file that has to be made anew can't be read or stored now.
    """
    while True:
        with sessions.reading() as session:
            row = _find(session, snapshot_id)
            due = {} if row is None else _due(session, row)
        if row is None or not due:
            return row
        _reissue(sessions, blobs, row, due, now)


def kept_files(row: SnapshotRow) -> dict[str, SnapshotFile]:
    """The files of a snapshot as they are now, by name."""
    return {file.name: file for file in row.files if file.replaced_at is None}


def reissue_all(sessions: Sessions, blobs: Blobs, now: datetime) -> int:
    """Take the names that have to go off every snapshot; how many snapshots that changed."""
    with sessions.reading() as session:
        every = session.scalars(select(SnapshotRow)).all()
        due = [row.id for row in every if _due(session, row)]
    for snapshot_id in due:
        current(sessions, blobs, snapshot_id, now)
    return len(due)


def _read(session: Session, board: Board, now: datetime) -> tuple[Snapshot, dict[str, Mark]]:
    """What a snapshot says but for its rankings, with every name; and which names it leaves out."""
    marks = _marks(session, board.id)
    row = queries.board_row(session, board.id)
    entries = [
        entry
        for entry in queries.entries(session, board.id)
        if may_see(entry, None, now) and (is_ranked(entry) or is_counterpart(entry, "reference"))
    ]
    if row is None or row.protocol is None or not entries:
        raise NotPossible("state", f"{board.id}: found nothing ranked, allowed: a board with some")
    attempts = queries.attempts(session, board.id)
    told = tuple(_entry(entry, attempts) for entry in entries)
    cells = tuple(_cells(session, board.id, row.protocol, {entry.id for entry in entries}))
    found = Snapshot(
        id=new_id(),
        board=board.id,
        revision=row.revision,
        made_at=now,
        protocol=row.protocol,
        dataset=expected(board.dataset),
        evaluator_version=EVALUATOR_VERSION,
        metric_version=METRIC_VERSION,
        repeats=board.repeats,
        entries=told,
        cells=cells,
        rankings=(),
    )
    return found, marks


def _entry(row: Submission, attempts: Mapping[tuple[str, str], int]) -> Entry:
    assert row.registered_at is not None
    return Entry(
        id=row.id,
        side=cast(Side, row.side),
        name=row.name,
        authors=row.authors,
        team=row.team,
        family=row.family,
        paper_url=row.paper_url,
        code_url=row.code_url,
        mark=None,
        is_reference=row.is_reference,
        ranked=is_ranked(row),
        registered_at=row.registered_at,
        attempt=row.attempt,
        attempts=attempts.get((row.user_id, row.side), row.attempt),
        sha256=row.sha256,
        canonical=row.canonical,
    )


def _cells(
    session: Session, board_id: str, protocol: str, entries: Collection[str]
) -> Iterator[CellRecord]:
    """The finished cells between these entries, and those without an attack."""
    query = select(CellRow).where(queries.counted(board_id, protocol)).order_by(CellRow.id)
    for row in session.scalars(query.execution_options(yield_per=500)):
        if row.defense_id in entries and (row.attack_id is None or row.attack_id in entries):
            yield CellRecord(
                id=row.id,
                attack=row.attack_id or CLEAN,
                defense=row.defense_id,
                correct=row.correct,  # of a row that is done
                errors=row.errors,
                total=row.total,
                hits_sha256=row.hits_sha256,
                evaluator_version=row.evaluator_version,
                device=row.device,
                versions=row.versions or {},
            )


def _rows(names: Mapping[str, str], contents: Mapping[str, bytes]) -> list[SnapshotFile]:
    return [
        SnapshotFile(sha256=sha256, name=name, size=len(contents[name]))
        for sha256, name in names.items()
    ]


def _keep(
    session: Session, blobs: Blobs, names: Mapping[str, str], contents: Mapping[str, bytes]
) -> None:
    """Have these blobs there until this transaction, which names them, has ended."""
    for sha256, name in names.items():
        orphans.keep(session, blobs, sha256, partial(blobs.put_bytes, contents[name]))


def _made(session: Session, board_id: str, month: str) -> bool:
    query = select(SnapshotRow.id).where(
        SnapshotRow.board_id == board_id, SnapshotRow.month == month
    )
    return session.scalar(query) is not None


def _find(session: Session, snapshot_id: str) -> SnapshotRow | None:
    query = select(SnapshotRow).options(selectinload(SnapshotRow.files))
    return session.scalar(query.where(SnapshotRow.id == snapshot_id))


def _marks(session: Session, board_id: str) -> dict[str, Mark]:
    """The entries of a board that are told without a name, each with the reason."""
    marks = (Submission.deleted_at, Submission.withdrawn_at, Submission.hidden_at, User.deleted_at)
    words: tuple[Mark, ...] = ("deleted", "withdrawn", "hidden", "anonymous")
    query = (
        select(Submission.id, *marks)
        .join(User, User.id == Submission.user_id)
        .where(Submission.board_id == board_id, or_(*(mark.is_not(None) for mark in marks)))
    )
    return {
        row[0]: next(word for word, at in zip(words, row[1:], strict=True) if at is not None)
        for row in session.execute(query)
    }


def _due(session: Session, row: SnapshotRow) -> dict[str, Mark]:
    """The entries of a snapshot whose name has to leave it, and why."""
    marks = _marks(session, row.board_id)
    named = set(row.entries) - set(row.unnamed)
    return {entry: mark for entry, mark in marks.items() if entry in named}


def _reissue(
    sessions: Sessions, blobs: Blobs, seen: SnapshotRow, due: Mapping[str, Mark], now: datetime
) -> None:
    """Make the files anew without these names, unless another process has issued others."""
    whole = kept_files(seen)["snapshot.json"].sha256
    found = Snapshot.model_validate_json(blobs.read(whole))
    contents = snapshots.files(snapshots.unnamed(found, due))
    names = {blobs.put_bytes(content): name for name, content in contents.items()}
    with sessions.writing() as session:
        _keep(session, blobs, names, contents)
        query = select(SnapshotRow).where(SnapshotRow.id == seen.id).with_for_update()
        row = session.scalars(query).one()
        if row.reissued_at != seen.reissued_at:
            return
        old = [file for file in row.files if file.replaced_at is None]
        for file in old:
            if file.sha256 not in names:
                file.replaced_at = now
        there = {file.sha256 for file in old}
        row.files += _rows({s: n for s, n in names.items() if s not in there}, contents)
        row.unnamed = sorted({*row.unnamed, *due})
        row.reissued_at = now
        audit.record(
            session,
            user_id=None,
            via="service",
            action="snapshot.reissue",
            subject_kind="snapshot",
            subject_id=row.id,
            details={"entries": sorted(due)},
            now=now,
        )
    try:
        orphans.remove(sessions, blobs, there - set(names))
    except BlobsAway as error:
        log.error("snapshot %s: its old files are left to grb admin tidy: %s", seen.id, error)
