"""A broker that is away for long: submissions arrive and are ranked all the same."""

from __future__ import annotations

from pathlib import Path

from grbcore.cli.up import worker_command
from tests.chaos.entries import Entries
from tests.chaos.setting import fleet, settings
from tests.servers import Redis, wait_until


def test_everything_is_ranked_while_the_broker_is_away_and_after_it_is_back(
    tmp_path: Path,
) -> None:
    redis = Redis()
    given = settings(tmp_path, 0.0, broker_url=redis.url)
    given.var_dir.mkdir()
    entries = Entries(given, 6, 6, seed=1)
    try:
        redis.start()
        wait_until("redis", redis.answers)
        with fleet(worker_command(), given, 1, tmp_path / "workers.log") as workers:
            entries.hand_in(4)
            wait_until("the first are ranked", lambda: entries.states() == {"ranked": 4}, 60)
            redis.kill()
            entries.hand_in(4)
            wait_until("the next are ranked", lambda: entries.states() == {"ranked": 8}, 60)
            redis.start()
            wait_until("redis", redis.answers)
            entries.hand_in(4)
            wait_until("all are ranked", entries.all_ranked, 60)
            workers.stop()
            entries.check()
            assert not [*workers.remains()]
    finally:
        entries.close()
        redis.close()
