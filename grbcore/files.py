"""Files by the hash of their bytes, and disks without room for them."""

from __future__ import annotations

import errno
import hashlib
from pathlib import Path

#: The code of an error that `lacks_room` explains.
DISK_FULL = "disk-full"


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, 64 hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def lacks_room(error: Exception) -> bool:
    """Whether a disk is full, or the user's share of it is."""
    return getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT)
