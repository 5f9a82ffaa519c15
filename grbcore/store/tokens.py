"""Users and their bearer tokens.  Only a token's SHA-256 is stored."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from grbcore.store.tables import Token, User

ROLES = ("user", "admin")

#: What every token starts with, so that one that leaks is recognised.
PREFIX = "grb_"

_LONGEST = 200  # characters; nothing longer is hashed


def digest(token: str) -> str:
    """What is stored of a token: 64 hexadecimal digits."""
    return hashlib.sha256(token.encode()).hexdigest()


def user(session: Session, name: str) -> User | None:
    """The user of this name."""
    return session.scalar(select(User).where(User.name == name))


def create_user(session: Session, name: str, *, role: str = "user", now: datetime) -> User:
    """A new user.

    Raises:
        ValueError: the name is taken, empty or longer than 80 characters, or there is no such role.
    """
    if role not in ROLES:
        raise ValueError(f"role: found {role!r}, allowed: {' or '.join(ROLES)}")
    name = name.strip()
    if not 1 <= len(name) <= 80:
        raise ValueError(f"name: found {len(name)} characters, allowed: 1 to 80")
    if user(session, name) is not None:
        raise ValueError(f"name: found {name!r}, which is taken, allowed: a new name")
    created = User(name=name, role=role, created_at=now)
    session.add(created)
    session.flush()
    return created


def issue(session: Session, name: str, *, now: datetime, role: str = "user") -> str:
    """A new token of the user of this name, in clear; it can't be read again.

    A user who does not exist yet is made, with ``role``; an existing one keeps theirs.

    Raises:
        ValueError: the name or the role is not allowed.
    """
    owner = user(session, name) or create_user(session, name, role=role, now=now)
    token = PREFIX + secrets.token_urlsafe(32)
    session.add(Token(user_id=owner.id, digest=digest(token), created_at=now))
    session.flush()
    return token


def verify(session: Session, token: str) -> User | None:
    """The user whose token this is, unless it is unknown or revoked."""
    if len(token) > _LONGEST:
        return None
    query = select(Token).where(Token.digest == digest(token), Token.revoked_at.is_(None))
    found = session.scalar(query)
    return None if found is None else found.user


def revoke(session: Session, token: str, *, now: datetime) -> bool:
    """End a token; False where it is unknown or has ended already."""
    query = select(Token).where(Token.digest == digest(token), Token.revoked_at.is_(None))
    found = session.scalar(query)
    if found is None:
        return False
    found.revoked_at = now
    session.flush()
    return True


def revoke_all(session: Session, owner: User, *, now: datetime) -> int:
    """End every token of this user; how many there were."""
    query = select(Token).where(Token.user_id == owner.id, Token.revoked_at.is_(None))
    found = session.scalars(query).all()
    for token in found:
        token.revoked_at = now
    session.flush()
    return len(found)


def first_admin(session: Session, *, now: datetime) -> str | None:
    """At the first start: make user ``admin`` and give its token, once; afterwards None."""
    if user(session, "admin") is not None:
        return None
    return issue(session, "admin", role="admin", now=now)
