"""Work whose worker is gone goes back to the queue, also while no worker is there to see to it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence

from grbcore.store.recovery import overdue, reap
from grbcore.store.session import Sessions, now

log = logging.getLogger(__name__)


class Reaper:
    """Looks every so many seconds, as each worker does; on Postgres one of all does the work."""

    def __init__(
        self, sessions: Sessions, seconds: float, also: Sequence[Callable[[], None]] = ()
    ) -> None:
        self._sessions = sessions
        self._steps = (self._look, *also)
        self._seconds = seconds
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="reaper", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self) -> None:
        """Look no more; a round that hangs is left behind."""
        self._stop.set()
        self._thread.join(1.0)

    def _run(self) -> None:
        while not self._stop.wait(self._seconds):
            for step in self._steps:
                try:
                    step()
                except Exception as error:  # the outermost frame of this thread
                    log.warning("the reaper could not look: %s", error)

    def _look(self) -> None:
        with self._sessions.reading() as session:
            if not overdue(session, now()):
                return
        with self._sessions.writing() as session:
            count = reap(session, now())
        if count:
            log.info("reaper: %d leases or submissions put right", count)
