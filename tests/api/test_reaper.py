"""Work goes back to the queue although no worker is there."""

from __future__ import annotations

import time
from datetime import timedelta

from grbcore.settings import Settings
from grbcore.store.session import Sessions, now
from tests.api.stage import serve
from tests.store.world import World


def test_the_api_gives_back_what_a_worker_left_that_is_gone(
    sessions: Sessions, settings: Settings
) -> None:
    world = World(sessions)
    world.evaluating("defense")
    cell = world.begin(world.claim(now=now() - timedelta(seconds=60)))
    with serve(settings.model_copy(update={"reap_seconds": 0.1})):
        deadline = time.monotonic() + 20
        while world.cell(cell).state == "running":
            assert time.monotonic() < deadline, "nobody looked"
            time.sleep(0.05)
    row = world.cell(cell)
    assert (row.state, row.attempts, row.lease_token) == ("queued", 1, None)
