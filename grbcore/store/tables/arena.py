"""Who counts: the references of each season of a board, and entries that count as one."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, ForeignKey, Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from grbcore.store.tables.base import Base, new_id, one_of

#: proposed: an admin has yet to decide.  current: its references make the official scores.
#: past: they did.  refused: they never will.
SEASON_STATES = ("proposed", "current", "past", "refused")

_CURRENT = text("state = 'current'")


class Season(Base):
    """The references of a board, frozen by the hashes of their files, for as long as they count."""

    __tablename__ = "seasons"
    __table_args__ = (
        CheckConstraint(one_of("state", SEASON_STATES), name="state"),
        CheckConstraint("(state IN ('current', 'past')) = (number IS NOT NULL)", name="number"),
        CheckConstraint("(state = 'proposed') = (decided_at IS NULL)", name="decided"),
        CheckConstraint("(state = 'past') = (ended_at IS NOT NULL)", name="ended"),
        Index(
            "uq_seasons_current",
            "board_id",
            unique=True,
            postgresql_where=_CURRENT,
            sqlite_where=_CURRENT,
        ),
        Index("uq_seasons_number", "board_id", "number", unique=True),
    )

    id: Mapped[str] = mapped_column(String(26), primary_key=True, default=new_id)
    board_id: Mapped[str] = mapped_column(ForeignKey("boards.id"))
    number: Mapped[int | None]  # 1, 2, … once it has begun
    state: Mapped[str] = mapped_column(String(8))
    protocol: Mapped[str] = mapped_column(String(16))  # of the board when it was proposed
    revision: Mapped[int]  # of the board when it was proposed
    # [{"id", "side", "sha256", "reasons": […]}, …]
    members: Mapped[list[Any]]
    left_out: Mapped[list[Any]]  # the same of those that were considered and not taken
    reason: Mapped[str | None] = mapped_column(Text)  # why it was decided so
    author_id: Mapped[str | None] = mapped_column(ForeignKey("users.id"))  # null: the service
    created_at: Mapped[datetime]
    decided_at: Mapped[datetime | None]
    decided_by: Mapped[str | None] = mapped_column(ForeignKey("users.id"))
    ended_at: Mapped[datetime | None]


class DuplicateScan(Base):
    """The near-duplicates of a board, as they were found last; made again at any time."""

    __tablename__ = "duplicate_scans"

    board_id: Mapped[str] = mapped_column(ForeignKey("boards.id"), primary_key=True)
    stamp: Mapped[str] = mapped_column(String(64))  # of what it was made from
    revision: Mapped[int]
    scanned_at: Mapped[datetime]
    seconds: Mapped[float]
    # {"attack": [{"members": […], "why", "apart"}, …], "defense": …, "unmoved": […]}
    found: Mapped[dict[str, Any]] = mapped_column(JSON)


class DuplicateDecision(Base):
    """What an admin decided of entries that were taken for duplicates, or were not."""

    __tablename__ = "duplicate_decisions"
    __table_args__ = (CheckConstraint(one_of("kind", ("merge", "split")), name="kind"),)

    id: Mapped[str] = mapped_column(String(26), primary_key=True, default=new_id)
    board_id: Mapped[str] = mapped_column(ForeignKey("boards.id"), index=True)
    side: Mapped[str] = mapped_column(String(8))
    kind: Mapped[str] = mapped_column(String(5))
    members: Mapped[list[Any]]  # ids of entries
    reason: Mapped[str] = mapped_column(Text)
    user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id"))
    decided_at: Mapped[datetime]
