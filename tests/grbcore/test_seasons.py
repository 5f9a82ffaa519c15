"""Which entries the next season takes in, and the sentence for each that it leaves out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from grbcore.seasons import MOST, Candidate, choose

#: Two reference defenses and 1,000 targets: the error of a difference is at most 2.2 points.
RANDOM = Candidate("RND", "RND", True, None, True, np.array([0.8, 0.7]))
FLOOR = Candidate("MLP", "MLP", True, None, True, np.array([0.6]), 0.6)
GOOD = Candidate("GCN", "GCN", True, None, False, np.array([0.7]), 0.9)


def attack(name: str, *against: float, family: str | None = None, **more: object) -> Candidate:
    given = {"disclosed": True, "duplicate_of": None, "yardstick": False, **more}
    return Candidate(name, family or name, against=np.array(against), **given)  # type: ignore[arg-type]


def taken(*attacks: Candidate) -> tuple[dict[str, str], dict[str, str]]:
    """Who is taken and who is left out of these attacks and the random one, with the reasons."""
    entries = [RANDOM, *attacks]
    game = np.stack([one.against for one in entries])
    found, _ = choose(entries, [GOOD, FLOOR], game, targets=1000, chance=0.1)
    words = [{c.id: "; ".join(c.reasons) for c in part} for part in (found.taken, found.left_out)]
    return words[0], words[1]


def test_an_attack_must_beat_random_by_two_errors_on_the_median_defense() -> None:
    """2 · sqrt((0.8 · 0.2 + 0.765 · 0.235) / 1000) is 0.037: 0.035 better is not enough.

    Of two defenses the one counts on which it gains more, as in the flag of `grbcore.flags`."""
    able, left = taken(attack("weak", 0.765, 0.7), attack("strong", 0.7, 0.7))
    assert set(able) == {"strong", "RND"}
    assert left == {"weak": "not better than the random attack by two standard errors"}


def test_copies_and_what_is_not_disclosed_are_left_out_with_their_reasons() -> None:
    able, left = taken(
        attack("first", 0.5, 0.5),
        attack("copy", 0.5, 0.5, duplicate_of="first"),
        attack("secret", 0.4, 0.4, disclosed=False),
    )
    assert set(able) == {"first", "RND"}
    assert left == {
        "copy": "a near-duplicate of first",
        "secret": "no code or recipe is linked",
    }


def test_of_a_family_the_one_that_the_equilibrium_needs_comes_first() -> None:
    able, left = taken(
        attack("older", 0.6, 0.5, family="PGD"), attack("newer", 0.5, 0.4, family="PGD")
    )
    assert set(able) == {"newer", "RND"}
    assert left == {"older": "of the family of newer"}
    assert able["newer"].startswith("the best attacker plays it in 100 % of games")
    assert "no other attack is as strong everywhere" in able["newer"]


def test_a_defense_must_be_better_than_the_floor_without_attack() -> None:
    weak = Candidate("weak", "GAT", True, None, False, np.array([0.5]), 0.62)
    game = np.array([[0.7, 0.6, 0.5]])
    _, found = choose([RANDOM], [GOOD, FLOOR, weak], game, targets=1000, chance=0.1)
    assert {one.id for one in found.taken} == {"GCN", "MLP"}
    assert [one.reasons for one in found.left_out] == [
        ("not better than the floor without attack by two standard errors",)
    ]


def test_there_are_at_most_twelve_of_a_side_with_what_others_are_measured_by() -> None:
    able, left = taken(*(attack(f"A{n}", 0.5 - n / 100, 0.5 - n / 100) for n in range(20)))
    assert len(able) == MOST == 12 and "RND" in able
    assert set(left.values()) == {f"{MOST} references of a side are enough"}
    assert "A19" in able and "A0" in left


def test_what_others_are_measured_by_stays_before_all_of_its_family_and_whatever_is_found() -> None:
    """A stronger attack of its family, which the equilibrium needs, does not take its place."""
    random = replace(RANDOM, duplicate_of="older", disclosed=False)
    floor = replace(FLOOR, duplicate_of="older", disclosed=False)
    strong = attack("loud", 0.1, 0.1, family="RND")
    better = replace(GOOD, id="better", family="MLP")
    game = np.array([[0.7, 0.8, 0.9], [0.1, 0.2, 0.3]])
    attacks, defenses = choose(
        [random, strong], [GOOD, floor, better], game, targets=1000, chance=0.1
    )
    assert {one.id for one in attacks.taken} == {"RND"}
    assert [one.reasons for one in attacks.left_out] == [("of the family of RND",)]
    assert {one.id for one in defenses.taken} == {"GCN", "MLP"}
    assert [one.reasons for one in defenses.left_out] == [("of the family of MLP",)]
    (praised,) = attacks.taken
    assert praised.reasons == ("what others are measured by",)
