"""Files that arrive in parts."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from grbcore.store.tables.base import Base, new_id, one_of

UPLOAD_STATES = ("open", "done", "refused")


class UploadRow(Base):
    """A file that arrives in parts, with what its owner says of it.

    open: bytes are missing, or the file waits to be taken in.  done: it is a submission.
    refused: the file breaks the board's rules.  The last two are kept for a client that missed
    the answer.
    """

    __tablename__ = "uploads"
    __table_args__ = (
        CheckConstraint(one_of("side", ("attack", "defense")), name="side"),
        CheckConstraint(one_of("state", UPLOAD_STATES), name="state"),
        CheckConstraint("arrived >= 0 AND arrived <= size", name="arrived"),
        CheckConstraint("(state = 'done') = (submission_id IS NOT NULL)", name="done"),
        CheckConstraint("(state = 'refused') = (problem IS NOT NULL)", name="refused"),
        Index("ix_uploads_user", "user_id", "state"),
    )

    id: Mapped[str] = mapped_column(String(26), primary_key=True, default=new_id)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"))
    board_id: Mapped[str] = mapped_column(ForeignKey("boards.id"))
    side: Mapped[str] = mapped_column(String(8))
    fields: Mapped[dict[str, Any]]  # the texts of the form, board and side included
    sha256: Mapped[str | None] = mapped_column(String(64))  # as its owner says
    size: Mapped[int]  # bytes of the whole file
    arrived: Mapped[int] = mapped_column(default=0)  # bytes, as last counted; the file knows better
    place: Mapped[str] = mapped_column(String(26))  # the folder that holds the file
    state: Mapped[str] = mapped_column(String(8), default="open")
    submission_id: Mapped[str | None] = mapped_column(ForeignKey("submissions.id"))
    # the answer that its owner got: {"code": …, "message": …, "violations": […]}
    problem: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime] = mapped_column(index=True)
