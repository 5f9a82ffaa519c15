"""What the API tells of what an attack uses of its budget, and of the time that cells took."""

from __future__ import annotations

from pydantic import BaseModel

from grbcore.spending import Kind


class SpentOut(BaseModel):
    """Of one kind: how many an attack uses, in the mean over repeats and at most, and may use.

    ``nodes`` and ``edges`` are injected; ``ends`` are ends of edges at injected nodes, which the
    limit of edges per node counts; ``added`` and ``removed`` are edges of the graph.
    Of whole graphs they are those of all test graphs together, and ``values`` new ones of features.
    """

    kind: Kind
    mean: float
    most: int
    allowed: int | None  # null where the board limits nothing of this kind by itself


class BudgetOut(BaseModel):
    """What an attack uses of its budget at one difficulty, counted by the service from its file.

    ``share`` is the part of all edges, or of all flips, that are allowed; of whole graphs the mean
    over them of the changes that are.  Null where none is.
    """

    share: float | None
    spent: list[SpentOut]


class TimeOut(BaseModel):
    """Seconds that an entry's cells took, all that are done together and one on average."""

    cells: int
    total: float
    mean: float
