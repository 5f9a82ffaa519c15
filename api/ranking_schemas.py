"""What the API gives of a ranking."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel

from api import schemas
from api.flag_schemas import FlagKindOut
from grbcore.metrics import Metric
from grbcore.scenario import Difficulty, Side
from grbcore.spending import Kind
from grbcore.store.visibility import Visibility

#: all: every entry.  submitter, team: of each one's entries of a family only the first; of a board
#: with a step the last that beat those before by more than that.
Best = Literal["all", "submitter", "team"]


class NotFiniteOut(BaseModel):
    """In how many cells of an entry some target had no finite logits, and how many at most."""

    cells: int
    targets: int  # the most in one repeat of one difficulty


class HeldOut(BaseModel):
    """Mean accuracies of a defense under hold-outs at the ranking's difficulty: the same references
    at half, once and double the budget, and families that are not among them; null: not measured.
    """

    half: float | None
    same: float | None
    double: float | None
    unseen: float | None


class EntryOut(BaseModel):
    """What a row of a ranking says of its submission.

    ``budget_used`` is the part of an attack's budget that it uses at the ranking's difficulty, of
    all edges or flips that are allowed, and ``spent`` what of, a mean over repeats; null where that
    was not counted, and for defenses.  ``held_out`` is null of attacks, and where hold-outs are not
    measured.
    """

    id: str
    name: str
    authors: str
    team: str | None
    family: str
    architecture: str | None  # defenses
    surrogate: str | None  # attacks whose authors name one
    is_reference: bool
    adversarially_trained: bool
    stochastic: bool  # it draws at random when it predicts, so that the mean of passes is taken
    flags: list[str]  # codes of what `flags` below explains; dismissed ones are left out
    best_of_family: bool  # the first of its submitter's entries of this family in this ranking
    best_of_team: bool  # the first of its team's; who names no team is one alone
    # of a board with a step: the best of its submitter and family after this attempt, which moves
    # only by more than the step and is rounded to it
    ladder: float | None
    paper_url: str | None
    code_url: str | None
    attempt: int
    attempts: int
    registered_at: datetime
    visibility: Visibility
    budget_used: float | None
    spent: dict[Kind, float] | None
    held_out: HeldOut | None
    not_finite: NotFiniteOut | None  # null where every logit was finite


class IntervalOut(BaseModel):
    """How sure an entry's score and rank are, by the metric and at the difficulty of the ranking.

    ``low`` and ``high`` span 95 % of what the expected score may be, as fractions.  ``first`` is
    the probability that the entry is the first; ``tied`` counts the others of its tie group.  These
    and the ranks are null for the clean row.  Where ``repeated`` is false there is one repeat, and
    only targets were drawn anew.
    """

    low: float
    high: float
    ranks: tuple[int, int] | None
    first: float | None
    tie_group: int | None
    tied: int | None
    repeated: bool


class IntervalsOut(BaseModel):
    """What the intervals of a ranking are of: ``stale`` where the board has changed since.

    Of a view that is ``too_large`` there are none, of 0 draws: it has too many cells.
    """

    revision: int
    draws: int
    rank_draws: int  # the first of the draws, of which the ranks are
    too_large: bool
    computed_at: datetime
    stale: bool


class BreaksOut(BaseModel):
    """How many of its counterparts an attack breaks.

    It breaks a defense whose accuracy is lower than without an attack, by more than chance: the
    95 % interval of the drop, on the same targets, holds no zero.
    """

    broken: int
    of: int


class WorstOut(BaseModel):
    """The counterpart that is worst for an entry by its mean; ``id`` is `clean` for no attack."""

    id: str
    name: str


class LeaderboardRow(BaseModel):
    """One ranked entry.  ``rank`` is null for the clean row and where no score exists.

    ``interval`` is null where none is computed.  ``worst`` is the attack under which a defense is
    least accurate, or the defense that stands an attack best, at the difficulty of the ranking.
    """

    rank: int | None
    interval: IntervalOut | None
    worst: WorstOut | None
    breaks: BreaksOut | None  # attacks only
    entry: EntryOut | None  # null for the clean row of the attacks' ranking
    metrics: dict[Difficulty, schemas.MetricsOut]
    clean: dict[Difficulty, schemas.ScoreOut] | None  # defenses only


class LeaderboardOut(BaseModel):
    """A ranking by ``metric``: defenses descending, attacks ascending (lower is stronger).

    ``rows`` are some of its entries, from the place ``row`` on (0 is the first); those of attacks
    end with the row without an attack always, which ``total`` does not count.  ``flags`` explains
    those that the rows name.  ``intervals`` is null where none are computed: of a board without
    results, and of what only you see.
    """

    board: str
    revision: int
    side: Side
    view: schemas.View
    difficulty: Difficulty
    metric: Metric
    repeats: int
    row: int
    total: int
    flags: list[FlagKindOut]
    intervals: IntervalsOut | None
    rows: list[LeaderboardRow]
    best: Best  # which rows are left out; places stay those of all
