"""Fetching a registered dataset: in pieces if need be, and never taken on trust."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import httpx

from grbcore import catalog
from grbcore.catalog import DatasetEntry
from grbcore.datasets.reading import FILES, DatasetError
from grbcore.datasets.records import expected, origin
from grbcore.files import sha256_of

#: Told of each piece: the file, the bytes that are here, and all of them where that is known.
Progress = Callable[[str, int, int | None], None]

MAX_BYTES = 8 << 30
TIMEOUT = httpx.Timeout(30.0, connect=10.0)
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")


#: Refuses a file that has arrived, or that is here: told where it lies and where it goes.
Verify = Callable[[Path, Path], None]


class FetchError(DatasetError):
    """A file could not be fetched; the message says why and how to place it by hand."""


def fetch(
    name: str,
    folder: Path,
    *,
    mirror: str | None = None,
    progress: Progress | None = None,
    attempts: int = 4,
    pause: float = 1.0,
) -> tuple[Path, ...]:
    """Fetch the files of a dataset into ``folder``; those that are there are kept.

    They are four below ``folder / name``; where whole graphs are judged see `fetch_graphs`.  A
    fetch that was cut off goes on where it stopped (HTTP ranges).  A file takes its name only
    when its hash is the published one, or the one that `checking.differences` recorded before.

    Args:
        name: a registered dataset.
        folder: the folder of datasets.
        mirror: an address that serves ``{mirror}/{name}/{file}.npz``; the catalog's otherwise.
        progress: told of each piece.
        attempts: how often a file is tried when the connection or the server fails.
        pause: seconds before the second attempt, doubled for each further one.

    Raises:
        KeyError: no such dataset.
        FetchError: no address, no answer, or another file than expected.
    """
    entry = catalog.dataset(name)
    if entry.graphs:
        from grbcore.graphlevel.fetching import fetch_graphs  # it needs this module

        return fetch_graphs(
            entry, folder, mirror=mirror, progress=progress, attempts=attempts, pause=pause
        )
    paths = tuple(folder / name / f"{file}.npz" for file in FILES)
    with httpx.Client(timeout=TIMEOUT, follow_redirects=True) as client:
        for path in paths:
            if not path.exists():
                address = _address(entry, path.stem, mirror, folder)
                advice = by_hand(name, folder)
                download = Download(client, address, path, progress, advice, partial(_verify, name))
                download.run(attempts, pause)
            _verify(name, path, path)
    return paths


def by_hand(name: str, folder: Path) -> str:
    """Where the files go when they are placed by hand, and what their hashes must be."""
    if catalog.dataset(name).graphs:
        from grbcore.graphlevel.fetching import graphs_by_hand  # it needs this module

        return graphs_by_hand(catalog.dataset(name), folder)
    known = expected(name)
    lines = [f"Place these four files by hand in {(folder / name).absolute()}:"]
    for file in FILES:
        lines.append(f"  {file}.npz  SHA-256 {known.get(file, 'not published; recorded at first')}")
    lines.append("or name a mirror: GRB_MIRROR serves {mirror}/" + name + "/{file}.npz")
    return "\n".join(lines)


def _address(entry: DatasetEntry, file: str, mirror: str | None, folder: Path) -> str:
    if mirror:
        return f"{mirror.rstrip('/')}/{entry.name}/{file}.npz"
    if entry.address is None:
        raise FetchError(
            f"{entry.name}: found no address (the published ones no longer answer).\n"
            + by_hand(entry.name, folder)
        )
    return entry.address.format(file=file)


def _verify(name: str, path: Path, final: Path) -> None:
    """Check the hash of a file that is here, or that has arrived and is to take its place."""
    sha256, known = sha256_of(path), expected(name).get(final.stem)
    if known in (None, sha256):
        return
    wrong = f"found SHA-256 {sha256}, allowed: {known} ({origin(name, final.stem)})"
    if path == final:
        raise FetchError(f"{final}: {wrong}; remove the file to fetch it again")
    path.unlink()
    raise FetchError(f"{final.name} as served: {wrong}")


class Download:
    """One file on its way: what has arrived is kept beside it as ``.part``.

    ``verify`` raises where what has arrived is another file, and removes it.
    """

    def __init__(
        self,
        client: httpx.Client,
        address: str,
        path: Path,
        progress: Progress | None,
        advice: str,
        verify: Verify,
    ) -> None:
        self.client = client
        self.address = address
        self.path = path
        self.part = path.with_name(f"{path.name}.part")
        self.tag = path.with_name(f"{path.name}.part.tag")  # which version of the file it is
        self.progress = progress
        self.advice = advice
        self.verify = verify

    def run(self, attempts: int, pause: float) -> None:
        """Fetch it, trying so often, with so many seconds between the first two tries.

        Raises:
            FetchError: no answer, or another file than expected.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        for attempt in range(1, attempts + 1):
            try:
                self._attempt()
                break
            except (httpx.InvalidURL, httpx.UnsupportedProtocol, httpx.TooManyRedirects) as error:
                raise FetchError(f"{self.address}: {error}.\n{self.advice}") from None
            except (httpx.TransportError, _ServerError) as error:
                if attempt == attempts:
                    found = f"{type(error).__name__}: {error}".rstrip(": ")
                    tried = f"{attempts} attempts, the last one: {found}"
                    raise FetchError(f"{self.address}: {tried}.\n{self.advice}") from None
                time.sleep(pause * 2 ** (attempt - 1))
        self.tag.unlink(missing_ok=True)
        self.verify(self.part, self.path)
        self.part.replace(self.path)

    def _attempt(self) -> None:
        have = self.part.stat().st_size if self.part.exists() else 0
        headers = {"Accept-Encoding": "identity"}
        if have:
            headers["Range"] = f"bytes={have}-"
            if self.tag.exists():
                headers["If-Range"] = self.tag.read_text("utf-8")
        with self.client.stream("GET", self.address, headers=headers) as response:
            if response.status_code == 416 and have:
                # nothing after what we have: either all of it is here, or it is another file
                if response.headers.get("Content-Range") != f"bytes */{have}":
                    self.part.unlink()
                    raise _ServerError("the file changed while it was fetched")
                return
            self._refuse(response)
            span = _RANGE.fullmatch(response.headers.get("Content-Range", ""))
            goes_on = response.status_code == 206 and span is not None and int(span[1]) == have
            if response.status_code == 206 and not goes_on:
                self.part.unlink(missing_ok=True)
                raise _ServerError("an answer to another range than asked for")
            self._note_version(response)
            self._receive(response, have if goes_on else 0)

    def _refuse(self, response: httpx.Response) -> None:
        status = response.status_code
        if status >= 500 or status == 429:
            raise _ServerError(f"HTTP {status}")
        if status not in (200, 206):
            raise FetchError(f"{self.address}: found HTTP {status}.\n{self.advice}")

    def _note_version(self, response: httpx.Response) -> None:
        tag = response.headers.get("ETag", "")
        if tag.startswith('"'):  # a weak one can't be asked for
            self.tag.write_text(tag, "utf-8")
        elif response.status_code == 200:
            self.tag.unlink(missing_ok=True)

    def _receive(self, response: httpx.Response, have: int) -> None:
        length = response.headers.get("Content-Length")
        total = have + int(length) if length and length.isdigit() else None
        with self.part.open("ab" if have else "wb") as file:
            for piece in response.iter_raw():
                file.write(piece)
                have += len(piece)
                if have > MAX_BYTES:
                    raise FetchError(f"{self.address}: found more than {MAX_BYTES} bytes")
                if self.progress is not None:
                    self.progress(self.path.name, have, total)


class _ServerError(Exception):
    """An answer that may be another one if asked again."""
