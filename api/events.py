"""Streams of server-sent events: how far a submission is, told whenever it changes.

One task of the process reads all watched submissions together, once a second while there are any.
A stream that waits holds neither a session nor a thread.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextvars import Context
from dataclasses import dataclass

from fastapi.sse import KEEPALIVE_COMMENT, EventSourceResponse, format_sse_event
from starlette.types import Receive, Scope, Send

from api.errors import ApiError, not_found
from grbcore.store.progress import Watched
from grbcore.store.visibility import Viewer

log = logging.getLogger(__name__)

#: How often what is watched is read; seconds.
EVERY = 1.0

#: A stream on which nothing was told for so long says that it is there; seconds.
HEARTBEAT = 15.0

#: A stream ends after so long, and its client comes back as who it is then: its token may have been
#: revoked, or its session ended; seconds.
LASTS = 300.0

#: While it can't be read, it is tried again so often; seconds.
AGAIN = 5.0

#: A client whose stream broke comes back after so long; milliseconds.
RETRY = 3000

_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}

#: In a stamp: the end was told too.
_ENDED = "-end"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """How far a submission is, as JSON, and whether it goes no further."""

    data: str
    final: bool

    @property
    def stamp(self) -> str:
        """The same for the same snapshot, in every process."""
        return hashlib.sha256(self.data.encode()).hexdigest()[:16]


#: The snapshots that there are, of what is watched.
Read = Callable[[Collection[Watched]], Mapping[Watched, Snapshot]]


class Stream:
    """What one client is told of one submission: always the latest, so that none piles up."""

    def __init__(self, submission_id: str, viewer: Viewer = None) -> None:
        self.submission_id = submission_id
        self.viewer = viewer
        self.snapshot: Snapshot | None = None
        self.first: asyncio.Future[Snapshot] = asyncio.get_running_loop().create_future()
        self._over = False
        self._changed = asyncio.Event()

    def tell(self, snapshot: Snapshot | None) -> None:
        """Note what was read; None: there is no such submission for this viewer, or no more."""
        if snapshot is None:
            self.fail(not_found("submission", self.submission_id))
            return
        if not self.first.done():
            self.first.set_result(snapshot)
        if snapshot != self.snapshot:
            self.snapshot = snapshot
            self._changed.set()

    def fail(self, error: Exception) -> None:
        """End the stream; one that was not begun is refused with this error."""
        if not self.first.done():
            self.first.set_exception(error)
        self.stop()

    def stop(self) -> None:
        """Tell nothing more."""
        self._over = True
        self._changed.set()

    async def events(self, told: str | None) -> AsyncIterator[bytes]:
        """What changes, until nothing can or the stream has lasted long enough.

        ``told`` is the stamp of what the client knows.
        """
        clock = asyncio.get_running_loop()
        ends = clock.time() + LASTS
        yield format_sse_event(retry=RETRY)
        while not self._over and self.snapshot is not None:
            self._changed.clear()
            known = self.snapshot
            if known.stamp != told:
                told = known.stamp
                yield format_sse_event(event="progress", data_str=known.data, id=told)
            if known.final:
                yield format_sse_event(event="end", data_str=known.data, id=told + _ENDED)
                return
            while not self._changed.is_set():
                left = ends - clock.time()
                try:
                    await asyncio.wait_for(self._changed.wait(), max(0.0, min(HEARTBEAT, left)))
                except TimeoutError:
                    if left <= HEARTBEAT:
                        return
                    yield KEEPALIVE_COMMENT
            if clock.time() >= ends:
                return


class Streams:
    """The streams of this process, at most ``most`` at once, and the one task that reads."""

    def __init__(self, most: int, read: Read) -> None:
        self._most = most
        self._read = read
        self._streams: set[Stream] = set()
        self._asked = asyncio.Event()
        self._reading: asyncio.Task[None] | None = None
        self._ended = False

    def __len__(self) -> int:
        return len(self._streams)

    async def open(self, submission_id: str, viewer: Viewer = None) -> Stream:
        """A stream that knows how far its submission is; `close` ends it.

        Raises:
            ApiError: there is no such submission for this viewer, or there are too many streams.
            SQLAlchemyError: the database does not answer.
        """
        if self._ended or len(self._streams) >= self._most:
            raise _too_many(self._most)
        stream = Stream(submission_id, viewer)
        self._streams.add(stream)
        self._asked.set()
        if self._reading is None or self._reading.done():
            # a context of its own: what it logs is about no request
            self._reading = asyncio.create_task(self._run(), context=Context())
        try:
            await stream.first
        except BaseException:
            self.close(stream)
            raise
        return stream

    def close(self, stream: Stream) -> None:
        """Forget a stream."""
        self._streams.discard(stream)

    async def end(self) -> None:
        """End every stream; clients come back, to this process no more."""
        self._ended = True
        for stream in self._streams:
            stream.fail(_too_many(self._most))
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)

    async def _run(self) -> None:
        """Read newcomers at once, and everyone when it is time, while anyone is there."""
        clock = asyncio.get_running_loop()
        due, well = clock.time() + EVERY, True
        while self._streams:
            try:
                await asyncio.wait_for(self._asked.wait(), max(0.0, due - clock.time()))
            except TimeoutError:
                due = clock.time() + EVERY
                asked = set(self._streams)
            else:
                asked = {stream for stream in self._streams if stream.snapshot is None}
            self._asked.clear()
            try:
                found = await asyncio.to_thread(
                    self._read, {(stream.submission_id, stream.viewer) for stream in asked}
                )
            except Exception as error:  # the outermost frame of this task
                if well:
                    log.error("the progress of submissions can't be read: %s", error)
                well, due = False, clock.time() + AGAIN
                for stream in asked:
                    if stream.snapshot is None:
                        stream.fail(error)
                continue
            well = True
            for stream in asked:
                stream.tell(found.get((stream.submission_id, stream.viewer)))


class EventStream(EventSourceResponse):
    """The answer that a stream is; however it ends, the stream is closed."""

    def __init__(self, streams: Streams, stream: Stream, told: str | None) -> None:
        super().__init__(stream.events(told), headers=_HEADERS)
        self._streams = streams
        self._stream = stream

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._streams.close(self._stream)


def is_told(snapshot: Snapshot, stamp: str | None) -> bool:
    """Whether a client with this stamp knows everything that there will be."""
    return snapshot.final and stamp == snapshot.stamp + _ENDED


def _too_many(most: int) -> ApiError:
    message = f"found {most} open streams, allowed: at most {most} at once; ask for the submission"
    message += " itself now and then, or try again later"
    return ApiError(503, "streams", message, headers={"Retry-After": "10"})
