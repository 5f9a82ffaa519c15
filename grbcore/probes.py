"""What is asked of a defense beside its cells, and what a child answered: scored, without torch.

The child predicts the targets of difficulty full with all of their edges removed (of whole graphs
the test graphs without any edge); a defense that draws at random when it predicts also says what it
predicts in `PASSES` passes over the clean graph, or graphs.  Labels are compared here, as those of
cells are in `scoring`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from grbcore.scoring import Predictions

#: Passes of a defense that draws at random (RobustBench asks for as many of randomised ones).
PASSES = 20

#: Where the child's file holds the predictions without the targets' edges.
CUT_OFF = "cut/0"


def pass_name(number: int) -> str:
    """Where the child's file holds the predictions of a pass."""
    return f"pass/{number}"


class Probe(BaseModel):
    """What a probe found, of ``total`` targets of full.

    Without the targets' edges ``unchanged`` of them got the class that they have on the clean
    graph, and ``cut_correct`` the right one.  ``passes`` are the right ones of each pass, and in
    all of them together ``steady`` targets had one and the same class; of a defense that does not
    draw at random there are none.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    total: int = Field(ge=1)
    unchanged: int = Field(ge=0)
    cut_correct: int = Field(ge=0)
    passes: tuple[int, ...] = Field(default=(), max_length=PASSES)
    steady: int | None = Field(default=None, ge=0)


def score_probe(
    clean: Predictions, cut: Predictions, passes: Sequence[Predictions], labels: NDArray[np.int64]
) -> Probe:
    """Compare predictions (t,) of full's targets with their labels (t,), and with those on the
    graph.

    ``clean`` are those of the clean cell, ``cut`` those without the targets' edges.
    """
    steady = None
    if passes:
        steady = int((np.stack(passes) == passes[0]).all(axis=0).sum())
    return Probe(
        total=len(labels),
        unchanged=int((clean == cut).sum()),
        cut_correct=int((cut == labels).sum()),
        passes=tuple(int((one == labels).sum()) for one in passes),
        steady=steady,
    )
