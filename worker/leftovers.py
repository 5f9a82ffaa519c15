"""Scratch folders that nobody will remove any more."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

log = logging.getLogger(__name__)

#: A scratch folder is used for one batch; seconds.
ABANDONED = 24 * 3600.0


def remove_abandoned(folder: Path, owners: Collection[str], now: float) -> None:
    """Remove what lies in the folder of scratch folders for a day and is of none of these workers.

    ``owners`` are workers of any host, ``host/pid/uuid``; ``now`` in seconds since 1970.  A
    container that is made anew has another name than the one before it, which left them.
    """
    kept = tuple("-".join(owner.split("/")[:2]) + "-" for owner in owners)
    for left in folder.glob("*"):
        with suppress(FileNotFoundError):
            old = now - left.stat().st_mtime > ABANDONED
            if old and left.is_dir() and not left.name.startswith(kept):
                log.info("removing %s, left behind by a worker", left.name)
                shutil.rmtree(left, ignore_errors=True)
