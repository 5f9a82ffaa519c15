"""What tables over a choice and charts say of entries, beyond their scores."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session, load_only

from grbcore.scenario import Side
from grbcore.store.queries import counted
from grbcore.store.tables import CellRow, Submission


def cards(session: Session, ids: Collection[str]) -> Mapping[str, Submission]:
    """These entries by id, without descriptions and what else is long."""
    fields = ("side", "name", "authors", "family", "state", "is_reference", "contents")
    eyes = ("user_id", "visibility", "public_at", "registered_at")
    marks = ("withdrawn_at", "hidden_at", "deleted_at")
    wanted = load_only(*(getattr(Submission, name) for name in (*fields, *eyes, *marks)))
    query = select(Submission).options(wanted).where(Submission.id.in_(ids))
    return {entry.id: entry for entry in session.scalars(query)}


def families(session: Session, ids: Sequence[str]) -> dict[str, str]:
    """The family of each of these entries."""
    query = select(Submission.id, Submission.family).where(Submission.id.in_(ids))
    return {row[0]: row[1] for row in session.execute(query)}


def seconds(
    session: Session, board_id: str, protocol: str, side: Side, ids: Collection[str]
) -> dict[str, float]:
    """Mean seconds that a finished cell of each of these entries took, where that was measured."""
    mine = CellRow.defense_id if side == "defense" else CellRow.attack_id
    query = (
        select(mine, func.avg(CellRow.seconds))
        .where(counted(board_id, protocol), mine.in_(ids), CellRow.seconds.is_not(None))
        .group_by(mine)
    )
    return {row[0]: float(row[1]) for row in session.execute(query)}


def registered(session: Session, ids: Sequence[str]) -> dict[str, datetime]:
    """When each of these entries was registered."""
    query = select(Submission.id, Submission.registered_at).where(Submission.id.in_(ids))
    return {row[0]: row[1] for row in session.execute(query) if row[1] is not None}
