"""Boards of which half of the targets is hidden.

Of such a board a result is that of the public half alone, from the moment that it is written; the
other half's counts lie in `CellRow.hidden`.  So whatever reads results knows of no hidden target.
Only `arenas.over_hidden` reads the others, once a season is over.
"""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from grbcore import catalog
from grbcore.datasets.dataset import Dataset
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.ladder import STEPS, half, halves
from grbcore.scenario import Difficulty
from grbcore.store import audit
from grbcore.store.audit import Via
from grbcore.store.locks import hidden_seed, lock_board
from grbcore.store.reevaluation import NotPossible
from grbcore.store.tables import BoardRow, CellRow

_Data = TypeVar("_Data", bound=Dataset | GraphDataset)


def public(session: Session, board_id: str, dataset: _Data) -> _Data:
    """The dataset with the targets that results of this board are of."""
    seed = hidden_seed(session, board_id)
    return dataset if seed is None else half(dataset, halves(dataset.targets, seed))


def shown_targets(row: BoardRow, at: Difficulty) -> int:
    """How many targets results of this board are of; 0 where its data is not known."""
    every = int((row.facts or {}).get("targets", {}).get(at, 0))
    return every if row.hidden_seed is None else every // 2


def hide(
    session: Session, board_id: str, step: float, *, user_id: str | None, via: Via, now: datetime
) -> None:
    """Hide half of a board's targets, or give a board that has them hidden another step.

    Raises:
        NotPossible: the step is no fraction that is allowed, the board is one of errors, the
            database does not know it yet, or something is measured already.
    """
    known = catalog.boards().get(board_id)
    if known is not None and known.errors:
        allowed = "allowed: one of accuracies, by which a step is counted"
        raise NotPossible("state", f"{board_id}: found a board of errors, {allowed}")
    low, high = STEPS
    if not low <= step <= high:
        raise NotPossible("state", f"step: found {step:g}, allowed: {low:g} to {high:g}")
    if session.get(BoardRow, board_id) is None:
        raise NotPossible("state", f"{board_id}: found no row of it, allowed: after grb board sync")
    row = lock_board(session, board_id)
    if row.hidden_seed is None:
        _nothing_measured(session, board_id)
        row.hidden_seed = secrets.token_hex(32)
    row.ladder_step = step
    _changed(session, row, "ladder.on", user_id, via, now)


def unhide(
    session: Session, board_id: str, *, user_id: str | None, via: Via, now: datetime
) -> None:
    """Have results of a board be over all targets again.

    Raises:
        NotPossible: something is measured already.
    """
    if session.get(BoardRow, board_id) is None:
        return
    row = lock_board(session, board_id)
    if row.hidden_seed is not None:
        _nothing_measured(session, board_id)
        row.hidden_seed = row.ladder_step = None
        _changed(session, row, "ladder.off", user_id, via, now)


def _nothing_measured(session: Session, board_id: str) -> None:
    """Raise where a cell is measured or being measured; none begins before this transaction ends.

    A worker that takes a cell holds its row until what it read of the board is sure.
    """
    states = select(CellRow.state).where(CellRow.board_id == board_id).with_for_update()
    begun = sum(state in ("running", "done") for state in session.scalars(states))
    if begun:
        raise NotPossible(
            "state",
            f"{board_id}: found {begun} cells that are measured or being so, allowed: none, as on "
            "a new version of a board: where results were seen no target is hidden",
        )


def _changed(
    session: Session, row: BoardRow, action: str, user_id: str | None, via: Via, now: datetime
) -> None:
    row.revision += 1
    row.changed_at = now
    session.flush()
    audit.record(
        session,
        user_id=user_id,
        via=via,
        action=action,
        subject_kind="board",
        subject_id=row.id,
        now=now,
        details={"step": row.ladder_step},
    )
