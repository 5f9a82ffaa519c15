"""The random numbers of the bootstrap: once for all cells of a difficulty."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: Hits of one cell at one difficulty: (repeats, groups), how many targets of each group were hit;
#: or the sum of their errors.
Counts = NDArray[np.uint8] | NDArray[np.float32]
Floats = NDArray[np.float32]

#: Up to so many targets are drawn one by one; more are drawn in `GROUPS` random groups.
SINGLY = 1024
GROUPS = 512


@dataclass(frozen=True, slots=True)
class Sampling:
    """What every cell of a difficulty is drawn with.

    ``nodes`` (groups, B) says how often each group of targets is drawn, ``targets`` (B,) how many
    targets that makes, ``sizes`` (groups,) how many a group has.  ``repeats`` (R, B) are weights
    that add up to 0 over the repeats; with values of deviation ``s`` (ddof 1) they make normal
    deviates of their mean, of deviation ``s / sqrt(R)``, and those times ``student`` (B,) are
    ``t(R-1) s / sqrt(R)``.  With one repeat they are 0.
    """

    nodes: Floats
    targets: Floats
    sizes: NDArray[np.int64]
    repeats: Floats
    student: Floats

    @property
    def draws(self) -> int:
        """How many draws there are."""
        return int(self.nodes.shape[1])


def grouped(hits: NDArray[np.bool_] | NDArray[np.float32]) -> Counts:
    """Hits, or errors, (repeats, targets) as sums (repeats, groups), the same groups for each cell.

    Where there are few targets each is a group of its own.  Groups of many are random, so that the
    spread of their sums tells that of the targets; with 512 of them it is known to 3 %.
    """
    targets = hits.shape[1]
    errors = hits.dtype.kind == "f"
    if targets <= SINGLY:
        return hits.astype(np.float32) if errors else hits.astype(np.uint8)
    order, first = _groups(targets)
    if errors:
        return np.add.reduceat(hits[:, order], first, axis=1, dtype=np.float64).astype(np.float32)
    sums = np.add.reduceat(hits[:, order], first, axis=1, dtype=np.int64)
    if sums.size and sums.max() > np.iinfo(np.uint8).max:
        raise ValueError(f"targets: found {targets}, allowed: at most {GROUPS * 255}")
    return sums.astype(np.uint8)


def sizes(targets: int) -> NDArray[np.int64]:
    """How many targets each group of `grouped` has; (groups,)."""
    if targets <= SINGLY:
        return np.ones(targets, np.int64)
    _, first = _groups(targets)
    return np.diff(np.append(first, targets))


def _groups(targets: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Which targets lie side by side, and where each group begins."""
    order = np.random.default_rng(targets).permutation(targets)
    return order, np.arange(GROUPS, dtype=np.int64) * targets // GROUPS


def sample(rng: np.random.Generator, *, targets: int, repeats: int, draws: int) -> Sampling:
    """Random numbers for ``draws`` draws of so many targets and repeats.

    Raises:
        ValueError: a number below 1.
    """
    if min(targets, repeats, draws) < 1:
        found = f"{targets} targets, {repeats} repeats, {draws} draws"
        raise ValueError(f"sample: found {found}, allowed: 1 or more of each")
    size = sizes(targets)
    groups = len(size)
    chosen = rng.integers(groups, size=(draws, groups))
    chosen += np.arange(draws)[:, None] * groups
    times = np.bincount(chosen.ravel(), minlength=draws * groups).reshape(draws, groups)
    return Sampling(
        nodes=np.ascontiguousarray(times.T, np.float32),
        targets=(times @ size).astype(np.float32),
        sizes=size,
        repeats=_multipliers(rng, repeats, draws).astype(np.float32),
        student=_student(rng, repeats, draws).astype(np.float32),
    )


def _multipliers(rng: np.random.Generator, repeats: int, draws: int) -> NDArray[np.float64]:
    """(R, B): normal numbers without their mean ``g``: ``sum g v`` has the variance (R-1) s^2."""
    if repeats == 1:
        return np.zeros((1, draws))
    normal = rng.standard_normal((repeats, draws))
    normal -= normal.mean(axis=0)
    return np.asarray(normal / np.sqrt(repeats * (repeats - 1)))


def _student(rng: np.random.Generator, repeats: int, draws: int) -> NDArray[np.float64]:
    """(B,): what makes normal deviates Student's, the same for all entries of a draw."""
    freedom = max(repeats - 1, 1)
    return np.asarray(np.sqrt(freedom / rng.chisquare(freedom, draws)))
