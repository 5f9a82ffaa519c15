"""Files by the SHA-256 of their bytes, in a local folder or in an S3-compatible store."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING
from urllib.parse import unquote, urlsplit
from uuid import uuid4

import obstore
from obstore.exceptions import BaseError
from obstore.store import LocalStore, ObjectStore, from_url

from grbcore.files import lacks_room, sha256_of

if TYPE_CHECKING:
    from obstore.store import ClientConfig, RetryConfig

_CHUNK = 1024 * 1024
_NO_BUCKET = "<Code>NoSuchBucket</Code>"
_DIGEST = re.compile("[0-9a-f]{64}")


class BlobError(Exception):
    """A blob that is missing, or whose bytes are not those of its name."""


class BlobsAway(Exception):
    """The store does not answer now; nothing is known of the blob, and nothing was stored."""


class BlobsFull(BlobsAway):
    """The store has no room left; nothing was stored."""


#: How long a remote store may be silent: a connection is tried three times, 3 s each, so that
#: who waits for an answer is soon told that there is none.
_TIMES: ClientConfig = {"connect_timeout": "3s", "timeout": "60s"}
_TRIES: RetryConfig = {"max_retries": 2, "retry_timeout": timedelta(seconds=10)}

_PROBE = "probe"  # a few bytes of a remote store that show that it can be written


def forget_unused(cache: Path, before: datetime) -> int:
    """Remove copies of blobs that `Blobs.local` has not given since; how many that was."""
    return _remove_older(cache, "*/*", before)


def _remove_older(folder: Path, pattern: str, before: datetime) -> int:
    count = 0
    for path in folder.glob(pattern):
        try:
            if path.stat().st_mtime < before.timestamp():
                path.unlink()
                count += 1
        except FileNotFoundError:  # another process was quicker
            continue
    return count


class Blobs:
    """A store of files, each under ``<first two digits>/<sha256>``.

    What is intact is never written again; what is damaged or gone is replaced, as a whole, when
    the same bytes are stored once more.  A file appears with all its bytes or not at all.

    ``url`` is ``file:///folder`` or ``s3://bucket/prefix``; for S3 the usual ``AWS_…`` variables
    name the region, the endpoint and the keys.
    """

    def __init__(self, url: str) -> None:
        address = urlsplit(url)
        if address.scheme not in ("file", "s3"):
            raise ValueError(f"blob store: found {url!r}, allowed: file:///… or s3://…")
        self._folder: Path | None = None
        self._store: ObjectStore
        if address.scheme == "file":
            self._folder = Path(unquote(address.path))
            self._folder.mkdir(parents=True, exist_ok=True)
            self._store = LocalStore(self._folder)
        else:
            plain = os.environ.get("AWS_ENDPOINT_URL", "").startswith("http://")
            self._store = from_url(
                url, client_options={"allow_http": plain, **_TIMES}, retry_config=_TRIES
            )

    def put_file(self, path: Path, sha256: str) -> None:
        """Store the file ``path``, whose hash is ``sha256``.

        The bytes are complete and readable when this returns.

        Raises:
            BlobsAway: the store can't be written now; BlobsFull: because it has no room.
        """
        with path.open("rb") as file:
            self._store_unless_intact(sha256, file)

    def put_bytes(self, content: bytes) -> str:
        """Store these bytes; their SHA-256.  Raises as `put_file`."""
        sha256 = hashlib.sha256(content).hexdigest()
        self._store_unless_intact(sha256, BytesIO(content))
        return sha256

    def exists(self, sha256: str) -> bool:
        """Whether there is a blob of this name, damaged or not.

        Raises:
            BlobsAway: the store does not answer.
        """
        with _answering():
            try:
                obstore.head(self._store, _key(sha256))
            except FileNotFoundError:
                return False
        return True

    def remove(self, digests: Collection[str]) -> None:
        """Remove these blobs; one that is gone already is no fault.

        Raises:
            BlobsAway: the store can't be written now; some of them may be left.
        """
        keys = [_key(sha256) for sha256 in digests]
        with _answering():
            if self._folder is None:
                obstore.delete(self._store, keys)
                return
            for key in keys:
                (self._folder / key).unlink(missing_ok=True)

    def remove_halves(self, before: datetime) -> int:
        """Remove what those left who were killed while they stored a file; how many that was.

        Raises:
            BlobsAway: the store can't be written now.
        """
        if self._folder is None:  # such a store has whole files only
            return 0
        with _answering():
            return _remove_older(self._folder, f"*/.{'[0-9a-f]' * 64}.*", before)

    def stored(self) -> Iterator[tuple[str, datetime]]:
        """Every blob, damaged ones too, and when it was written; in no order.

        Raises:
            BlobsAway: the store does not answer.
        """
        with _answering():
            for found in obstore.list(self._store):
                for item in found:
                    digest = item["path"].rpartition("/")[2]
                    if _DIGEST.fullmatch(digest) and item["path"] == _key(digest):
                        yield digest, item["last_modified"]

    def stream(self, sha256: str) -> Iterator[bytes]:
        """The bytes of a blob in chunks, for sending on.

        Raises:
            BlobError: no such blob; or, after the last chunk, its bytes are not those of its name.
            BlobsAway: the store does not answer, or no longer.
        """
        key = _key(sha256)
        with _answering():
            yield from self._verified(sha256, self._open(key, sha256))

    def read(self, sha256: str) -> bytes:
        """The bytes of a small blob.

        Raises:
            BlobError: no such blob, or its bytes are not those of its name.
            BlobsAway: the store does not answer.
        """
        return b"".join(self.stream(sha256))

    def fetch(self, sha256: str, to: Path) -> None:
        """Write a blob to the file ``to``, which appears only once its hash is verified.

        Raises:
            BlobError: no such blob, or its bytes are not those of its name.
            BlobsAway: the store does not answer.
        """
        chunks = self.stream(sha256)
        to.parent.mkdir(parents=True, exist_ok=True)
        partial = to.with_name(f".{to.name}.{uuid4().hex}")
        try:
            with partial.open("wb") as file:
                file.writelines(chunks)
            partial.replace(to)
        finally:
            partial.unlink(missing_ok=True)

    def local(self, sha256: str, cache: Path) -> Path:
        """A verified file with a blob's bytes: its own in a local store, else one in ``cache``.

        Raises:
            BlobError: no such blob, or its bytes are not those of its name.
            BlobsAway: the store does not answer.
        """
        with _answering():
            return self._local(_key(sha256), sha256, cache)

    def _local(self, key: str, sha256: str, cache: Path) -> Path:
        if self._folder is not None:
            if not self._folder.is_dir():
                raise BlobsAway(f"the blob store does not answer: no folder {self._folder.name}")
            path = self._folder / key
            if not path.is_file():
                raise BlobError(f"blob {sha256}: no such blob")
            if (found := sha256_of(path)) != sha256:
                raise BlobError(f"blob {sha256}: found bytes of SHA-256 {found}")
            return path
        path = cache / key
        if not path.is_file() or sha256_of(path) != sha256:
            self.fetch(sha256, path)
        os.utime(path)  # used now
        return path

    def check(self) -> None:
        """Write a few bytes and read them back, for a readiness check.

        Raises:
            BlobsAway: that failed; BlobsFull: because there is no room.
        """
        content = uuid4().hex.encode()
        with _answering():
            if self._folder is None:
                obstore.put(self._store, _PROBE, content)
                obstore.get(self._store, _PROBE).bytes()  # another process may have written it
                return
            probe = self._folder / f".{_PROBE}-{content.decode()}"
            try:
                _write(probe, BytesIO(content))
                if (found := probe.read_bytes()) != content:
                    raise BlobsAway(f"the blob store: found {found!r}, not what was written")
            finally:
                probe.unlink(missing_ok=True)

    def _open(self, key: str, sha256: str) -> Iterable[bytes]:
        try:
            found = obstore.get(self._store, key)
        except FileNotFoundError as error:
            if _NO_BUCKET in str(error):
                raise BlobsAway("the blob store does not answer: no such bucket") from None
            raise BlobError(f"blob {sha256}: no such blob") from None
        return (bytes(chunk) for chunk in found.stream(min_chunk_size=_CHUNK))

    def _store_unless_intact(self, sha256: str, content: IO[bytes]) -> None:
        key = _key(sha256)
        with _answering():
            if self._intact(sha256):
                return
            if self._folder is None:
                obstore.put(self._store, key, content)
                return
            target = self._folder / key
            target.parent.mkdir(exist_ok=True)  # not the folder itself: a disk may be missing
            partial = target.with_name(f".{sha256}.{uuid4().hex}")
            try:
                _write(partial, content)
                partial.replace(target)
            finally:
                partial.unlink(missing_ok=True)

    def _intact(self, sha256: str) -> bool:
        """Whether there is a blob of this name whose bytes are those of its name."""
        try:
            for _ in self.stream(sha256):
                pass
        except BlobError:
            return False
        return True

    @staticmethod
    def _verified(sha256: str, chunks: Iterable[bytes]) -> Iterator[bytes]:
        hasher = hashlib.sha256()
        for chunk in chunks:
            hasher.update(chunk)
            yield chunk
        if (found := hasher.hexdigest()) != sha256:
            raise BlobError(f"blob {sha256}: found bytes of SHA-256 {found}")


def _key(sha256: str) -> str:
    if not _DIGEST.fullmatch(sha256):
        raise ValueError(f"blob: found {sha256!r}, allowed: 64 hexadecimal digits")
    return f"{sha256[:2]}/{sha256}"


def _write(path: Path, content: IO[bytes]) -> None:
    """Write a new file down to the disk."""
    with path.open("xb") as file:
        shutil.copyfileobj(content, file, _CHUNK)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def _answering() -> Iterator[None]:
    """Turn what a store in trouble raises into `BlobsAway` or `BlobsFull`."""
    try:
        yield
    except (BaseError, OSError) as error:
        kind = BlobsFull if lacks_room(error) else BlobsAway
        raise kind(f"the blob store does not answer: {error}") from error
