"""Applying a re-evaluation: its cells take the places of those that the board shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import and_, exists, or_, select
from sqlalchemy.orm import Session

from grbcore.catalog import Board
from grbcore.store import audit
from grbcore.store.audit import Via
from grbcore.store.effects import Effects, effects, shadow_cells
from grbcore.store.presence import stays
from grbcore.store.previews import Preview, preview
from grbcore.store.reevaluation import NotPossible, cancel_other_protocols, locked
from grbcore.store.registration import (
    Pair,
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
    shown = preview(session, board, job, view="reference", difficulty="full")
    found = effects(session, row, job)
    cells = shadow_cells(session, job.id)
    details = _details(shown, row, job)
    row.revision += 1
    row.changed_at = now
    moves = job.protocol != row.protocol
    if moves:
        _move(session, row, job, cells, found, now)
    else:
        _replace(session, row, cells, now)
    _fail(session, found, now)
    _put_back(session, found.waiting, now)
    _settle_rest(session, row, cells, now)
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


def _replace(session: Session, row: BoardRow, cells: Sequence[CellRow], now: datetime) -> None:
    """Under one protocol: new results for old ones, pair by pair."""
    measured = [cell for cell in cells if cell.state in ("done", "failed")]
    current = _current(session, row, measured)
    for old in current.values():
        if old.finished_at is None:
            session.delete(old)  # was queued again meanwhile
        else:
            old.place, old.replaced_at = "past", now
    for cell in cells:
        if cell.state == "dead":
            cell.place, cell.replaced_at = "past", now  # never counted: the old result stays
    session.flush()
    for cell in measured:
        cell.place = "current"
    session.flush()


def _move(
    session: Session,
    row: BoardRow,
    job: Reevaluation,
    cells: Sequence[CellRow],
    found: Effects,
    now: datetime,
) -> None:
    """To another protocol: the shadow cells are its first ones."""
    for old in _current(session, row, cells, protocol=job.protocol).values():
        session.delete(old)  # measured before, when the board had this protocol once
    session.flush()
    row.protocol, row.facts = job.protocol, job.facts or row.facts
    for cell in cells:
        cell.place = "current"
        if cell.state == "dead":
            waits = [entry for entry in (cell.attack_id, cell.defense_id) if entry in found.waiting]
            cell.newcomer_id = waits[0] if waits else cell.newcomer_id
    session.flush()
    drop_other_protocols(session, row)


def _current(
    session: Session, row: BoardRow, cells: Iterable[CellRow], protocol: str | None = None
) -> dict[Pair, CellRow]:
    """The current cells of these pairs."""
    pairs = {(cell.attack_id, cell.defense_id) for cell in cells}
    attacks = {attack for attack, _ in pairs if attack is not None}
    rows = session.scalars(
        select(CellRow)
        .where(
            CellRow.board_id == row.id,
            CellRow.place == "current",
            CellRow.protocol == (protocol or row.protocol),
            CellRow.defense_id.in_({defense for _, defense in pairs}),
            or_(CellRow.attack_id.is_(None), CellRow.attack_id.in_(attacks)),
        )
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    return {pair: cell for cell in rows if (pair := (cell.attack_id, cell.defense_id)) in pairs}


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


def _settle_rest(session: Session, row: BoardRow, cells: Sequence[CellRow], now: datetime) -> None:
    """Revive entries whose failed cells have results now, and settle whoever is evaluating."""
    touched = {entry for cell in cells for entry in (cell.attack_id, cell.defense_id)}
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
