"""Making a backup while the service runs."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from grbcore.files import sha256_of
from grbcore.store.backups.dumps import dump, kind_of, still_needed
from grbcore.store.backups.places import (
    Account,
    Backup,
    BackupError,
    backups,
    blob_path,
    place,
)
from grbcore.store.blobs import BlobError, Blobs

Progress = Callable[[int, int], None]  # blobs that are looked at, and of how many

_TRIES = 5


@dataclass(frozen=True, slots=True)
class Made:
    """A backup that was made."""

    backup: Backup
    blobs: int
    copied: int  # blobs that no earlier backup had
    lost: tuple[str, ...]  # blobs that rows need and the service itself can't read


def make(
    url: str,
    blobs: Blobs,
    folder: Path,
    now: datetime,
    *,
    verify: bool = False,
    progress: Progress = lambda done, total: None,
) -> Made:
    """Copy the database, then the blobs that its rows need and that the folder lacks.

    In this order nothing is missing: a blob is stored before its row is committed, and is never
    changed.  It may be removed, though, where its entry is deleted while the backup runs; then the
    database is copied once more.  With ``verify`` blobs of earlier backups are read and, where
    they are damaged, copied again.

    The backup appears in the folder as a whole or not at all.

    Raises:
        BackupError: another backup runs, or the database can't be copied.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    target = place(folder, now)
    partial = folder / f".{target.name}.partial"
    with _alone(folder):
        for left in folder.glob(".*.partial"):  # by one that was killed
            shutil.rmtree(left)
        for _ in range(_TRIES):
            try:
                partial.mkdir(mode=0o700)
                found = dump(url, partial / "database")
                copied, missing = _copy(blobs, folder, found.needed, verify, progress)
                lost = still_needed(url, missing) if missing else set()
                if lost != missing:
                    continue  # an entry was deleted meanwhile: the copy still has it
                account = Account(
                    at=now,
                    kind=kind_of(url),
                    revision=found.revision,
                    database_sha256=sha256_of(partial / "database"),
                    blobs=len(found.needed),
                    lost=tuple(sorted(lost)),
                )
                Backup(partial).write(account, found.needed)
                os.sync()  # the copies are on the disk before they are called a backup
                partial.rename(target)
                return Made(Backup(target), len(found.needed), copied, account.lost)
            finally:
                shutil.rmtree(partial, ignore_errors=True)
    raise BackupError(
        f"blobs: found entries deleted during each of {_TRIES} tries, allowed: a quieter moment"
    )


def prune(folder: Path, keep: int) -> tuple[int, int]:
    """Remove all but the newest backups, and the blobs that none of those needs; how many of each.

    Files of entries that were deleted are gone with the last backup that has them.
    """
    with _alone(folder):
        found = backups(folder)
        old, kept = found[:-keep], found[-keep:]
        needed = {bytes.fromhex(digest) for backup in kept for digest in backup.digests()}
        for backup in old:
            shutil.rmtree(backup.folder)
        unneeded = [
            path
            for path in (folder / "blobs").glob("??/*")
            if len(path.name) == 64 and bytes.fromhex(path.name) not in needed
        ]
        for path in unneeded:
            path.unlink()
    return len(old), len(unneeded)


def _copy(
    blobs: Blobs, folder: Path, needed: Sequence[str], verify: bool, progress: Progress
) -> tuple[int, set[str]]:
    """Copy what the folder lacks: how many, and which blobs can't be read."""
    copied = 0
    missing: set[str] = set()
    for done, digest in enumerate(needed):
        progress(done, len(needed))
        path = blob_path(folder, digest)
        if path.is_file() and (not verify or sha256_of(path) == digest):
            continue
        try:
            blobs.fetch(digest, path)
            copied += 1
        except BlobError:
            missing.add(digest)
    progress(len(needed), len(needed))
    return copied, missing


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One process at a time works on a folder of backups."""
    with (folder / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BackupError(
                f"{folder}: found another backup that runs, allowed: one at a time"
            ) from None
        yield
