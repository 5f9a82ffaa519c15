"""Requests that bring a part of an upload: whatever arrives is kept, however they end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

from fastapi.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request

from api import uploads
from api.errors import ApiError, unavailable
from api.incoming import Part
from api.tus import Checksum
from grbcore.files import lacks_room

log = logging.getLogger(__name__)

#: Bytes that are written at a time, in a thread.
PIECE = 256 * 1024

#: Under this key of a request's state is what of its body arrived, and nobody asked for, before its
#: connection was lost.
REST = "grb.rest"

#: A request that is told to end may take so long to put away what it has; seconds.
_SETTLE = 5.0


class Transfer:
    """One request that brings a part."""

    def __init__(self) -> None:
        self.ended = asyncio.Event()
        self.told_to_end = ""  # why
        self._clock: asyncio.Timeout | None = None

    def end(self, why: str) -> None:
        """Have it read no more."""
        self.told_to_end = why
        if self._clock is not None:
            with suppress(RuntimeError):  # it has run out at this moment
                self._clock.reschedule(asyncio.get_running_loop().time())

    async def next(self, chunks: AsyncIterator[bytes], seconds: float) -> bytes | None:
        """The next bytes of the body, None at its end.

        Raises:
            TimeoutError: nothing came, or the request is to `end`.
        """
        if self.told_to_end:
            raise TimeoutError
        try:
            async with asyncio.timeout(seconds) as self._clock:
                return await anext(chunks, None)
        finally:
            self._clock = None


class Transfers:
    """The requests of this process that bring parts, by upload."""

    def __init__(self) -> None:
        self._running: dict[str, Transfer] = {}

    @contextmanager
    def running(self, upload_id: str) -> Iterator[Transfer]:
        """One that has the upload's file."""
        transfer = self._running[upload_id] = Transfer()
        try:
            yield transfer
        finally:
            transfer.ended.set()
            if self._running.get(upload_id) is transfer:
                del self._running[upload_id]

    async def end(self, upload_id: str) -> None:
        """End the one that runs, if any: its client has come back, and its connection may not know
        yet that it is lost."""
        transfer = self._running.get(upload_id)
        if transfer is None:
            return
        transfer.end("another request asked for this upload")
        try:
            await asyncio.wait_for(transfer.ended.wait(), _SETTLE)
        except TimeoutError:
            log.info("upload %s: the request that brings it is still busy", upload_id)

    def end_all(self) -> None:
        """End all of them, as the service stops; what they brought is there when it is back."""
        for transfer in list(self._running.values()):
            transfer.end("the service stops")


class _Sink(Protocol):
    def append(self, data: bytes) -> None: ...


async def receive(
    request: Request, transfer: Transfer, into: _Sink, *, room: int, seconds: float
) -> None:
    """Append the body as it arrives.  Whatever is raised, what arrived before is appended.

    Args:
        request: nothing of its body may have been read.
        transfer: ends it early.
        into: where the bytes go.
        room: the most bytes that it may bring.
        seconds: it must have ended within these.

    Raises:
        ApiError: 408 silent, 409 slow or ended by another request, 413 more than ``room``, 503 or
            507 the disk; ClientDisconnect: the connection was lost.
    """
    clock = asyncio.get_running_loop().time
    deadline = clock() + seconds
    chunks = request.stream()
    held = bytearray()
    try:
        while True:
            left = deadline - clock()
            try:
                chunk = await transfer.next(chunks, max(0.0, min(uploads.PATIENCE, left)))
            except TimeoutError:
                raise _ended(transfer, late=left <= uploads.PATIENCE, seconds=seconds) from None
            except ClientDisconnect:
                held += request.scope.get("state", {}).get(REST, b"")[:room]
                raise
            if chunk is None:
                return
            room -= len(chunk)
            if room < 0:
                held.clear()
                raise beyond()
            held += chunk
            if len(held) >= PIECE:
                data = bytes(held)
                held.clear()
                await _write(into, data)
    finally:
        if held:
            await _write(into, bytes(held))


async def receive_checked(
    request: Request,
    transfer: Transfer,
    part: Part,
    checksum: Checksum,
    *,
    room: int,
    seconds: float,
) -> None:
    """As `receive`, but nothing is appended unless all of it arrived and hashes to ``checksum``.

    Raises:
        ApiError: 460 for other bytes.
    """
    folder = part.path.parent.parent
    with uploads.temporary(folder) as file:
        side = _Hashed(file.write, checksum)
        await receive(request, transfer, side, room=room, seconds=seconds)
        if side.hash.digest() != checksum.digest:
            raise ApiError(
                460,
                "checksum",
                f"Upload-Checksum: the body does not have this {checksum.algorithm}; it was given "
                "up: send it again",
            )
        with disk():
            await run_in_threadpool(part.append_file, Path(file.name))


class _Hashed:
    """A file and the hash of what it was given."""

    def __init__(self, write: Callable[[memoryview], int], checksum: Checksum) -> None:
        self._write = write
        self.hash = checksum.new()

    def append(self, data: bytes) -> None:
        self.hash.update(data)
        rest = memoryview(data)
        while rest:
            rest = rest[self._write(rest) :]


def beyond() -> ApiError:
    """413: the body goes beyond the length that was announced."""
    return ApiError(
        413,
        "too-large",
        "the body is longer than what is missing: found more bytes than Upload-Length announced; "
        "what this request brought was given up",
        headers={"Connection": "close"},
    )


@contextmanager
def disk() -> Iterator[None]:
    """Turn a disk's trouble into an answer."""
    try:
        yield
    except OSError as error:
        log.error("an upload can't be written: %s", error)
        if lacks_room(error):
            raise ApiError(
                507,
                "disk-full",
                "the disk of this service is full; what arrived before is kept: go on later",
                headers={"Retry-After": "60", "Connection": "close"},
            ) from None
        raise unavailable("disk") from None


async def _write(into: _Sink, data: bytes) -> None:
    with disk():
        await run_in_threadpool(into.append, data)


def _ended(transfer: Transfer, *, late: bool, seconds: float) -> ApiError:
    """Why it was ended; clients of tus try again after 409, and not after 408."""
    close = {"Connection": "close"}
    why = transfer.told_to_end
    if late and not why:
        why = f"the request did not end within {seconds:g} s"
    if why:
        message = f"{why}; what arrived is kept: go on from there"
        return ApiError(409, "interrupted", message, headers=close)
    message = f"nothing arrived for {uploads.PATIENCE:g} s; what arrived before is kept"
    return ApiError(408, "timeout", message, headers=close)
