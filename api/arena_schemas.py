"""What the API says of the open arena, of near-duplicates and of seasons."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from api.admin_schemas import Reason
from api.schemas import MatrixEntry
from grbcore.clones import Why
from grbcore.scenario import Difficulty, Side


class FormOut(BaseModel):
    """A ranking of the arena by one formula.

    ``tau`` is the lowest Kendall's tau between it and the same ranking without one opponent, null
    where there is nothing to compare; below 0.9 the ranking is ``fragile``.
    """

    tau: float | None
    fragile: bool


class Placed(BaseModel):
    """A rank, and the score behind it as a fraction."""

    rank: int
    score: float


class InfluenceOut(BaseModel):
    """The opponent without which an entry's rank would change most, and that rank.

    Its near-duplicates, ``members`` in all, are left out with it.
    """

    opponent: str
    name: str
    members: int
    rank: int


class ArenaRow(BaseModel):
    """An entry of the arena by both forms; ``influence`` is null where no opponent moves it."""

    entry: MatrixEntry
    robust: Placed
    own: Placed  # GRB's
    duplicates: int  # entries of its cluster, itself included
    influence: InfluenceOut | None


class ClusterOut(BaseModel):
    """Entries that count as one.

    ``apart`` is the largest share of targets on which two of them differ, null where that was not
    measured.
    """

    side: Side
    members: list[MatrixEntry]
    why: Why
    apart: float | None


class PlayedOut(BaseModel):
    """How often the best mixture plays an entry, or each of a cluster in turn."""

    entry: MatrixEntry
    members: int
    share: float


class FrontierOut(BaseModel):
    """The equilibrium in which an attacker chooses the attack and a defender the defense.

    ``value`` is the accuracy, as a fraction, that neither can move to their side.
    """

    value: float
    attacks: list[PlayedOut]
    defenses: list[PlayedOut]


class ArenaOut(BaseModel):
    """One side of a board, scored over every registered entry of the other.

    ``robust`` counts each cluster of near-duplicates as one opponent, ``own`` is GRB's formula,
    which counts them all.  Duplicates are those found at ``scanned_revision`` of the board.  One
    that is ``too_large`` has no rows: the explanation says from how many cells on.
    """

    board: str
    revision: int
    side: Side
    difficulty: Difficulty
    too_large: bool
    opponents: int
    opponent_clusters: int
    mute: int  # defenses that no attack moves: they count nothing in the scores of attacks
    explanation: str  # why the two forms differ here
    robust: FormOut
    own: FormOut
    rows: list[ArenaRow]  # by their clone-robust rank
    frontier: FrontierOut | None
    clusters: list[ClusterOut]  # of both sides
    scanned_revision: int | None
    scanned_at: datetime | None


class SeasonReference(BaseModel):
    """A reference of a season, named by the hash of its file, and why it is one.

    ``sha256`` is null where the entry was deleted.
    """

    entry: MatrixEntry
    side: Side
    family: str
    sha256: str | None
    reasons: list[str]


class SeasonOut(BaseModel):
    """The references of a board for some time; the official scores of that time are over these."""

    id: str
    board: str
    number: int | None  # null: it has not begun
    state: Literal["proposed", "current", "past", "refused"]
    protocol: str
    revision: int
    references: list[SeasonReference]
    left_out: list[SeasonReference]
    reason: str | None
    created_at: datetime
    decided_at: datetime | None
    ended_at: datetime | None


class SeasonsOut(BaseModel):
    """Seasons, the latest first."""

    seasons: list[SeasonOut]


class AdminSeasonOut(SeasonOut):
    """A season, or a proposal, and which admins proposed and decided it."""

    author: str | None  # null: the service itself
    decided_by: str | None


class AdminSeasonsOut(BaseModel):
    """Seasons and proposals with who decided them, the latest first."""

    seasons: list[AdminSeasonOut]


class SeasonRow(BaseModel):
    """An entry by the references of a season; null where it lacks a result against one.

    ``hidden`` is the score over the targets that were hidden: of a board that has such, once the
    season is over, of entries that were received before.
    """

    entry: MatrixEntry
    rank: int | None
    weighted: float | None
    hidden: float | None


class SeasonRankingOut(BaseModel):
    """Everybody who is ranked now, scored over the references of one season."""

    season: SeasonOut
    difficulty: Difficulty
    defenses: list[SeasonRow]
    attacks: list[SeasonRow]


class SeasonRequest(BaseModel, extra="forbid"):
    """The board whose next season is proposed."""

    board: Annotated[str, Field(max_length=80, examples=["digits/injection@1"])]


class DecisionRequest(BaseModel, extra="forbid"):
    """Entries of one side of a board that count as one, or each of them alone."""

    board: Annotated[str, Field(max_length=80, examples=["digits/injection@1"])]
    kind: Literal["merge", "split"]
    entries: Annotated[
        list[Annotated[str, Field(pattern="^[0-9A-Z]{26}$")]], Field(min_length=1, max_length=200)
    ]
    reason: Reason


class DecisionOut(BaseModel):
    """What was decided of entries that are, or are not, duplicates."""

    id: str
    board: str
    side: Side
    kind: Literal["merge", "split"]
    entries: list[str]
    reason: str
    decided_at: datetime
