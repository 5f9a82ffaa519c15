"""How users sign in: their sessions, who they are elsewhere, and how often somebody has tried."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from grbcore.store.tables.base import Base, new_id
from grbcore.store.tables.entries import User


class SessionRow(Base):
    """A browser in which a user is signed in; only the SHA-256 of its cookie is kept."""

    __tablename__ = "sessions"

    id: Mapped[str] = mapped_column(String(26), primary_key=True, default=new_id)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), index=True)
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    agent: Mapped[str] = mapped_column(String(200), default="")  # what the browser calls itself
    created_at: Mapped[datetime]
    seen_at: Mapped[datetime]  # to some minutes
    expires_at: Mapped[datetime]

    user: Mapped[User] = relationship(lazy="joined")


class Identity(Base):
    """Who a user is elsewhere: the subject of an OpenID Connect issuer, or an account of GitHub."""

    __tablename__ = "identities"
    __table_args__ = (UniqueConstraint("issuer", "subject"),)

    id: Mapped[str] = mapped_column(String(26), primary_key=True, default=new_id)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), index=True)
    issuer: Mapped[str] = mapped_column(String(255))
    subject: Mapped[str] = mapped_column(String(255))
    label: Mapped[str] = mapped_column(String(254))  # what the user is called there, to show
    created_at: Mapped[datetime]
    used_at: Mapped[datetime | None]

    user: Mapped[User] = relationship(lazy="joined")


class PendingSignIn(Base):
    """A browser that was sent elsewhere to sign in, until it comes back or ten minutes pass."""

    __tablename__ = "pending_sign_ins"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)  # of the browser's cookie
    provider: Mapped[str] = mapped_column(String(20))
    # {"state": …, "nonce": …, "code_verifier": …, "redirect_uri": …, "next": …}
    data: Mapped[dict[str, Any]]
    user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id"), index=True)  # who links it
    expires_at: Mapped[datetime] = mapped_column(index=True)


class ThrottleRow(Base):
    """How often something was tried since a time, by a key of which only a hash is kept."""

    __tablename__ = "throttles"
    __table_args__ = (Index("ix_throttles_since", "since"),)

    kind: Mapped[str] = mapped_column(String(20), primary_key=True)  # such as sign-in
    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    since: Mapped[datetime]
    count: Mapped[int]
