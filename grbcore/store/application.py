"""Applying a re-evaluation: its cells take the places of those that the board shows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Delete,
    Update,
    and_,
    delete,
    exists,
    select,
    tuple_,
    update,
)
from sqlalchemy.orm import Session, aliased

from grbcore.catalog import Board
from grbcore.store import audit
from grbcore.store.audit import Via
from grbcore.store.effects import Effects, effects, of_job, touched
from grbcore.store.locks import take_time
from grbcore.store.presence import stays
from grbcore.store.previews import Preview, preview
from grbcore.store.reevaluation import NotPossible, cancel_other_protocols, locked
from grbcore.store.registration import (
    drop_open_cells,
    drop_other_protocols,
    settle,
)
from grbcore.store.stuck import why_stuck
from grbcore.store.tables import BoardRow, CellRow, Reevaluation, Submission


def apply(
    session: Session,
    board: Board,
    job_id: str,
    *,
    revision: int,
    user_id: str | None,
    via: Via,
    now: datetime,
) -> Reevaluation:
    """Let the results of a re-evaluation count, in this transaction.

    ``revision`` is that of the board in the preview which the decision stands on.  What is replaced
    stays as ``past``.  Under the board's own protocol a cell without a new result keeps the old
    one.  Under a new one, entries that lack cells are ``evaluating`` until they have them, and so
    are newcomers.  An entry to blame for a failed cell has failed.

    Raises:
        NotPossible: there is no such re-evaluation, it is not ready, or the board has changed
            since the preview.
    """
    job = locked(session, job_id, ("ready",))
    row = session.get_one(BoardRow, job.board_id)
    if row.revision != revision:
        raise NotPossible(
            "changed",
            f"revision: found {revision}, allowed: {row.revision}; the board has changed since "
            "the preview, look at it again",
        )
    take_time(session)
    found = effects(session, board, row, job)
    shown = preview(session, board, job, view="reference", difficulty=board.ranked, found=found)
    entries = touched(session, job.id)
    details = _details(shown, row, job)
    row.revision += 1
    row.changed_at = now
    moves = job.protocol != row.protocol
    if moves:
        _move(session, row, job, found)
    else:
        _replace(session, row, job, now)
    _fail(session, found, now)
    _put_back(session, found.waiting, now)
    _settle_rest(session, row, entries, now)
    job.state, job.decided_at, job.decider_id, job.outcome = "applied", now, user_id, details
    session.flush()
    if moves:
        cancel_other_protocols(session, row, now)
    audit.record(
        session,
        user_id=user_id,
        via=via,
        action="reevaluation.apply",
        subject_kind="reevaluation",
        subject_id=job.id,
        details={"board": row.id, **details},
        now=now,
    )
    return job


def _details(shown: Preview, row: BoardRow, job: Reevaluation) -> dict[str, Any]:
    return {
        "changed": shown.changed,
        "ranks": shown.moved,
        "public": {"cells": shown.public.cells, "changed": shown.public.changed},
        "failed": list(shown.failing),
        "waiting": list(shown.waiting),
        "revision": row.revision + 1,
        "protocol": job.protocol,
        "from_protocol": row.protocol,
    }


def _replace(session: Session, row: BoardRow, job: Reevaluation, now: datetime) -> None:
    """Under one protocol: new results for old ones, pair by pair."""
    past = {"place": "past", "replaced_at": now}
    for old in _current(row.id, job, ("done", "failed")):
        # an unfinished one was queued again meanwhile
        _change(session, delete(CellRow).where(old, CellRow.finished_at.is_(None)))
        _change(session, update(CellRow).where(old).values(past))
    # never counted: the old result stays
    _change(session, update(CellRow).where(of_job(job.id), CellRow.state == "dead").values(past))
    _change(session, update(CellRow).where(of_job(job.id)).values(place="current"))


def _move(session: Session, row: BoardRow, job: Reevaluation, found: Effects) -> None:
    """To another protocol: the shadow cells are its first ones."""
    for old in _current(row.id, job, ("done", "failed", "dead")):
        # measured before, when the board had this protocol once
        _change(session, delete(CellRow).where(old))
    row.protocol, row.facts = job.protocol, job.facts or row.facts
    session.flush()
    dead = and_(of_job(job.id), CellRow.state == "dead")
    for entry in (CellRow.defense_id, CellRow.attack_id):
        kept_out = update(CellRow).where(dead, entry.in_(found.waiting))
        _change(session, kept_out.values(newcomer_id=entry))
    _change(session, update(CellRow).where(of_job(job.id)).values(place="current"))
    drop_other_protocols(session, row)


def _current(
    board_id: str, job: Reevaluation, states: Sequence[str]
) -> Iterator[ColumnElement[bool]]:
    """The current cells whose pairs the job has so: the clean ones, then the others."""
    new = aliased(CellRow)
    theirs = and_(new.reevaluation_id == job.id, new.place == "shadow", new.state.in_(states))
    here = and_(
        CellRow.board_id == board_id, CellRow.place == "current", CellRow.protocol == job.protocol
    )
    clean = select(new.defense_id).where(theirs, new.attack_id.is_(None))
    yield and_(here, CellRow.attack_id.is_(None), CellRow.defense_id.in_(clean))
    pairs = select(new.attack_id, new.defense_id).where(theirs, new.attack_id.is_not(None))
    yield and_(here, tuple_(CellRow.attack_id, CellRow.defense_id).in_(pairs))


def _change(session: Session, statement: Update | Delete) -> None:
    session.execute(statement.execution_options(synchronize_session=False))


def _fail(session: Session, found: Effects, now: datetime) -> None:
    for entry_id, reason in found.failed.items():
        entry = session.get_one(Submission, entry_id, populate_existing=True)
        if entry.state in ("ranked", "evaluating") and entry.deleted_at is None:
            entry.state, entry.reason, entry.registered_at = "failed", reason, None
            session.flush()
            drop_open_cells(session, entry, now)


def _put_back(session: Session, waiting: Iterable[str], now: datetime) -> None:
    for entry_id in waiting:
        entry = session.get_one(Submission, entry_id, populate_existing=True)
        entry.state, entry.registered_at = "evaluating", None
        entry.reason = why_stuck(session, entry, now)
    session.flush()


def _settle_rest(session: Session, row: BoardRow, touched: Collection[str], now: datetime) -> None:
    """Revive entries whose failed cells have results now, and settle whoever is evaluating."""
    fails = exists().where(
        and_(
            CellRow.newcomer_id == Submission.id,
            CellRow.state == "failed",
            CellRow.place == "current",
            CellRow.protocol == row.protocol,
        )
    )
    revived = session.scalars(
        select(Submission).where(
            Submission.board_id == row.id, Submission.state == "failed", stays(), ~fails
        )
    )
    for entry in revived:
        if entry.id in touched:
            entry.state, entry.reason = "evaluating", None
    session.flush()
    evaluating = session.scalars(
        select(Submission.id)
        .where(Submission.board_id == row.id, Submission.state == "evaluating")
        .order_by(Submission.received_at, Submission.id)
    ).all()
    for entry_id in evaluating:
        if entry_id in touched:
            entry = session.get_one(Submission, entry_id)
            entry.reason = why_stuck(session, entry, now)
            session.flush()
        settle(session, entry_id, now)
