"""Many readers of one thing ask the database once in a moment."""

from __future__ import annotations

from itertools import count

import httpx
import pytest

from api.looks import Looks
from tests.api.stage import BOARD, SUBMISSIONS, Stage, serve
from tests.servers import wait_until


def test_a_look_is_good_for_a_moment() -> None:
    looks, found = Looks(60), count()
    assert [looks.get("board", lambda: next(found)) for _ in range(3)] == [0, 0, 0]
    assert looks.get("another board", lambda: next(found)) == 1


def test_who_insists_looks_and_others_are_told_what_they_found() -> None:
    looks, found = Looks(60), count()
    assert looks.get("board", lambda: next(found)) == 0
    assert looks.get("board", lambda: next(found), fresh=True) == 1
    assert looks.get("board", lambda: next(found)) == 1


def test_who_has_written_is_told_what_holds_since() -> None:
    looks, found = Looks(60), count()
    assert looks.get("board", lambda: next(found)) == 0
    looks.written()
    assert looks.get("board", lambda: next(found)) == 1


def test_a_look_that_began_before_something_was_written_is_not_kept() -> None:
    looks = Looks(60)

    def meanwhile() -> str:
        looks.written()
        return "before"

    assert looks.get("board", meanwhile) == "before"
    assert looks.get("board", lambda: "since") == "since"


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


def test_a_change_through_the_service_is_looked_at(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.looks.MOMENT", 60.0)
    entries = [stage.entry("defense", name) for name in "AB"]
    for entry in entries:
        stage.cell(None, entry, {"full": [50]})
    settings = stage.settings.model_copy(update={"stale_seconds": 60.0})
    with serve(settings) as address, httpx.Client(base_url=address, timeout=30) as client:
        url = f"/api/v1/boards/{BOARD}/leaderboard"
        assert client.get(url).json()["total"] == 2
        change = f"{SUBMISSIONS}/{entries[0]}/hide"
        done = client.post(change, json={"reason": "a test"}, headers=stage.bearer("admin"))
        assert done.status_code == 200, done.text
        wait_until("the other ranking", lambda: client.get(url).json()["total"] == 1)
