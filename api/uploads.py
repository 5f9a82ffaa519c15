"""Receiving a form with one file: capped and hashed while it arrives, never held in memory.

The framework's own form parser would spool a body of any size to disk before a route sees it.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING
from uuid import uuid4

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import Request

from api.errors import ApiError, field, full, unavailable
from api.schemas import ViolationOut
from grbcore.files import lacks_room

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

log = logging.getLogger(__name__)

#: What the fields and the framing of a form may add to the file's bytes.
SLACK = 256 * 1024

#: A client that sends nothing for this many seconds is given up.
PATIENCE = 60.0

_FIELD_BYTES = 100_000  # of one field: 20,000 characters of any script
_MOST_PARTS = 32

Cap = Callable[[Mapping[str, str]], int]


@dataclass(frozen=True, slots=True)
class Received:
    """A form that has arrived: its fields, and the file on disk with its hash."""

    fields: dict[str, str]
    file: Path
    sha256: str
    size: int


@contextmanager
def temporary(folder: Path) -> Iterator[IO[bytes]]:
    """A file in ``folder`` that is gone afterwards, whatever happens.

    It is not buffered: what it took is written, and closing it writes nothing more.
    """
    path = folder / f"upload-{uuid4().hex}"
    try:
        with _written():
            folder.mkdir(parents=True, exist_ok=True)
            file = open(path, "xb", buffering=0, opener=_private)  # noqa: SIM115
        with file:
            yield file
    finally:
        path.unlink(missing_ok=True)


def remove_abandoned(folder: Path, seconds: float) -> None:
    """Remove what killed processes left of uploads, which take ``seconds`` at most."""
    for file in folder.glob("upload-*"):
        with suppress(FileNotFoundError):  # it has just ended
            if time.time() - file.stat().st_mtime > seconds + 10 * PATIENCE:
                file.unlink()
                log.info("%s was left behind by an upload: it was removed", file.name)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


@contextmanager
def _written() -> Iterator[None]:
    """Turn a disk's trouble into an answer."""
    try:
        yield
    except OSError as error:
        log.error("an upload can't be written: %s", error)
        raise (full if lacks_room(error) else unavailable)("disk") from None


async def receive_form(
    request: Request, into: IO[bytes], *, cap: Cap, most: int, seconds: float
) -> Received:
    """Read a multipart body, writing its ``file`` part to ``into``.

    Args:
        request: nothing of its body may have been read.
        into: an empty temporary file.
        cap: the greatest number of bytes of the file, given the fields that have arrived.
        most: the greatest that ``cap`` may give; a longer body is refused before it is read.
        seconds: the whole body must have arrived within these.

    Raises:
        ApiError: 408, 413, 415, 422, 503 or 507, as soon as it is known.
    """
    _check_length(request, most)
    form = _Form(into, cap)
    total = 0
    try:
        parser = MultipartParser(_boundary(request), form.callbacks())
        async for chunk in _patiently(request.stream(), seconds):
            total += len(chunk)
            if total > most + SLACK:
                raise too_large(most, "any board")
            parser.write(chunk)
        parser.finalize()
    except FormParserError as error:
        raise ApiError(422, "form", f"the form can't be read: {error}") from None
    if not form.ended:
        raise ApiError(422, "form", "the form is cut short: it lacks its last boundary")
    return form.finish()


def too_large(most: int, which: str = "this board") -> ApiError:
    """413: the file is larger than its board takes, or any where it is not known yet."""
    return ApiError(
        413,
        "too-large",
        f"the file is larger than {which} takes: at most {most} bytes",
        [ViolationOut(code="size", place="file", found="more", allowed=f"at most {most} bytes")],
        headers={"Connection": "close"},
    )


def _check_length(request: Request, most: int) -> None:
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length) > most + SLACK:
        raise too_large(most, "any board")


def _boundary(request: Request) -> bytes:
    kind, options = parse_options_header(request.headers.get("content-type"))
    boundary = options.get(b"boundary", b"")
    if kind != b"multipart/form-data" or not boundary:
        shown = request.headers.get("content-type", "nothing")[:100]
        raise ApiError(
            415,
            "media-type",
            f"content type: found {shown}, allowed: multipart/form-data with a boundary",
        )
    return boundary


async def _patiently(chunks: AsyncIterator[bytes], seconds: float) -> AsyncIterator[bytes]:
    clock = asyncio.get_running_loop().time
    deadline = clock() + seconds
    while True:
        left = deadline - clock()
        try:
            chunk = await asyncio.wait_for(anext(chunks), max(0.0, min(PATIENCE, left)))
        except StopAsyncIteration:
            return
        except TimeoutError:
            late = left <= PATIENCE
            message = (
                f"the upload did not arrive within {seconds:g} s"
                if late
                else f"nothing arrived for {PATIENCE:g} s"
            )
            raise ApiError(408, "timeout", message, headers={"Connection": "close"}) from None
        yield chunk


class _Form:
    """The parser's callbacks: text parts become fields, the file part goes to disk."""

    def __init__(self, into: IO[bytes], cap: Cap) -> None:
        self._into = into
        self._cap = cap
        self._hash = hashlib.sha256()
        self._size = 0
        self._most = 0
        self._files = 0
        self._parts = 0
        self._fields: dict[str, str] = {}
        self._header = (bytearray(), bytearray())
        self._disposition = b""
        self._name = ""
        self._value = bytearray()
        self._is_file = False
        self.ended = False

    def callbacks(self) -> MultipartCallbacks:
        return {
            "on_part_begin": self._part_begin,
            "on_header_begin": self._header_begin,
            "on_header_field": lambda data, start, end: self._header[0].extend(data[start:end]),
            "on_header_value": lambda data, start, end: self._header[1].extend(data[start:end]),
            "on_header_end": self._header_end,
            "on_headers_finished": self._headers_finished,
            "on_part_data": self._part_data,
            "on_part_end": self._part_end,
            "on_end": self._end,
        }

    def finish(self) -> Received:
        """What arrived.

        Raises:
            ApiError: 422 where there is no file, or an empty one; 413 where it exceeds the cap
                that all the fields together give.
        """
        if not self._files:
            raise field("body/file", "nothing", "one file")
        if not self._size:
            raise field("body/file", "an empty file", "a file with content")
        most = self._cap(self._fields)
        if self._size > most:
            raise too_large(most)
        return Received(self._fields, Path(self._into.name), self._hash.hexdigest(), self._size)

    def _part_begin(self) -> None:
        self._parts += 1
        if self._parts > _MOST_PARTS:
            raise field("body", f"more than {_MOST_PARTS} parts", "each field once and one file")
        self._disposition = b""
        self._value = bytearray()

    def _header_begin(self) -> None:
        self._header = (bytearray(), bytearray())

    def _header_end(self) -> None:
        if bytes(self._header[0]).lower() == b"content-disposition":
            self._disposition = bytes(self._header[1])

    def _headers_finished(self) -> None:
        _kind, options = parse_options_header(self._disposition.decode("latin-1"))
        self._name = options.get(b"name", b"").decode("utf-8", "replace")
        self._is_file = b"filename" in options or self._name == "file"
        if self._is_file and self._name != "file":
            raise field(f"body/{self._name[:40]}", "a file", "the file in the field named file")
        if self._is_file:
            self._most = self._cap(self._fields)
            self._files += 1
            if self._files > 1:
                raise field("body/file", "two files", "one file")
        elif self._name in self._fields:
            raise field(f"body/{self._name[:40]}", "the field twice", "each field once")

    def _part_data(self, data: bytes, start: int, end: int) -> None:
        if not self._is_file:
            self._value += data[start:end]
            if len(self._value) > _FIELD_BYTES:
                found = f"more than {_FIELD_BYTES} bytes"
                raise field(f"body/{self._name[:40]}", found, "a shorter text")
            return
        self._size += end - start
        if self._size > self._most:
            raise too_large(self._most)
        piece = memoryview(data)[start:end]
        self._hash.update(piece)
        with _written():
            while piece:
                piece = piece[self._into.write(piece) :]

    def _part_end(self) -> None:
        if not self._is_file:
            self._fields[self._name] = self._text()

    def _text(self) -> str:
        place = f"body/{self._name[:40]}"
        if 0 in self._value:
            raise field(place, "a NUL character", "text without one")
        try:
            return self._value.decode("utf-8")
        except UnicodeDecodeError:
            raise field(place, "bytes", "text in UTF-8") from None

    def _end(self) -> None:
        self.ended = True
