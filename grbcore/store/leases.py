"""How long work may be held, and how one tells that its holder is there."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_

from grbcore.store.tables import WorkerRow

#: How long a lease lasts; how often its holder extends it.
LEASE = timedelta(seconds=45)
HEARTBEAT = timedelta(seconds=10)


def is_alive(now: datetime) -> ColumnElement[bool]:
    """Whether a worker was heard of within one lease."""
    return and_(WorkerRow.stopped_at.is_(None), WorkerRow.heartbeat_at >= now - LEASE)
