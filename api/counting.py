"""How often somebody has asked lately: counted in Redis where that is the broker, else here."""

from __future__ import annotations

import asyncio
import logging
import math
import time

from limits import RateLimitItem
from limits.aio.storage import MemoryStorage, RedisStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter
from redis.asyncio import BlockingConnectionPool
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

#: A Redis that takes longer is taken to be away; seconds.
PATIENCE = 0.5

#: For so many seconds it is not asked again: this process counts alone.
REST = 10.0

_PREFIX = "grb-rate"
_CONNECTIONS = 8  # of one process; a question takes less than a millisecond


class Counting:
    """Sliding windows of requests, shared by all processes of the API as long as Redis answers."""

    def __init__(self, broker_url: str) -> None:
        self._here = SlidingWindowCounterRateLimiter(MemoryStorage())
        self._pool: BlockingConnectionPool | None = None
        self._shared: SlidingWindowCounterRateLimiter | None = None
        self._away_until = 0.0  # of the monotonic clock
        if broker_url.startswith("redis"):
            self._pool = BlockingConnectionPool.from_url(
                broker_url,
                socket_connect_timeout=PATIENCE,
                socket_timeout=PATIENCE,
                retry=Retry(NoBackoff(), 0),
                protocol=2,  # one exchange less before the first question
                max_connections=_CONNECTIONS,
                timeout=PATIENCE,
            )
            storage = RedisStorage(
                f"async+{broker_url}",
                implementation="redispy",
                key_prefix=_PREFIX,
                connection_pool=self._pool,  # type: ignore[arg-type]
            )
            self._shared = SlidingWindowCounterRateLimiter(storage)

    async def hit(self, rate: RateLimitItem, *who: str) -> int | None:
        """Count a request; None where it is within the rate, else the seconds until one is.

        A Redis that is away refuses nobody and holds nobody up.
        """
        if self._shared is not None and time.monotonic() >= self._away_until:
            try:
                async with asyncio.timeout(PATIENCE):
                    return await _hit(self._shared, rate, *who)
            except (RedisError, OSError, TimeoutError) as error:
                self._rest(error)
        return await _hit(self._here, rate, *who)

    def _rest(self, error: Exception) -> None:
        """Ask no more for a while; of many requests that find Redis away, one says so."""
        if time.monotonic() >= self._away_until:
            text = "requests are counted in this process only, Redis is away: %s"
            log.warning(text, str(error) or type(error).__name__)
        self._away_until = time.monotonic() + REST

    async def close(self) -> None:
        """Give the connections back."""
        if self._pool is not None:
            await self._pool.disconnect()


async def _hit(
    limiter: SlidingWindowCounterRateLimiter, rate: RateLimitItem, *who: str
) -> int | None:
    if await limiter.hit(rate, *who):
        return None
    free = await limiter.get_window_stats(rate, *who)
    return max(1, math.ceil(free.reset_time - time.time()))
