"""The files of uploads that arrive in parts: one each, held by one request at a time.

The lock is the kernel's (flock): it holds between the processes of a host, and ends with the
process that held it.  How large a file is says how many bytes have arrived, whatever was noted
elsewhere before a crash.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from grbcore.store.tables import new_id

_PREFIX = "part-"
_PLACE = "place"


class Held(Exception):
    """Another request has the file."""


class Part:
    """The bytes of one upload that have arrived, as long as this request holds them."""

    def __init__(self, descriptor: int, path: Path) -> None:
        self._descriptor = descriptor
        self.path = path

    def lock(self) -> None:
        """Have the file alone; raises Held."""
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Held from None
        if not os.fstat(self._descriptor).st_nlink:  # removed by who had it before
            raise Held

    def close(self) -> None:
        """Let others have the file."""
        os.close(self._descriptor)

    @property
    def size(self) -> int:
        """How many bytes have arrived."""
        return os.fstat(self._descriptor).st_size

    def append(self, data: bytes) -> None:
        """Write at the end.

        Raises:
            OSError: the disk took only a part of it, or nothing; what it took stays.
        """
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]

    def append_file(self, file: Path) -> None:
        """Write what another file holds at the end; raises as `append`."""
        with file.open("rb") as source:
            while piece := source.read(1024 * 1024):
                self.append(piece)

    def cut(self, size: int) -> None:
        """Give up what is beyond this size."""
        os.ftruncate(self._descriptor, size)

    def sync(self) -> None:
        """Return once the bytes survive a loss of power."""
        os.fsync(self._descriptor)

    def remove(self) -> None:
        """Take the file away."""
        self.path.unlink(missing_ok=True)


class Incoming:
    """A folder of such files, known by an id that stays with it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def place(self) -> str:
        """The folder's id, made with it: two hosts with the same id share the folder."""
        known = self.folder / _PLACE
        with suppress(FileNotFoundError):
            return known.read_text("ascii")
        self.folder.mkdir(parents=True, exist_ok=True)
        made = self.folder / f".{_PLACE}-{uuid4().hex}"
        try:
            made.write_text(new_id(), "ascii")
            with suppress(FileExistsError):
                os.link(made, known)  # whole or not at all, and the first one's
        finally:
            made.unlink(missing_ok=True)
        return known.read_text("ascii")

    def free(self) -> int:
        """Bytes of room on the disk."""
        return shutil.disk_usage(self.folder).free

    def hold(self, upload_id: str) -> Part:
        """The file of an upload, empty where there is none yet, until it is closed.

        Raises:
            Held: another request has it.
            OSError: the disk refuses.
        """
        path = self.folder / f"{_PREFIX}{upload_id}"
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        part = Part(os.open(path, flags, 0o600), path)
        try:
            part.lock()
        except BaseException:
            part.close()
            raise
        return part

    def size(self, upload_id: str) -> int:
        """How many bytes of an upload have arrived, whoever holds its file."""
        try:
            return (self.folder / f"{_PREFIX}{upload_id}").stat().st_size
        except FileNotFoundError:
            return 0

    def ids(self) -> list[str]:
        """The uploads that have a file here."""
        return [path.name.removeprefix(_PREFIX) for path in self.folder.glob(f"{_PREFIX}*")]
