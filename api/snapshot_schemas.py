"""What the API gives of a board as it stood, and how to cite it."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel

from api.schemas import BoardMetric, MetricsOut, ScoreOut
from grbcore.scenario import Side
from grbcore.snapshots import Mark


class SnapshotSummary(BaseModel):
    """One line of the list of a board's snapshots."""

    id: str
    board: str
    month: str | None  # of those that are made at the beginning of a month
    made_at: datetime
    revision: int
    protocol: str
    attacks: int
    defenses: int
    cells: int
    digest: str  # SHA-256 of all its numbers; stays the same for ever
    reissued_at: datetime | None  # when a name last left it
    url: str  # of its page


class SnapshotList(BaseModel):
    """A page of snapshots, newest first; ``next`` is the cursor of the next page."""

    snapshots: list[SnapshotSummary]
    next: str | None


class SnapshotFileOut(BaseModel):
    """A file of a snapshot; ``url`` has its hash in it and always gives these bytes or none."""

    name: str
    sha256: str
    bytes: int
    url: str


class SnapshotLine(BaseModel):
    """An entry's place and scores by `ranked` over the references, on that day."""

    rank: int | None
    id: str
    name: str
    family: str
    mark: Mark | None  # why it has no name
    metrics: MetricsOut | None
    clean: ScoreOut | None  # defenses
    sha256: str


class SnapshotOut(SnapshotSummary):
    """A board as it stood, with its files and how to cite and to check it."""

    title: str
    metric: BoardMetric
    reason: str | None  # why an admin made it
    files: list[SnapshotFileOut]
    rankings: dict[Side, list[SnapshotLine]]
    bibtex: str
    command: str  # computes its numbers once more at home


class CitationOut(BaseModel):
    """A record of a board at a revision."""

    board: str
    revision: int
    bibtex: str
