"""What NEA and STACK share: pairs weighed by what their flip does to the spectrum."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from grbcore.attacks.attack import Ints
from grbcore.attacks.modification.pairs import Pairs
from grbcore.attacks.modification.spectrum import Spectrum

Floats = NDArray[np.float64]

_AT_ONCE = 8192  # pairs whose eigenvalues are estimated together


def candidates(pairs: Pairs, additions: int, rng: np.random.Generator) -> Ints:
    """Every edge at a target, and ``additions`` random absent pairs: (k,) ascending."""
    added = pairs.draw(additions, rng, without=pairs.existing)
    return np.sort(np.concatenate([pairs.existing, added]))


def scores(
    spectrum: Spectrum, pairs: Pairs, numbers: Ints, of: Callable[[Floats], Floats]
) -> Floats:
    """``of`` the eigenvalues (p, k) after each single flip, for the numbered pairs: (p,)."""
    found = np.empty(numbers.shape[0])
    for start in range(0, numbers.shape[0], _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        change = np.where(pairs.present(numbers[part]), -1.0, 1.0)
        found[part] = of(spectrum.after(pairs.ends(numbers[part]), change))
    return found
