"""A worker shows itself in the database: while it is idle, in trouble, and when it stops."""

from __future__ import annotations

from importlib import metadata

from grbcore import __version__
from grbcore.store import workers as registry
from grbcore.store.session import now
from grbcore.store.tables import BoardRow, CellRow, WorkerRow
from tests.worker.fixtures import Arena, Double, Workers, wait_for
from worker.supervisor import Supervisor


def rows(arena: Arena) -> list[WorkerRow]:
    with arena.sessions.reading() as session:
        return [*registry.known(session)]


def states(arena: Arena) -> list[str]:
    return sorted(registry.state(row, now()) for row in rows(arena))


def test_an_idle_worker_shows_itself_with_what_it_evaluates_with(
    arena: Arena, supervisor: Supervisor
) -> None:
    supervisor.start()
    wait_for(lambda: len(rows(arena)) == 1)
    (row,) = rows(arena)
    assert (row.id, row.device, row.stopped_at) == (supervisor.owner, "cpu", None)
    assert (row.versions["grb"], row.versions["torch"]) == (__version__, metadata.version("torch"))


def test_an_idle_worker_renews_its_heartbeat(arena: Arena, supervisor: Supervisor) -> None:
    supervisor.start()
    wait_for(lambda: len(rows(arena)) == 1)
    first = rows(arena)[0].heartbeat_at
    wait_for(lambda: rows(arena)[0].heartbeat_at > first)


def test_a_worker_says_which_protocol_it_avoids_and_why(
    arena: Arena, supervisor: Supervisor, double: Double
) -> None:
    arena.newcomer("defense", b"defense 3")
    with arena.sessions.writing() as session:
        session.get_one(BoardRow, arena.board).protocol = "f" * 16
        session.query(CellRow).update({"protocol": "f" * 16})
    supervisor.start()
    wait_for(lambda: bool(rows(arena)) and "f" * 16 in rows(arena)[0].avoided)
    assert "allowed: " + "f" * 16 in rows(arena)[0].avoided["f" * 16]


def test_a_worker_that_stops_in_good_order_says_so(arena: Arena, supervisor: Supervisor) -> None:
    supervisor.start()
    wait_for(lambda: len(rows(arena)) == 1)
    supervisor.stop()
    assert supervisor.join(10)
    assert states(arena) == ["stopped"]


def test_a_worker_that_was_killed_is_told_apart_once_its_successor_starts(
    arena: Arena, workers: Workers
) -> None:
    first = workers.start()
    wait_for(lambda: states(arena) == ["alive"])
    wait_for(lambda: b" ready." in workers.log.read_bytes())
    first.kill()
    first.wait()
    workers.start()
    wait_for(lambda: states(arena) == ["alive", "stopped"])
    # signals have their meaning once Celery is ready
    wait_for(lambda: workers.log.read_bytes().count(b" ready.") >= 2)
    workers.stop()
    assert states(arena) == ["stopped", "stopped"]
