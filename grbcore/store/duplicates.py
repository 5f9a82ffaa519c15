"""Entries of the same content: refused where both are one user's, else shown to admins alone.

Whether somebody else has sent the same is no submitter's business: an entry of theirs may be
private, so nothing that a submitter sees depends on it.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from grbcore.store.tables import Submission
from grbcore.violations import Violation


def own_violations(session: Session, entry: Submission, canonical: str) -> list[Violation]:
    """One, where an earlier entry of the same user, board and side has this content.

    The number of the attempt is named, which is public whatever the entry is.  References are
    what their recipes give and are not refused.
    """
    if entry.is_reference:
        return []
    attempt = session.scalar(
        select(func.min(Submission.attempt)).where(
            Submission.user_id == entry.user_id,
            Submission.board_id == entry.board_id,
            Submission.side == entry.side,
            Submission.canonical == canonical,
            Submission.state != "rejected",
            Submission.id != entry.id,
        )
    )
    if attempt is None:
        return []
    found = f"the content of attempt {attempt}, in another order or packing"
    return [Violation("duplicate", "file", found, "content that was not submitted before")]


def groups(session: Session, board_id: str | None = None) -> list[Sequence[Submission]]:
    """Entries of several users with one content, the earliest of each first; for admins."""
    shared = (
        select(Submission.board_id, Submission.side, Submission.canonical)
        .where(Submission.canonical.is_not(None), Submission.state != "rejected")
        .group_by(Submission.board_id, Submission.side, Submission.canonical)
        .having(func.count(Submission.user_id.distinct()) > 1)
    )
    if board_id is not None:
        shared = shared.where(Submission.board_id == board_id)
    found = shared.subquery()
    rows = session.scalars(
        select(Submission)
        .join(
            found,
            (Submission.board_id == found.c.board_id)
            & (Submission.side == found.c.side)
            & (Submission.canonical == found.c.canonical),
        )
        .where(Submission.state != "rejected")
        .order_by(Submission.board_id, Submission.side, Submission.canonical, Submission.id)
    )
    alike: dict[tuple[str, str, str | None], list[Submission]] = {}
    for row in rows:
        alike.setdefault((row.board_id, row.side, row.canonical), []).append(row)
    return list(alike.values())
