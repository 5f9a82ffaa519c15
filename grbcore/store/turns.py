"""Whose turn it is: users take turns, so that nobody's many submissions keep others waiting."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from grbcore.store.tables import Submission, User

#: So long a user's new work may keep others' waiting, and to the end of the cell at hand; seconds.
TURN = 30.0


def turn() -> tuple[Any, ...]:
    """Whose turn it is: users never served first, then those served longest ago."""
    return User.served_at.is_not(None), User.served_at


def served(session: Session, user_id: str, now: datetime) -> None:
    """Note that a user's work was taken; not where somebody else writes that user just now."""
    free = select(User).where(User.id == user_id).with_for_update(skip_locked=True, key_share=True)
    user = session.scalar(free)
    if user is not None:
        user.served_at = now
        session.flush()


def end_turn(session: Session, submission_id: str, now: datetime) -> None:
    """Let every other user come first whose work waits, before the rest of this submission's."""
    user_id = session.scalar(select(Submission.user_id).where(Submission.id == submission_id))
    if user_id is not None:
        served(session, user_id, now)
