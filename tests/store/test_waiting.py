"""Turns and expected waits, by arithmetic on a small queue."""

from __future__ import annotations

from typing import Any

import pytest

from grbcore.needs import NEEDS
from grbcore.scenario import Side
from grbcore.store.waiting import Pace, Waiter, cells_of_newcomer, in_turn, place
from tests.store.world import at

EVERYTHING = frozenset(NEEDS)
SECONDS = {"digits": 2.0, "cora": 10.0, "flickr": 100.0}
PACE = Pace(SECONDS, [EVERYTHING, EVERYTHING], {"flickr": "gpu"})


def waiter(name: str, user: str = "ann", since: float = 0, **more: Any) -> Waiter:
    chosen = {"board_id": "digits", "side": "defense", "served_at": None, "validated": True}
    chosen |= {"leased": False, "waiting": 3}
    return Waiter(submission_id=name, user_id=user, since=at(since), **{**chosen, **more})


def names(found: list[Waiter]) -> str:
    return "".join(one.submission_id for one in found)


def test_users_take_turns_and_of_each_the_oldest_comes_first() -> None:
    line = [waiter("b", since=2), waiter("a", since=1), waiter("c", "bob", since=3)]
    assert names(in_turn(line)) == "acb"


def test_a_user_never_served_comes_before_one_who_was() -> None:
    line = [waiter("a", served_at=at(0)), waiter("b", "bob", since=9)]
    assert names(in_turn(line)) == "ba"


def test_a_user_served_longest_ago_comes_first() -> None:
    line = [waiter("a", served_at=at(5)), waiter("b", "bob", since=9, served_at=at(1))]
    assert names(in_turn(line)) == "ba"


def test_what_is_urgent_comes_first() -> None:
    assert names(in_turn([waiter("a", priority=1), waiter("b", "bob", since=9)])) == "ba"


@pytest.mark.parametrize(("side", "expected"), [("defense", 5), ("attack", 3)])
def test_a_defense_needs_the_clean_cell_too(side: Side, expected: int) -> None:
    assert cells_of_newcomer(side, {"attack": 4, "defense": 3}) == expected


def test_the_first_entry_of_a_board_has_no_counterparts() -> None:
    assert (cells_of_newcomer("defense", {}), cells_of_newcomer("attack", {})) == (1, 0)


def test_the_wait_is_what_is_in_front_over_the_workers_and_ones_own() -> None:
    line = [waiter("a", waiting=3, board_id="cora"), waiter("b", "bob", since=1, waiting=4)]
    found = place("b", line, PACE)
    assert found is not None
    # 3 cells of 10 s by two workers, then 4 of 2 s by one
    assert (found.position, found.waiting, found.seconds) == (2, 2, 3 * 10 / 2 + 4 * 2)


def test_what_is_at_work_is_in_front_too_and_stands_in_no_line() -> None:
    line = [waiter("a", leased=True, waiting=1, running=2), waiter("b", "bob", waiting=1)]
    found = place("b", line, PACE)
    assert found is not None
    assert (found.position, found.waiting, found.seconds) == (1, 1, 3 * 2 / 2 + 2)


ONE = Pace(SECONDS, [EVERYTHING], {"flickr": "gpu"})


def long(user: str, **more: Any) -> Waiter:
    """200 seconds of work, of which two cells are not done."""
    return waiter("a", user, board_id="cora", leased=True, waiting=18, running=2, **more)


@pytest.mark.parametrize(
    ("cells", "validated", "turns"),
    [
        (4, True, 1),
        (4, False, 2),  # to be validated is a turn, too
        (20, True, 2),  # 40 seconds are more than one turn's 30
    ],
)
def test_anothers_long_work_makes_way_after_30_seconds_and_a_cell_as_often_as_one_needs(
    cells: int, validated: bool, turns: int
) -> None:
    line = [long("ann"), waiter("b", "bob", waiting=cells, validated=validated)]
    found = place("b", line, ONE)
    assert found is not None and found.seconds == turns * (30 + 10) + cells * 2


def test_all_work_of_another_makes_way_together() -> None:
    more = [waiter(f"a{k}", waiting=20, board_id="cora", since=-k) for k in range(5)]
    found = place("b", [long("ann"), *more, waiter("b", "bob", since=9, validated=False)], ONE)
    assert found is not None and found.seconds == 2 * (30 + 10) + 3 * 2


def test_anothers_long_work_is_no_longer_than_it_is() -> None:
    found = place("b", [long("ann"), waiter("b", "bob", waiting=90)], ONE)  # six turns
    assert found is not None and found.seconds == 200 + 90 * 2


def test_ones_own_long_work_makes_no_way() -> None:
    found = place("b", [long("bob"), waiter("b", "bob", waiting=4)], ONE)
    assert found is not None and found.seconds == 200 + 4 * 2


def test_what_is_run_again_waits_for_all_of_what_is_new() -> None:
    found = place("b", [long("ann"), waiter("b", "bob", waiting=4, priority=10)], ONE)
    assert found is not None and found.seconds == 200 + 4 * 2


def test_at_work_there_is_no_position_and_only_ones_own_cells_are_left() -> None:
    line = [waiter("a", leased=True, waiting=1, running=2), waiter("b", "bob")]
    found = place("a", line, PACE)
    assert found is not None
    assert (found.position, found.seconds) == (None, 6.0)


def test_a_validation_stands_in_a_line_of_its_own_behind_the_cells_of_others() -> None:
    line = [waiter("a", waiting=2), waiter("b", "bob", validated=False, waiting=3)]
    found = place("b", line, PACE)
    assert found is not None
    assert (found.position, found.waiting, found.seconds) == (1, 1, 2 * 2 / 2 + 6)


def test_nothing_is_expected_without_a_worker() -> None:
    found = place("a", [waiter("a")], Pace({"digits": 2.0}, [], {}))
    assert found is not None and (found.seconds, found.missing) == (None, "cpu")


def split(*takes: set[str]) -> Pace:
    """One worker for each of these, and a board, flickr, that needs a GPU."""
    return Pace(SECONDS, [*takes], {"flickr": "gpu"})


def test_nothing_is_expected_where_no_worker_takes_the_board_and_it_says_so() -> None:
    found = place("a", [waiter("a", board_id="flickr")], split({"cpu"}))
    assert found is not None
    assert (found.position, found.seconds, found.missing) == (1, None, "gpu")


def test_work_that_only_other_workers_take_is_not_in_front() -> None:
    line = [waiter("a", board_id="flickr"), waiter("b", "bob", since=1)]
    found = place("b", line, split({"cpu"}, {"gpu"}))
    assert found is not None
    assert (found.position, found.waiting, found.seconds) == (1, 1, 3 * 2)
    assert found.missing is None


def test_work_that_shares_one_worker_is_in_front_and_shared_by_those_that_take_it() -> None:
    line = [waiter("a", board_id="flickr"), waiter("b", "bob", since=1)]
    found = place("b", line, split({"cpu", "gpu"}, {"gpu"}))
    assert found is not None
    # a turn, 30 s and a cell of 100 s, by two workers, then 3 of 2 s by the one that takes cpu
    assert (found.position, found.waiting, found.seconds) == (2, 2, (30 + 100) / 2 + 3 * 2)


def test_work_of_unknown_length_for_other_workers_hides_no_wait() -> None:
    pace = Pace(SECONDS, [{"cpu"}, {"gpu"}], {"new": "gpu"})
    found = place("b", [waiter("a", board_id="new"), waiter("b", "bob", since=1)], pace)
    assert found is not None and found.seconds == 3 * 2


def test_nothing_is_expected_of_a_board_where_nothing_was_measured() -> None:
    found = place("a", [waiter("a", board_id="new")], PACE)
    assert found is not None and found.seconds is None


def test_nothing_is_expected_behind_work_of_unknown_length() -> None:
    found = place("b", [waiter("a", board_id="new"), waiter("b", "bob", since=1)], PACE)
    assert found is not None and found.seconds is None


def test_who_waits_for_nothing_has_no_place() -> None:
    assert place("z", [waiter("a")], PACE) is None
