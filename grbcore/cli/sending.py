"""Sending a large file in parts: over lost connections, and from where an earlier try stopped."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import httpx
from rich.console import Console
from rich.filesize import decimal
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

from grbcore.cli.interruption import told_when_interrupted
from grbcore.files import sha256_of

#: Bytes of one request: what a proxy has to take, and what it loses where it buffers.
PART = 8 * 1024 * 1024

#: Seconds before each try in a row that brings nothing; after the last one it is given up.
WAITS = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 30.0, 30.0)

_CHUNK = 64 * 1024
#: Answers after which the server is asked how far it is: what they tell of passes.
_PASSING = (408, 423, 500, 502, 503, 504)
_PASSING_CONFLICTS = ("offset", "interrupted", "elsewhere")
_TYPE = "application/offset+octet-stream"


def columns() -> tuple[TextColumn, BarColumn, DownloadColumn, TransferSpeedColumn]:
    """What the bar of an upload shows."""
    return TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn()


def send(
    client: httpx.Client, file: Path, fields: dict[str, str], console: Console
) -> httpx.Response:
    """Bring a file to the server; the answer is its submission, 200 where it was there before.

    The server keeps what arrived for a day: after Ctrl-C, or after it was given up, the same
    command goes on.

    Raises:
        httpx.HTTPStatusError: the server refuses it.
        httpx.TransportError: the server could not be reached in any of the tries.
    """
    with Progress(*columns(), console=console, transient=True) as bar:
        return _Sending(client, file, bar).run(fields)


class _Sending:
    """One file on its way."""

    def __init__(self, client: httpx.Client, file: Path, bar: Progress) -> None:
        self._client = client
        self._file = file
        self._size = file.stat().st_size
        self._bar = bar
        self._task = bar.add_task(file.name, total=self._size)
        self._path = ""
        self._offset = 0  # what the server has
        self._until = ""
        self._vain = 0  # tries in a row that brought nothing

    def run(self, fields: dict[str, str]) -> httpx.Response:
        said = {**fields, "sha256": sha256_of(self._file)}
        with told_when_interrupted(self._kept):
            begun = self._begin(said)
            if begun.status_code == 200:
                return begun
            upload = begun.json()
            self._path = f"/uploads/{upload['id']}"
            self._until = f"{datetime.fromisoformat(upload['expires_at']):%Y-%m-%d %H:%M} UTC"
            self._reached(int(begun.headers["Upload-Offset"]))
            if self._offset:
                self._say(f"going on after {decimal(self._offset)} of {decimal(self._size)}")
            return self._bring_all()

    def _begin(self, said: dict[str, str]) -> httpx.Response:
        length = {"Upload-Length": str(self._size)}
        while True:
            try:
                answer = self._client.post("/uploads", json=said, headers=length)
            except httpx.TransportError as error:
                self._wait(error)
                continue
            if answer.status_code in (502, 503, 504):
                self._wait(_failed(answer))
                continue
            return answer.raise_for_status()

    def _bring_all(self) -> httpx.Response:
        lost = False
        while True:
            try:
                if lost:
                    self._ask()
                    lost = False
                answer = self._bring()
            except httpx.TransportError as error:
                self._wait(error)
                lost = True
                continue
            if _passes(answer):
                self._wait(_failed(answer))
                lost = True
                continue
            answer.raise_for_status()
            if answer.status_code != 204:
                return answer
            self._reached(int(answer.headers["Upload-Offset"]))

    def _ask(self) -> None:
        """Learn how far the server is."""
        answer = self._client.head(self._path)
        if answer.status_code == 200:
            self._reached(int(answer.headers["Upload-Offset"]))
        elif answer.status_code in (404, 410, 422):  # it has ended; an answer to HEAD has no body
            self._client.patch(self._path, headers=_head(self._size, 0)).raise_for_status()
        else:
            raise httpx.RemoteProtocolError(f"the server answered {answer.status_code}")

    def _bring(self) -> httpx.Response:
        """One part; its answer is the submission where it was the last."""
        length = min(PART, self._size - self._offset)
        headers = _head(self._offset, length)
        return self._client.patch(self._path, content=self._read(length), headers=headers)

    def _read(self, length: int) -> Iterator[bytes]:
        with self._file.open("rb") as file:
            file.seek(self._offset)
            while length:
                piece = file.read(min(_CHUNK, length))
                if not piece:
                    raise OSError(f"{self._file}: found fewer bytes than when it was begun")
                length -= len(piece)
                self._bar.advance(self._task, len(piece))
                yield piece

    def _reached(self, offset: int) -> None:
        if offset > self._offset:
            self._vain = 0
        self._offset = offset
        self._bar.update(self._task, completed=offset)

    def _wait(self, error: httpx.HTTPError) -> None:
        if self._vain >= len(WAITS):
            if self._path:
                self._say(self._kept())
            raise error
        seconds = WAITS[self._vain] * random.uniform(0.75, 1.25)
        self._vain += 1
        answer = error.response if isinstance(error, httpx.HTTPStatusError) else None
        asked = (answer.headers.get("Retry-After", "") if answer is not None else "")[:3]
        if asked.isdecimal():
            seconds = max(seconds, min(float(asked), 60.0))
        reason = f"{answer.status_code}" if answer is not None else str(error)
        self._say(f"{reason or type(error).__name__}; trying again in {seconds:.0f} s")
        time.sleep(seconds)

    def _kept(self) -> str:
        if not self._path:
            return "nothing was sent yet"
        return (
            f"the server keeps {decimal(self._offset)} of {decimal(self._size)} until "
            f"{self._until}: the same command goes on from there"
        )

    def _say(self, text: str) -> None:
        self._bar.console.print(text, highlight=False, markup=False, soft_wrap=True)


def _head(offset: int, length: int) -> dict[str, str]:
    return {
        "Upload-Offset": str(offset),
        "Content-Type": _TYPE,
        "Content-Length": str(length),
        "Prefer": "return=representation",
    }


def _passes(answer: httpx.Response) -> bool:
    if answer.status_code == 409:
        try:
            return answer.json()["code"] in _PASSING_CONFLICTS
        except (ValueError, KeyError, TypeError):
            return False
    return answer.status_code in _PASSING


def _failed(answer: httpx.Response) -> httpx.HTTPStatusError:
    return httpx.HTTPStatusError(
        f"the server answered {answer.status_code}", request=answer.request, response=answer
    )
