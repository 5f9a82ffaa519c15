"""What is measured, and what is measured once more."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    CheckConstraint,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Text,
    event,
    inspect,
    text,
)
from sqlalchemy.engine.default import DefaultExecutionContext
from sqlalchemy.orm import Mapped, mapped_column, relationship

from grbcore.columns import pack
from grbcore.store.tables.base import Base, new_id, one_of
from grbcore.store.tables.entries import Submission, User

CELL_STATES = ("queued", "running", "done", "failed", "dead")
#: current: what the board shows.  shadow: of a re-evaluation that is not applied.  past: replaced.
CELL_PLACES = ("current", "shadow", "past")
REEVALUATION_STATES = ("proposed", "running", "ready", "applied", "cancelled")


_COUNTED = text("place = 'current' AND state = 'done'")
_MARKED = text("place = 'current' AND state = 'done' AND not_finite_most IS NOT NULL")


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


def _counts(context: DefaultExecutionContext) -> bytes | None:
    """The packed counts of a row that is written with its result."""
    given = context.get_current_parameters()  # type: ignore[no-untyped-call]
    return _packed(given.get("correct"), given.get("total"), given.get("errors"))


def _most(context: DefaultExecutionContext) -> int | None:
    given = context.get_current_parameters()  # type: ignore[no-untyped-call]
    return _most_of(given.get("not_finite"))


def _most_of(not_finite: dict[str, list[int]] | None) -> int | None:
    """The most targets without finite logits at any difficulty and repeat; None: there are none."""
    return (
        max((max(counts, default=0) for counts in (not_finite or {}).values()), default=0) or None
    )


def _packed(
    correct: dict[Any, Any] | None, total: dict[Any, Any] | None, errors: dict[Any, Any] | None
) -> bytes | None:
    return None if correct is None or total is None else pack(correct, total, errors)


class CellRow(Base):
    """One attack (or none) against one defense under one protocol.

    Of each, one is ``current``.  A re-evaluation computes ``shadow`` cells; when it is applied they
    become current, and those that they replace are ``past``.
    """

    __tablename__ = "cells"
    __table_args__ = (
        CheckConstraint(one_of("state", CELL_STATES), name="state"),
        CheckConstraint(one_of("place", CELL_PLACES), name="place"),
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
        # all that a ranking reads of a cell, so that it looks at no row
        Index(
            "ix_cells_counts",
            "board_id",
            "protocol",
            "attack_id",
            "defense_id",
            "counts",
            postgresql_where=_COUNTED,
            sqlite_where=_COUNTED,
        ),
        # the few that a ranking marks
        Index(
            "ix_cells_not_finite",
            "board_id",
            "protocol",
            "not_finite_most",
            "attack_id",
            "defense_id",
            postgresql_where=_MARKED,
            sqlite_where=_MARKED,
        ),
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
    # of boards of errors, where `correct` is empty: their mean per repeat {"1": [0.4, …], …}
    errors: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    # these once more, as `columns.pack` writes them: a ranking reads a million of them
    counts: Mapped[bytes | None] = mapped_column(LargeBinary, default=_counts, deferred=True)
    not_finite: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    # the most of these in one repeat; null where every logit was finite
    not_finite_most: Mapped[int | None] = mapped_column(default=_most)
    # by true and predicted class, as `confusion.pack` writes it; null where it was not kept
    confusion: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)
    # of a clean cell: how sure the defense is of each target, as `margins.pack` writes it; null
    # where it was not kept
    margins: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)
    hits_sha256: Mapped[str | None] = mapped_column(String(64))  # blob of packed hits
    # where half of the board's targets is hidden, everything above is of the public half alone, and
    # this of the other: {"correct": …, "total": …}; read only once a season is over
    hidden: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True), deferred=True)
    probe: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))  # `probes.Probe`
    evaluator_version: Mapped[int | None]
    device: Mapped[str | None] = mapped_column(String(80))
    seconds: Mapped[float | None]
    versions: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))

    defense: Mapped[Submission] = relationship(foreign_keys=[defense_id])
    attack: Mapped[Submission | None] = relationship(foreign_keys=[attack_id])


@event.listens_for(CellRow, "before_update")
def _count_again(_mapper: object, _connection: object, row: CellRow) -> None:
    """Keep what is reckoned from the result that of the result."""
    changed = inspect(row).attrs
    if changed.correct.history.has_changes() or changed.errors.history.has_changes():
        row.counts = _packed(row.correct, row.total, row.errors)
    if changed.not_finite.history.has_changes():
        row.not_finite_most = _most_of(row.not_finite)


class Reevaluation(Base):
    """Cells of one board computed once more, beside those that the board shows.

    proposed: nothing is computed yet.  running: shadow cells wait or run.  ready: none does.
    applied, cancelled: final.
    """

    __tablename__ = "reevaluations"
    __table_args__ = (
        CheckConstraint(one_of("state", REEVALUATION_STATES), name="state"),
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
    host: Mapped[str | None] = mapped_column(String(80))  # on whose data the service proposed it
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
