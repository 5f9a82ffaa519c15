"""What the API tells of the making of a score."""

from __future__ import annotations

from pydantic import BaseModel

from api.schemas import MatrixEntry, MetricsOut, ScoreOut, View
from grbcore.scenario import Difficulty


class ScorePart(BaseModel):
    """What one counterpart adds to a Weighted score.

    Lists have one value per repeat; at the mean over budgets, those of one budget after another.
    ``place`` 1 counts most: the lowest accuracy of a defense, the
    highest of an attack.  ``weight`` and ``share`` are means over repeats.
    """

    counterpart: MatrixEntry
    cell: str
    accuracy: ScoreOut
    accuracies: list[float]
    places: list[int]
    weights: list[float]
    weight: float
    share: float  # weight × accuracy; the shares of all counterparts add up to the score


class ScoreProvenance(BaseModel):
    """What the cells behind a score were computed with; several where they differ."""

    protocol: str
    evaluator_versions: list[int]
    devices: list[str]
    software: list[str]  # such as "torch 2.13.0"
    seconds: float  # of all these cells


class SubmissionScoreOut(BaseModel):
    """What an entry's score is made of, at one difficulty and in one view.

    ``rank``, ``metrics`` and ``parts`` are null or empty where the entry has no score there.
    """

    submission: str
    difficulty: Difficulty
    view: View
    repeats: int
    rank: int | None  # what is not public would have it
    metrics: MetricsOut | None
    parts: list[ScorePart]  # what counts most comes first
    provenance: ScoreProvenance | None
