"""Files that were rejected don't fill the disk: they go after some days, their entries stay."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from grbcore.store import orphans, quotas
from grbcore.store.blobs import Blobs
from grbcore.store.quotas import kept
from grbcore.store.session import Sessions
from grbcore.store.tables import Submission

_AT_ONCE = 500  # entries in one transaction


def sweep(sessions: Sessions, blobs: Blobs, keep_days: float, now: datetime) -> int:
    """Remove the files of entries that were rejected ``keep_days`` ago; how many entries.

    A file that another entry names stays.  What is no longer told of refused uploads goes as well.

    Raises:
        BlobsAway: the blob store does not answer; `orphans.tidy` finds what is left.
    """
    count = 0
    while True:
        with sessions.writing() as session:
            entries = _let_go(session, now - timedelta(days=keep_days), now)
            digests = {entry.sha256 for entry in entries}
            if not count:
                quotas.forget_refused(session, now)
        if not entries:
            return count
        orphans.remove(sessions, blobs, digests)
        count += len(entries)


def _let_go(session: Session, before: datetime, now: datetime) -> list[Submission]:
    """The next entries whose file is to go, which no longer name it."""
    old = (Submission.state == "rejected", Submission.validated_at < before, kept())
    query = select(Submission).where(*old).order_by(Submission.validated_at).limit(_AT_ONCE)
    rows = list(session.scalars(query.with_for_update(skip_locked=True, of=Submission)))
    for row in rows:
        row.file_removed_at = now
    session.flush()
    return rows
