"""Who works, what was done by whom, and who is told of it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    CheckConstraint,
    ForeignKey,
    Index,
    String,
    Text,
)
from sqlalchemy.orm import Mapped, mapped_column, relationship

from grbcore.needs import NEEDS
from grbcore.store.tables.base import Base, new_id, one_of
from grbcore.store.tables.entries import User

NOTICE_STATES = ("waiting", "sent", "failed")


class WorkerRow(Base):
    """A worker's own account of itself.  What it works on is in the leases that it signs."""

    __tablename__ = "workers"

    id: Mapped[str] = mapped_column(String(120), primary_key=True)  # host/pid/uuid, as in leases
    device: Mapped[str] = mapped_column(String(80))
    versions: Mapped[dict[str, Any]]  # {"grb": "0.1.0", "evaluator": "1", "torch": "2.13.0"}
    avoided: Mapped[
        dict[str, Any]
    ]  # boards, protocols that its host leaves to others, each with the reason
    takes: Mapped[list[Any]] = mapped_column(default=lambda: list(NEEDS))
    started_at: Mapped[datetime]
    heartbeat_at: Mapped[datetime] = mapped_column(index=True)
    stopped_at: Mapped[datetime | None]  # a graceful stop, or found dead by its successor


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
        CheckConstraint(one_of("state", NOTICE_STATES), name="state"),
        CheckConstraint(one_of("channel", ("webhook", "mail")), name="channel"),
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
