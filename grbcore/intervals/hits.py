"""Hits of many cells in little memory, as counts when they are needed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grbcore.intervals.sampling import SINGLY, Counts, grouped
from grbcore.scenario import Difficulty
from grbcore.scoring import unpack, unpack_errors


@dataclass(frozen=True, slots=True)
class Kept:
    """The hits of one cell at one difficulty: bits where there are few targets, else counts; or its
    errors, as `grouped` gives them."""

    targets: int
    content: NDArray[np.uint8] | NDArray[np.float32]

    @property
    def counts(self) -> Counts:
        """(repeats, groups), as `grouped` gives them."""
        if self.targets > SINGLY or self.content.dtype != np.uint8:
            return self.content
        return np.unpackbits(self.content, axis=1, count=self.targets)  # type: ignore[arg-type]


def keep(data: bytes, *, errors: bool = False) -> dict[Difficulty, Kept]:
    """The hits that `scoring.pack` wrote, or the errors that `scoring.score_errors` did.

    Raises:
        ValueError: the bytes are nothing that they write.
    """
    if errors:
        each = unpack_errors(data).items()
        return {name: Kept(values.shape[1], grouped(values)) for name, values in each}
    found = {}
    for difficulty, hits in unpack(data).items():
        targets = hits.shape[1]
        content = np.packbits(hits, axis=1) if targets <= SINGLY else grouped(hits)
        found[difficulty] = Kept(targets, content)
    return found
