"""Files that were rejected some days ago are removed, so that nobody fills the disk with them."""

from __future__ import annotations

import logging
import threading

from grbcore.store.blobs import Blobs
from grbcore.store.rejected import sweep
from grbcore.store.session import Sessions, now

log = logging.getLogger(__name__)

#: How often it looks.
SECONDS = 600.0


class Sweeper:
    """Looks in a thread of its own; beside others of its kind each takes other entries."""

    def __init__(
        self, sessions: Sessions, blobs: Blobs, keep_days: float, seconds: float = SECONDS
    ) -> None:
        self._sessions = sessions
        self._blobs = blobs
        self._keep_days = keep_days
        self._seconds = seconds
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sweeper", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self) -> None:
        """Look no more; a round that hangs is left behind."""
        self._stop.set()
        self._thread.join(1.0)

    def _run(self) -> None:
        while not self._stop.wait(self._seconds):
            try:
                count = sweep(self._sessions, self._blobs, self._keep_days, now())
            except Exception as error:  # the outermost frame of this thread
                log.warning("rejected files could not be removed: %s", error)
                continue
            if count:
                log.info("the files of %d rejected entries are removed", count)
