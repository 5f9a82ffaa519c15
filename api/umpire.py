"""What the arena needs: first seasons begin, and duplicates are looked for where boards change."""

from __future__ import annotations

import logging
from collections import defaultdict

from grbcore.store import clusters, queries, seasons
from grbcore.store.blobs import Blobs
from grbcore.store.session import Sessions, now

log = logging.getLogger(__name__)


class Umpire:
    """Looks at every board in turn; remembers what it has read of their results."""

    def __init__(self, sessions: Sessions, blobs: Blobs) -> None:
        self._sessions = sessions
        self._blobs = blobs
        self._known: defaultdict[str, clusters.Known] = defaultdict(clusters.Known)

    def look(self) -> None:
        """Freeze references that are complete, and scan boards that changed since the last time."""
        with self._sessions.reading() as session:
            begun, boards = seasons.freezable(session), sorted(queries.board_rows(session))
        for board_id in begun:
            with self._sessions.writing() as session:
                if seasons.freeze(session, board_id, now()) is not None:
                    log.info("%s: its first season has begun, its references are frozen", board_id)
        for board_id in boards:
            clusters.scan(self._sessions, self._blobs, board_id, self._known[board_id], now())
