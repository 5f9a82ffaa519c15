"""Answers kept in memory, each worked out by one request while the others wait for it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Memory(Generic[K, V]):
    """The values of at most ``most`` keys; the least recently used goes first.

    A key names everything that its value depends on, so no value grows old.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: OrderedDict[K, Future[V]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: K, make: Callable[[], V], release: Callable[[], object]) -> V:
        """The value of a key; where there is none, ``make`` is called by one thread.

        The others call ``release``, which gives back what they should not hold while they wait.
        An error is theirs too, and is not remembered.
        """
        with self._lock:
            known = self._known.get(key)
            ours = known is None
            if known is None:
                known = self._known[key] = Future()
                while len(self._known) > self._most:
                    self._known.popitem(last=False)
            else:
                self._known.move_to_end(key)
        if not ours:
            if not known.done():
                release()
            return known.result()
        try:
            known.set_result(make())
        except BaseException as error:
            with self._lock:
                if self._known.get(key) is known:
                    del self._known[key]
            known.set_exception(error)
        return known.result()
