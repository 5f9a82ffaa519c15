"""What a flag is, and which there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from grbcore.scenario import Side

#: warning: the entry's numbers may mean less than they seem to.  note: what to know when reading
#: them.  context: what holds of many entries, or what their authors say; not in the rankings.
Severity = Literal["warning", "note", "context"]

#: share: a fraction, shown as percent.  points: a difference of shares, shown as percentage points.
Unit = Literal["share", "points", "count", "number"]


@dataclass(frozen=True, slots=True)
class Figure:
    """A number behind a flag."""

    name: str
    value: float
    unit: Unit

    @property
    def text(self) -> str:
        """The number as a reader sees it, with its unit."""
        if self.unit == "count":
            return f"{self.value:.0f}"
        if self.unit == "number":
            return f"{self.value:.3f}"
        return f"{100 * self.value:.2f} {'%' if self.unit == 'share' else 'points'}"


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag that an entry has: its code, a sentence with the numbers, the numbers."""

    code: str
    reason: str
    figures: tuple[Figure, ...] = ()


@dataclass(frozen=True, slots=True)
class Kind:
    """A flag that there is: in a few words, and what it means in a sentence.

    ``side`` None: both have it.
    """

    code: str
    side: Side | None
    severity: Severity
    title: str
    meaning: str


_ALL = (
    Kind(
        "graph-agnostic",
        "defense",
        "warning",
        "ignores the graph",
        "Its predictions stay the same when every edge of the targets is removed, so attacks on "
        "the graph can't reach it: compare it with models that do not see the graph.",
    ),
    Kind(
        "below-floor",
        "defense",
        "warning",
        "below the floor",
        "Without attack it is right less often than a model that does not see the graph, or than "
        "always answering the most frequent class, or as often as that under every attack too: "
        "what it keeps under attack is worth little.",
    ),
    Kind(
        "random-beats-gradient",
        "defense",
        "warning",
        "random beats gradient",
        "A random attack hurts it more than every attack that follows gradients: its robustness "
        "may be that of a model whose gradients mislead, not of one that is hard to attack.",
    ),
    Kind(
        "clean-below-attacked",
        "defense",
        "warning",
        "better under attack",
        "It is right more often under an attack than without one, which a model of the task is "
        "not expected to be.",
    ),
    Kind(
        "possibly-memorised",
        "defense",
        "warning",
        "possibly trained on test nodes",
        "Without attack it is far above every reference of its own architecture; one way to get "
        "there is to train on the test nodes, or test graphs.",
    ),
    Kind(
        "no-better-than-random",
        "attack",
        "warning",
        "no better than random",
        "It leaves the typical reference defense about as much as a random attack does.",
    ),
    Kind(
        "stochastic",
        "defense",
        "note",
        "stochastic",
        "It draws at random when it predicts, so its accuracy varies by itself, and an attack that "
        "follows one pass sees a noisy gradient.",
    ),
    Kind(
        "high-variance",
        None,
        "note",
        "varies over repeats",
        "Its score differs much from repeat to repeat, so its rank says less than others'.",
    ),
    Kind(
        "homophily-shift",
        "attack",
        "note",
        "unlike its neighbours",
        "The nodes that it adds or touches look unlike their neighbours, more so than nearly all "
        "nodes of the clean graph: a filter on likeness finds them.",
    ),
    Kind(
        "feature-extremity",
        "attack",
        "note",
        "extreme features",
        "The features that it injects lie where clean ones hardly ever do: a filter on size finds "
        "them.",
    ),
    Kind(
        "reference",
        None,
        "note",
        "reference",
        "One of the board's frozen references: scores in the reference view run over it.",
    ),
    Kind(
        "adversarially-trained",
        "defense",
        "note",
        "AT",
        "Its authors say that it was trained on attacks. Robustness may be to those it has seen.",
    ),
    Kind(
        "non-adaptive",
        "defense",
        "context",
        "no adaptive attack",
        "No attack of the board was made against it: it is measured by attacks on other models "
        "only, which is the weakest test of a defense.",
    ),
    Kind(
        "own-method",
        None,
        "context",
        "own method",
        "Its method is not one of the library's; what it does is in its description.",
    ),
    Kind("withdrawn", None, "context", "withdrawn", "Its owner took it out of the rankings."),
    Kind("hidden", None, "context", "hidden", "An admin took it out of the rankings."),
    Kind(
        "not-public",
        None,
        "context",
        "not public",
        "Only its owner and admins see it. It moves nobody's rank.",
    ),
)

#: Every flag by its code, in the order in which they are shown.
KINDS: Mapping[str, Kind] = {kind.code: kind for kind in _ALL}
