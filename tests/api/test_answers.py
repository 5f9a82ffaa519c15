"""While an answer is made anew, its readers get the one before it, for a moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event

import httpx
import pytest
from sqlalchemy.orm import Session

from api.answers import Answer, Answers
from grbcore.settings import Settings
from grbcore.store.session import Sessions, now
from grbcore.store.tables import BoardRow
from tests.api.stage import BOARD, Stage, serve

OLD, NEW = Answer(b"old", "1"), Answer(b"new", "2")


def nothing() -> None:
    """Nothing to give back."""


@pytest.fixture
def slow() -> Iterator[tuple[Callable[[Session], Answer], Event, Event]]:
    """Makes the new answer once it may; set when it has begun, and when it may end."""
    begun, may = Event(), Event()

    def make(_session: Session) -> Answer:
        begun.set()
        assert may.wait(20)
        return NEW

    yield make, begun, may
    may.set()


def known(sessions: Sessions, seconds: float) -> Answers:
    """Answers of which one is known."""
    answers = Answers(sessions, seconds)
    assert answers.get("q", "1", lambda _: OLD, nothing) == OLD
    return answers


def test_the_answer_before_is_given_until_the_new_one_is_there(sessions: Sessions, slow) -> None:  # type: ignore[no-untyped-def]
    make, _, may = slow
    answers = known(sessions, 60)
    assert [answers.get("q", "2", make, nothing) for _ in range(3)] == [OLD] * 3
    may.set()
    assert answers.get("q", "2", make, nothing, fresh=True) == NEW
    assert answers.get("q", "2", make, nothing) == NEW


@pytest.mark.parametrize(("seconds", "fresh"), [(60, True), (0, False)])
def test_who_may_not_have_an_old_answer_waits(  # type: ignore[no-untyped-def]
    sessions: Sessions, slow, seconds: float, fresh: bool
) -> None:
    make, begun, may = slow
    answers = known(sessions, seconds)
    with ThreadPoolExecutor(1) as threads:
        asked = threads.submit(answers.get, "q", "2", make, nothing, fresh=fresh)
        assert begun.wait(20) and not asked.done()
        may.set()
        assert asked.result(20) == NEW


def test_an_old_answer_is_given_no_longer_than_allowed(  # type: ignore[no-untyped-def]
    sessions: Sessions, slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, _, may = slow
    clock = [100.0]
    monkeypatch.setattr("api.answers.time.monotonic", lambda: clock[0])
    answers = known(sessions, 2)
    assert answers.get("q", "2", make, nothing) == OLD
    clock[0] += 1.9
    assert answers.get("q", "2", make, nothing) == OLD
    clock[0] += 0.1
    with ThreadPoolExecutor(1) as threads:
        asked = threads.submit(answers.get, "q", "2", make, nothing)
        may.set()
        assert asked.result(20) == NEW


def test_an_answer_that_nobody_asked_for_since_is_not_given_once_it_is_old(  # type: ignore[no-untyped-def]
    sessions: Sessions, slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An entry that was hidden on Tuesday is not shown to the first reader of Friday."""
    make, begun, may = slow
    clock = [100.0]
    monkeypatch.setattr("api.answers.time.monotonic", lambda: clock[0])
    answers = known(sessions, 2)
    clock[0] += 2
    with ThreadPoolExecutor(1) as threads:
        asked = threads.submit(answers.get, "q", "2", make, nothing)
        assert begun.wait(20) and wait([asked], 0.2).not_done
        may.set()
        assert asked.result(20) == NEW


def test_who_asks_for_an_answer_that_is_right_keeps_it_from_growing_old(  # type: ignore[no-untyped-def]
    sessions: Sessions, slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, _, _ = slow
    clock = [100.0]
    monkeypatch.setattr("api.answers.time.monotonic", lambda: clock[0])
    answers = known(sessions, 2)
    clock[0] += 60
    assert answers.get("q", "1", make, nothing) == OLD
    clock[0] += 1.9
    assert answers.get("q", "2", make, nothing) == OLD


def test_who_joins_what_was_begun_too_early_gets_an_answer_begun_later(  # type: ignore[no-untyped-def]
    sessions: Sessions, slow
) -> None:
    make, begun, may = slow
    newest = Answer(b"newest", "3")
    answers = Answers(sessions, 60)
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(answers.get, "q", "2", make, nothing)
        assert begun.wait(20)
        second = threads.submit(answers.get, "q", "3", lambda _: newest, nothing)
        may.set()
        assert (first.result(20), second.result(20)) == (NEW, newest)


def test_an_error_reaches_who_waits_and_is_not_remembered(sessions: Sessions) -> None:
    def broken(_session: Session) -> Answer:
        raise OSError("no database")

    answers = known(sessions, 0)
    with pytest.raises(OSError, match="no database"):
        answers.get("q", "2", broken, nothing)
    assert answers.get("q", "2", lambda _: NEW, nothing) == NEW


def test_answers_make_room_for_each_other(sessions: Sessions) -> None:
    """Of ten bytes there are two of four; what is larger than all of it is kept by nobody."""
    answers = Answers(sessions, 60, room=10)
    made: list[str] = []

    def ask(question: str, size: int) -> None:
        def make(_session: Session) -> Answer:
            made.append(question)
            return Answer(b"x" * size, "1")

        assert len(answers.get(question, "1", make, nothing).body) == size

    for question in "abcb":
        ask(question, 4)
    ask("larger", 11)
    ask("larger", 11)
    ask("c", 4)
    ask("a", 4)
    assert made == ["a", "b", "c", "larger", "larger", "a"]


def test_a_reader_is_told_which_revision_an_answer_is_of(
    stage: Stage, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ranking of a new revision takes longer than a reader's patience: its lock is held."""
    url = f"/api/v1/boards/{BOARD}/leaderboard"
    patient = Settings(**{**settings.model_dump(), "stale_seconds": 60})
    held = Event()
    with serve(patient) as address, httpx.Client(base_url=address, timeout=30) as client:
        first = client.get(url)

        def hold(*_: object) -> None:
            assert held.wait(20)

        monkeypatch.setattr("api.views.rankings.queries.attempts", hold)
        with stage.sessions.writing() as session:
            row = session.get_one(BoardRow, BOARD)
            row.revision, row.changed_at = row.revision + 1, now()
        again = client.get(url)
        assert (again.json(), again.headers["etag"]) == (first.json(), first.headers["etag"])
        same = client.get(url, headers={"If-None-Match": first.headers["etag"]})
        assert same.status_code == 304
        monkeypatch.undo()
        held.set()
        newest = client.get(url, headers={"Cache-Control": "no-cache"})
        assert newest.json()["revision"] == first.json()["revision"] + 1
        assert newest.headers["etag"] != first.headers["etag"]
