"""Near-duplicates of a board: found in the background and kept, with what admins decided."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from datetime import datetime
from time import perf_counter
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import delete, or_, select
from sqlalchemy.orm import Session, load_only

from grbcore import catalog, clones, scoring
from grbcore.clones import Cluster, Decision
from grbcore.results import CLEAN
from grbcore.scenario import BUDGETS, SIDES, Difficulty, Side, in_order
from grbcore.store import audit
from grbcore.store.audit import Via
from grbcore.store.blobs import BlobError, Blobs
from grbcore.store.presence import shown
from grbcore.store.queries import counted
from grbcore.store.reevaluation import NotPossible
from grbcore.store.session import Sessions
from grbcore.store.tables import BoardRow, CellRow, DuplicateDecision, DuplicateScan, Submission
from grbcore.store.visibility import beyond, seen_by

#: At most so many targets of a cell are compared, evenly chosen.
_TARGETS = 2000

#: So many files of hits are read at once.
_AT_ONCE = 8

Hits = NDArray[np.bool_]  # (repeats, targets)
Pair = tuple[str, str]  # attack or `CLEAN`, defense


@dataclass(frozen=True, slots=True)
class Packed:
    """The hits of one cell at full; of errors, none of which is right or wrong, hashes alone."""

    some: bytes  # at most `_TARGETS` targets, as `numpy.packbits` makes them
    shape: tuple[int, int]  # of these
    rows: tuple[bytes, ...]  # a hash of all targets in each repeat


@dataclass(frozen=True, slots=True)
class Found:
    """The clusters of both sides after what admins decided, and of which moment they are."""

    clusters: Mapping[Side, Sequence[Cluster]]
    unmoved: frozenset[str]  # defenses
    revision: int | None  # of the board; None before it is looked at first
    scanned_at: datetime | None
    stamp: tuple[str, ...]  # changes whenever something here does


@dataclass(slots=True)
class Known:
    """Hits that were read before, packed, by the hash of their file."""

    packed: dict[str, Packed] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Results:
    """The hits of the cells of a board, unpacked one by one."""

    files: Mapping[Pair, str]
    packed: Mapping[str, Packed]

    def of(self, pair: Pair) -> Hits | None:
        """The hits of a cell; None where there are none."""
        found = self.packed.get(self.files.get(pair, ""))
        if found is None or not found.some:
            return None
        repeats, targets = found.shape
        rows = np.frombuffer(found.some, np.uint8).reshape(repeats, -1)
        return np.unpackbits(rows, axis=1, count=targets).astype(np.bool_)

    def rows(self, pair: Pair) -> tuple[bytes, ...]:
        """A hash of all hits of a cell in each repeat; none where there are none."""
        found = self.packed.get(self.files.get(pair, ""))
        return () if found is None else found.rows


@dataclass(frozen=True, slots=True)
class _Board:
    """What a scan reads of a board before it reads files."""

    told: Mapping[Side, Sequence[clones.Told]]
    references: Mapping[Side, frozenset[str]]
    hits: Mapping[Pair, str]  # the hash of the file
    errors: bool  # what the files hold
    stamp: str
    revision: int


def scan(sessions: Sessions, blobs: Blobs, board_id: str, known: Known, now: datetime) -> bool:
    """Look for near-duplicates if anything changed since it was done last; whether it was done.

    Entries that not everybody sees are left out.
    """
    begun = perf_counter()
    with sessions.reading() as session:
        board = _read(session, board_id, now)
    if board is None:
        return False
    results = _results(blobs, known, board)
    unmoved = _unmoved(board, results)
    found = {
        side: [asdict(cluster) for cluster in _clusters(board, side, results, unmoved)]
        for side in SIDES
    }
    with sessions.writing() as session:
        session.execute(delete(DuplicateScan).where(DuplicateScan.board_id == board_id))
        session.add(
            DuplicateScan(
                board_id=board_id,
                stamp=board.stamp,
                revision=board.revision,
                scanned_at=now,
                seconds=perf_counter() - begun,
                found={**found, "unmoved": sorted(unmoved)},
            )
        )
    return True


def found(session: Session, board_id: str) -> Found:
    """The near-duplicates of a board as they were found last, and as admins decided."""
    row = session.get(DuplicateScan, board_id)
    decisions = of_board(session, board_id)
    last = decisions[-1].id if decisions else ""
    clusters: dict[Side, Sequence[Cluster]] = {}
    for side in SIDES:
        scanned = [_cluster(one) for one in row.found[side]] if row is not None else []
        mine = [
            Decision(cast(Any, one.kind), tuple(one.members))
            for one in decisions
            if one.side == side
        ]
        clusters[side] = clones.decided(scanned, mine)
    return Found(
        clusters,
        frozenset(row.found["unmoved"]) if row is not None else frozenset(),
        row.revision if row is not None else None,
        row.scanned_at if row is not None else None,
        (row.stamp if row is not None else "", last),
    )


def earlier(session: Session, board_id: str, among: Sequence[Submission]) -> dict[str, str]:
    """Of each of these entries that nearly is one before it here the first that it nearly is.

    Others are not named: a cluster may hold entries that left, or that not everybody sees.
    """
    every = found(session, board_id).clusters
    kin = {
        member: (side, number)
        for side in SIDES
        for number, cluster in enumerate(every[side])
        for member in cluster.members
    }
    first: dict[tuple[Side, int], str] = {}
    twins = {}
    for entry in among:
        cluster = kin.get(entry.id)
        if cluster is not None and (one := first.setdefault(cluster, entry.id)) != entry.id:
            twins[entry.id] = one
    return twins


def of_board(session: Session, board_id: str) -> Sequence[DuplicateDecision]:
    """What admins decided, the latest last."""
    query = select(DuplicateDecision).where(DuplicateDecision.board_id == board_id)
    return session.scalars(query.order_by(DuplicateDecision.id)).all()


def decide(
    session: Session,
    board_id: str,
    decision: Decision,
    *,
    reason: str,
    user_id: str | None,
    via: Via,
    now: datetime,
) -> DuplicateDecision:
    """Have these entries stand alone, or count as one, whatever is found of them.

    Raises:
        NotPossible: they are not entries of one side of this board, or fewer than two are merged.
    """
    rows = session.execute(
        select(Submission.id, Submission.side).where(
            Submission.board_id == board_id, Submission.id.in_(decision.members)
        )
    ).all()
    names, sides = {row.id for row in rows}, {row.side for row in rows}
    least = 2 if decision.kind == "merge" else 1
    if names != set(decision.members) or len(sides) != 1 or len(names) < least:
        raise NotPossible(
            "entries",
            f"entries: found {len(names)} of {' and '.join(sorted(sides)) or 'no side'} on "
            f"{board_id}, allowed: {least} or more of one side of it",
        )
    row = DuplicateDecision(
        board_id=board_id,
        side=sides.pop(),
        kind=decision.kind,
        members=sorted(names),
        reason=reason,
        user_id=user_id,
        decided_at=now,
    )
    session.add(row)
    session.flush()
    audit.record(
        session,
        user_id=user_id,
        via=via,
        action=f"duplicates.{decision.kind}",
        subject_kind="board",
        subject_id=board_id,
        reason=reason,
        details={"entries": row.members},
        now=now,
    )
    return row


def _cluster(stored: dict[str, Any]) -> Cluster:
    return Cluster(tuple(stored["members"]), stored["why"], stored["apart"])


def _read(session: Session, board_id: str, now: datetime) -> _Board | None:
    """None where nothing changed since the scan that is kept."""
    row = session.get(BoardRow, board_id)
    if row is None or row.protocol is None:
        return None
    state = (row.protocol, row.revision, row.changed_at, beyond(session, board_id, None, now))
    stamp = hashlib.sha256(repr(state).encode()).hexdigest()
    last = session.get(DuplicateScan, board_id)
    if last is not None and last.stamp == stamp:
        return None
    wanted = load_only(
        Submission.side, Submission.canonical, Submission.sketch, Submission.is_reference
    )
    entries = session.scalars(
        select(Submission)
        .options(wanted)
        .where(
            Submission.board_id == board_id,
            Submission.registered_at.is_not(None),
            shown(),
            seen_by(None, now),
        )
        .order_by(Submission.registered_at, Submission.id)
    ).all()
    told: dict[Side, list[clones.Told]] = {side: [] for side in SIDES}
    for entry in entries:
        sketch = (entry.sketch or "") if entry.side == "attack" else None
        told[cast(Side, entry.side)].append(clones.Told(entry.id, entry.canonical, sketch))
    references = {
        side: frozenset(e.id for e in entries if e.is_reference and e.side == side)
        for side in SIDES
    }
    hits = _files(session, board_id, row.protocol, references)
    known = catalog.boards().get(board_id)  # it may have left the catalog
    errors = known is not None and known.errors
    return _Board(told, references, hits, errors, stamp, row.revision)


def _files(
    session: Session, board_id: str, protocol: str, references: Mapping[Side, Collection[str]]
) -> dict[Pair, str]:
    """The files of hits of all cells in which a reference, or no attack, takes part."""
    attack, defense = CellRow.attack_id, CellRow.defense_id
    query = select(attack, defense, CellRow.hits_sha256).where(
        counted(board_id, protocol),
        CellRow.hits_sha256.is_not(None),
        or_(
            attack.is_(None),
            attack.in_(references["attack"]),
            defense.in_(references["defense"]),
        ),
    )
    return {(row[0] or CLEAN, row[1]): str(row[2]) for row in session.execute(query)}


def _results(blobs: Blobs, known: Known, board: _Board) -> _Results:
    """The hits at full, or at every budget side by side; what is damaged or gone is left out."""
    files = board.hits

    def together(found: Mapping[Difficulty, NDArray[Any]]) -> NDArray[Any]:
        last = in_order(found)[-1]
        return np.hstack([found[at] for at in (BUDGETS if last in BUDGETS else (last,))])

    def read(sha256: str) -> Packed | None:
        try:
            if board.errors:
                each = together(scoring.unpack_errors(blobs.read(sha256)))
                return Packed(b"", each.shape, tuple(map(_hash, each)))
            hits = together(scoring.unpack(blobs.read(sha256)))
        except (BlobError, ValueError, LookupError):
            return None
        some = hits[:, :: -(-hits.shape[1] // _TARGETS)]
        rows = tuple(map(_hash, np.packbits(hits, axis=1)))
        return Packed(np.packbits(some, axis=1).tobytes(), some.shape, rows)

    wanted = set(files.values())
    held = {sha256: known.packed[sha256] for sha256 in wanted & known.packed.keys()}
    lacking = sorted(wanted - held.keys())
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        for sha256, packed in zip(lacking, threads.map(read, lacking), strict=True):
            if packed is not None:
                held[sha256] = packed
    known.packed = held
    return _Results(files, held)


def _hash(row: NDArray[Any]) -> bytes:
    return hashlib.sha256(row.tobytes()).digest()


def _clusters(
    board: _Board, side: Side, results: _Results, unmoved: frozenset[str]
) -> list[Cluster]:
    entries = board.told[side]
    names = [entry.id for entry in entries]
    apart = clones.disagreement(_blocks(board, side, names, results), len(names))
    return clones.clusters(entries, apart, unmoved=unmoved if side == "defense" else frozenset())


def _blocks(
    board: _Board, side: Side, names: Sequence[str], results: _Results
) -> Iterator[tuple[NDArray[np.intp], Hits]]:
    """For each reference of the other side the hits of those entries that were measured with it."""
    others = sorted(board.references["defense" if side == "attack" else "attack"])
    for other in [*others, *([CLEAN] if side == "defense" else [])]:
        pairs = [(name, other) if side == "attack" else (other, name) for name in names]
        mine = {place: rows for place, p in enumerate(pairs) if (rows := results.of(p)) is not None}
        if mine:
            most = max(len(rows) for rows in mine.values())
            bits = [
                (rows if len(rows) == most else np.repeat(rows[:1], most, axis=0)).ravel()
                for rows in mine.values()
            ]
            yield np.array(list(mine), np.intp), np.stack(bits)


def _unmoved(board: _Board, results: _Results) -> frozenset[str]:
    """Defenses whose hits, at every target, are under every reference attack those without one."""
    still = set()
    for entry in board.told["defense"]:
        clean = results.rows((CLEAN, entry.id))
        attacked = [results.rows((attack, entry.id)) for attack in board.references["attack"]]
        if clean and attacked and all(set(rows) == {clean[0]} for rows in attacked):
            still.add(entry.id)
    return frozenset(still)
