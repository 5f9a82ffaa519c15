"""The tables of the service.  The database is the queue of record."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, ClassVar

from sqlalchemy import (
    JSON,
    CheckConstraint,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship
from ulid import ULID

SUBMISSION_STATES = ("received", "validating", "rejected", "evaluating", "ranked", "failed")
CELL_STATES = ("queued", "running", "done", "failed", "dead")


def new_id() -> str:
    """A ULID: 26 characters, opaque, sorted by time of creation."""
    return str(ULID())


def _one_of(column: str, allowed: tuple[str, ...]) -> str:
    return f"{column} IN ({', '.join(repr(word) for word in allowed)})"


class UtcDateTime(TypeDecorator[datetime]):
    """``timestamptz`` in UTC; on SQLite, which has no time zones, stored as UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"time: found {value!r} without a zone, allowed: times with a zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        datetime: UtcDateTime,
        dict[str, Any]: JSON,
        list[Any]: JSON,
    }


class User(Base):
    """Someone who submits.  Signing in comes later; tokens are all there is."""

    __tablename__ = "users"
    __table_args__ = (CheckConstraint(_one_of("role", ("user", "admin")), name="role"),)

    id: Mapped[str] = mapped_column(String(26), primary_key=True, default=new_id)
    name: Mapped[str] = mapped_column(String(80), unique=True)
    role: Mapped[str] = mapped_column(String(8), default="user")
    created_at: Mapped[datetime]
    served_at: Mapped[datetime | None]  # when a worker last took work of theirs: turns go round


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
        CheckConstraint(_one_of("state", ("ready", "preparing", "no-data")), name="state"),
    )

    id: Mapped[str] = mapped_column(String(80), primary_key=True)
    state: Mapped[str] = mapped_column(String(12))
    protocol: Mapped[str | None] = mapped_column(String(16))  # null until the data is present
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
        CheckConstraint(_one_of("side", ("attack", "defense")), name="side"),
        CheckConstraint(_one_of("state", SUBMISSION_STATES), name="state"),
        CheckConstraint(
            "(state = 'validating') = (lease_token IS NOT NULL) "
            "AND (lease_token IS NULL) = (lease_until IS NULL) "
            "AND (lease_token IS NULL) = (lease_owner IS NULL)",
            name="lease",
        ),
        CheckConstraint("state != 'ranked' OR registered_at IS NOT NULL", name="registered"),
        CheckConstraint("withdrawn_at IS NULL OR NOT is_reference", name="reference_stays"),
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
    attempts: Mapped[int] = mapped_column(default=0)  # validations that ended without an answer
    retry_at: Mapped[datetime | None]  # not validated again before
    received_at: Mapped[datetime]
    validated_at: Mapped[datetime | None]
    registered_at: Mapped[datetime | None]
    withdrawn_at: Mapped[datetime | None]
    hidden_at: Mapped[datetime | None]

    # the lease of the validation, as in cells
    lease_owner: Mapped[str | None] = mapped_column(String(120))
    lease_token: Mapped[str | None] = mapped_column(String(36))
    lease_until: Mapped[datetime | None]

    user: Mapped[User] = relationship()


class CellRow(Base):
    """One attack (or none) against one defense under one protocol."""

    __tablename__ = "cells"
    __table_args__ = (
        CheckConstraint(_one_of("state", CELL_STATES), name="state"),
        CheckConstraint(
            "(state = 'running') = (lease_token IS NOT NULL) "
            "AND (lease_token IS NULL) = (lease_until IS NULL) "
            "AND (lease_token IS NULL) = (lease_owner IS NULL)",
            name="lease",
        ),
        CheckConstraint(
            "state != 'done' OR (finished_at IS NOT NULL "
            "AND correct IS NOT NULL AND total IS NOT NULL)",
            name="result",
        ),
        CheckConstraint(
            "state NOT IN ('queued', 'running') OR finished_at IS NULL", name="unfinished"
        ),
        Index(
            "uq_cells_clean",
            "defense_id",
            "protocol",
            unique=True,
            postgresql_where=text("attack_id IS NULL"),
            sqlite_where=text("attack_id IS NULL"),
        ),
        Index(
            "uq_cells_pair",
            "attack_id",
            "defense_id",
            "protocol",
            unique=True,
            postgresql_where=text("attack_id IS NOT NULL"),
            sqlite_where=text("attack_id IS NOT NULL"),
        ),
        Index("ix_cells_queue", "state", "priority", "queued_at"),
        Index("ix_cells_history", "board_id", "state", "finished_at", "attempts"),
    )

    id: Mapped[str] = mapped_column(String(26), primary_key=True, default=new_id)
    board_id: Mapped[str] = mapped_column(ForeignKey("boards.id"), index=True)
    attack_id: Mapped[str | None] = mapped_column(ForeignKey("submissions.id"), index=True)
    defense_id: Mapped[str] = mapped_column(ForeignKey("submissions.id"), index=True)
    newcomer_id: Mapped[str] = mapped_column(ForeignKey("submissions.id"), index=True)
    protocol: Mapped[str] = mapped_column(String(16))

    state: Mapped[str] = mapped_column(String(8), default="queued")
    priority: Mapped[int] = mapped_column(Integer, default=0)  # lower runs first
    attempts: Mapped[int] = mapped_column(default=0)  # tries that ended without a result
    infra_failures: Mapped[int] = mapped_column(default=0)  # evaluators that died computing it
    max_attempts: Mapped[int] = mapped_column(default=4)
    error_code: Mapped[str | None] = mapped_column(String(40))
    reason: Mapped[str | None] = mapped_column(Text)
    queued_at: Mapped[datetime]  # not claimed before
    started_at: Mapped[datetime | None]  # when its computation began; leased cells wait their turn
    finished_at: Mapped[datetime | None]

    lease_owner: Mapped[str | None] = mapped_column(String(120))
    lease_token: Mapped[str | None] = mapped_column(String(36))
    lease_until: Mapped[datetime | None]
    heartbeat_at: Mapped[datetime | None]

    # the result, per difficulty: one count per repeat {"easy": [248, 250, 249], …}, the number of
    # targets {"easy": 268, …}, and per repeat how many had logits that are not finite
    correct: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    total: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    not_finite: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    hits_sha256: Mapped[str | None] = mapped_column(String(64))  # blob of packed hits
    evaluator_version: Mapped[int | None]
    device: Mapped[str | None] = mapped_column(String(80))
    seconds: Mapped[float | None]
    versions: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))

    defense: Mapped[Submission] = relationship(foreign_keys=[defense_id])
    attack: Mapped[Submission | None] = relationship(foreign_keys=[attack_id])


class WorkerRow(Base):
    """A worker's own account of itself.  What it works on is in the leases that it signs."""

    __tablename__ = "workers"

    id: Mapped[str] = mapped_column(String(120), primary_key=True)  # host/pid/uuid, as in leases
    device: Mapped[str] = mapped_column(String(80))
    versions: Mapped[dict[str, Any]]  # {"grb": "0.1.0", "evaluator": "1", "torch": "2.13.0"}
    avoided: Mapped[dict[str, Any]]  # boards that its host leaves to others, each with the reason
    started_at: Mapped[datetime]
    heartbeat_at: Mapped[datetime] = mapped_column(index=True)
    stopped_at: Mapped[datetime | None]  # a graceful stop, or found dead by its successor
