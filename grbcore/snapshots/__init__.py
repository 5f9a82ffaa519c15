"""A board as it stood at one moment, kept for good: every number, every hash, every place."""

from grbcore.snapshots.document import (
    ANONYMOUS,
    CellRecord,
    Entry,
    Mark,
    Places,
    Ranking,
    Snapshot,
    numbers_digest,
    rankings,
    unnamed,
)
from grbcore.snapshots.printing import FILES, bibtex, files

__all__ = [
    "ANONYMOUS",
    "FILES",
    "CellRecord",
    "Entry",
    "Mark",
    "Places",
    "Ranking",
    "Snapshot",
    "bibtex",
    "files",
    "numbers_digest",
    "rankings",
    "unnamed",
]
