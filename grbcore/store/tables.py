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
#: current: what the board shows.  shadow: of a re-evaluation that is not applied.  past: replaced.
CELL_PLACES = ("current", "shadow", "past")
#: What a worker must be able to take to compute a board's cells.
NEEDS = ("cpu", "gpu", "gpu-large")
REEVALUATION_STATES = ("proposed", "running", "ready", "applied", "cancelled")
NOTICE_STATES = ("waiting", "sent", "failed")


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
        CheckConstraint(_one_of("state", ("ready", "preparing", "no-data")), name="state"),
        CheckConstraint(_one_of("need", NEEDS), name="need"),
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


def _unique(place: str, scope: str) -> tuple[Index, Index]:
    """Of each pair in this place there is one per ``scope``, the clean ones included."""
    clean, pair = (
        text(f"place = '{place}' AND attack_id IS {word}") for word in ("NULL", "NOT NULL")
    )
    return (
        Index(
            f"uq_cells_{place}_clean",
            "defense_id",
            scope,
            unique=True,
            postgresql_where=clean,
            sqlite_where=clean,
        ),
        Index(
            f"uq_cells_{place}_pair",
            "attack_id",
            "defense_id",
            scope,
            unique=True,
            postgresql_where=pair,
            sqlite_where=pair,
        ),
    )


class CellRow(Base):
    """One attack (or none) against one defense under one protocol.

    Of each, one is ``current``.  A re-evaluation computes ``shadow`` cells; when it is applied they
    become current, and those that they replace are ``past``.
    """

    __tablename__ = "cells"
    __table_args__ = (
        CheckConstraint(_one_of("state", CELL_STATES), name="state"),
        CheckConstraint(_one_of("place", CELL_PLACES), name="place"),
        CheckConstraint("place != 'shadow' OR reevaluation_id IS NOT NULL", name="shadow"),
        CheckConstraint("(place = 'past') = (replaced_at IS NOT NULL)", name="past"),
        CheckConstraint("place != 'past' OR finished_at IS NOT NULL", name="past_is_final"),
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
        *_unique("current", "protocol"),
        *_unique("shadow", "reevaluation_id"),
        Index("ix_cells_queue", "state", "priority", "queued_at"),
        Index("ix_cells_history", "board_id", "state", "finished_at", "attempts"),
        Index("ix_cells_reevaluation", "reevaluation_id", "place", "state"),
    )

    id: Mapped[str] = mapped_column(String(26), primary_key=True, default=new_id)
    board_id: Mapped[str] = mapped_column(ForeignKey("boards.id"), index=True)
    attack_id: Mapped[str | None] = mapped_column(ForeignKey("submissions.id"), index=True)
    defense_id: Mapped[str] = mapped_column(ForeignKey("submissions.id"), index=True)
    newcomer_id: Mapped[str] = mapped_column(ForeignKey("submissions.id"), index=True)
    protocol: Mapped[str] = mapped_column(String(16))
    place: Mapped[str] = mapped_column(String(8), default="current")
    reevaluation_id: Mapped[str | None] = mapped_column(ForeignKey("reevaluations.id"))
    replaced_at: Mapped[datetime | None]

    state: Mapped[str] = mapped_column(String(8), default="queued")
    priority: Mapped[int] = mapped_column(Integer, default=0)  # lower runs first
    attempts: Mapped[int] = mapped_column(default=0)  # tries that ended without a result
    infra_failures: Mapped[int] = mapped_column(default=0)  # evaluators that died computing it
    max_attempts: Mapped[int] = mapped_column(default=4)
    error_code: Mapped[str | None] = mapped_column(String(40))
    reason: Mapped[str | None] = mapped_column(Text)
    log: Mapped[str | None] = mapped_column(Text)  # the end of what the last try wrote to stderr
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
    takes: Mapped[list[Any]] = mapped_column(default=lambda: list(NEEDS))
    started_at: Mapped[datetime]
    heartbeat_at: Mapped[datetime] = mapped_column(index=True)
    stopped_at: Mapped[datetime | None]  # a graceful stop, or found dead by its successor


class Reevaluation(Base):
    """Cells of one board computed once more, beside those that the board shows.

    proposed: nothing is computed yet.  running: shadow cells wait or run.  ready: none does.
    applied, cancelled: final.
    """

    __tablename__ = "reevaluations"
    __table_args__ = (
        CheckConstraint(_one_of("state", REEVALUATION_STATES), name="state"),
        CheckConstraint(
            "(state IN ('applied', 'cancelled')) = (decided_at IS NOT NULL)", name="decided"
        ),
        Index("ix_reevaluations_board", "board_id", "state"),
    )

    id: Mapped[str] = mapped_column(String(26), primary_key=True, default=new_id)
    board_id: Mapped[str] = mapped_column(ForeignKey("boards.id"))
    # under which its cells are computed; the board's own, or the one that it moves to
    protocol: Mapped[str] = mapped_column(String(16))
    facts: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))  # of new data
    selection: Mapped[dict[str, Any]]
    reason: Mapped[str] = mapped_column(Text)
    author_id: Mapped[str | None] = mapped_column(ForeignKey("users.id"))  # null: the service
    state: Mapped[str] = mapped_column(String(12))
    cells: Mapped[int] = mapped_column(default=0)  # how many it began with
    estimate: Mapped[float | None]  # seconds of one worker, when it was made
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    ready_at: Mapped[datetime | None]
    decided_at: Mapped[datetime | None]
    decider_id: Mapped[str | None] = mapped_column(ForeignKey("users.id"))
    outcome: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))  # what changed

    author: Mapped[User | None] = relationship(foreign_keys=[author_id])
    decider: Mapped[User | None] = relationship(foreign_keys=[decider_id])


class AuditRow(Base):
    """Who did what to the service's records, when and why; rows are only ever added."""

    __tablename__ = "audit"
    __table_args__ = (Index("ix_audit_subject", "subject_kind", "subject_id"),)

    id: Mapped[str] = mapped_column(String(26), primary_key=True, default=new_id)
    at: Mapped[datetime]
    user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id"))  # null: the service itself
    via: Mapped[str] = mapped_column(String(8))  # api, cli, service
    action: Mapped[str] = mapped_column(String(40))  # such as reevaluation.apply
    subject_kind: Mapped[str] = mapped_column(String(20))  # such as submission
    subject_id: Mapped[str] = mapped_column(String(80))
    reason: Mapped[str | None] = mapped_column(Text)
    details: Mapped[dict[str, Any]] = mapped_column(default=dict)

    user: Mapped[User | None] = relationship()


class NoticeRow(Base):
    """Something that a user is to be told, written with the change that it tells of."""

    __tablename__ = "notices"
    __table_args__ = (
        CheckConstraint(_one_of("state", NOTICE_STATES), name="state"),
        CheckConstraint(_one_of("channel", ("webhook", "mail")), name="channel"),
        CheckConstraint(
            "(lease_token IS NULL) = (lease_until IS NULL)",
            name="lease",
        ),
        Index("ix_notices_due", "state", "due_at"),
    )

    id: Mapped[str] = mapped_column(String(26), primary_key=True, default=new_id)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), index=True)
    submission_id: Mapped[str | None] = mapped_column(ForeignKey("submissions.id"), index=True)
    event: Mapped[str] = mapped_column(String(40))  # such as submission.ranked
    channel: Mapped[str] = mapped_column(String(8))
    payload: Mapped[dict[str, Any]]
    state: Mapped[str] = mapped_column(String(8), default="waiting")
    attempts: Mapped[int] = mapped_column(default=0)
    problem: Mapped[str | None] = mapped_column(Text)  # why the last try did not arrive
    created_at: Mapped[datetime]
    due_at: Mapped[datetime]  # not sent before
    sent_at: Mapped[datetime | None]
    lease_token: Mapped[str | None] = mapped_column(String(36))
    lease_until: Mapped[datetime | None]
