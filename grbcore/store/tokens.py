"""Users and their bearer tokens: what each may do, and until when.

Only a token's SHA-256 is stored.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from grbcore.store.session import now as clock
from grbcore.store.tables import Token, User

ROLES = ("user", "admin")

#: read: what is the user's own.  submit: upload.  manage: change and take back entries, and the
#: user's settings.  admin: what admins do, where the user is one.
SCOPES = ("read", "submit", "manage", "admin")

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


def scopes_of(role: str) -> tuple[str, ...]:
    """Everything that a user of this role may do."""
    return SCOPES if role == "admin" else SCOPES[:-1]


def issue(
    session: Session,
    name: str,
    *,
    now: datetime,
    role: str = "user",
    scopes: Collection[str] | None = None,
    title: str = "",
    expires_at: datetime | None = None,
) -> str:
    """A new token of the user of this name, in clear; it can't be read again.

    A user who does not exist yet is made, with ``role``; an existing one keeps theirs.  ``scopes``:
    all of the user's role where None.

    Raises:
        ValueError: the name, the role, a scope or the title is not allowed, or the user is
            suspended or deleted.
    """
    owner = user(session, name) or create_user(session, name, role=role, now=now)
    made = make(
        session,
        owner,
        scopes=scopes_of(owner.role) if scopes is None else scopes,
        title=title,
        expires_at=expires_at,
        now=now,
    )
    return made[1]


def make(
    session: Session,
    owner: User,
    *,
    scopes: Collection[str],
    title: str,
    expires_at: datetime | None,
    now: datetime,
) -> tuple[Token, str]:
    """A new token of a user, called ``title``, and what it is in clear.

    Raises:
        ValueError: the user may do nothing, the title is too long, the end has passed, or there are
            no scopes or some that the user's role does not have.
    """
    allowed = scopes_of(owner.role)
    if not scopes or not set(scopes) <= set(allowed):
        found = " ".join(sorted(scopes)) or "nothing"
        raise ValueError(f"scopes: found {found}, allowed: some of {', '.join(allowed)}")
    if len(title) > 80:
        raise ValueError(f"name: found {len(title)} characters, allowed: at most 80")
    if expires_at is not None and expires_at <= now:
        raise ValueError(f"expires: found {expires_at:%Y-%m-%d %H:%M}, allowed: a later time")
    if not owner.is_active:
        raise ValueError(f"user: found {owner.name!r}, which is suspended, allowed: an active user")
    token = PREFIX + secrets.token_urlsafe(32)
    row = Token(
        user_id=owner.id,
        digest=digest(token),
        name=title,
        scopes=" ".join(scope for scope in SCOPES if scope in scopes),
        created_at=now,
        expires_at=expires_at,
    )
    session.add(row)
    session.flush()
    return row, token


def find(session: Session, token: str, now: datetime) -> Token | None:
    """The token that is this in clear, unless it ended or its user may do nothing."""
    if len(token) > _LONGEST:
        return None
    query = select(Token).where(Token.digest == digest(token), Token.revoked_at.is_(None))
    found = session.scalar(query)
    if found is None or not found.user.is_active:
        return None
    return None if found.expires_at is not None and found.expires_at <= now else found


def verify(session: Session, token: str, *, at: datetime | None = None) -> User | None:
    """The user whose token this is, unless it ended by ``at`` (now, where that is None)."""
    found = find(session, token, at or clock())
    return None if found is None else found.user


def used(session: Session, token_id: str, now: datetime) -> None:
    """Note when a token was used."""
    row = session.get(Token, token_id)
    if row is not None:
        row.last_used_at = now
        session.flush()


def of(session: Session, owner: User) -> Sequence[Token]:
    """A user's tokens that were not revoked, also those that have run out, the newest first."""
    mine = select(Token).where(Token.user_id == owner.id, Token.revoked_at.is_(None))
    return session.scalars(mine.order_by(Token.id.desc())).all()


def revoke_one(session: Session, owner: User, token_id: str, *, now: datetime) -> bool:
    """End a token of this user by its id; False where they have none such."""
    found = session.get(Token, token_id)
    if found is None or found.user_id != owner.id or found.revoked_at is not None:
        return False
    found.revoked_at = now
    session.flush()
    return True


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


def keep_to_role(session: Session, owner: User, *, now: datetime) -> None:
    """Take from a user's tokens what their role may not do; one that is left with nothing ends."""
    allowed = scopes_of(owner.role)
    for token in of(session, owner):
        left = [scope for scope in token.scopes.split() if scope in allowed]
        if left:
            token.scopes = " ".join(left)
        else:
            token.revoked_at = now
    session.flush()


def first_admin(session: Session, *, now: datetime) -> str | None:
    """At the first start: make user ``admin`` and give its token, once; afterwards None."""
    if user(session, "admin") is not None:
        return None
    return issue(session, "admin", role="admin", now=now)
