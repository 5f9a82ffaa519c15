"""An evaluator that stands by, so that its imports are over when it is needed."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from threading import Lock

from worker.child import Child

log = logging.getLogger(__name__)

#: After one that ended while it stood by, none is started beforehand for so long; seconds.
RESPITE = 30.0


class Standby:
    """At most one child of ``make`` that waits for its work."""

    def __init__(self, make: Callable[[], Child]) -> None:
        self._make = make
        self._lock = Lock()
        self._child: Child | None = None
        self._not_before = 0.0  # of the monotonic clock

    @property
    def pid(self) -> int | None:
        """The process id of the one that stands by."""
        with self._lock:
            return None if self._child is None else self._child.pid

    def take(self) -> Child:
        """The one that stands by where there is one, else a new one."""
        child = self._remove()
        if child is not None and child.alive():
            return child
        if child is not None:
            child.close()
        return self._make()

    def prepare(self) -> None:
        """Have one stand by."""
        with self._lock:
            child = self._child
        if child is not None and not child.alive():
            log.warning("an evaluator ended while it stood by; the next one starts with its work")
            self._remove()
            child.close()
            self._not_before = time.monotonic() + RESPITE
        elif child is None and time.monotonic() >= self._not_before:
            child = self._make()
            with self._lock:
                self._child = child

    def close(self) -> None:
        """End the one that stands by."""
        child = self._remove()
        if child is not None:
            child.close()

    def _remove(self) -> Child | None:
        with self._lock:
            child, self._child = self._child, None
        return child
