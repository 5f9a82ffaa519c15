"""Real worker processes on real brokers: woken, killed, stopped, without a broker."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time

import pytest
from celery import Celery

from api.wake import Waker
from grbcore.settings import WAKE, Settings, celery_options
from grbcore.store.workers import known
from tests.worker.fixtures import Arena, Double, Workers, wait_for
from worker import hosts

REDIS = os.environ.get("GRB_TEST_REDIS", "redis://127.0.0.1:6379/12")
DEFENSE, ATTACK = b"defense 3", b"attack"


def send(settings: Settings, submission_id: str) -> None:
    """Wake a worker, as the API does."""
    sender = Celery("sender", set_as_current=False)
    sender.conf.update(celery_options(settings))
    sender.send_task(WAKE, args=[submission_id], retry=False)
    sender.close()


@pytest.fixture
def on_broker(request: pytest.FixtureRequest, settings: Settings) -> str:
    if request.param == "redis":
        settings.broker_url = REDIS
    return str(request.param)


#: Embedded, and as in production.
on_either_broker = pytest.mark.parametrize(
    ("store_url", "on_broker"), [("sqlite", "filesystem"), ("postgres", "redis")], indirect=True
)


@on_either_broker
@pytest.mark.usefixtures("on_broker")
def test_a_message_wakes_a_worker_and_a_doubled_one_changes_nothing(
    arena: Arena, workers: Workers, settings: Settings, double: Double
) -> None:
    worker = workers.start()
    wait_for(lambda: " ready." in workers.log.read_text(), 30)
    defense = arena.newcomer("defense", DEFENSE)
    for _ in range(3):
        send(settings, defense)
    wait_for(lambda: arena.state(defense) == "ranked")
    wait_for(lambda: workers.log.read_text().count("grb.wake") >= 3)
    assert double.asked() == ["answer"]
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(30) == 0


def test_a_worker_that_is_killed_in_a_cell_loses_nothing(
    arena: Arena, workers: Workers, double: Double
) -> None:
    arena.newcomer("attack", ATTACK)
    defense = arena.newcomer("defense", DEFENSE)
    double.plan("answer", "hang")
    first = workers.start()
    wait_for(lambda: double.pid() is not None, 30)
    wait_for(lambda: arena.states() == {"done": 1, "running": 1})
    first.kill()
    first.wait()
    workers.start()
    wait_for(lambda: arena.state(defense) == "ranked", 30)
    assert double.asked() == ["answer", "hang", "answer"]
    assert sorted(row.attempts for row in arena.cell_rows()) == [0, 1]
    if orphan := double.pid():
        os.kill(orphan, signal.SIGKILL)


def test_a_worker_that_is_stopped_in_a_cell_gives_its_lease_back(
    arena: Arena, workers: Workers, double: Double
) -> None:
    arena.newcomer("defense", DEFENSE)
    double.plan("hang")
    worker = workers.start()
    wait_for(lambda: double.pid() is not None, 30)
    begun = time.monotonic()
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(10) == 0
    assert time.monotonic() - begun < 10
    (cell,) = arena.cell_rows()
    assert (cell.state, cell.attempts) == ("queued", 0)
    assert not hosts.running(double.pid() or 0)


def test_without_a_broker_submissions_are_still_evaluated_and_the_worker_still_stops(
    arena: Arena, workers: Workers
) -> None:
    worker = workers.start(GRB_BROKER_URL="redis://127.0.0.1:1/0")
    defense = arena.newcomer("defense", DEFENSE)
    wait_for(lambda: arena.state(defense) == "ranked", 30)
    worker.send_signal(signal.SIGTERM)
    worker.wait(15)


def test_two_workers_compute_each_cell_once(arena: Arena, workers: Workers, double: Double) -> None:
    attacks = [arena.newcomer("attack", ATTACK + bytes([number])) for number in range(3)]
    workers.start()
    workers.start()
    wait_for(lambda: workers.log.read_text().count(" ready.") == 2, 40)
    defenses = [arena.newcomer("defense", DEFENSE + bytes([number])) for number in range(4)]
    wait_for(lambda: all(arena.state(entry) == "ranked" for entry in defenses), 40)
    assert len(double.asked()) == len(arena.cells()) == len(defenses) * (1 + len(attacks))


@on_either_broker
@pytest.mark.usefixtures("on_broker")
def test_a_message_reaches_the_workers_that_take_the_need(
    workers: Workers, settings: Settings
) -> None:
    """Three messages: two for a worker on GPUs, one that waits for another worker."""

    def received() -> int:
        return len(re.findall(r"Task grb\.wake\[\S+\] received", workers.log.read_text()))

    workers.start(GRB_TAKES="gpu,gpu-large")
    wait_for(lambda: " ready." in workers.log.read_text(), 40)
    waker = Waker(settings)
    for need in ("cpu", "gpu-large", "gpu"):
        waker.wake("an-entry", need)
    waker.close()
    wait_for(lambda: received() == 2, 40)
    workers.start(GRB_TAKES="cpu")
    wait_for(lambda: received() == 3, 40)


def test_a_worker_for_other_boards_leaves_cells_alone_and_one_that_takes_them_comes(
    arena: Arena, workers: Workers, double: Double
) -> None:
    """No message is sent: both find out by looking."""
    defense = arena.newcomer("defense", DEFENSE)
    workers.start(GRB_TAKES="gpu")
    wait_for(lambda: " ready." in workers.log.read_text(), 40)
    assert arena.states() == {"queued": 1}
    workers.start(GRB_TAKES="cpu")
    wait_for(lambda: arena.state(defense) == "ranked", 40)
    (cell,) = arena.cell_rows()
    with arena.sessions.reading() as session:
        took = next(row for row in known(session) if "cpu" in row.takes)
    assert (cell.attempts, took.takes) == (0, ["cpu"])


def test_each_device_of_a_worker_computes_under_a_lease_of_its_own(
    arena: Arena, workers: Workers, double: Double
) -> None:
    arena.newcomer("defense", DEFENSE)
    arena.newcomer("defense", DEFENSE + b"4")
    double.plan("hang", "hang")
    worker = workers.start(GRB_DEVICE="cpu,cpu")
    wait_for(lambda: len(double.asked()) == 2, 60)
    owners = {row.lease_owner or "" for row in arena.cell_rows()}
    assert {owner.split("/")[1] for owner in owners} == {str(worker.pid)}
    assert len(owners) == 2
    with arena.sessions.reading() as session:
        assert {row.id for row in known(session)} == owners
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(10) == 0
    assert [(row.state, row.attempts) for row in arena.cell_rows()] == [("queued", 0)] * 2
    with arena.sessions.reading() as session:
        assert all(row.stopped_at is not None for row in known(session))


@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)
def test_a_device_that_is_not_there_is_named_and_the_worker_does_not_start(
    workers: Workers,
) -> None:
    worker = workers.start(GRB_DEVICE="cuda:1", CUDA_VISIBLE_DEVICES="0")
    assert worker.wait(60) != 0
    assert "GRB_DEVICE: found cuda:1, allowed: cuda:0" in workers.log.read_text()


def test_a_worker_never_imports_torch() -> None:
    code = "import sys, worker.tasks; sys.exit('torch' in sys.modules or 'scipy' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
