"""Hold-outs: attacks beside a board's own, and what defenses make of them, for no ranking."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from grbcore.holdouts import KINDS
from grbcore.store.tables.base import Base, new_id, one_of
from grbcore.store.tables.entries import Submission

#: queued: given back, or to be tried again.  A pair that nobody has begun has no row.
HOLDOUT_STATES = ("queued", "running", "done", "failed")


class HoldoutAttack(Base):
    """An attack made from the catalog at some part of a board's budget."""

    __tablename__ = "holdout_attacks"
    __table_args__ = (
        CheckConstraint(one_of("kind", KINDS), name="kind"),
        UniqueConstraint("board_id", "protocol", "name", "factor"),
    )

    id: Mapped[str] = mapped_column(String(26), primary_key=True, default=new_id)
    board_id: Mapped[str] = mapped_column(ForeignKey("boards.id"))
    protocol: Mapped[str] = mapped_column(String(16))  # that the board had
    name: Mapped[str] = mapped_column(String(80))  # of the recipe
    family: Mapped[str] = mapped_column(String(80))
    kind: Mapped[str] = mapped_column(String(8))
    factor: Mapped[float]
    sha256: Mapped[str] = mapped_column(String(64))
    contents: Mapped[dict[str, Any]]  # {"difficulties": […], "repeats": …}
    made_at: Mapped[datetime]


class HoldoutCell(Base):
    """A defense under a hold-out, once a worker has begun with it."""

    __tablename__ = "holdout_cells"
    __table_args__ = (
        CheckConstraint(one_of("state", HOLDOUT_STATES), name="state"),
        CheckConstraint("(state = 'running') = (lease_token IS NOT NULL)", name="lease"),
        CheckConstraint("state != 'done' OR correct IS NOT NULL", name="result"),
        UniqueConstraint("defense_id", "attack_id"),
    )

    id: Mapped[str] = mapped_column(String(26), primary_key=True, default=new_id)
    attack_id: Mapped[str] = mapped_column(ForeignKey("holdout_attacks.id", ondelete="CASCADE"))
    defense_id: Mapped[str] = mapped_column(ForeignKey("submissions.id"))
    state: Mapped[str] = mapped_column(String(8))
    attempts: Mapped[int] = mapped_column(default=0)  # tries that ended without a result
    error_code: Mapped[str | None] = mapped_column(String(40))
    reason: Mapped[str | None] = mapped_column(Text)
    queued_at: Mapped[datetime]  # not begun before
    started_at: Mapped[datetime | None]  # of the try that goes on; null: leased only
    finished_at: Mapped[datetime | None]
    lease_token: Mapped[str | None] = mapped_column(String(36), index=True)
    lease_until: Mapped[datetime | None]

    # the result, as in cells
    correct: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    total: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    hits_sha256: Mapped[str | None] = mapped_column(String(64))
    evaluator_version: Mapped[int | None]
    device: Mapped[str | None] = mapped_column(String(80))
    seconds: Mapped[float | None]

    attack: Mapped[HoldoutAttack] = relationship()
    defense: Mapped[Submission] = relationship()
