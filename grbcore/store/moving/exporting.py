"""Writing a board into one file, a piece at a time; the same board gives the same bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO

from sqlalchemy import ColumnElement, and_, or_, select
from sqlalchemy.orm import Session, joinedload

from grbcore.store import seasons
from grbcore.store.blobs import BlobError, Blobs
from grbcore.store.moving.container import (
    CELLS,
    CHUNK,
    MANIFEST,
    SEAL,
    SUBMISSIONS,
    blob_name,
    sealed,
    write_end,
    write_member,
)
from grbcore.store.moving.records import (
    CellRecord,
    Manifest,
    Record,
    SeasonRecord,
    SubmissionRecord,
    no_file,
)
from grbcore.store.session import Sessions, now
from grbcore.store.tables import BoardRow, CellRow, Submission
from grbcore.store.visibility import kept

Progress = Callable[[int, int], None]  # blobs that are done, and of how many

_FINAL = ("done", "failed")


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written."""

    submissions: int
    cells: int
    blobs: int
    left_out: int  # entries that not everybody sees


def export_board(
    sessions: Sessions,
    blobs: Blobs,
    board_id: str,
    out: IO[bytes],
    *,
    hits: bool = True,
    history: bool = False,
    everything: bool = False,
    progress: Progress = lambda done, total: None,
) -> Exported:
    """Write a board with its entries, results and files; the service may run meanwhile.

    Entries that not everybody sees are left out, with their results and files, unless
    ``everything`` is asked for.

    The rows are one consistent view.  Open cells are left out: who imports the board has them
    computed.  With ``history`` results that were replaced, or belong to an earlier protocol, are
    written too; without ``hits`` the packed hits of each result are not.

    Raises:
        ValueError: the board has no data here or hides targets, or the file of an entry is lost or
            damaged.
    """
    with TemporaryFile() as submissions, TemporaryFile() as cells:
        with sessions.reading() as session:
            row = session.get(BoardRow, board_id)
            if row is None or row.protocol is None or row.facts is None:
                raise ValueError(
                    f"board: found {board_id!r}, whose data was never here, "
                    "allowed: a board that this service evaluates"
                )
            if row.hidden_seed is not None:
                raise ValueError(
                    f"board: found {board_id}, half of whose targets is hidden, allowed: one "
                    "whose targets are all public; a backup holds what says which are hidden"
                )
            left_out = frozenset[str]() if everything else kept(session, board_id, now())
            entries = list(_submissions(session, board_id, left_out))
            files = {entry.sha256: entry for entry in entries if entry.has_file}
            needed = {bytes.fromhex(digest) for digest in files}
            known = Lines(submissions, entries)
            results = _cells(session, row, needed, left_out, hits=hits, history=history)
            measured = Lines(cells, results)
            manifest = Manifest(
                format=1,
                board=board_id,
                protocol=row.protocol,
                facts=row.facts,
                hits=hits,
                history=history,
                submissions=known.count,
                cells=measured.count,
                blobs=len(needed),
                submissions_sha256=known.sha256,
                cells_sha256=measured.sha256,
                seasons=[
                    SeasonRecord.model_validate(season)
                    for season in reversed(seasons.of_board(session, board_id))
                ],
            )
        head = manifest.model_dump_json().encode() + b"\n"
        write_member(out, MANIFEST, len(head), [head])
        seal = sealed(head)
        write_member(out, SEAL, len(seal), [seal])
        write_member(out, SUBMISSIONS, known.size, known.chunks())
        write_member(out, CELLS, measured.size, measured.chunks())
        for done, digest in enumerate(sorted(needed)):
            progress(done, len(needed))
            _write_blob(out, blobs, digest.hex(), files.get(digest.hex()))
        write_end(out)
        progress(len(needed), len(needed))
    return Exported(manifest.submissions, manifest.cells, manifest.blobs, len(left_out))


class Lines:
    """Records written to a file, one in a line, with their number and hash."""

    def __init__(self, file: IO[bytes], records: Iterable[Record]) -> None:
        self._file = file
        self.count = self.size = 0
        hasher = hashlib.sha256()
        for record in records:
            line = record.model_dump_json().encode() + b"\n"
            file.write(line)
            hasher.update(line)
            self.count, self.size = self.count + 1, self.size + len(line)
        self.sha256 = hasher.hexdigest()

    def chunks(self) -> Iterator[bytes]:
        """What was written."""
        self._file.seek(0)
        return iter(lambda: self._file.read(CHUNK), b"")


def _submissions(
    session: Session, board_id: str, left_out: frozenset[str]
) -> Iterator[SubmissionRecord]:
    rows = select(Submission).options(joinedload(Submission.user)).order_by(Submission.id)
    names = [name for name in SubmissionRecord.model_fields if name != "owner"]
    for row in session.scalars(rows.where(Submission.board_id == board_id)):
        if row.id in left_out:
            continue
        fields = {name: getattr(row, name) for name in names}
        if row.state in ("received", "validating"):
            fields |= {"state": "received", "reason": None}
        fields["owner"] = row.user.name
        if row.deleted_at is not None:  # nothing tells whose it was, or what the file was
            fields |= {"owner": None, "sha256": no_file(row.id)}
        yield SubmissionRecord.model_validate(fields)


def _cells(
    session: Session,
    board: BoardRow,
    needed: set[bytes],
    left_out: frozenset[str],
    *,
    hits: bool,
    history: bool,
) -> Iterator[CellRecord]:
    columns = [getattr(CellRow, name) for name in CellRecord.model_fields]
    query = select(*columns).where(_chosen(board, history)).order_by(CellRow.id)
    for row in session.execute(query.execution_options(yield_per=1000)):
        if not left_out.isdisjoint((row.attack_id, row.defense_id)):
            continue
        fields = dict(row._mapping)
        if not hits:
            fields["hits_sha256"] = None
        elif row.hits_sha256 is not None:
            needed.add(bytes.fromhex(row.hits_sha256))
        yield CellRecord.model_validate(fields)


def _chosen(board: BoardRow, history: bool) -> ColumnElement[bool]:
    current = and_(CellRow.place == "current", CellRow.protocol == board.protocol)
    if history:
        current = or_(current, CellRow.place.in_(("current", "past")))
    return and_(CellRow.board_id == board.id, CellRow.state.in_(_FINAL), current)


def _write_blob(out: IO[bytes], blobs: Blobs, sha256: str, entry: SubmissionRecord | None) -> None:
    """An entry's file goes through in pieces; hits are small."""
    try:
        if entry is not None:
            write_member(out, blob_name(sha256), entry.size, blobs.stream(sha256))
            return
        content = blobs.read(sha256)
    except BlobError as error:
        mend = "--without-hits leaves the hits of all results out"
        if entry is not None:
            mend = f"upload the file of submission {entry.id} once more, or delete it"
        raise ValueError(f"{error}, allowed: an intact file; {mend}") from None
    write_member(out, blob_name(sha256), len(content), [content])
