"""A worker process for which a cell may take ten seconds, loading included.

Its settings come from the environment, as those of `python -m worker` do.
"""

from __future__ import annotations

import signal
from threading import Event

import pytest

from grbcore import catalog
from grbcore.settings import Settings
from tests.store.world import BOARD
from worker import evaluation
from worker.supervisor import Supervisor

SECONDS = 10.0


def main() -> None:
    board = catalog.board(BOARD)
    limits = board.limits.model_copy(update={"cell_seconds": SECONDS})
    short = board.model_copy(update={"limits": limits})
    stop = Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalog, "board", lambda _: short)
        patch.setattr(evaluation, "LOADING_SECONDS", 0.0)
        supervisor = Supervisor(Settings())
        supervisor.start()
        stop.wait()
        supervisor.stop()
        supervisor.join()


if __name__ == "__main__":
    main()
