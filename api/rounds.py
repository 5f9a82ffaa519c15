"""What the API does by itself, again and again: each kind in a thread of its own."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence

log = logging.getLogger(__name__)


class Rounds:
    """Takes these steps every so many seconds; one that fails is no reason to leave another out."""

    def __init__(self, name: str, seconds: float, steps: Sequence[Callable[[], object]]) -> None:
        self._name = name
        self._seconds = seconds
        self._steps = steps
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin; the first round comes after the first pause."""
        self._thread.start()

    def stop(self) -> None:
        """Begin no further round; one that hangs is left behind."""
        self._stop.set()
        self._thread.join(1.0)

    def _run(self) -> None:
        while not self._stop.wait(self._seconds):
            for step in self._steps:
                try:
                    step()
                except Exception as error:  # the outermost frame of this thread
                    log.warning("the %s could not do its work: %s", self._name, error)
