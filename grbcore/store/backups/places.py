"""What lies where in a folder of backups."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

_NAME = re.compile(r"\d{8}T\d{6}\.\d{6}Z")
_DIGEST = re.compile("[0-9a-f]{64}")


class BackupError(ValueError):
    """A backup that can't be made or restored; the text says what was found and is allowed."""


class Account(BaseModel):
    """What a backup says of itself, in ``backup.json``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal[1] = 1
    at: AwareDatetime
    kind: Literal["sqlite", "postgresql"]
    revision: Annotated[str, Field(max_length=32)]  # of the tables
    database_sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    blobs: int
    lost: tuple[str, ...]  # blobs that the service itself had lost


@dataclass(frozen=True, slots=True)
class Backup:
    """One backup."""

    folder: Path

    @property
    def name(self) -> str:
        """Its time."""
        return self.folder.name

    @property
    def database(self) -> Path:
        """A copy of the SQLite file, or what pg_dump wrote."""
        return self.folder / "database"

    def account(self) -> Account:
        """What it says of itself.

        Raises:
            BackupError: it can't be read.
        """
        path = self.folder / "backup.json"
        try:
            return Account.model_validate_json(path.read_bytes())
        except (OSError, ValidationError) as error:
            reason = str(error).splitlines()[0]
            raise BackupError(f"{path}: found {reason}, allowed: a whole backup") from None

    def write(self, account: Account, digests: list[str]) -> None:
        """Write what belongs to the database beside it."""
        (self.folder / "blobs.txt").write_text("".join(f"{one}\n" for one in digests))
        (self.folder / "backup.json").write_text(account.model_dump_json(indent=1) + "\n")

    def digests(self) -> Iterator[str]:
        """The blobs that belong to it, in order.

        Raises:
            BackupError: the list is damaged.
        """
        path = self.folder / "blobs.txt"
        with path.open() as file:
            for line in file:
                digest = line.rstrip("\n")
                if not _DIGEST.fullmatch(digest):
                    raise BackupError(f"{path}: found {digest[:80]!r}, allowed: SHA-256 hashes")
                yield digest


def backups(folder: Path) -> list[Backup]:
    """Every whole backup of a folder, the oldest first."""
    if not folder.is_dir():
        return []
    found = (path for path in folder.iterdir() if _NAME.fullmatch(path.name) and path.is_dir())
    return [Backup(path) for path in sorted(found, key=lambda path: path.name)]


def place(folder: Path, at: datetime) -> Path:
    """The folder of a backup of this time."""
    return folder / at.strftime("%Y%m%dT%H%M%S.%fZ")


def blob_path(folder: Path, digest: str) -> Path:
    """Where the backups of a folder keep a blob."""
    return folder / "blobs" / digest[:2] / digest
