"""Users: their names, roles and passwords, and whether they may do anything."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from grbcore.store import audit
from grbcore.store.accounts import sessions
from grbcore.store.addresses import active, locked
from grbcore.store.audit import Via
from grbcore.store.locks import alone
from grbcore.store.reevaluation import NotPossible
from grbcore.store.tables import User
from grbcore.store.tokens import ROLES, create_user, digest, keep_to_role

#: What somebody may call themselves who signs up; an operator may use other names.
NAME = re.compile(r"[a-z0-9]([a-z0-9._-]{0,37}[a-z0-9])?")
NAME_ALLOWED = "1 to 39 of a–z, 0–9, dot, dash and underscore, a letter or digit at both ends"

#: Names that speak for the service.
RESERVED = frozenset(
    {
        *("admin", "administrator", "anonymous", "api", "baselines", "board", "cli", "deleted"),
        *("grb", "help", "leaderboard", "moderator", "nobody", "operator", "owner", "reference"),
        *("root", "security", "service", "staff", "support", "system", "webmaster"),
    }
)

#: How long the link of a reset sets a password.
RESET = timedelta(hours=1)

_KEY = 0x67726206  # of the advisory lock under which people sign up
_ADMINS_KEY = 0x67726207  # of the advisory lock of those who may leave one admin less
_LONGEST = 200  # characters of a link's token; nothing longer is hashed


def name_fault(session: Session, name: str) -> tuple[str, str] | None:
    """What is found and what is allowed where nobody can sign up by this name."""
    if not NAME.fullmatch(name):
        return repr(name[:80]), NAME_ALLOWED
    taken = session.scalar(select(User.id).where(func.lower(User.name) == name))
    if name in RESERVED or taken is not None:
        return f"{name!r}, which is taken", "another name"
    return None


def by_name(session: Session, name: str) -> User | None:
    """The user of this name, or of this name in small letters."""
    wanted = name.strip()[:80]
    if not wanted.isprintable():  # a database refuses some texts as a parameter
        return None
    found = session.scalars(select(User).where(User.name.in_({wanted, wanted.lower()}))).all()
    return next((one for one in found if one.name == wanted), found[0] if found else None)


def by_address(session: Session, address: str) -> Sequence[User]:
    """The active users who have confirmed this mail address."""
    mine = func.lower(User.email) == address.strip().lower()
    confirmed = select(User).where(mine, User.email_confirmed_at.is_not(None))
    active = confirmed.where(User.suspended_at.is_(None), User.deleted_at.is_(None))
    return session.scalars(active.order_by(User.id)).all()


def everybody(session: Session, *, limit: int) -> Sequence[User]:
    """Users whose account is not deleted, by their names, at most ``limit``."""
    query = select(User).where(User.deleted_at.is_(None)).order_by(User.name).limit(limit)
    return session.scalars(query).all()


def sign_up(
    session: Session,
    name: str,
    password_hash: str | None,
    *,
    awaits_email: bool = False,
    via: Via,
    now: datetime,
) -> User:
    """A new user, with a password or, signing in elsewhere, without.

    One who ``awaits_email`` signs in once they have confirmed an address.

    Raises:
        ValueError: the name is taken.
    """
    lock_names(session)
    made = create_user(session, name, now=now)
    made.password_hash, made.awaits_email = password_hash, awaits_email
    session.flush()
    _record(session, made, made.id, "account.make", via, now)
    return made


def lock_names(session: Session) -> None:
    """Let nobody else take a name until this transaction ends; lock nothing before it."""
    alone(session, _KEY)


def set_password(
    session: Session,
    owner_id: str,
    password_hash: str,
    *,
    user_id: str | None,
    via: Via,
    now: datetime,
) -> User:
    """Give a user another password; all their sessions end, and so does a link that resets it.

    Raises:
        NotPossible: the account is deleted.
    """
    owner = _living(session, owner_id)
    owner.password_hash = password_hash
    owner.reset_digest = owner.reset_until = None
    sessions.end_all(session, owner)
    _record(session, owner, user_id, "password.change", via, now)
    return owner


def begin_reset(session: Session, owner_id: str, now: datetime) -> str:
    """The token of a link that sets another password, within `RESET`; an earlier one ends.

    Raises:
        NotPossible: the user may do nothing any more.
    """
    owner = active(session, owner_id)
    token = secrets.token_urlsafe(32)
    owner.reset_digest, owner.reset_until = digest(token), now + RESET
    session.flush()
    _record(session, owner, None, "password.ask-reset", "api", now)
    return token


def resets(session: Session, token: str, now: datetime) -> User | None:
    """Whose password the link of this token may set."""
    if not 1 <= len(token) <= _LONGEST or not token.isascii():
        return None
    found = session.scalar(select(User).where(User.reset_digest == digest(token)))
    if found is None or found.reset_until is None or found.reset_until < now:
        return None
    return found if found.is_active else None


def set_role(
    session: Session,
    owner: User,
    role: str,
    *,
    user_id: str | None,
    via: Via,
    reason: str | None = None,
    now: datetime,
) -> None:
    """Make a user an admin, or an admin a user; what they have already does nothing.

    Their sessions end, so that nobody is an admin by an old sign-in.  Tokens gain nothing, and lose
    for good what the new role may not do.

    Raises:
        ValueError: there is no such role.
        NotPossible: no admin would be left, or the account is deleted.
    """
    if role not in ROLES:
        raise ValueError(f"role: found {role!r}, allowed: {' or '.join(ROLES)}")
    lock_admins(session)
    owner = _living(session, owner.id)
    if owner.role == role:
        return
    if role != "admin":
        refuse_the_last_admin(session, owner)
    owner.role = role
    sessions.end_all(session, owner)
    keep_to_role(session, owner, now=now)
    session.flush()
    details = {"role": role}
    _record(session, owner, user_id, "role.change", via, now, reason, details)


def suspend(
    session: Session,
    owner: User,
    *,
    user_id: str | None,
    via: Via,
    reason: str | None,
    now: datetime,
) -> None:
    """Stop a user: their sessions end, their tokens rest, their entries stay.

    Raises:
        NotPossible: no admin would be left, or the account is deleted.
    """
    lock_admins(session)
    owner = _living(session, owner.id)
    refuse_the_last_admin(session, owner)
    sessions.end_all(session, owner)
    owner.reset_digest = owner.reset_until = None
    if owner.suspended_at is None:
        owner.suspended_at = now
        _record(session, owner, user_id, "account.suspend", via, now, reason)
    session.flush()


def unsuspend(
    session: Session,
    owner: User,
    *,
    user_id: str | None,
    via: Via,
    reason: str | None,
    now: datetime,
) -> None:
    """Let a suspended user go on; their tokens work again.

    Raises:
        NotPossible: the account is deleted.
    """
    owner = _living(session, owner.id)
    if owner.suspended_at is not None:
        owner.suspended_at = None
        session.flush()
        _record(session, owner, user_id, "account.unsuspend", via, now, reason)


def lock_admins(session: Session) -> None:
    """Let nobody else end an admin until this transaction ends; lock nothing before it."""
    alone(session, _ADMINS_KEY)


def refuse_the_last_admin(session: Session, owner: User) -> None:
    """Refuse what would leave the service without an admin who can act; after `lock_admins`."""
    if owner.role != "admin":
        return
    others = select(func.count()).where(
        User.role == "admin", User.suspended_at.is_(None), User.id != owner.id
    )
    if not session.scalar(others):
        raise NotPossible("last-admin", "no other admin would be left: make one first")


def _living(session: Session, owner_id: str) -> User:
    owner = locked(session, owner_id)
    if owner.deleted_at is not None:
        raise NotPossible("deleted", "this account was deleted")
    return owner


def _record(
    session: Session,
    owner: User,
    user_id: str | None,
    action: str,
    via: Via,
    now: datetime,
    reason: str | None = None,
    details: dict[str, str] | None = None,
) -> None:
    """Note what happened to a user, by their id: no name outlives its account here."""
    audit.record(
        session,
        user_id=user_id,
        via=via,
        action=action,
        subject_kind="user",
        subject_id=owner.id,
        reason=reason,
        details=details,
        now=now,
    )
