"""Which shapes an array could have at all."""

from __future__ import annotations

import math
from collections.abc import Sequence

MAX_DIMENSIONS = 8
MAX_ELEMENTS = 1 << 40

#: The sentence that goes with `plausible`.
PLAUSIBLE = f"at most {MAX_DIMENSIONS} sizes of 0 or more, no more than {MAX_ELEMENTS} elements"


def plausible(shape: Sequence[int]) -> bool:
    """Whether an array could have this shape at all; an empty dimension hides no huge one."""
    if len(shape) > MAX_DIMENSIONS or any(size < 0 for size in shape):
        return False
    return math.prod(max(size, 1) for size in shape) <= MAX_ELEMENTS
