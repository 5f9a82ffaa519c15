"""Many readers of one thing ask the database once in a moment."""

from __future__ import annotations

from itertools import count

from api.looks import Looks


def test_a_look_is_good_for_a_moment() -> None:
    looks, found = Looks(60), count()
    assert [looks.get("board", lambda: next(found)) for _ in range(3)] == [0, 0, 0]
    assert looks.get("another board", lambda: next(found)) == 1


def test_who_insists_looks_and_others_are_told_what_they_found() -> None:
    looks, found = Looks(60), count()
    assert looks.get("board", lambda: next(found)) == 0
    assert looks.get("board", lambda: next(found), fresh=True) == 1
    assert looks.get("board", lambda: next(found)) == 1


def test_where_nothing_old_is_told_each_looks() -> None:
    looks, found = Looks(0), count()
    assert [looks.get("board", lambda: next(found)) for _ in range(3)] == [0, 1, 2]


def test_a_look_that_ends_late_replaces_none_that_began_later() -> None:
    looks = Looks(60)

    def slowly() -> str:
        assert looks.get("board", lambda: "newer", fresh=True) == "newer"
        return "older"

    assert looks.get("board", slowly) == "older"
    assert looks.get("board", lambda: "newest") == "newer"


def test_the_oldest_look_goes() -> None:
    looks, found = Looks(60, most=2), count()
    assert [looks.get(board, lambda: next(found)) for board in "abc"] == [0, 1, 2]
    assert looks.get("c", lambda: next(found)) == 2
    assert looks.get("a", lambda: next(found)) == 3
