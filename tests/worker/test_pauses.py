"""A worker that was stopped, or whose machine slept, charges nobody for that time."""

from __future__ import annotations

import os
import signal
import sys
import time
from threading import Event

import pytest

from tests.worker.fixtures import Arena, Double, Workers, wait_for
from tests.worker.short_board import SECONDS
from worker.patience import SLACK, SLICE, Stopwatch, every, left_after, was_paused


def test_a_slice_of_a_wait_takes_what_it_took() -> None:
    assert left_after(60, asked=1, passed=1.5) == 58.5
    assert left_after(0.5, asked=0.5, passed=0.5) == 0


def test_a_pause_is_not_taken_from_a_wait() -> None:
    assert was_paused(1, 1 + SLACK + 0.1) and not was_paused(1, 1 + SLACK)
    assert left_after(60, asked=1, passed=3600) == 59


def test_after_a_pause_there_is_time_to_read_what_came_meanwhile() -> None:
    assert left_after(0.5, asked=0.5, passed=3600) == SLICE


def test_what_happens_every_so_often_is_told_of_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    waits = iter([0.05, 3600.0])
    monkeypatch.setattr(Stopwatch, "passed", lambda _: next(waits))
    told: list[bool] = []
    stopping = Event()

    def act(slept: bool) -> None:
        told.append(slept)
        if len(told) == 2:
            stopping.set()

    every(0.0, 0.05, act, stopping)
    assert told == [False, True]


def test_a_worker_stopped_for_longer_than_a_cell_may_take_charges_nothing(
    arena: Arena, workers: Workers, double: Double
) -> None:
    """Worker and evaluator stand still, as on a machine that sleeps, then both go on."""
    defense = arena.newcomer("defense", b"defense 3")
    double.plan("sleep")
    worker = workers.start(command=(sys.executable, "-m", "tests.worker.short_board"))
    wait_for(lambda: double.pid("asleep") is not None, 60)
    worker.send_signal(signal.SIGSTOP)
    time.sleep(SECONDS + 1)  # the time itself is what is tested
    worker.send_signal(signal.SIGCONT)
    os.kill(double.pid("asleep") or 0, signal.SIGCONT)
    wait_for(lambda: arena.state(defense) == "ranked", 30)
    (cell,) = arena.cell_rows()
    assert (cell.attempts, cell.error_code) == (0, None)
    assert double.asked() == ["sleep"]
