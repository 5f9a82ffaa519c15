"""The flags of an attack."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from grbcore.flags.flag import Figure, Flag
from grbcore.flags.measured import (
    RANDOM,
    Accuracy,
    Standard,
    errors,
    median_gain,
    percent,
    points,
    root,
)
from grbcore.flags.repeats import high_variance
from grbcore.metrics import Score
from grbcore.shift import FAR, INSIDE, QUANTILES, Shift

#: Standard errors by which an attack must beat the random one on the median reference defense.
BETTER = 2

#: The share of injected values outside the quantiles of clean ones.
OUTSIDE = 0.1


@dataclass(frozen=True, slots=True)
class Attack:
    """What is known of an attack: every accuracy is at full, or at the mean over budgets.

    ``left`` is what it leaves the reference defenses, ``score`` Weighted over them.
    """

    id: str
    family: str
    left: Mapping[str, Accuracy] = field(default_factory=dict)
    score: Score | None = None
    shift: Shift | None = None


def attack_flags(entry: Attack, board: Standard) -> list[Flag]:
    """The flags that are raised, in the order of `KINDS`.

    On a board of errors only those that compare no accuracies.
    """
    if board.errors:
        return [*_homophily(entry), *_extremity(entry)]
    return [
        *_no_better_than_random(entry, board),
        *high_variance(entry.score),
        *_homophily(entry),
        *_extremity(entry),
    ]


def _no_better_than_random(entry: Attack, board: Standard) -> list[Flag]:
    """By the median reference defense, of how much less it leaves than the random attack."""
    both = [one for one in entry.left if one in board.random]
    if root(entry.family) in RANDOM or not both:
        return []
    place, gain, error = median_gain(
        [board.random[one] for one in both], [entry.left[one] for one in both]
    )
    typical = both[place]
    if gain > BETTER * error:
        return []
    said = f"{points(gain)} less" if gain >= 0 else f"{points(-gain)} more"
    margin = "" if error == 0 else f" ({errors(gain, error)}, of which {BETTER} are asked for)"
    reason = (
        f"On {board.names[typical]}, the median of {len(both)} reference defenses, it leaves "
        f"{percent(entry.left[typical].mean)} where the random attack leaves "
        f"{percent(board.random[typical].mean)}: {said}{margin}."
    )
    figures = (
        Figure("left by it", entry.left[typical].mean, "share"),
        Figure("left by the random attack", board.random[typical].mean, "share"),
        Figure("reference defenses", len(both), "count"),
    )
    return [Flag("no-better-than-random", reason, figures)]


def _homophily(entry: Attack) -> list[Flag]:
    """The median after the attack lies outside the outer quantiles of the clean values."""
    shift = entry.shift
    if shift is None:
        return []
    (low, middle, high), typical = shift.clean, shift.attacked[1]
    if low <= typical <= high:
        return []
    side, bound = ("below", low) if typical < low else ("above", high)
    share = QUANTILES[0] if typical < low else QUANTILES[2]
    reason = (
        f"Half of the {shift.nodes} nodes that it adds or touches have a likeness to their "
        f"neighbours {side} {typical:.3f}, which is {side} the {100 * share:.0f} % quantile of the "
        f"clean graph, {bound:.3f}; its median is {middle:.3f}."
    )
    figures = (
        Figure("median after the attack", typical, "number"),
        Figure("clean 5 % quantile", low, "number"),
        Figure("clean median", middle, "number"),
        Figure("clean 95 % quantile", high, "number"),
        Figure("nodes looked at", shift.nodes, "count"),
    )
    return [Flag("homophily-shift", reason, figures)]


def _extremity(entry: Attack) -> list[Flag]:
    found = None if entry.shift is None else entry.shift.features
    if found is None or (found.norm <= found.far and found.outside <= OUTSIDE):
        return []
    low, high = (f"{100 * one:.0f}" for one in INSIDE)
    reason = (
        f"{percent(found.outside)} of the injected values lie outside the {low} to {high} % "
        f"quantiles of their coordinate, and the median norm of an injected node is "
        f"{found.norm:.3f}, where {100 * FAR:.0f} % of the clean ones are at most {found.far:.3f}."
    )
    figures = (
        Figure("values outside", found.outside, "share"),
        Figure("median norm injected", found.norm, "number"),
        Figure("clean 99 % quantile of the norm", found.far, "number"),
    )
    return [Flag("feature-extremity", reason, figures)]
