"""Files that nobody will remove any more: scratch folders, and copies of remote files."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Collection
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from grbcore.settings import Settings
from grbcore.store.blobs import forget_unused
from grbcore.store.session import Sessions
from grbcore.store.workers import unstopped

log = logging.getLogger(__name__)

#: A scratch folder is used for one batch; seconds.
ABANDONED = 24 * 3600.0

#: A copy of a remote file that nothing asks for is kept so long: an entry may have been deleted.
CACHED = timedelta(days=1)

#: How often it is looked after; seconds.
PERIOD = 3600.0


def sweep(settings: Settings, sessions: Sessions, now: datetime) -> None:
    """Remove copies that nothing asks for, and what workers of this folder that are gone left."""
    count = forget_unused(settings.cache_dir, now - CACHED)
    if count:
        log.info("%d cached files that nothing asked for were removed", count)
    with sessions.reading() as session:
        owners = unstopped(session)
    remove_abandoned(settings.scratch_dir, owners, now.timestamp())


def remove_abandoned(folder: Path, owners: Collection[str], now: float) -> None:
    """Remove what lies in the folder of scratch folders for a day and is of none of these workers.

    Beside their folders there are files that boards were imported from.

    ``owners`` are workers of any host, ``host/pid/uuid``; ``now`` in seconds since 1970.  A
    container that is made anew has another name than the one before it, which left them.
    """
    kept = tuple("-".join(owner.split("/")[:2]) + "-" for owner in owners)
    for left in folder.glob("*"):
        with suppress(OSError):  # gone, or another's: the rest is looked at
            old = now - left.stat().st_mtime > ABANDONED
            ours = left.is_dir() or left.name.startswith("import-")
            if not (old and ours) or left.name.startswith(kept):
                continue
            log.info("removing %s, left behind", left.name)
            if left.is_dir():
                shutil.rmtree(left, ignore_errors=True)
            else:
                left.unlink()
