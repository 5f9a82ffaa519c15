"""Intervals of scores and ranks, which a worker computes of the results."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from grbcore.store.tables.base import Base


class IntervalRow(Base):
    """What is known of one side of a board in one view at one difficulty."""

    __tablename__ = "intervals"

    board_id: Mapped[str] = mapped_column(ForeignKey("boards.id"), primary_key=True)
    view: Mapped[str] = mapped_column(String(10), primary_key=True)
    side: Mapped[str] = mapped_column(String(8), primary_key=True)
    difficulty: Mapped[str] = mapped_column(String(8), primary_key=True)
    revision: Mapped[int]  # of the board, for which it holds
    inputs: Mapped[str] = mapped_column(String(64))  # hash of what it was computed of
    draws: Mapped[int]
    computed_at: Mapped[datetime]
    # by entry, as `store.intervals` writes it
    found: Mapped[dict[str, Any]] = mapped_column(JSON)


class IntervalTurn(Base):
    """Whose turn it is to compute the intervals of a board in one view."""

    __tablename__ = "interval_turns"

    board_id: Mapped[str] = mapped_column(ForeignKey("boards.id"), primary_key=True)
    view: Mapped[str] = mapped_column(String(10), primary_key=True)
    owner: Mapped[str] = mapped_column(String(120))
    until: Mapped[datetime]  # nobody else begins before
