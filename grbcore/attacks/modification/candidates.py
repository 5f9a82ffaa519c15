"""Which pairs an attack weighs against each other, where all of them would be too many."""

from __future__ import annotations

import numpy as np

from grbcore.attacks.attack import Ints
from grbcore.attacks.features import Surrogate
from grbcore.attacks.modification.dice import predicted
from grbcore.attacks.modification.pairs import Pairs


def candidates(pairs: Pairs, frozen: Surrogate, additions: int, rng: np.random.Generator) -> Ints:
    """Every edge at a target, and ``additions`` random absent pairs between two labels: (k,).

    Labels are the surrogate's own.  An edge between nodes of one label hardly ever hurts, so such
    pairs are left out; which of the others hurt, the gradient says.
    """
    added = pairs.draw_external(additions, predicted(frozen), rng)
    return np.sort(np.concatenate([pairs.existing, added]))
