"""Where a user is told what became of a submission: a webhook, a mail address, both or neither."""

from __future__ import annotations

import base64
import secrets
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from grbcore.store.locks import lock_user
from grbcore.store.reevaluation import NotPossible
from grbcore.store.tables import User
from grbcore.store.tokens import digest

#: What every secret of a webhook starts with, as Standard Webhooks has it.
SECRET_PREFIX = "whsec_"

_LONGEST = 200  # characters of a token; nothing longer is hashed


def locked(session: Session, user_id: str) -> User:
    """The user's row, locked until the transaction ends."""
    lock_user(session, user_id)
    return session.get_one(User, user_id, populate_existing=True)


def active(session: Session, user_id: str) -> User:
    """As `locked`.

    Raises:
        NotPossible: the user may do nothing any more.
    """
    owner = locked(session, user_id)
    if not owner.is_active:
        raise NotPossible("suspended", "the account was suspended or deleted meanwhile")
    return owner


def set_webhook(session: Session, owner: User, url: str, *, rotate: bool = False) -> str | None:
    """Tell this locked user by webhook; the secret, in clear, where it is a new one.

    Another address gets another secret, and so does the same one if ``rotate`` is asked.
    """
    kept = owner.webhook_url == url and not rotate
    owner.webhook_url = url
    if not kept:
        owner.webhook_secret = SECRET_PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()
    session.flush()
    return None if kept else owner.webhook_secret


def end_webhook(session: Session, owner: User) -> None:
    """Tell this locked user no more by webhook."""
    owner.webhook_url = owner.webhook_secret = None
    session.flush()


def set_email(session: Session, owner: User, address: str) -> str:
    """Tell this locked user by mail once the address is confirmed; the token that confirms it.

    An earlier token confirms nothing any more.
    """
    token = secrets.token_urlsafe(32)
    owner.email, owner.email_confirmed_at, owner.email_digest = address, None, digest(token)
    session.flush()
    return token


def end_email(session: Session, owner: User) -> None:
    """Tell this locked user no more by mail."""
    owner.email = owner.email_confirmed_at = owner.email_digest = None
    session.flush()


def awaiting(session: Session, token: str) -> User | None:
    """Whose address this token confirms, or has confirmed."""
    if not 1 <= len(token) <= _LONGEST:
        return None
    return session.scalar(select(User).where(User.email_digest == digest(token)))


def confirm(session: Session, token: str, now: datetime) -> User | None:
    """Confirm the address that this token was sent to; None where it is unknown or replaced."""
    found = awaiting(session, token)
    if found is None:
        return None
    owner = locked(session, found.id)
    if owner.email_digest != digest(token):
        return None
    owner.email_confirmed_at = owner.email_confirmed_at or now
    owner.awaits_email = False
    session.flush()
    return owner
