"""Evaluators at rest, so that their imports are over when one is needed."""

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
    """At most one child of ``make`` that waits for its first work, and one that has worked."""

    def __init__(self, make: Callable[[], Child]) -> None:
        self._make = make
        self._lock = Lock()
        self._child: Child | None = None
        self._rested: Child | None = None
        self._not_before = 0.0  # of the monotonic clock

    @property
    def pid(self) -> int | None:
        """The process id of the one that stands by."""
        with self._lock:
            return None if self._child is None else self._child.pid

    def take(self) -> Child:
        """One that has rested, or the one that stands by, where there is one; else a new one."""
        for remove in (self._remove_rested, self._remove):
            child = remove()
            if child is not None and child.alive():
                return child
            if child is not None:
                child.close()
        return self._make()

    def keep(self, child: Child) -> bool:
        """Let a child that has worked rest; False where it can't work again."""
        with self._lock:
            if self._rested is not None or not child.rest():
                return False
            self._rested = child
        return True

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
        """End those that there are."""
        for child in (self._remove_rested(), self._remove()):
            if child is not None:
                child.close()

    def _remove_rested(self) -> Child | None:
        with self._lock:
            child, self._rested = self._rested, None
        return child

    def _remove(self) -> Child | None:
        with self._lock:
            child, self._child = self._child, None
        return child
