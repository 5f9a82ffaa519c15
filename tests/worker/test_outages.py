"""A store that is away, a disk that is full: nobody is charged, and work goes on by itself."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest

from grbcore.datasets import Dataset
from grbcore.settings import Settings
from grbcore.store import blobs
from grbcore.store.blobs import Blobs
from grbcore.store.recovery import requeue
from grbcore.store.session import Sessions, now
from tests.s3 import *  # noqa: F403
from tests.servers import S3
from tests.store.world import BOARD
from tests.worker.fixtures import Arena, Double, wait_for
from worker import supervisor as supervisor_module
from worker.supervisor import Supervisor

DEFENSE, ATTACK = b"defense 3", b"attack"


@pytest.fixture(autouse=True)
def short_respite(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor_module, "RESPITE", 0.5)


@contextlib.contextmanager
def started(settings: Settings) -> Iterator[Supervisor]:
    made = Supervisor(settings, poll=0.1, heartbeat_seconds=0.3, reap_seconds=0.3)
    made.start()
    try:
        yield made
    finally:
        made.stop()
        assert made.join(20)


@pytest.fixture
def remote(s3: S3, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A worker's settings with its blobs in the store, whose silence is noticed soon."""
    monkeypatch.setattr(blobs, "_TIMES", {"connect_timeout": "1s", "timeout": "1s"})
    return settings.model_copy(update={"blob_url": s3.url})


@pytest.fixture
def distant(remote: Settings, sessions: Sessions, digits: Dataset) -> Arena:
    return Arena(sessions, Blobs(remote.blob_url), digits)


def test_a_worker_reads_entries_from_the_store_and_writes_hits_to_it(
    distant: Arena, remote: Settings
) -> None:
    distant.newcomer("attack", ATTACK)
    defense = distant.newcomer("defense", DEFENSE)
    with started(remote):
        wait_for(lambda: distant.state(defense) == "ranked")
    assert all(distant.blobs.read(cell.hits_sha256 or "") for cell in distant.cell_rows())
    cached = [path.name for path in remote.cache_dir.rglob("*") if path.is_file()]
    assert distant.submission(defense).sha256 in cached


def test_a_store_that_is_away_charges_nobody_and_work_goes_on_once_it_is_back(
    distant: Arena, remote: Settings, s3: S3
) -> None:
    defense = distant.newcomer("defense", DEFENSE)
    s3.freeze()
    with started(remote) as supervisor:
        wait_for(lambda: set(supervisor.avoided()) == {BOARD})
        [cell] = distant.cell_rows()
        assert (cell.attempts, distant.state(defense)) == (0, "evaluating")
        s3.thaw()
        wait_for(lambda: distant.state(defense) == "ranked")
    [cell] = distant.cell_rows()
    assert cell.attempts == 0


def test_a_store_that_goes_while_a_cell_is_computed_charges_nobody(
    distant: Arena, remote: Settings, s3: S3, double: Double
) -> None:
    defense = distant.newcomer("defense", DEFENSE)
    double.plan("slow")
    with started(remote) as supervisor:
        wait_for(lambda: double.asked() == ["slow"])
        s3.freeze()
        wait_for(lambda: set(supervisor.avoided()) == {BOARD})
        s3.thaw()
        wait_for(lambda: distant.state(defense) == "ranked")
    [cell] = distant.cell_rows()
    assert cell.attempts == 0


# Every cell of one submission


def test_a_submission_whose_every_cell_fails_is_failed_and_changes_nothing_for_others(
    arena: Arena, settings: Settings, double: Double
) -> None:
    attacks = [arena.newcomer("attack", ATTACK + bytes([number])) for number in range(3)]
    double.plan(*["defense"] * 10)
    with started(settings):
        wait_for(lambda: {arena.state(attack) for attack in attacks} == {"ranked"})
        before = arena.revision()
        defense = arena.newcomer("defense", DEFENSE)
        wait_for(lambda: arena.state(defense) == "failed")
        assert arena.submission(defense).reason == "3 of 7"
        assert arena.states() == {"failed": 1}  # the others were not tried
        assert arena.revision() == before
        later = arena.newcomer("attack", ATTACK + b"later")
        wait_for(lambda: arena.state(later) == "ranked")  # against nobody
    assert {arena.state(attack) for attack in attacks} == {"ranked"}


def test_a_submission_whose_every_cell_ends_evaluators_waits_for_an_admin_and_nobody_else_does(
    arena: Arena, settings: Settings, double: Double
) -> None:
    attacks = [arena.newcomer("attack", ATTACK + bytes([number])) for number in range(2)]
    defense = arena.newcomer("defense", DEFENSE)
    double.plan(*["die"] * 6)

    def all_dead() -> bool:
        arena.hurry()
        return arena.states() == {"dead": 3}

    with started(settings):
        wait_for(all_dead, 60)
        assert arena.state(defense) == "evaluating"
        assert "waits for an admin" in (arena.submission(defense).reason or "")
        other = arena.newcomer("defense", b"defense 4")
        wait_for(lambda: arena.state(other) == "ranked")
        for cell in arena.cell_rows():
            with arena.sessions.writing() as session:
                assert requeue(session, cell.id, now()) == (cell.state == "dead")
        wait_for(lambda: arena.state(defense) == "ranked")
    assert arena.submission(defense).reason is None
    assert {arena.state(attack) for attack in attacks} == {"ranked"}
    assert arena.states() == {"done": 6}
