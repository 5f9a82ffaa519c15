"""The registry of workers: who is there, who is lost, who is forgotten."""

from __future__ import annotations

from datetime import datetime

import pytest

from grbcore.needs import NEEDS
from grbcore.store import workers
from grbcore.store.recovery import overdue, reap
from grbcore.store.session import Sessions
from tests.store.world import START, at

DAY = 24 * 3600


def identity(owner: str = "host/1/first", started_at: datetime = START) -> workers.Identity:
    return workers.Identity(owner, "cpu", {"grb": "0.1.0"}, started_at)


def beat(sessions: Sessions, seconds: float, owner: str = "host/1/first", **avoided: str) -> None:
    with sessions.writing() as session:
        workers.beat(session, identity(owner), avoided=avoided, now=at(seconds))


def states(sessions: Sessions, seconds: float) -> dict[str, str]:
    """The state of each worker by its owner, in the order of the list."""
    with sessions.reading() as session:
        return {row.id: workers.state(row, at(seconds)) for row in workers.known(session)}


def test_a_worker_is_alive_for_one_lease_after_its_heartbeat(sessions: Sessions) -> None:
    beat(sessions, 0)
    assert states(sessions, 45) == {"host/1/first": "alive"}
    assert states(sessions, 46) == {"host/1/first": "lost"}


def test_a_heartbeat_renews_one_row_and_says_what_is_avoided_now(sessions: Sessions) -> None:
    beat(sessions, 0, board="the data is not here")
    beat(sessions, 10)
    with sessions.reading() as session:
        (row,) = workers.known(session)
    assert (row.started_at, row.heartbeat_at, row.avoided) == (START, at(10), {})


def test_a_worker_that_signed_off_has_stopped_at_once(sessions: Sessions) -> None:
    beat(sessions, 0)
    with sessions.writing() as session:
        workers.sign_off(session, "host/1/first", at(1))
        assert workers.taken(session, at(1)) == []
    assert states(sessions, 1) == {"host/1/first": "stopped"}


def test_living_workers_say_what_they_take(sessions: Sessions) -> None:
    beat(sessions, 0)
    large = workers.Identity("host/2/b", "cuda:0", {}, START, takes=("gpu", "gpu-large"))
    with sessions.writing() as session:
        workers.beat(session, large, avoided={}, now=at(5))
    with sessions.reading() as session:
        everything = frozenset(NEEDS)
        assert {*workers.taken(session, at(45))} == {everything, frozenset(large.takes)}
        assert workers.taken(session, at(46)) == [frozenset(large.takes)]


def test_those_that_should_be_there_come_first(sessions: Sessions) -> None:
    for second, owner in enumerate(["host/1/a", "host/2/b", "host/3/c"]):
        beat(sessions, second, owner)
    with sessions.writing() as session:
        workers.sign_off(session, "host/3/c", at(3))
    assert list(states(sessions, 3)) == ["host/2/b", "host/1/a", "host/3/c"]


@pytest.mark.parametrize(
    ("owner", "expected"),
    [
        ("host/2/gone", "stopped"),
        ("host/3/runs", "alive"),
        ("other/2/gone", "alive"),
        ("host/9/before", "stopped"),
        ("host/9/sibling", "alive"),
    ],
)
def test_a_starting_worker_retires_dead_ones_of_its_host(
    sessions: Sessions, owner: str, expected: str
) -> None:
    beat(sessions, 0, owner)
    beat(sessions, 0, "host/9/now")
    living = {"host/3/runs", "host/9/now", "host/9/sibling"}
    with sessions.writing() as session:
        workers.retire_predecessors(session, "host", living.__contains__, at(1))
    assert states(sessions, 1) == {owner: expected, "host/9/now": "alive"}


def test_the_reaper_forgets_a_worker_after_a_day(sessions: Sessions) -> None:
    beat(sessions, 0)
    beat(sessions, 1, "host/2/second")
    for second, left in ((DAY, 2), (DAY + 0.5, 1)):
        with sessions.writing() as session:
            assert overdue(session, at(second)) == (left == 1)
            reap(session, at(second))
        assert len(states(sessions, second)) == left


def test_a_worker_that_was_forgotten_appears_again_with_its_next_heartbeat(
    sessions: Sessions,
) -> None:
    beat(sessions, 0)
    with sessions.writing() as session:
        assert workers.forget(session, at(2 * DAY)) == 1
    beat(sessions, 2 * DAY)
    assert states(sessions, 2 * DAY) == {"host/1/first": "alive"}
