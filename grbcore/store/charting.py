"""What rankings, tables over a choice and charts say of entries, beyond their scores."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Mapping
from datetime import datetime

from sqlalchemy import ColumnElement, func, or_, select
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


def families(session: Session, board_id: str, side: Side) -> dict[str, tuple[str, str]]:
    """Of each registered entry of a side the id of its user, and its family."""
    query = select(Submission.id, Submission.user_id, Submission.family).where(
        Submission.board_id == board_id,
        Submission.side == side,
        Submission.registered_at.is_not(None),
    )
    return {row[0]: (row[1], row[2]) for row in session.execute(query)}


def teams(session: Session, board_id: str, side: Side) -> dict[str, tuple[str, str]]:
    """Of each registered entry of a side its team, and its family.

    Names that differ by case or blanks only are one team; who names none is a team alone.
    """
    query = select(Submission.id, Submission.team, Submission.user_id, Submission.family).where(
        Submission.board_id == board_id,
        Submission.side == side,
        Submission.registered_at.is_not(None),
    )
    return {
        entry: (_team(name, user), family) for entry, name, user, family in session.execute(query)
    }


def received(session: Session, board_id: str, side: Side) -> dict[str, tuple[datetime, str]]:
    """Of each entry of a side when it was received, and its id: the order of attempts."""
    query = select(Submission.id, Submission.received_at).where(
        Submission.board_id == board_id, Submission.side == side
    )
    return {row[0]: (row[1], row[0]) for row in session.execute(query)}


def _team(name: str | None, user_id: str) -> str:
    words = unicodedata.normalize("NFKC", name or "").casefold().split()
    return f"team {' '.join(words)}" if words else f"user {user_id}"


def seconds(
    session: Session,
    board_id: str,
    protocol: str,
    side: Side,
    ids: Collection[str],
    others: Collection[str],
) -> dict[str, float]:
    """Mean seconds that a finished cell of each of these entries took, where that was measured.

    Its cells are those against the ``others``, of the other side; of a defense also the one
    without an attack.
    """
    attack, defense = CellRow.attack_id, CellRow.defense_id
    mine = defense if side == "defense" else attack
    theirs: ColumnElement[bool] = defense.in_(others)
    if side == "defense":
        theirs = or_(attack.in_(others), attack.is_(None))
    query = (
        select(mine, func.avg(CellRow.seconds))
        .where(counted(board_id, protocol), mine.in_(ids), theirs, CellRow.seconds.is_not(None))
        .group_by(mine)
    )
    return {row[0]: float(row[1]) for row in session.execute(query)}
