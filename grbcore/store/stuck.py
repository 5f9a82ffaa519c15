"""Why a newcomer waits for an admin."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from grbcore.store.tables import CellRow, Submission
from grbcore.store.visibility import is_public


def why(cell: CellRow, now: datetime) -> str:
    """What is told of a dead cell's newcomer.

    Whoever sees the newcomer reads it, so it names no cell of a counterpart that not everybody
    sees, and nothing that was said of its file.
    """
    ends = (cell.attack, cell.defense)
    others = [entry for entry in ends if entry is not None and entry.id != cell.newcomer_id]
    if all(is_public(entry, now) for entry in others):
        return f"waits for an admin, cell {cell.id}: {cell.reason}"
    return f"waits for an admin: one of its cells stopped after {cell.attempts} attempts"


def why_stuck(session: Session, newcomer: Submission, now: datetime) -> str | None:
    """Why this newcomer waits for an admin; None where it does not."""
    dead = select(CellRow).where(
        CellRow.newcomer_id == newcomer.id, CellRow.state == "dead", CellRow.place == "current"
    )
    cell = session.scalars(dead.order_by(CellRow.id).limit(1)).first()
    return None if cell is None else why(cell, now)
