"""Work whose worker is gone goes back to the queue, also while no worker is there to see to it."""

from __future__ import annotations

import logging

from grbcore.store.recovery import overdue, reap
from grbcore.store.session import Sessions, now

log = logging.getLogger(__name__)


def look(sessions: Sessions) -> None:
    """Put right what is overdue, as each worker does; on Postgres one of all does the work."""
    with sessions.reading() as session:
        if not overdue(session, now()):
            return
    with sessions.writing() as session:
        count = reap(session, now())
    if count:
        log.info("reaper: %d leases or submissions put right", count)
