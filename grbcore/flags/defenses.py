"""The flags of a defense."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from grbcore.flags.flag import Figure, Flag
from grbcore.flags.measured import (
    GRADIENT,
    RANDOM,
    Accuracy,
    Standard,
    errors,
    percent,
    points,
    root,
    standard_error,
)
from grbcore.flags.repeats import high_variance
from grbcore.metrics import Score
from grbcore.probes import Probe

#: The share of targets whose class stays without their edges.
UNCHANGED = 0.99

#: Standard errors that a difference of accuracies must be above.
RELIANCE, FLOOR, BEATS, ATTACKED, MEMORISED = 1, 2, 2, 2, 3


@dataclass(frozen=True, slots=True)
class Defense:
    """What is known of a defense: every accuracy is at full, or at the mean over budgets.

    ``under`` are its accuracies under the reference attacks that it was measured against; ``score``
    is Weighted over them.  ``adaptive``: an attack of the board was made against it.
    """

    id: str
    architecture: str | None = None
    stochastic: bool = False  # as its architecture is declared
    is_reference: bool = False
    adaptive: bool = False
    clean: Accuracy | None = None
    under: Mapping[str, Accuracy] = field(default_factory=dict)
    score: Score | None = None
    probe: Probe | None = None


def defense_flags(entry: Defense, board: Standard) -> list[Flag]:
    """The flags that are raised, in the order of `KINDS`.

    On a board of errors only those that compare no accuracies.
    """
    if board.errors:
        return [*_stochastic(entry), *_non_adaptive(entry)]
    return [
        *_graph_agnostic(entry, board),
        *_below_floor(entry, board),
        *_random_beats_gradient(entry, board),
        *_clean_below_attacked(entry, board),
        *_possibly_memorised(entry, board),
        *_stochastic(entry),
        *high_variance(entry.score),
        *_non_adaptive(entry),
    ]


def _graph_agnostic(entry: Defense, board: Standard) -> list[Flag]:
    """Without the targets' edges nearly all classes stay, and no accuracy is lost."""
    probe = entry.probe
    if probe is None or entry.clean is None:
        return []
    share, cut = probe.unchanged / probe.total, probe.cut_correct / probe.total
    reliance, error = entry.clean.mean - cut, standard_error(entry.clean)
    if share < UNCHANGED or reliance > RELIANCE * error:
        return []
    reason = (
        f"With every edge of the targets removed, {percent(share)} of its predictions stay, and "
        f"its accuracy goes from {percent(entry.clean.mean)} to {percent(cut)}."
    )
    figures = [
        Figure("predictions that stay", share, "share"),
        Figure("accuracy without attack", entry.clean.mean, "share"),
        Figure("accuracy without the targets' edges", cut, "share"),
    ]
    if board.mlp is not None:
        reason += f" The {board.floor} is {percent(board.mlp.mean)}."
        figures.append(Figure(board.floor, board.mlp.mean, "share"))
    return [Flag("graph-agnostic", reason, tuple(figures))]


def _below_floor(entry: Defense, board: Standard) -> list[Flag]:
    clean, found = entry.clean, []
    if clean is None:
        return []
    figures = [Figure("accuracy without attack", clean.mean, "share")]
    if board.mlp is not None:
        less = board.mlp.mean - clean.mean
        error = standard_error(board.mlp, clean)
        if less > FLOOR * error:
            found.append(f"the {board.floor} of {percent(board.mlp.mean)} by {errors(less, error)}")
            figures.append(Figure(board.floor, board.mlp.mean, "share"))
    if board.majority is not None and clean.mean < board.majority.mean:
        found.append(f"the {percent(board.majority.mean)} of always answering one class")
        figures.append(Figure("most frequent class", board.majority.mean, "share"))
    if found:
        reason = (
            f"Without attack its accuracy is {percent(clean.mean)}, below {' and '.join(found)}."
        )
    elif _of_one_class(entry, board):
        figures.append(Figure("reference attacks", len(entry.under), "count"))
        reason = (
            f"Without attack and under each of {len(entry.under)} reference attacks its accuracy "
            f"is {percent(clean.mean)}, that of always answering one class."
        )
    else:
        return []
    return [Flag("below-floor", reason, tuple(figures))]


def _of_one_class(entry: Defense, board: Standard) -> bool:
    """It keeps the share of the most frequent class, whatever is done to it."""
    if entry.clean is None or board.majority is None or not entry.under:
        return False
    share = board.majority.mean
    return all(math.isclose(one.mean, share) for one in (entry.clean, *entry.under.values()))


def _random_beats_gradient(entry: Defense, board: Standard) -> list[Flag]:
    kinds = {attack: root(family) for attack, family in board.families.items()}
    random = _lowest(entry, [one for one in entry.under if kinds.get(one) in RANDOM])
    gradient = _lowest(entry, [one for one in entry.under if kinds.get(one) in GRADIENT])
    if random is None or gradient is None:
        return []
    low, other = entry.under[random], entry.under[gradient]
    difference, error = other.mean - low.mean, standard_error(low, other)
    if difference <= BEATS * error:
        return []
    first, second = board.names[random], board.names[gradient]
    reason = (
        f"Under {first}, which draws at random, its accuracy is {percent(low.mean)}; under "
        f"{second}, the worst for it of those that follow gradients, {percent(other.mean)}: "
        f"{points(difference)} more, {errors(difference, error)}."
    )
    figures = (Figure(first, low.mean, "share"), Figure(second, other.mean, "share"))
    return [Flag("random-beats-gradient", reason, figures)]


def _lowest(entry: Defense, attacks: Sequence[str]) -> str | None:
    return min(attacks, key=lambda one: entry.under[one].mean, default=None)


def _clean_below_attacked(entry: Defense, board: Standard) -> list[Flag]:
    clean = entry.clean
    attack = max(entry.under, key=lambda one: entry.under[one].mean, default=None)
    if clean is None or attack is None:
        return []
    best = entry.under[attack]
    gain, error = best.mean - clean.mean, standard_error(best, clean)
    if gain <= ATTACKED * error:
        return []
    name = board.names[attack]
    reason = (
        f"Under {name} its accuracy is {percent(best.mean)}, without attack "
        f"{percent(clean.mean)}: {points(gain)} more, {errors(gain, error)}."
    )
    figures = (
        Figure("accuracy without attack", clean.mean, "share"),
        Figure(name, best.mean, "share"),
    )
    return [Flag("clean-below-attacked", reason, figures)]


def _possibly_memorised(entry: Defense, board: Standard) -> list[Flag]:
    """Above every reference of its architecture; references are the yardstick and are left out."""
    if entry.is_reference or entry.clean is None:
        return []
    peers = {
        name: accuracy
        for name, (architecture, accuracy) in board.clean.items()
        if architecture == entry.architecture
    }
    if not peers:
        return []
    best = max(peers, key=lambda one: peers[one].mean)
    above, error = entry.clean.mean - peers[best].mean, standard_error(entry.clean, peers[best])
    if above <= MEMORISED * error:
        return []
    reason = (
        f"Without attack its accuracy is {percent(entry.clean.mean)}; {board.names[best]}, the "
        f"best of the board's references of architecture {entry.architecture}, has "
        f"{percent(peers[best].mean)}: {points(above)} less, {errors(above, error)}."
    )
    figures = (
        Figure("accuracy without attack", entry.clean.mean, "share"),
        Figure(board.names[best], peers[best].mean, "share"),
    )
    return [Flag("possibly-memorised", reason, figures)]


def _stochastic(entry: Defense) -> list[Flag]:
    if not entry.stochastic:
        return []
    probe = entry.probe
    if probe is None or not probe.passes:
        return [
            Flag("stochastic", "Its architecture draws at random; how much was not measured yet.")
        ]
    shares = np.array(probe.passes) / probe.total
    mean, spread = float(shares.mean()), float(shares.std())
    low, high, steady = float(shares.min()), float(shares.max()), probe.steady or 0
    reason = (
        f"In {len(shares)} passes over the clean graph its accuracy is {percent(mean)} "
        f"± {100 * spread:.2f}, from {percent(low)} to {percent(high)}; "
        f"{probe.total - steady} of {probe.total} targets did not get the same class in all of "
        "them."
    )
    figures = (
        Figure("passes", len(shares), "count"),
        Figure("mean", mean, "share"),
        Figure("standard deviation", spread, "points"),
        Figure("lowest", low, "share"),
        Figure("highest", high, "share"),
        Figure("targets with another class in some pass", probe.total - steady, "count"),
    )
    return [Flag("stochastic", reason, figures)]


def _non_adaptive(entry: Defense) -> list[Flag]:
    if entry.adaptive:
        return []
    count = len(entry.under)
    under = f"The {count} reference attacks that it was measured under were made on other models."
    if count == 1:
        under = "The reference attack that it was measured under was made on another model."
    elif count == 0:
        under = "It was measured under no reference attack."
    reason = f"None of the board's attacks names this defense as its surrogate. {under}"
    return [Flag("non-adaptive", reason, (Figure("reference attacks", count, "count"),))]
