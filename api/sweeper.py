"""Files that were rejected some days ago are removed, so that nobody fills the disk with them."""

from __future__ import annotations

import logging

from grbcore.store.blobs import Blobs
from grbcore.store.rejected import sweep
from grbcore.store.session import Sessions, now

log = logging.getLogger(__name__)

#: How often they are looked for.
SECONDS = 600.0


def remove_rejected(sessions: Sessions, blobs: Blobs, keep_days: float) -> None:
    """Remove them; of several that do so at once each takes other entries."""
    count = sweep(sessions, blobs, keep_days, now())
    if count:
        log.info("the files of %d rejected entries are removed", count)
