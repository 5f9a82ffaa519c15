"""Boards as they stood, kept for good."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from grbcore.store.tables.base import Base, new_id


class SnapshotRow(Base):
    """A snapshot of a board.  Its numbers never change; a name may leave it."""

    __tablename__ = "snapshots"
    __table_args__ = (
        UniqueConstraint("board_id", "month"),
        Index("ix_snapshots_board_id", "board_id", "id"),
    )

    id: Mapped[str] = mapped_column(String(26), primary_key=True, default=new_id)
    board_id: Mapped[str] = mapped_column(ForeignKey("boards.id"))
    month: Mapped[str | None] = mapped_column(String(7))  # 2026-12, of those made by themselves
    revision: Mapped[int]
    protocol: Mapped[str] = mapped_column(String(16))
    made_at: Mapped[datetime]
    author_id: Mapped[str | None] = mapped_column(ForeignKey("users.id"))  # null: the service
    reason: Mapped[str | None] = mapped_column(Text)
    digest: Mapped[str] = mapped_column(String(64))  # of its numbers
    attacks: Mapped[int]
    defenses: Mapped[int]
    cells: Mapped[int]
    entries: Mapped[list[Any]]  # ids
    unnamed: Mapped[list[Any]] = mapped_column(default=list)  # ids of those that lost their name
    reissued_at: Mapped[datetime | None]  # when a name last left it

    files: Mapped[list[SnapshotFile]] = relationship(
        order_by="SnapshotFile.name", cascade="all, delete-orphan"
    )


class SnapshotFile(Base):
    """A file of a snapshot, by its hash; replaced where it held a name that left."""

    __tablename__ = "snapshot_files"

    snapshot_id: Mapped[str] = mapped_column(ForeignKey("snapshots.id"), primary_key=True)
    sha256: Mapped[str] = mapped_column(String(64), primary_key=True, index=True)
    name: Mapped[str] = mapped_column(String(20))
    size: Mapped[int] = mapped_column(BigInteger)  # bytes
    replaced_at: Mapped[datetime | None]
