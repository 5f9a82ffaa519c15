"""What applying a re-evaluation would do to a board: pure computation over its cells."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from sqlalchemy import ColumnElement, and_, exists, or_, select
from sqlalchemy.orm import Session, aliased

from grbcore.catalog import Board
from grbcore.columns import Columns
from grbcore.results import CLEAN
from grbcore.store.counts import add
from grbcore.store.pairs import Pair
from grbcore.store.presence import in_force, stays
from grbcore.store.queries import counted
from grbcore.store.registration import counterpart
from grbcore.store.tables import BoardRow, CellRow, Reevaluation, Submission

#: States in which an entry can have results.
_MEASURED = ("evaluating", "ranked", "failed")


@dataclass(frozen=True, slots=True)
class Effects:
    """What changes: which results count afterwards, and which entries leave or get a rank."""

    before: Columns
    after: Columns
    failed: Mapping[str, str]  # entries that are to blame for a failed cell -> the reason
    waiting: frozenset[str]  # entries that lack cells under a new protocol
    revived: tuple[str, ...]  # entries that had failed and are evaluated again
    joining: frozenset[str]  # entries that are evaluated now, or again, and have every result then

    @property
    def leaving(self) -> frozenset[str]:
        return self.waiting | frozenset(self.failed)


def of_job(job_id: str) -> ColumnElement[bool]:
    """The cells of a re-evaluation that is neither applied nor cancelled."""
    return and_(CellRow.reevaluation_id == job_id, CellRow.place == "shadow")


def effects(session: Session, board: Board, row: BoardRow, job: Reevaluation) -> Effects:
    """What the re-evaluation would change if it were applied as it is now."""
    listed = session.execute(
        select(Submission.id, Submission.side)
        .where(Submission.board_id == row.id, Submission.state.in_(_MEASURED))
        .order_by(Submission.id)
    ).all()
    before = Columns(
        [name for name, side in listed if side == "attack"],
        [name for name, side in listed if side == "defense"],
        board.repeats,
        board.difficulties,
        errors=board.errors,
    )
    if row.protocol:
        add(session, before, counted(row.id, row.protocol))
    moves = job.protocol != row.protocol
    after = before.empty() if moves else before.copy()
    add(session, after, and_(of_job(job.id), CellRow.state == "done"))
    failed = _failed(session, job)
    waiting: frozenset[str] = frozenset()
    if moves:
        staying = _ids(session, row, counterpart()) - failed.keys()
        waiting = frozenset(lacking(after, staying))
    revived = _revived(session, row, job, failed)
    joining = _joining(session, row, job, after, {*failed, *waiting}, revived)
    return Effects(before, after, failed, waiting, tuple(sorted(revived)), joining)


def lacking(found: Columns, entries: Collection[str]) -> set[str]:
    """As few of these entries as will do, without which no pair has no result: the worst goes
    first."""
    attacks, defenses = (
        sorted(name for name in known if name in entries)
        for known in (found.attacks, found.defenses)
    )
    rows = [CLEAN, *attacks]
    missing = ~found.present(rows, defenses)
    left = {"attack": missing.sum(axis=1), "defense": missing.sum(axis=0)}
    gone: set[str] = set()
    while True:
        left["attack"][0] = 0  # the row without an attack stays
        worst = [
            (int(counts.max()), names[int(np.flatnonzero(counts == counts.max())[-1])], side)
            for side, names, counts in (
                ("attack", rows, left["attack"]),
                ("defense", defenses, left["defense"]),
            )
            if counts.size and counts.max()
        ]
        if not worst:
            return gone
        _, name, side = max(worst)
        gone.add(name)
        if side == "attack":
            place = rows.index(name)
            left["defense"] -= missing[place]
            missing[place] = False
        else:
            place = defenses.index(name)
            left["attack"] -= missing[:, place]
            missing[:, place] = False
        left[side][place] = 0


def required(entries: Iterable[tuple[str, str]]) -> list[Pair]:
    """Every cell that entries (id, side) need against each other, the clean ones first."""
    listed = list(entries)
    attacks = [entry for entry, side in listed if side == "attack"]
    defenses = [entry for entry, side in listed if side == "defense"]
    clean: list[Pair] = [(None, defense) for defense in defenses]
    return clean + [(attack, defense) for defense in defenses for attack in attacks]


def touched(session: Session, job_id: str) -> set[str]:
    """The entries that take part in a cell of a re-evaluation."""
    found: set[str] = set()
    for column in (CellRow.attack_id, CellRow.defense_id):
        found |= {*session.scalars(select(column).where(of_job(job_id)).distinct())} - {None}
    return found


def _failed(session: Session, job: Reevaluation) -> dict[str, str]:
    query = (
        select(CellRow.newcomer_id, CellRow.reason)
        .where(of_job(job.id), CellRow.state == "failed")
        .order_by(CellRow.id)
    )
    return {entry: str(reason) for entry, reason in session.execute(query)}


def _ids(session: Session, row: BoardRow, *conditions: ColumnElement[bool]) -> set[str]:
    query = select(Submission.id).where(Submission.board_id == row.id, *conditions)
    return set(session.scalars(query))


def _revived(
    session: Session, row: BoardRow, job: Reevaluation, failed: Collection[str]
) -> set[str]:
    """Entries that failed before and are to blame for no failed cell any more."""
    found = _ids(session, row, Submission.state == "failed", stays())
    found = (found - {*failed}) & touched(session, job.id)
    return found - _left(session, row, job, found, ("failed",))


def _joining(
    session: Session,
    row: BoardRow,
    job: Reevaluation,
    after: Columns,
    gone: Collection[str],
    revived: Collection[str],
) -> frozenset[str]:
    """Entries that will be evaluating and lack nothing, in the order in which they are settled."""
    candidates = session.execute(
        select(Submission.id, Submission.side)
        .where(
            Submission.board_id == row.id,
            or_(Submission.state == "evaluating", Submission.id.in_(revived)),
            in_force(),
            Submission.id.not_in(gone),
        )
        .order_by(Submission.received_at, Submission.id)
    ).all()
    kept_out = _left(
        session, row, job, {name for name, _ in candidates}, ("queued", "running", "dead")
    )
    ranked = session.execute(
        select(Submission.id, Submission.side).where(Submission.board_id == row.id, counterpart())
    )
    attacks, defenses = [CLEAN], list[str]()
    sides = {"attack": attacks, "defense": defenses}
    for name, side in ranked:
        if name not in gone:
            sides[side].append(name)
    joining = []
    for name, side in candidates:
        pairs = ([name], defenses) if side == "attack" else (attacks, [name])
        if name not in kept_out and after.present(*pairs).all():
            sides[side].append(name)
            joining.append(name)
    return frozenset(joining)


def _left(
    session: Session,
    row: BoardRow,
    job: Reevaluation,
    entries: Collection[str],
    states: Sequence[str],
) -> set[str]:
    """Those of these entries that keep a cell in such a state, since nothing takes its place."""
    shadow = aliased(CellRow)
    replaced = and_(
        shadow.reevaluation_id == job.id,
        shadow.place == "shadow",
        shadow.defense_id == CellRow.defense_id,
        or_(
            shadow.attack_id == CellRow.attack_id,
            and_(shadow.attack_id.is_(None), CellRow.attack_id.is_(None)),
        ),
    )
    if job.protocol == row.protocol:
        replaced = and_(replaced, shadow.state.in_(("done", "failed")))
    query = select(CellRow.newcomer_id).where(
        CellRow.newcomer_id.in_(entries),
        CellRow.protocol == job.protocol,
        CellRow.place == "current",
        CellRow.state.in_(states),
        ~exists().where(replaced),
    )
    return set(session.scalars(query))
