"""Restoring a backup into an empty database."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from grbcore.files import sha256_of
from grbcore.store import migrate
from grbcore.store.backups.dumps import kind_of, load, require_empty
from grbcore.store.backups.places import Backup, BackupError, backups, blob_path
from grbcore.store.blobs import Blobs

Progress = Callable[[int, int], None]  # blobs that are stored, and of how many


@dataclass(frozen=True, slots=True)
class Restored:
    """A backup that was restored."""

    backup: Backup
    blobs: int
    lost: tuple[str, ...]  # blobs that rows need and the backup can't give


def restore(
    url: str,
    blobs: Blobs,
    folder: Path,
    name: str | None = None,
    *,
    progress: Progress = lambda done, total: None,
) -> Restored:
    """Store the blobs of a backup, the newest by default, then its database, then migrate that.

    A blob that the backup can't give is told at the end: its entry is restored without it.

    Raises:
        BackupError: there is no such backup, it is damaged, of another kind of database or of a
            newer version, or the database is not empty.
    """
    backup = _find(folder, name)
    account = backup.account()
    if account.kind != kind_of(url):
        raise BackupError(
            f"{backup.name}: found a backup of {account.kind}, allowed: {kind_of(url)}; "
            "grb board export and import move a board between the two"
        )
    if not migrate.known(account.revision):
        raise BackupError(
            f"{backup.name}: found tables of revision {account.revision}, allowed: at most "
            f"{migrate.newest()}; restore it with the version that made it, or a later one"
        )
    found = sha256_of(backup.database)
    if found != account.database_sha256:
        raise BackupError(
            f"{backup.database}: found bytes of SHA-256 {found}, allowed: {account.database_sha256}"
        )
    require_empty(url)
    lost = []
    for done, digest in enumerate(backup.digests()):
        progress(done, account.blobs)
        path = blob_path(folder, digest)
        if path.is_file() and sha256_of(path) == digest:
            blobs.put_file(path, digest)
        else:
            lost.append(digest)
    progress(account.blobs, account.blobs)
    load(url, backup.database)
    migrate.upgrade(url)
    return Restored(backup, account.blobs - len(lost), tuple(lost))


def _find(folder: Path, name: str | None) -> Backup:
    found = backups(folder)
    if not found:
        raise BackupError(f"{folder}: found no backup, allowed: what grb admin backup wrote")
    if name is None:
        return found[-1]
    chosen = [backup for backup in found if backup.name == name]
    if not chosen:
        names = ", ".join(backup.name for backup in found[-5:])
        raise BackupError(f"--at: found {name!r}, allowed: {names}")
    return chosen[0]
