"""Users, boards, and what users submit to them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    CheckConstraint,
    ForeignKey,
    Index,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column, relationship

from grbcore.needs import NEEDS
from grbcore.store.tables.base import Base, new_id, one_of

SUBMISSION_STATES = ("received", "validating", "rejected", "evaluating", "ranked", "failed")


class User(Base):
    """Someone who submits.  Signing in comes later; tokens are all there is."""

    __tablename__ = "users"
    __table_args__ = (CheckConstraint(one_of("role", ("user", "admin")), name="role"),)

    id: Mapped[str] = mapped_column(String(26), primary_key=True, default=new_id)
    name: Mapped[str] = mapped_column(String(80), unique=True)
    role: Mapped[str] = mapped_column(String(8), default="user")
    created_at: Mapped[datetime]
    served_at: Mapped[datetime | None]  # when a worker last took work of theirs: turns go round
    # where this user is told what became of a submission
    email: Mapped[str | None] = mapped_column(String(254))
    email_confirmed_at: Mapped[datetime | None]
    email_digest: Mapped[str | None] = mapped_column(String(64))  # of the link that confirms it
    webhook_url: Mapped[str | None] = mapped_column(String(400))
    webhook_secret: Mapped[str | None] = mapped_column(String(80))


class Token(Base):
    """A bearer token; only its SHA-256 is kept."""

    __tablename__ = "tokens"

    id: Mapped[str] = mapped_column(String(26), primary_key=True, default=new_id)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), index=True)
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None]

    user: Mapped[User] = relationship(lazy="joined")


class BoardRow(Base):
    """What this database knows of a board that the catalog defines."""

    __tablename__ = "boards"
    __table_args__ = (
        CheckConstraint(one_of("state", ("ready", "preparing", "no-data")), name="state"),
        CheckConstraint(one_of("need", NEEDS), name="need"),
    )

    id: Mapped[str] = mapped_column(String(80), primary_key=True)
    state: Mapped[str] = mapped_column(String(12))
    protocol: Mapped[str | None] = mapped_column(String(16))  # null until the data is present
    need: Mapped[str] = mapped_column(String(12), default="cpu")  # which workers take its cells
    problem: Mapped[str | None] = mapped_column(Text)  # why the files that are here can't be used
    revision: Mapped[int] = mapped_column(default=0)  # raised whenever a ranking may change
    changed_at: Mapped[datetime | None]
    # {"step": …, "done": …, "total": …, "failed": …} while the baselines are made
    preparation: Mapped[dict[str, Any] | None]
    # clean feature range and target counts of the data: {"feature_range": [lo, hi], "targets": {…},
    # "edges": …}
    facts: Mapped[dict[str, Any] | None]


class Submission(Base):
    """An attack or a defense, with its state."""

    __tablename__ = "submissions"
    __table_args__ = (
        CheckConstraint(one_of("side", ("attack", "defense")), name="side"),
        CheckConstraint(one_of("state", SUBMISSION_STATES), name="state"),
        CheckConstraint(
            "(state = 'validating') = (lease_token IS NOT NULL) "
            "AND (lease_token IS NULL) = (lease_until IS NULL) "
            "AND (lease_token IS NULL) = (lease_owner IS NULL)",
            name="lease",
        ),
        CheckConstraint("state != 'ranked' OR registered_at IS NOT NULL", name="registered"),
        CheckConstraint("withdrawn_at IS NULL OR NOT is_reference", name="reference_stays"),
        CheckConstraint("deleted_at IS NULL OR NOT is_reference", name="reference_is_kept"),
        UniqueConstraint("user_id", "board_id", "side", "sha256"),
        Index("ix_submissions_queue", "state", "received_at"),
    )

    id: Mapped[str] = mapped_column(String(26), primary_key=True, default=new_id)
    board_id: Mapped[str] = mapped_column(ForeignKey("boards.id"), index=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), index=True)
    side: Mapped[str] = mapped_column(String(8))

    name: Mapped[str] = mapped_column(String(80))
    authors: Mapped[str] = mapped_column(String(400))
    team: Mapped[str | None] = mapped_column(String(80))
    family: Mapped[str] = mapped_column(String(80))
    description: Mapped[str] = mapped_column(Text, default="")
    paper_url: Mapped[str | None] = mapped_column(String(400))
    code_url: Mapped[str | None] = mapped_column(String(400))
    adversarially_trained: Mapped[bool] = mapped_column(default=False)
    surrogate: Mapped[str | None] = mapped_column(String(80))
    is_reference: Mapped[bool] = mapped_column(default=False)
    attempt: Mapped[int] = mapped_column(default=1)  # 1, 2, … per user, board and side

    sha256: Mapped[str] = mapped_column(String(64))
    size: Mapped[int]
    # from the header: defenses {"architecture", "parameters", "features"};
    # attacks {"difficulties": […], "repeats": …}
    contents: Mapped[dict[str, Any]]

    state: Mapped[str] = mapped_column(String(12), default="received")
    reason: Mapped[str | None] = mapped_column(Text)
    violations: Mapped[list[Any]] = mapped_column(default=list)
    log: Mapped[str | None] = mapped_column(Text)  # the end of what a validator that died wrote
    attempts: Mapped[int] = mapped_column(default=0)  # validations that ended without an answer
    retry_at: Mapped[datetime | None]  # not validated again before
    received_at: Mapped[datetime]
    validated_at: Mapped[datetime | None]
    registered_at: Mapped[datetime | None]
    withdrawn_at: Mapped[datetime | None]
    hidden_at: Mapped[datetime | None]
    deleted_at: Mapped[datetime | None]  # the file is gone, and whatever told whose it was
    edited_at: Mapped[datetime | None]

    # the lease of the validation, as in cells
    lease_owner: Mapped[str | None] = mapped_column(String(120))
    lease_token: Mapped[str | None] = mapped_column(String(36))
    lease_until: Mapped[datetime | None]

    user: Mapped[User] = relationship()
