"""Reading a board's file that may come from anywhere: everything is checked before it is used."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from tempfile import TemporaryFile
from typing import IO, TypeVar

from pydantic import ValidationError

from grbcore import catalog
from grbcore.catalog import Board
from grbcore.scenario import Difficulty
from grbcore.store.moving.container import (
    CELLS,
    MANIFEST,
    SEAL,
    SUBMISSIONS,
    Damaged,
    Member,
    chunks,
    lines,
    members,
    sealed,
)
from grbcore.store.moving.records import (
    LONGEST_LINE,
    LONGEST_MANIFEST,
    CellRecord,
    Manifest,
    Record,
    SubmissionRecord,
)
from grbcore.submission import Scale, check_header

#: Packed hits are a bit per target and repeat; no board has nearly as many.
LARGEST_HITS = 64 * 1024 * 1024

Files = dict[str, list[SubmissionRecord]]  # the entries that have a file, by its hash

_AnyRecord = TypeVar("_AnyRecord", bound=Record)


@dataclass(frozen=True, slots=True)
class BoardFile:
    """A file that is whole and holds what it says; entries are in memory, results are not."""

    file: IO[bytes]
    manifest: Manifest
    board: Board
    submissions: Mapping[str, SubmissionRecord]
    _cells: Member

    def cells(self) -> Iterator[CellRecord]:
        """Every result, read once more."""
        return _records(self.file, self._cells, CellRecord)

    def blobs(self) -> Iterator[Member]:
        """The member of every blob, read once more with `chunks`."""
        return (member for member in members(self.file) if member.sha256)


def read_board_file(file: IO[bytes]) -> BoardFile:
    """Read and check a whole file: sizes, hashes, every field, and how they belong together.

    Files of entries must pass the check of the header that every upload passes, and be what their
    entry says of them.  Whether the results are right can't be seen: that is believed, or not.

    Raises:
        Damaged: the first thing that is wrong.
    """
    found = members(file)
    manifest = _manifest(file, _expect(found, MANIFEST), _expect(found, SEAL))
    try:
        board = catalog.board(manifest.board)
    except KeyError:
        raise Damaged(
            f"{MANIFEST}: found board {manifest.board!r}, allowed: a board of this catalog"
        ) from None
    rows = _expect(found, SUBMISSIONS)
    _check_hash(file, rows, manifest.submissions_sha256)
    submissions = {row.id: row for row in _records(file, rows, SubmissionRecord)}
    _count(rows.name, len(submissions), manifest.submissions)
    cells = _expect(found, CELLS)
    _check_hash(file, cells, manifest.cells_sha256)
    needed = _check_cells(file, cells, manifest, board, submissions)
    files: Files = {}
    for row in submissions.values():
        if row.has_file:
            files.setdefault(row.sha256, []).append(row)
    needed |= {bytes.fromhex(digest) for digest in files}
    _check_blobs(file, found, manifest, board, files, needed)
    return BoardFile(file, manifest, board, submissions, cells)


def _expect(found: Iterator[Member], name: str) -> Member:
    member = next(found, None)
    if member is None or member.name != name:
        names = "the end" if member is None else member.name
        raise Damaged(f"the file: found {names}, allowed: {name} in this place")
    return member


def _manifest(file: IO[bytes], member: Member, seal: Member) -> Manifest:
    if member.size > LONGEST_MANIFEST:
        raise Damaged(f"{MANIFEST}: found {member.size} bytes, allowed: at most {LONGEST_MANIFEST}")
    content = b"".join(chunks(file, member))
    expected = sealed(content)
    if seal.size != len(expected) or b"".join(chunks(file, seal)) != expected:
        raise Damaged(f"{SEAL}: found another hash, allowed: that of {MANIFEST}")
    return _parse(content, Manifest, MANIFEST)


def _records(file: IO[bytes], member: Member, kind: type[_AnyRecord]) -> Iterator[_AnyRecord]:
    """The records of a member, whose ids must rise."""
    before = ""
    for number, line in enumerate(lines(file, member, LONGEST_LINE), start=1):
        record = _parse(line, kind, f"{member.name} line {number}")
        found = str(record.id)  # type: ignore[attr-defined]
        if found <= before:
            raise Damaged(
                f"{member.name} line {number}: found id {found} after {before}, "
                "allowed: each once, in order"
            )
        before = found
        yield record


def _parse(text: bytes, kind: type[_AnyRecord], place: str) -> _AnyRecord:
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the record"
        allowed = first["msg"].removeprefix("Value error, ")
        raise Damaged(f"{place}: {where}: found something else, allowed: {allowed}") from None


def _check_hash(file: IO[bytes], member: Member, sha256: str) -> None:
    hasher = hashlib.sha256()
    for chunk in chunks(file, member):
        hasher.update(chunk)
    if hasher.hexdigest() != sha256:
        raise Damaged(
            f"{member.name}: found bytes of SHA-256 {hasher.hexdigest()}, allowed: {sha256}"
        )


def _count(place: str, found: int, expected: int) -> None:
    if found != expected:
        raise Damaged(f"{place}: found {found}, allowed: the {expected} of the manifest")


def _check_cells(
    file: IO[bytes],
    member: Member,
    manifest: Manifest,
    board: Board,
    submissions: Mapping[str, SubmissionRecord],
) -> set[bytes]:
    """The hashes of the hits of every result, once each of them fits its entries."""
    hits: set[bytes] = set()
    count = 0
    for count, cell in enumerate(_records(file, member, CellRecord), start=1):
        place = f"{CELLS} line {count}"
        _check_ends(cell, submissions, place)
        ours = cell.protocol == manifest.protocol and cell.place == "current"
        if not ours and not manifest.history:
            raise Damaged(f"{place}: found a result that no longer counts, allowed: --history")
        if ours and cell.state == "done":
            _check_counts(cell, manifest, board, submissions, place)
        if cell.hits_sha256 is not None:
            hits.add(bytes.fromhex(cell.hits_sha256))
    _count(CELLS, count, manifest.cells)
    if hits and not manifest.hits:
        raise Damaged(f"{CELLS}: found hits, allowed: none, as the manifest says")
    return hits


def _check_ends(cell: CellRecord, submissions: Mapping[str, SubmissionRecord], place: str) -> None:
    ends = [(cell.defense_id, "defense")]
    if cell.attack_id is not None:
        ends.append((cell.attack_id, "attack"))
    for submission_id, side in ends:
        row = submissions.get(submission_id)
        if row is None or row.side != side:
            raise Damaged(f"{place}: found {side} {submission_id}, allowed: a {side} of this file")


def _check_counts(
    cell: CellRecord,
    manifest: Manifest,
    board: Board,
    submissions: Mapping[str, SubmissionRecord],
    place: str,
) -> None:
    """A result has the difficulties of its attack, the board's targets and its repeats."""
    carried: object = list(board.difficulties)
    if cell.attack_id is not None:
        carried = submissions[cell.attack_id].contents.get("difficulties")
    if board.errors != (cell.errors is not None):
        found, allowed = ("counts", "errors") if board.errors else ("errors", "counts")
        raise Damaged(f"{place}: found {found}, allowed: {allowed}, the board's metric")
    values: Mapping[Difficulty, Sequence[float]] = cell.errors or cell.correct or {}
    counted = list(values)
    if not isinstance(carried, list) or sorted(map(str, carried)) != sorted(counted):
        raise Damaged(f"{place}: found results at {counted}, allowed: at {carried}")
    targets = manifest.facts.get("targets")
    if not isinstance(targets, dict) or any(
        targets.get(at) != count for at, count in (cell.total or {}).items()
    ):
        raise Damaged(f"{place}: found {cell.total} targets, allowed: {targets}")
    repeats = {len(row) for row in values.values()}
    if not repeats <= {1, board.repeats}:
        raise Damaged(f"{place}: found {repeats} repeats, allowed: 1 or {board.repeats}")


def _check_blobs(
    file: IO[bytes],
    found: Iterator[Member],
    manifest: Manifest,
    board: Board,
    files: Files,
    needed: set[bytes],
) -> None:
    before = ""
    count = 0
    for member in found:
        count += 1
        sha256 = member.sha256
        if sha256 is None or sha256 <= before or bytes.fromhex(sha256) not in needed:
            raise Damaged(
                f"{member.name}: found after {before or CELLS}, "
                "allowed: each blob that the rows name, once, in order"
            )
        before = sha256
        entries = files.get(sha256, [])
        if not entries and member.size > LARGEST_HITS:
            raise Damaged(f"{member.name}: found {member.size} bytes, allowed: {LARGEST_HITS}")
        for entry in entries:
            if entry.size != member.size:
                raise Damaged(f"{member.name}: found {member.size} bytes, allowed: {entry.size}")
        _check_hash(file, member, sha256)
        for entry in entries:
            if entry.state in ("evaluating", "ranked"):
                _check_file(file, member, entry, board, manifest)
    _count("blobs", count, len(needed))
    _count("blobs", count, manifest.blobs)


def _check_file(
    file: IO[bytes], member: Member, entry: SubmissionRecord, board: Board, manifest: Manifest
) -> None:
    """An entry's file passes the check of its header, and is as the entry says."""
    scale = _scale(manifest)
    with TemporaryFile() as copy:
        for chunk in chunks(file, member):
            copy.write(chunk)
        header = check_header(copy, side=entry.side, board=board, scale=scale)
    if header.violations:
        first = header.violations[0]
        raise Damaged(
            f"the file of {entry.side} {entry.id}: {first.place}: found {first.found}, "
            f"allowed: {first.allowed}"
        )
    if header.contents != entry.contents:
        raise Damaged(
            f"{SUBMISSIONS}: {entry.id}: found contents {entry.contents}, "
            f"allowed: those of its file, {header.contents}"
        )


def _scale(manifest: Manifest) -> Scale:
    try:
        scale = Scale.of(manifest.facts)
    except TypeError:
        scale = None
    if scale is None or not all(isinstance(size, int) for size in astuple(scale)):
        raise Damaged(f"{MANIFEST}: found {manifest.facts}, allowed: sizes in whole numbers")
    return scale
