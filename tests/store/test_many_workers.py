"""Many workers on one board at once: nothing deadlocks and no pair is left out."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Event

from grbcore.store import marks
from grbcore.store.queue import (
    begin_cell,
    claim_cells,
    claim_validation,
    heartbeat,
    pending,
    release,
)
from grbcore.store.recovery import reap, retry_cell
from grbcore.store.registration import finish_cell, finish_validation
from grbcore.store.session import Sessions
from grbcore.store.tables import Submission
from tests.store.world import RESULT, World, at

LATER = at(10_000)  # every wait is over, no lease has expired


def work(sessions: Sessions, number: int) -> None:
    """A worker that releases, retries and finishes at random until nothing is left."""
    random = Random(number)
    owner = f"host/{number}/x"
    while True:
        with sessions.reading() as session:
            if not pending(session, LATER):
                return
        with sessions.writing() as session:
            validation = claim_validation(session, owner, LATER)
        if validation is not None:
            with sessions.writing() as session:
                finish_validation(session, validation.entry.id, validation.token, [], LATER)
        with sessions.writing() as session:
            batch = claim_cells(session, owner, LATER, limit=3)
        for cell in batch.cells if batch else ():
            token = batch.token if batch else ""
            with sessions.writing() as session:
                begin_cell(session, cell.id, token, LATER)
            with sessions.writing() as session:
                heartbeat(session, [token], LATER)
            with sessions.writing() as session:
                if random.random() < 0.03:
                    retry_cell(session, cell.id, token, code="x", reason="x", now=at(0))
                elif random.random() < 0.1:
                    release(session, token, LATER)
                    break
                else:
                    finish_cell(session, cell.id, token, RESULT, LATER)


def test_many_workers_a_reaper_and_heartbeats_complete_the_whole_matrix(world: World) -> None:
    attacks = [world.submit("attack") for _ in range(5)]
    defenses = [world.submit("defense") for _ in range(5)]
    done = Event()

    def keep_reaping() -> None:
        while not done.wait(0.02):
            with world.sessions.writing() as session:
                reap(session, LATER)

    def keep_hiding() -> None:
        while not done.wait(0.05):
            for mark in (marks.hide, marks.show):
                with world.sessions.writing() as session:
                    mark(session, session.get_one(Submission, attacks[0]), now=at(0))

    with ThreadPoolExecutor(6) as threads:
        side_jobs = [threads.submit(keep_reaping), threads.submit(keep_hiding)]
        list(threads.map(lambda number: work(world.sessions, number), range(4)))
        done.set()
        for job in side_jobs:
            job.result()
    work(world.sessions, 9)
    assert {world.state(entry) for entry in attacks + defenses} == {"ranked"}
    pairs = {(a, d) for a in [None, *attacks] for d in defenses}
    assert set(world.cells()) == pairs
    assert set(world.cells().values()) == {"done"}
