"""Choosing who sees an entry, as long as not everybody has seen it ranked."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Session

from grbcore.store.audit import Via
from grbcore.store.publishing import note, publish
from grbcore.store.reevaluation import NotPossible
from grbcore.store.tables import BoardRow, Submission
from grbcore.store.visibility import Visibility, is_public


def choose(
    session: Session,
    board: BoardRow,
    row: Submission,
    wanted: Visibility,
    public_at: datetime | None,
    *,
    user_id: str | None,
    via: Via,
    now: datetime,
) -> bool:
    """Set who sees an entry of this locked board; whether anything differs from before.

    Raises:
        NotPossible: everybody has seen it ranked, or it is a reference, and it would be kept from
            them.
    """
    if wanted == "public":
        if row.visibility == "public":
            return False
        publish(session, board, row, now)
    else:
        if (row.visibility, row.public_at) == (wanted, public_at):
            return False
        _keep(session, board, row, wanted, public_at, now)
    details = {"visibility": wanted, "public_at": public_at.isoformat() if public_at else None}
    note(session, row, user_id, via, details, now)
    return True


def _keep(
    session: Session,
    board: BoardRow,
    row: Submission,
    wanted: Visibility,
    public_at: datetime | None,
    now: datetime,
) -> None:
    if row.is_reference:
        raise NotPossible("reference", "a reference stays public")
    was_public = is_public(row, now)
    if was_public and (row.published_at is not None or row.registered_at is not None):
        raise NotPossible(
            "published",
            f"visibility: found {wanted}, allowed: public; it was ranked before everybody's eyes, "
            "and others may have compared with it: withdraw it instead",
        )
    row.visibility, row.public_at = wanted, public_at
    if was_public:
        board.revision += 1
        board.changed_at = now
    session.flush()
