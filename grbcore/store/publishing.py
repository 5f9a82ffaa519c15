"""Making an entry public: by its owner's word, or because its embargo is over."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from grbcore.store import audit
from grbcore.store.audit import Via
from grbcore.store.notices import PUBLISHED, tell
from grbcore.store.tables import BoardRow, Submission
from grbcore.store.visibility import is_public, lapsed


def publish_due(session: Session, now: datetime) -> int:
    """Note every embargo that is over, on boards that the caller has locked; how many that were.

    Who may see the entries does not wait for this: it is so from their date on.  But it gives the
    board its next revision, and tells the owner.
    """
    rows = session.scalars(
        select(Submission)
        .where(lapsed(now))
        .order_by(Submission.board_id, Submission.id)
        .execution_options(populate_existing=True)
    ).all()
    for row in rows:
        public_at = row.public_at
        publish(session, session.get_one(BoardRow, row.board_id), row, now)
        details = {"visibility": "public", "public_at": public_at.isoformat() if public_at else ""}
        note(session, row, None, "service", details, now)
    return len(rows)


def keep_for_good(row: Submission, now: datetime) -> None:
    """End the embargo of an entry that was taken out before its date: it never becomes public."""
    if not is_public(row, now):
        row.visibility, row.public_at = "private", None


def publish(session: Session, board: BoardRow, row: Submission, now: datetime) -> None:
    """Show an entry of this locked board to everybody, and tell its owner."""
    since = now if row.public_at is None else min(now, row.public_at)
    row.visibility, row.public_at = "public", None
    if row.registered_at is not None:
        row.published_at = max(since, row.registered_at)
    board.revision += 1
    board.changed_at = now
    session.flush()
    tell(session, row, PUBLISHED, now)


def note(
    session: Session,
    row: Submission,
    user_id: str | None,
    via: Via,
    details: Mapping[str, str | None],
    now: datetime,
) -> None:
    """Put on record who sees an entry from now on."""
    audit.record(
        session,
        user_id=user_id,
        via=via,
        action="submission.visibility",
        subject_kind="submission",
        subject_id=row.id,
        details=details,
        now=now,
    )
