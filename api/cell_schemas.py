"""What the API tells of a cell beyond its counts."""

from __future__ import annotations

from pydantic import BaseModel

from api.schemas import ScoreOut, View
from grbcore.scenario import Difficulty


class GroupOut(BaseModel):
    """Targets whose degree in the clean graph, nodes, margin in percents, or class is ``low`` to
    ``high``.

    The margin is that of the same defense on the clean graph: the probability of the class that it
    predicts less that of the next one.
    """

    low: int
    high: int
    targets: int
    correct: list[int]  # per repeat
    accuracy: ScoreOut
    clean: ScoreOut | None  # of the same targets without an attack, where that is known


class ChangeOut(BaseModel):
    """Targets by what was predicted without and with the attack, one count per repeat."""

    kept: list[int]  # right in both
    lost: list[int]  # right without the attack only
    gained: list[int]  # right with the attack only
    missed: list[int]  # wrong in both


class BreakdownOut(BaseModel):
    """Where a defense was right at one difficulty: by degree, margin and class, before and after.

    Of whole graphs there are ``sizes`` in place of degrees, by how many nodes a graph has; at the
    mean over budgets targets and hits of all budgets are added up.
    ``margins`` is empty where margins were not kept.  ``missing`` says why there is nothing, where
    that is so.
    """

    cell: str
    difficulty: Difficulty
    degrees: list[GroupOut]
    sizes: list[GroupOut] = []
    margins: list[GroupOut]
    classes: list[GroupOut]
    change: ChangeOut | None  # null without an attack, or where hits without one are not known
    missing: str | None


class EntryBreakdownOut(BaseModel):
    """Where an entry's cells against the references were right at one difficulty, together.

    Targets and hits are added up over ``counted`` cells of ``total``, those whose hits are known;
    the groups are those of `BreakdownOut`.
    """

    submission: str
    difficulty: Difficulty
    counted: int
    total: int
    degrees: list[GroupOut]
    sizes: list[GroupOut] = []
    margins: list[GroupOut]
    classes: list[GroupOut]
    missing: str | None


class ConfusionOut(BaseModel):
    """For which class the targets of each class were taken, at one difficulty.

    Rows are true classes and columns predicted ones, each from 0 on; a last column counts targets
    without finite logits, which are taken for nothing.  ``repeats`` are the counts of each repeat,
    ``mean`` their mean over repeats, ``clean`` that of the same defense without the attack, and
    ``change`` the first less the second; at the mean over budgets the counts of all budgets are
    added up.  ``missing`` says why there is nothing, where that is so.
    """

    cell: str
    difficulty: Difficulty
    classes: int
    repeats: list[list[list[int]]]
    mean: list[list[float]]
    clean: list[list[float]] | None  # null without an attack, or where it is not known
    change: list[list[float]] | None
    missing: str | None


class MeasuredCell(BaseModel):
    """Scores of one cell of an entry that weigh every class alike, at each difficulty.

    Classes without a target are left out of both means.
    """

    cell: str
    counterpart: str  # the id of the entry on the other side, or "clean"
    macro_f1: dict[Difficulty, ScoreOut]  # the mean of F1 over classes
    balanced_accuracy: dict[
        Difficulty, ScoreOut
    ]  # the mean over classes of the share that is right


class SubmissionMeasuresOut(BaseModel):
    """Scores of an entry's cells beside accuracy.

    ``cells`` are those that are done: without attack, and against the counterparts of the view.
    ``unknown`` counts those of them of which nothing is kept by class.
    """

    submission: str
    view: View
    cells: list[MeasuredCell]
    unknown: int
