"""Who users are elsewhere, and which account that signs in to."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from grbcore.store import audit
from grbcore.store.accounts import people
from grbcore.store.addresses import locked
from grbcore.store.reevaluation import NotPossible
from grbcore.store.tables import Identity, PendingSignIn, User
from grbcore.store.tokens import digest

#: How long a browser may take to come back.
PENDING = timedelta(minutes=10)

_LONGEST = 200  # characters of a cookie; nothing longer is hashed


@dataclass(frozen=True, slots=True)
class Person:
    """Who a provider says that somebody is; ``email`` only if the provider has verified it."""

    issuer: str
    subject: str
    label: str
    name: str  # what they may like to be called here
    email: str | None


def pend(
    session: Session, provider: str, data: dict[str, Any], *, link_to: str | None, now: datetime
) -> str:
    """Keep what a sign-in elsewhere needs when the browser comes back; the secret of its cookie.

    ``link_to``: the user who adds an identity to their account, in place of signing in.
    """
    session.execute(delete(PendingSignIn).where(PendingSignIn.expires_at <= now))
    secret = secrets.token_urlsafe(32)
    row = PendingSignIn(
        digest=digest(secret),
        provider=provider,
        data=data,
        user_id=link_to,
        expires_at=now + PENDING,
    )
    session.add(row)
    session.flush()
    return secret


def take(session: Session, secret: str, provider: str, now: datetime) -> PendingSignIn | None:
    """What was kept under this secret, once; None where it was taken, is late or of another."""
    if not 1 <= len(secret) <= _LONGEST or not secret.isascii():
        return None
    known = PendingSignIn.digest == digest(secret)
    found: PendingSignIn | None = session.scalar(
        delete(PendingSignIn).where(known).returning(PendingSignIn)
    )
    if found is None or found.provider != provider or found.expires_at <= now:
        return None
    return found


def of(session: Session, owner: User) -> Sequence[Identity]:
    """Who a user is elsewhere, the oldest first."""
    mine = select(Identity).where(Identity.user_id == owner.id)
    return session.scalars(mine.order_by(Identity.id)).all()


def has_way_in(session: Session, owner: User) -> bool:
    """Whether somebody can sign in to this account, so that its address is a key to it."""
    return owner.password_hash is not None or bool(of(session, owner))


def link(session: Session, owner_id: str, person: Person, now: datetime) -> User:
    """Let this person sign in to the account of a user who is signed in.

    Raises:
        NotPossible: they sign in to another account already, or the user may do nothing.
    """
    owner = _active(locked(session, owner_id))
    found = _known(session, person)
    if found is not None and found.user_id != owner.id:
        raise NotPossible("linked-elsewhere", "they sign in to another account here already")
    if found is None:
        _add(session, owner, person, "session", now)
    return owner


def sign_in(session: Session, person: Person, *, may_sign_up: bool, now: datetime) -> User:
    """The account that this person signs in to.

    That is the one they are linked to; else the one user, no admin, who has confirmed the address
    that the provider has verified: both show that they read that mailbox, which could reset the
    password too.  An address that nobody has confirmed here proves nothing, since anybody may have
    written it down; nor does that of an account in which nobody signs in yet, since a token may
    have set it.  Else it is a new account, if they may sign up.

    Raises:
        NotPossible: they may not sign up, or the account is suspended.
    """
    people.lock_names(session)
    found = _known(session, person)
    if found is not None:
        found.used_at = now
        return _active(locked(session, found.user_id))
    owners = people.by_address(session, person.email) if person.email else []
    if len(owners) == 1 and owners[0].role == "user" and has_way_in(session, owners[0]):
        owner = _active(locked(session, owners[0].id))
        _add(session, owner, person, "mail address", now)
        return owner
    if not may_sign_up:
        raise NotPossible("sign-up-closed", "only the operator makes accounts here")
    owner = people.sign_up(session, _free_name(session, person.name), None, via="api", now=now)
    if person.email is not None:
        owner.email, owner.email_confirmed_at = person.email[:254], now
    _add(session, owner, person, "new account", now)
    return owner


def unlink(session: Session, owner: User, identity_id: str, now: datetime) -> bool:
    """End a way to sign in; False where the user has none of this id.

    Raises:
        NotPossible: it is the last way, without a password.
    """
    owner = locked(session, owner.id)
    mine = {row.id: row for row in of(session, owner)}
    if identity_id not in mine:
        return False
    if len(mine) == 1 and owner.password_hash is None:
        raise NotPossible("last-way-in", "nobody could sign in any more: set a password first")
    session.delete(mine[identity_id])
    _record(session, owner, "identity.unlink", None, now)
    return True


def _known(session: Session, person: Person) -> Identity | None:
    return session.scalar(
        select(Identity).where(
            Identity.issuer == person.issuer, Identity.subject == _text(person.subject, 255)
        )
    )


def _active(owner: User) -> User:
    if not owner.is_active:
        raise NotPossible("suspended", "this account is suspended; ask an admin")
    return owner


def _add(session: Session, owner: User, person: Person, how: str, now: datetime) -> None:
    row = Identity(
        user_id=owner.id,
        issuer=person.issuer,
        subject=_text(person.subject, 255),
        label=_text(person.label, 254),
        created_at=now,
        used_at=now,
    )
    session.add(row)
    session.flush()
    _record(session, owner, "identity.link", how, now)


def _free_name(session: Session, wanted: str) -> str:
    """A name like the one somebody has elsewhere that is allowed and free here."""
    cleaned = re.sub(r"[^a-z0-9._-]+", "-", wanted.lower())[:30].strip("._-") or "user"
    if people.name_fault(session, cleaned) is None:
        return cleaned
    taken = set(session.scalars(select(User.name).where(func.lower(User.name).startswith(cleaned))))
    numbers = (f"{cleaned}-{number}" for number in range(2, len(taken) + 4))
    return next(name for name in numbers if people.name_fault(session, name) is None)


def _text(text: str, longest: int) -> str:
    return "".join(letter for letter in text if letter.isprintable())[:longest]


def _record(session: Session, owner: User, action: str, how: str | None, now: datetime) -> None:
    audit.record(
        session,
        user_id=owner.id,
        via="api",
        action=action,
        subject_kind="user",
        subject_id=owner.id,
        details={"by": how} if how else None,
        now=now,
    )
