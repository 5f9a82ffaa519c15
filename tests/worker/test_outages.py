"""A store that is away, a disk that is full: nobody is charged, and work goes on by itself."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest

from grbcore.datasets import Dataset
from grbcore.settings import Settings
from grbcore.store.blobs import Blobs
from grbcore.store.session import Sessions
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
def remote(s3: S3, settings: Settings) -> Settings:
    """A worker's settings with its blobs in the store."""
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
    s3.kill()
    with started(remote) as supervisor:
        wait_for(lambda: set(supervisor.avoided()) == {BOARD})
        [cell] = distant.cell_rows()
        assert (cell.attempts, distant.state(defense)) == (0, "evaluating")
        s3.revive()
        distant.blobs.put_bytes(DEFENSE)  # the server keeps nothing when it is killed
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
        s3.kill()
        wait_for(lambda: set(supervisor.avoided()) == {BOARD})
        s3.revive()
        distant.blobs.put_bytes(DEFENSE)
        wait_for(lambda: distant.state(defense) == "ranked")
    [cell] = distant.cell_rows()
    assert cell.attempts == 0
