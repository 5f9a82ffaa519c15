"""How many uploads run at once: each holds a file on the disk and a connection."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

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
