"""Evaluators that wait for work, so that their imports are over when they are needed."""

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
    """At most one child of ``make`` that waits for its first work, and one that rests from it."""

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
        """The one that rests, else the one that stands by, where there is one; else a new one."""
        while (child := self._remove()) is not None:
            if child.alive():
                return child
            child.close()
        return self._make()

    def keep(self, child: Child) -> None:
        """Let a child that has done its work rest until there is more; `take` gives it first."""
        usable = child.rest()
        with self._lock:
            if usable and self._rested is None:
                self._rested = child
                return
        child.close()

    def prepare(self) -> None:
        """Have one stand by."""
        with self._lock:
            child = self._child
        if child is not None and not child.alive():
            log.warning("an evaluator ended while it stood by; the next one starts with its work")
            with self._lock:
                self._child = None
            child.close()
            self._not_before = time.monotonic() + RESPITE
        elif child is None and time.monotonic() >= self._not_before:
            child = self._make()
            with self._lock:
                self._child = child

    def close(self) -> None:
        """End those that wait."""
        while (child := self._remove()) is not None:
            child.close()

    def _remove(self) -> Child | None:
        child: Child | None
        with self._lock:
            if self._rested is not None:
                child, self._rested = self._rested, None
            else:
                child, self._child = self._child, None
        return child
