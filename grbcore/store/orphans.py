"""Blobs that no row names any more.

They are removed after the transaction that took their names away: a crash between leaves a file
without a row, which `tidy` finds, and never a row without its file.  Whoever names a blob that may
have been there before does so beside `keep`, so that nobody removes it at that moment.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from grbcore.store.blobs import Blobs
from grbcore.store.locks import alone, together
from grbcore.store.session import Sessions
from grbcore.store.tables import CellRow, HoldoutAttack, HoldoutCell, SnapshotFile, Submission

#: A younger blob may belong to a row that is about to be written.
AGE = timedelta(days=1)

_KEY = 0x67726204  # of the advisory lock between those who name blobs and those who remove them
_HELD_OUT = (HoldoutAttack.sha256, HoldoutCell.hits_sha256)
#: So many blobs are removed in one transaction: nobody who names one waits for more.
_AT_ONCE = 50


def keep(session: Session, blobs: Blobs, sha256: str, store: Callable[[], object]) -> None:
    """Have a blob there until this transaction, which is to name it, has ended.

    Call it before any other lock is taken.  ``store`` is called where it was removed meanwhile.
    """
    together(session, _KEY)
    if not blobs.exists(sha256):
        store()


def remove(sessions: Sessions, blobs: Blobs, digests: Collection[str]) -> int:
    """Remove those of these blobs that no row names; how many that was.

    Raises:
        BlobsAway: the blob store does not answer.
    """
    count = 0
    for some in _parts(sorted(digests)):
        with sessions.writing() as session:
            alone(session, _KEY)
            orphans = set(some) - _named(session, some)
            blobs.remove(orphans)
            count += len(orphans)
    return count


def tidy(sessions: Sessions, blobs: Blobs, now: datetime) -> int:
    """Remove every blob that no row names and that is older than a day; how many that was.

    Those that were only stored in part are among them.

    Raises:
        BlobsAway: the blob store does not answer.
    """
    with sessions.reading() as session:
        named = {bytes.fromhex(digest) for digest in _all_named(session)}
    found = [
        digest
        for digest, written_at in blobs.stored()
        if written_at < now - AGE and bytes.fromhex(digest) not in named
    ]
    return remove(sessions, blobs, found) + blobs.remove_halves(now - AGE)


def _named(session: Session, digests: Collection[str]) -> set[str]:
    files = select(Submission.sha256).where(
        Submission.sha256.in_(digests), Submission.file_removed_at.is_(None)
    )
    hits = select(CellRow.hits_sha256).where(CellRow.hits_sha256.in_(digests))
    kept = select(SnapshotFile.sha256).where(
        SnapshotFile.sha256.in_(digests), SnapshotFile.replaced_at.is_(None)
    )
    held = [select(of).where(of.in_(digests)) for of in _HELD_OUT]
    found = [digest for query in (files, hits, kept, *held) for digest in session.scalars(query)]
    return {digest for digest in found if digest}


def _all_named(session: Session) -> Iterator[str]:
    files = select(Submission.sha256).where(
        Submission.deleted_at.is_(None), Submission.file_removed_at.is_(None)
    )
    yield from session.scalars(files)
    hits = select(CellRow.hits_sha256).where(CellRow.hits_sha256.is_not(None)).distinct()
    yield from (digest for digest in session.scalars(hits) if digest)
    kept = select(SnapshotFile.sha256).where(SnapshotFile.replaced_at.is_(None))
    yield from session.scalars(kept.distinct())
    for of in _HELD_OUT:
        yield from (digest for digest in session.scalars(select(of).distinct()) if digest)


def _parts(digests: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(digests), _AT_ONCE):
        yield digests[start : start + _AT_ONCE]
