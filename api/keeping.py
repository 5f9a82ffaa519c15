"""Boards are kept as they stand when a month begins; names that have to go leave what is kept."""

from __future__ import annotations

import logging

from grbcore import catalog
from grbcore.store import snapshots
from grbcore.store.blobs import Blobs
from grbcore.store.session import Sessions, now

log = logging.getLogger(__name__)


def look(sessions: Sessions, blobs: Blobs) -> None:
    """Make what is due; of several processes that do so at once one makes each snapshot."""
    for board in catalog.boards().values():
        made = snapshots.make_monthly(sessions, blobs, board, now())
        if made is not None:
            log.info("snapshot %s of %s: made", made, board.id)
    count = snapshots.reissue_all(sessions, blobs, now())
    if count:
        log.info("%d snapshots are issued anew, without names that had to go", count)
