"""Browsers in which users are signed in.  Only the SHA-256 of a session's secret is kept."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from grbcore.store.tables import SessionRow, User
from grbcore.store.tokens import digest

#: A session ends so long after it began, and so long after it was last used.
LIFETIME, IDLE = timedelta(days=90), timedelta(days=14)

#: That a session or a token was used is written so often at most.
NOTED = timedelta(minutes=10)

_LONGEST = 200  # characters; nothing longer is hashed
_AGENT = 200  # characters of a browser's name


def begin(session: Session, owner: User, *, agent: str = "", now: datetime) -> tuple[str, str]:
    """Sign a user in: the secret of a new session, in clear, and the session's id.

    The caller has locked the user and found that they are active.  Sessions of theirs that have
    run out go.
    """
    session.execute(
        delete(SessionRow).where(SessionRow.user_id == owner.id, SessionRow.expires_at <= now)
    )
    secret = secrets.token_urlsafe(32)
    shown = "".join(letter for letter in agent if letter.isprintable())
    row = SessionRow(
        user_id=owner.id,
        digest=digest(secret),
        agent=shown[:_AGENT],
        created_at=now,
        seen_at=now,
        expires_at=now + IDLE,
    )
    session.add(row)
    session.flush()
    return secret, row.id


def find(session: Session, secret: str, now: datetime) -> SessionRow | None:
    """The session of this secret, unless it has run out or its user may do nothing."""
    if not 1 <= len(secret) <= _LONGEST:
        return None
    found = session.scalar(select(SessionRow).where(SessionRow.digest == digest(secret)))
    if found is None or found.expires_at <= now or not found.user.is_active:
        return None
    return found


def seen(session: Session, session_id: str, now: datetime) -> None:
    """Note that a session was used: it ends `IDLE` from now, at most `LIFETIME` after it began."""
    row = session.get(SessionRow, session_id)
    if row is not None:
        row.seen_at = now
        row.expires_at = min(now + IDLE, row.created_at + LIFETIME)
        session.flush()


def of(session: Session, owner: User, now: datetime) -> Sequence[SessionRow]:
    """A user's sessions, the one used last first."""
    mine = select(SessionRow).where(SessionRow.user_id == owner.id, SessionRow.expires_at > now)
    return session.scalars(mine.order_by(SessionRow.seen_at.desc(), SessionRow.id)).all()


def end(session: Session, owner: User, session_id: str) -> bool:
    """End one session of this user; False where they have none of this id."""
    mine = delete(SessionRow).where(SessionRow.user_id == owner.id, SessionRow.id == session_id)
    return bool(session.scalars(mine.returning(SessionRow.id)).all())


def end_secret(session: Session, secret: str) -> None:
    """End the session of this secret, whosever it is."""
    if 1 <= len(secret) <= _LONGEST:
        session.execute(delete(SessionRow).where(SessionRow.digest == digest(secret)))


def end_all(session: Session, owner: User) -> int:
    """End every session of this user; how many there were."""
    mine = delete(SessionRow).where(SessionRow.user_id == owner.id)
    return len(session.scalars(mine.returning(SessionRow.id)).all())
