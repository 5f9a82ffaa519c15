"""What the API gives of a ranking."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel

from api import schemas
from grbcore.metrics import Metric
from grbcore.scenario import Difficulty, Side
from grbcore.spending import Kind
from grbcore.store.visibility import Visibility

#: all: every entry.  submitter, team: of each one's entries of a family only the first.
Best = Literal["all", "submitter", "team"]


class NotFiniteOut(BaseModel):
    """In how many cells of an entry some target had no finite logits, and how many at most."""

    cells: int
    targets: int  # the most in one repeat of one difficulty


class EntryOut(BaseModel):
    """What a row of a ranking says of its submission.

    ``budget_used`` is the part of an attack's budget that it uses at the ranking's difficulty, of
    all edges or flips that are allowed, and ``spent`` what of, a mean over repeats; null where that
    was not counted, and for defenses.
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
    best_of_family: bool  # the first of its submitter's entries of this family in this ranking
    best_of_team: bool  # the first of its team's; who names no team is one alone
    paper_url: str | None
    code_url: str | None
    attempt: int
    attempts: int
    registered_at: datetime
    visibility: Visibility
    budget_used: float | None
    spent: dict[Kind, float] | None
    not_finite: NotFiniteOut | None  # null where every logit was finite


class LeaderboardRow(BaseModel):
    """One ranked entry.  ``rank`` is null for the clean row and where no score exists.

    ``rank_interval`` is the best and the last rank that it could have, were every score anywhere
    between its mean less its deviation and its mean plus that.
    """

    rank: int | None
    rank_interval: tuple[int, int] | None
    entry: EntryOut | None  # null for the clean row of the attacks' ranking
    metrics: dict[Difficulty, schemas.MetricsOut]
    clean: dict[Difficulty, schemas.ScoreOut] | None  # defenses only


class LeaderboardOut(BaseModel):
    """A ranking by ``metric``: defenses descending, attacks ascending (lower is stronger).

    ``rows`` are some of its entries, from the place ``row`` on (0 is the first); those of attacks
    end with the row without an attack always, which ``total`` does not count.
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
    rows: list[LeaderboardRow]
    best: Best  # which rows are left out; places stay those of all
