"""Uploads in parts that nobody finished: their files go, and later what is known of them."""

from __future__ import annotations

import logging
from contextlib import closing, suppress
from datetime import timedelta

from api.incoming import Held, Incoming
from grbcore.store import uploads
from grbcore.store.session import Sessions, now

log = logging.getLogger(__name__)


def sweep(sessions: Sessions, incoming: Incoming, lasts: timedelta) -> None:
    """Remove files in this folder that belong to no upload that is open, and forget uploads that
    expired as long ago as one lasts: until then their owners are told what became of them."""
    moment = now()
    here = incoming.ids()
    with sessions.reading() as session:
        needed = uploads.still_open(session, here, moment) if here else set()
        old = uploads.forgettable(session, moment - lasts)
    for upload_id in sorted(set(here) - needed):
        with suppress(Held), closing(incoming.hold(upload_id)) as part:
            part.remove()
            log.info("upload %s: its file was removed", upload_id)
    if old:
        with sessions.writing() as session:
            for upload_id in old:
                uploads.remove(session, upload_id)
