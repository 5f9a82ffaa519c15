"""Fetching a registered dataset: in pieces if need be, and never taken on trust."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import httpx

from grbcore import catalog
from grbcore.catalog import DatasetEntry
from grbcore.datasets.records import expected, wrong
from grbcore.files import sha256_of
from grbcore.folders import DatasetError, alone, remove_left
from grbcore.graphlevel import files, tu

#: Told of each piece: the file, the bytes that are here, and all of them where that is known.
Progress = Callable[[str, int, int | None], None]

MAX_BYTES = 8 << 30
TIMEOUT = httpx.Timeout(30.0, connect=10.0)
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")


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

    They are those of `DatasetEntry.path`.  A fetch that was cut off goes on where it stopped (HTTP
    ranges).  A file takes its name only when its hash is the published one, or the one that
    `checking.differences` recorded before.  The text of an archive of TUDataset is converted.  Of
    several processes that want a file one fetches it, and the others wait.

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
    paths = {file: folder / entry.path(file) for file in entry.files}
    with httpx.Client(timeout=TIMEOUT, follow_redirects=True) as client:
        for file, path in paths.items():
            if not path.exists():
                address, advice = _address(entry, file, mirror, folder), by_hand(name, folder)
                with alone(path.parent):
                    if not path.exists():  # else another process was first
                        most = files.MAX_BYTES if entry.graphs else MAX_BYTES
                        download = Download(client, address, path.parent, progress, advice, most)
                        _take(entry, file, download.run(attempts, pause), path, address)
            try:
                _hold(entry, file, path)
            except DatasetError as error:
                raise FetchError(f"{error}; remove the file to fetch it again") from None
    return tuple(paths.values())


def by_hand(name: str, folder: Path) -> str:
    """Where the files go when they are placed by hand, and what their hashes must be."""
    entry, known = catalog.dataset(name), expected(name)
    lines = ["Place by hand, as docs/datasets.md says:"]
    for file in entry.files:
        said = f"{entry.hashed} {known[file]}" if file in known else "no hash is published"
        lines.append(f"  {folder.absolute() / entry.path(file)}  {said}")
    lines.append("or name a mirror: GRB_MIRROR serves {mirror}/" + name + "/{file}.npz")
    return "\n".join(lines)


def _address(entry: DatasetEntry, file: str, mirror: str | None, folder: Path) -> str:
    if mirror:
        return f"{mirror.rstrip('/')}/{entry.name}/{file}.npz"
    if entry.address is None:
        raise FetchError(
            f"{entry.name}: found no address (docs/datasets.md says why).\n"
            + by_hand(entry.name, folder)
        )
    return entry.address.format(file=file)


def _take(entry: DatasetEntry, file: str, part: Path, path: Path, address: str) -> None:
    """Put what has arrived in its place, the text of an archive converted."""
    # another name, so that no fetch goes on with what was converted
    ready = part.with_suffix(".npz") if address.endswith(".zip") else part
    try:
        if ready != part:
            remove_left(ready.parent, f".{ready.name}-*")  # see `files.write`
            files.write(ready, *tu.read(part))
        _hold(entry, file, ready)
        ready.replace(path)
    except DatasetError as error:
        told = str(error).removeprefix(f"{part}: ").removeprefix(f"{ready}: ")  # neither stays
        raise FetchError(f"{entry.name}: {address} as served: {told}") from None
    finally:  # whatever it was: the next attempt must not go on with these bytes
        for left in (part, ready):
            left.unlink(missing_ok=True)


def _hold(entry: DatasetEntry, file: str, path: Path) -> None:
    """Raise a DatasetError where a file that is here, or has arrived, is another than expected."""
    sha256 = files.digest_of(*files.read(path)) if entry.graphs else sha256_of(path)
    if told := wrong(entry.name, file, path, sha256):
        raise DatasetError(told)


class Download:
    """One file on its way into ``folder``: what has arrived is kept there as ``.part``.

    More than ``most`` bytes are not taken.
    """

    def __init__(
        self,
        client: httpx.Client,
        address: str,
        folder: Path,
        progress: Progress | None,
        advice: str,
        most: int,
    ) -> None:
        self.client = client
        self.address = address
        self.name = address.rpartition("/")[2]
        self.part = folder / f"{self.name}.part"
        self.tag = folder / f"{self.name}.part.tag"  # which version of the file it is
        self.progress = progress
        self.advice = advice
        self.most = most

    def run(self, attempts: int, pause: float) -> Path:
        """Fetch it, trying so often, with so many seconds between the first two tries; ``.part``.

        Raises:
            FetchError: no answer.
        """
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
        return self.part

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
                if have > self.most:
                    for path in (self.part, self.tag):
                        path.unlink(missing_ok=True)
                    raise FetchError(f"{self.address}: found more than {self.most} bytes")
                if self.progress is not None:
                    self.progress(self.name, have, total)


class _ServerError(Exception):
    """An answer that may be another one if asked again."""
