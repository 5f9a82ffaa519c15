"""Waiting for somebody else, by a clock that notices when it was we who slept.

A process that is stopped, or whose machine sleeps, wakes up with every deadline behind it and
answers unread.  That time was nobody's fault.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from threading import Event, current_thread

log = logging.getLogger(__name__)

#: A wait is cut into slices of so many seconds.
SLICE = 1.0

#: A slice that took so much longer than it should was a pause of this process; seconds.
SLACK = 2.0


class Stopwatch:
    """How long something took, pauses of the process and of the machine included."""

    def __init__(self) -> None:
        self._begun = time.monotonic(), time.time()

    def passed(self) -> float:
        """Seconds since it was made; a clock that the machine's sleep stopped is overruled."""
        return max(time.monotonic() - self._begun[0], time.time() - self._begun[1])


def was_paused(asked: float, passed: float) -> bool:
    """Whether a wait of ``asked`` seconds that took ``passed`` held a pause of this process."""
    return passed > asked + SLACK


def left_after(left: float, asked: float, passed: float) -> float:
    """What is left of a wait after a slice of it, of which a pause does not count.

    After a pause at least one more slice is left, as what came meanwhile was not read yet.
    """
    if was_paused(asked, passed):
        return max(left - asked, SLICE)
    return left - passed


def every(first: float, seconds: float, action: Callable[[bool], None], stopping: Event) -> None:
    """Act again and again until ``stopping``, the first time after ``first`` seconds.

    ``action`` is told whether the wait before it held a pause of this process.
    """
    pause, watch = first, Stopwatch()
    while not stopping.wait(pause):
        slept = was_paused(pause, watch.passed())
        pause = seconds
        try:
            action(slept)
        except Exception:  # the outermost frame of its thread
            log.exception("%s: unexpected error", current_thread().name)
        watch = Stopwatch()
