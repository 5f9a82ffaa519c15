"""What was found in the database a moment ago, so that not each of many readers asks it again."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import Lock
from typing import Any, TypeVar

T = TypeVar("T")

#: What was found answers everybody for so long; seconds.
MOMENT = 0.25


@dataclass(frozen=True, slots=True)
class _Look:
    begun: float  # monotonic
    found: Any


class Looks:
    """The last look at each of at most ``most`` things; the oldest goes.

    What it found is good for a `MOMENT`, or for ``seconds`` if fewer; 0 looks each time.  Whoever
    changes something through this process sees it at once.
    """

    def __init__(self, seconds: float, most: int = 256) -> None:
        self._seconds = min(seconds, MOMENT)
        self._most = most
        self._looks: OrderedDict[Hashable, _Look] = OrderedDict()
        self._lock = Lock()
        self._written = 0.0  # when this process changed something last; monotonic

    def written(self) -> None:
        """This process has changed something: what was found before is no longer told."""
        with self._lock:
            self._written = time.monotonic()
            self._looks.clear()

    def get(self, thing: Hashable, look: Callable[[], T], *, fresh: bool = False) -> T:
        """What ``look`` finds, or found a moment ago unless ``fresh``."""
        begun = time.monotonic()
        with self._lock:
            last = self._looks.get(thing)
        if last is not None and not fresh and begun - last.begun < self._seconds:
            found: T = last.found
            return found
        found = look()
        with self._lock:
            last = self._looks.get(thing)
            if begun > self._written and (last is None or last.begun < begun):
                self._looks[thing] = _Look(begun, found)  # nobody looked or wrote later
                self._looks.move_to_end(thing)
            while len(self._looks) > self._most:
                self._looks.popitem(last=False)
        return found
