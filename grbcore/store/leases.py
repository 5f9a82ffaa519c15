"""How long work may be held, and how one tells that its holder is there."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_

from grbcore.store.tables import WorkerRow

#: How long a lease lasts; how often its holder extends it.
LEASE = timedelta(seconds=45)
HEARTBEAT = timedelta(seconds=10)

#: The codes of a try whose worker was lost, and of one that ran out of time.
LOST, TIME_LIMIT = "lease-expired", "time-limit"

#: Why a try ended whose worker was lost.
SILENT = "its worker ended or gave no sign of life"


def is_alive(now: datetime) -> ColumnElement[bool]:
    """Whether a worker was heard of within one lease."""
    return and_(WorkerRow.stopped_at.is_(None), WorkerRow.heartbeat_at >= now - LEASE)


def too_long(seconds: float) -> str:
    """Why a try ended that ran out of time."""
    return f"found more than {seconds:g} s of computation, allowed: at most {seconds:g} s"
