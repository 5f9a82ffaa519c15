"""Cells as pairs of an attack and a defense, and how an entry's are queued."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from grbcore.store.tables import CellRow, Submission

Pair = tuple[str | None, str]  # attack (None: the clean graph), defense


def queue(
    session: Session, newcomer: Submission, pairs: Sequence[Pair], protocol: str, now: datetime
) -> None:
    """Let these cells of an entry be computed."""
    for attack_id, defense_id in pairs:
        session.add(
            CellRow(
                board_id=newcomer.board_id,
                attack_id=attack_id,
                defense_id=defense_id,
                newcomer_id=newcomer.id,
                protocol=protocol,
                queued_at=now,
            )
        )
    session.flush()


def queue_again(
    session: Session, newcomer: Submission, pairs: Sequence[Pair], protocol: str, now: datetime
) -> None:
    """Compute once more what failed when the board had this protocol before."""
    for attack_id, defense_id in pairs:
        row = session.scalars(
            select(CellRow)
            .where(
                CellRow.attack_id.is_(None)
                if attack_id is None
                else CellRow.attack_id == attack_id,
                CellRow.defense_id == defense_id,
                CellRow.protocol == protocol,
                CellRow.place == "current",
            )
            .execution_options(populate_existing=True)
        ).one()
        row.state, row.queued_at, row.newcomer_id = "queued", now, newcomer.id
        row.attempts = row.infra_failures = 0
        row.finished_at = row.error_code = row.reason = row.log = None
    session.flush()
