"""How many uploads run at once, each with a file on the disk and a connection; how many sheets."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from threading import Lock

from api.errors import ApiError

#: An upload waits so many seconds for its turn; its body is not read before.
PATIENCE = 10.0


class Slots:
    """Turns of uploads, in all and of each user, in this process."""

    def __init__(self, total: int, each: int, patience: float = PATIENCE) -> None:
        self._total = total
        self._each = each
        self._patience = patience
        self._running: Counter[str] = Counter()
        self._changed = asyncio.Condition()

    @asynccontextmanager
    async def taken(self, user_id: str) -> AsyncIterator[None]:
        """A turn of this user's, for as long as the block lasts.

        Raises:
            ApiError: 429 where this user's other uploads do not end, 503 where those of all don't.
        """
        try:
            async with asyncio.timeout(self._patience), self._changed:
                await self._changed.wait_for(lambda: self._is_free(user_id))
                self._running[user_id] += 1
        except TimeoutError:
            raise self._refusal(user_id) from None
        try:
            yield
        finally:
            self._running[user_id] -= 1
            self._running += Counter()  # without those that have none
            async with self._changed:
                self._changed.notify_all()

    def _is_free(self, user_id: str) -> bool:
        return self._running[user_id] < self._each and self._running.total() < self._total

    def _refusal(self, user_id: str) -> ApiError:
        headers = {"Retry-After": str(int(self._patience) or 1)}
        mine = self._running[user_id]
        if mine >= self._each:
            text = f"uploads at once: found {mine} of yours, allowed: {self._each}"
            return ApiError(429, "uploads-at-once", text, headers=headers)
        text = f"uploads at once: found {self._running.total()}, allowed: {self._total}"
        return ApiError(503, "busy", f"{text}; please try again later", headers=headers)


class Sheets:
    """How many files that take long are being written at once, in this process."""

    def __init__(self, most: int = 4) -> None:
        self._most = most
        self._running = 0
        self._lock = Lock()

    def ask(self) -> None:
        """Whether one more may begin; those that ask at the same moment all may.

        Raises:
            ApiError: 503 where too many are being written.
        """
        if self._running >= self._most:
            text = f"whole matrices at once: found {self._running}, allowed: {self._most}"
            raise ApiError(
                503, "busy", f"{text}; please try again later", headers={"Retry-After": "10"}
            )

    def counted(self, lines: Iterator[str]) -> Iterator[str]:
        """The lines; from the first to the last, or until nobody asks any more, it counts."""
        with self._lock:
            self._running += 1
        try:
            yield from lines
        finally:
            with self._lock:
                self._running -= 1
