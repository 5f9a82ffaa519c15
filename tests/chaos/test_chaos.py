"""Whatever is killed, stopped or started again, and whenever: each cell is computed, and once."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grbcore.cli.up import worker_command
from grbcore.settings import Settings
from tests.chaos.chaos import Chaos
from tests.chaos.entries import Entries
from tests.chaos.fleet import Fleet
from tests.chaos.setting import fleet, settings
from tests.chaos.watch import Watch
from tests.servers import Postgres, Redis, wait_until

SEED = 2021

#: Nothing may wait so long for the end of a lease or a message while a worker is idle.
LONGEST = 60.0

#: Of a lease in the short forms; seconds.
SHORT = 6.0


def hasty_worker() -> list[str]:
    return [sys.executable, "-m", "tests.chaos.hasty_worker", str(SHORT)]


def suffer(
    entries: Entries,
    workers: Fleet,
    given: Settings,
    misfortunes: Callable[[Chaos], dict[Callable[[], None], int]],
    *,
    frozen_seconds: float,
    pause: float,
    seconds: float,
) -> None:
    """Let everything happen, then hold what must hold."""
    chaos = Chaos(entries, workers, frozen_seconds, SEED)
    watch = Watch(entries.sessions, workers, 0.5)
    watch.start()
    begun = time.monotonic()
    chaos.run(misfortunes(chaos), pause)
    helped = chaos.settle(seconds)
    watch.end()
    took = time.monotonic() - begun
    workers.stop()
    entries.check()
    computed = (given.var_dir.parent / "evaluator" / "computed").read_text().split()
    sys.stdout.write(
        f"{len(set(computed))} cells in {took:.0f} s, {len(computed)} times computed; "
        f"{dict(chaos.happened)}; {helped} requeued; longest wait beside an idle worker "
        f"{watch.longest:.1f} s in {watch.samples} looks\n"
    )
    assert watch.longest < LONGEST
    wait_until("no process is left", lambda: not [*workers.remains()], 10)
    assert [*given.scratch_dir.iterdir()] == []


@pytest.fixture
def postgres() -> Iterator[Postgres]:
    server = Postgres()
    try:
        server.start()
        yield server
    finally:
        server.close()


@pytest.fixture
def redis() -> Iterator[Redis]:
    server = Redis()
    try:
        server.start()
        wait_until("redis", server.answers)
        yield server
    finally:
        server.close()


def production(
    postgres: Postgres,
    redis: Redis,
    folder: Path,
    *,
    command: list[str],
    attacks: int,
    defenses: int,
    rest: float,
    rounds: int,
    frozen_seconds: float,
    pause: float,
    seconds: float,
) -> None:
    """Four workers on Postgres and Redis; ``rounds`` times everything that can happen."""

    def empty_broker() -> None:
        redis.kill()
        redis.start()

    def restart_database() -> None:
        postgres.stop("fast")
        postgres.start()

    def crash_database() -> None:
        postgres.stop("immediate")
        postgres.start()

    given = settings(folder, rest, database_url=postgres.url, broker_url=redis.url)
    entries = Entries(given, attacks, defenses, SEED)
    with fleet(command, given, 4, folder / "workers.log") as workers:
        suffer(
            entries,
            workers,
            given,
            lambda chaos: {
                chaos.kill_worker: 3 * rounds,
                chaos.kill_evaluator: 4 * rounds,
                chaos.freeze_worker: rounds,
                empty_broker: rounds,
                restart_database: rounds,
                crash_database: rounds,
            },
            frozen_seconds=frozen_seconds,
            pause=pause,
            seconds=seconds,
        )
    entries.close()


def test_300_cells_on_postgres_and_redis_with_four_workers(
    postgres: Postgres, redis: Redis, tmp_path: Path
) -> None:
    production(
        postgres,
        redis,
        tmp_path,
        command=hasty_worker(),
        attacks=17,
        defenses=17,
        rest=0.05,
        rounds=1,
        frozen_seconds=2 * SHORT,
        pause=1.0,
        seconds=120,
    )


@pytest.mark.long
def test_10_000_cells_on_postgres_and_redis_with_four_workers(
    postgres: Postgres, redis: Redis, tmp_path: Path
) -> None:
    """With the leases of a real service."""
    production(
        postgres,
        redis,
        tmp_path,
        command=worker_command(),
        attacks=100,
        defenses=100,
        rest=0.01,
        rounds=5,
        frozen_seconds=70.0,
        pause=4.0,
        seconds=1200,
    )


def test_300_cells_on_the_embedded_default_with_one_worker(tmp_path: Path) -> None:
    given = settings(tmp_path, 0.03)
    messages = given.var_dir / "broker" / "messages"

    def empty_broker() -> None:
        shutil.rmtree(messages)
        messages.mkdir()

    given.var_dir.mkdir()
    entries = Entries(given, 17, 17, SEED)
    with fleet(hasty_worker(), given, 1, tmp_path / "workers.log") as workers:
        suffer(
            entries,
            workers,
            given,
            lambda chaos: {
                chaos.kill_worker: 3,
                chaos.kill_evaluator: 3,
                chaos.freeze_worker: 1,
                empty_broker: 2,
            },
            frozen_seconds=2 * SHORT,
            pause=1.0,
            seconds=120,
        )
    entries.close()
