"""What the API takes from admins and gives to them; the rest is in `schemas`."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, StringConstraints

from api.account_schemas import Password
from api.schemas import MatrixEntry, Role, View
from grbcore.scenario import Difficulty
from grbcore.store.accounts.passwords import LONGEST
from grbcore.store.audit import Via
from grbcore.store.selection import Selection

ReevaluationState = Literal["proposed", "running", "ready", "applied", "cancelled"]


#: Why an admin does something; it is kept, and of a re-evaluation everybody reads it.
Reason = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1000)]


class Why(BaseModel, extra="forbid"):
    """The reason of what an admin does, kept in the audit log."""

    reason: Reason


class RoleChange(Why):
    """The role that a user has from now on; the password is of the admin who gives it, if any."""

    role: Role
    password: Password | None = Field(default=None, max_length=LONGEST)


class Apply(BaseModel, extra="forbid"):
    """The revision of the board that the preview told."""

    revision: int


class ReevaluationRequest(BaseModel, extra="forbid"):
    """Which results of a board to compute once more; an empty selection takes all of them."""

    board: Annotated[str, Field(max_length=80, examples=["digits/injection@1"])]
    selection: Selection = Field(default_factory=Selection)
    reason: Reason
    dry_run: bool = False  # only tell what it would compute


class PlanOut(BaseModel):
    """What a re-evaluation would compute; nothing was written.

    ``seconds`` are of one worker; ``expected`` is how long the workers that are alive would take,
    null where none is.
    """

    board: str
    protocol: str
    cells: int
    attacks: int
    defenses: int
    seconds: float | None
    expected: float | None


class ProgressOut(BaseModel):
    """How many cells of a re-evaluation are in each state, and the seconds until none waits.

    ``seconds_left`` is null where no worker is alive or nothing was measured.
    """

    queued: int
    running: int
    done: int
    failed: int
    dead: int
    seconds_left: float | None


class ReevaluationOut(BaseModel):
    """Results of a board computed once more, beside those that it shows."""

    id: str
    board: str
    protocol: str
    state: ReevaluationState
    selection: dict[str, Any]
    reason: str
    author: str | None  # null: the service itself
    cells: int
    seconds: float | None  # of one worker, as estimated when it was made
    created_at: datetime
    started_at: datetime | None
    ready_at: datetime | None
    decided_at: datetime | None
    decided_by: str | None
    outcome: dict[str, Any] | None  # what applying it changed
    progress: ProgressOut


class ReevaluationList(BaseModel):
    """A page of re-evaluations, newest first; ``next`` is the cursor of the next page."""

    reevaluations: list[ReevaluationOut]
    next: str | None


class RequeuedOut(BaseModel):
    """How many cells wait for a worker again."""

    cells: int


class RankChange(BaseModel):
    """One entry before and after; null where it has no rank or no score."""

    entry: MatrixEntry
    rank_before: int | None
    rank_after: int | None
    weighted_before: float | None
    weighted_after: float | None


class DifferenceOut(BaseModel):
    """A cell's accuracy before and after, as fractions."""

    attack: MatrixEntry
    defense: MatrixEntry
    before: float
    after: float


class UnmeasuredOut(BaseModel):
    """A cell without a new result: it failed by the fault of ``blamed``, or it is dead."""

    cell: str
    attack: MatrixEntry
    defense: MatrixEntry
    state: Literal["failed", "dead"]
    code: str | None
    reason: str | None
    blamed: MatrixEntry | None


class PreviewOut(BaseModel):
    """What would change if a re-evaluation were applied now.

    ``revision`` is the board's; who applies gives it back, so that nothing changes between.
    """

    id: str
    board: str
    state: ReevaluationState
    revision: int
    view: View
    difficulty: Difficulty
    unfinished: int  # cells that are not computed yet
    changed: int  # cells whose counts differ at some difficulty
    moved: int  # entries that get another rank, or lose theirs
    defenses: list[RankChange]  # by their new ranks; those without any come last
    attacks: list[RankChange]
    largest: list[DifferenceOut]  # largest first
    unmeasured: list[UnmeasuredOut]
    failing: list[MatrixEntry]  # will have failed
    waiting: list[MatrixEntry]  # will be evaluating until their cells are done
    revived: list[MatrixEntry]  # had failed; will be ranked, or evaluating until they can be


class AuditEntry(BaseModel):
    """Who did what, when and why."""

    id: str
    at: datetime
    user: str | None  # null: the service itself
    via: Via
    action: str
    subject_kind: str
    subject_id: str
    reason: str | None
    details: dict[str, Any]


class AuditList(BaseModel):
    """A page of the audit log, newest first; ``next`` is the cursor of the next page."""

    entries: list[AuditEntry]
    next: str | None
