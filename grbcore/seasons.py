"""Which entries should be the references of a board's next season, and why.

A reference must be *effective*, *distinct* and *disclosed*, and there is one of each family.  An
attack is effective where it is better than random by more than two standard errors on the median
reference defense; a defense, where it is better without attack than the floor, which does not use
the graph, by as much.  Both yardsticks, the random attack and the floor, stay whatever is found of
them.  What the equilibrium of the game needs comes first, then what no other entry
dominates, then what scores best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grbcore.flags import Accuracy, median_gain, standard_error
from grbcore.nash import equilibrium
from grbcore.scenario import Side

Floats = NDArray[np.float64]

#: So many references of a side are enough, the yardsticks among them.
MOST = 12

#: By so many standard errors an entry must be better.
_ERRORS = 2.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entry that could be a reference.

    Attributes:
        id: of the submission.
        family: of which there is one reference.
        disclosed: whether its code, or its recipe, is open.
        duplicate_of: an earlier entry that it nearly is, or None.
        yardstick: whether it is what others are measured by, the random attack or the floor, and
            stays.
        against: (n,) mean accuracies against the references of now, all of one order.
        clean: of a defense, its accuracy without attack.
    """

    id: str
    family: str
    disclosed: bool
    duplicate_of: str | None
    yardstick: bool
    against: Floats
    clean: float | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """An entry that was considered, and the sentences that say why it was taken or left out."""

    id: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The references of one side in their order, and who else was considered."""

    taken: tuple[Choice, ...]
    left_out: tuple[Choice, ...]


def choose(
    attacks: Sequence[Candidate],
    defenses: Sequence[Candidate],
    game: Floats,
    *,
    targets: int,
    chance: float,
) -> tuple[Chosen, Chosen]:
    """The attacks and the defenses of the next season.

    Args:
        attacks: those that are ranked, in order of registration.
        defenses: those that are ranked.
        game: (attacks, defenses) float64, mean accuracies between them.
        targets: how many nodes an accuracy is measured on.
        chance: the accuracy of guessing, where no defense is the floor.
    """
    able = [
        [_objections(one, side, entries, targets, chance) for one in entries]
        for side, entries in (("attack", attacks), ("defense", defenses))
    ]
    rows, columns = (np.array([not why for why in side], np.bool_) for side in able)
    played = game[np.ix_(rows, columns)]
    shares = np.zeros(len(attacks)), np.zeros(len(defenses))
    if played.size:
        found = equilibrium(played)
        shares[0][rows], shares[1][columns] = found.rows, found.columns
    return (
        _chosen("attack", attacks, able[0], shares[0], played),
        _chosen("defense", defenses, able[1], shares[1], -played.T),
    )


def _objections(
    one: Candidate, side: str, entries: Sequence[Candidate], targets: int, chance: float
) -> tuple[str, ...]:
    if one.yardstick:
        return ()
    why = []
    if one.duplicate_of is not None:
        why.append(f"a near-duplicate of {one.duplicate_of}")
    if not one.disclosed:
        why.append("no code or recipe is linked")
    if not _effective(one, side, entries, targets, chance):
        what = "the random attack" if side == "attack" else "the floor without attack"
        why.append(f"not better than {what} by two standard errors")
    return tuple(why)


def _effective(
    one: Candidate, side: str, entries: Sequence[Candidate], targets: int, chance: float
) -> bool:
    yardstick = next((entry for entry in entries if entry.yardstick), None)
    if side == "defense":
        assert one.clean is not None
        floor = chance if yardstick is None or yardstick.clean is None else yardstick.clean
        error = standard_error(Accuracy(one.clean, targets), Accuracy(floor, targets))
        return one.clean - floor > _ERRORS * error
    if yardstick is None or not one.against.size:
        return True
    random, left = (
        [Accuracy(mean, targets) for mean in entry.against.tolist()] for entry in (yardstick, one)
    )
    _, gain, error = median_gain(random, left)
    return gain > _ERRORS * error


def _chosen(
    side: Side,
    entries: Sequence[Candidate],
    able: Sequence[tuple[str, ...]],
    shares: Floats,
    played: Floats,
) -> Chosen:
    """``played`` has a row for each entry that may be taken; lower is better."""
    left = [Choice(one.id, why) for one, why in zip(entries, able, strict=True) if why]
    free = [place for place, why in enumerate(able) if not why]
    first = _undominated(played)
    ways = {place: number for number, place in enumerate(free)}

    def rank(place: int) -> tuple[bool, bool, bool, float, int]:
        mean = float(played[ways[place]].mean()) if played.size else 0.0
        needed, stays = shares[place] > 0, entries[place].yardstick
        return not stays, not needed, not first[ways[place]], mean, place

    taken: list[Choice] = []
    families: dict[str, str] = {}
    for place in sorted(free, key=rank):
        one = entries[place]
        if one.family in families and not one.yardstick:
            left.append(Choice(one.id, (f"of the family of {families[one.family]}",)))
        elif len(taken) >= MOST and not one.yardstick:
            left.append(Choice(one.id, (f"{MOST} references of a side are enough",)))
        else:
            families.setdefault(one.family, one.id)
            taken.append(Choice(one.id, _praise(one, side, shares[place], first[ways[place]])))
    return Chosen(tuple(taken), tuple(left))


def _undominated(played: Floats) -> list[bool]:
    """Of each row whether no other is as low everywhere and lower somewhere."""
    return [not ((played <= row).all(axis=1) & (played < row).any(axis=1)).any() for row in played]


def _praise(one: Candidate, side: Side, share: float, undominated: bool) -> tuple[str, ...]:
    why = []
    if share:
        who = "the best attacker" if side == "attack" else "the best defender"
        why.append(f"{who} plays it in {100 * share:.0f} % of games")
    if undominated:
        other = "attack is as strong" if side == "attack" else "defense is as robust"
        why.append(f"no other {other} everywhere")
    if one.yardstick:
        return (*why, "what others are measured by")
    return (*why, "effective, distinct, disclosed, the first of its family")
