"""Rejected files are removed beside the service's other work."""

from __future__ import annotations

import time
from datetime import timedelta

from api.rounds import Rounds
from api.sweeper import remove_rejected
from grbcore.store.session import now
from grbcore.store.tables import Submission
from tests.api.stage import Stage


def test_files_of_entries_rejected_days_ago_are_removed(stage: Stage) -> None:
    old, new = now() - timedelta(days=8), now() - timedelta(days=6)
    gone = stage.entry("attack", "Old", state="rejected", validated_at=old)
    kept = stage.entry("attack", "New", state="rejected", validated_at=new)
    remove_rejected(stage.sessions, stage.blobs, 7)
    assert not stage.blobs.exists(_file(stage, gone))
    assert stage.blobs.exists(_file(stage, kept))


def test_a_round_that_fails_is_not_the_last_and_stops_no_other_step() -> None:
    rounds, others = [], []

    def fail() -> None:
        rounds.append(1)
        raise OSError("the disk")

    running = Rounds("sweeper", 0.02, [fail, lambda: others.append(1)])
    running.start()
    until = time.monotonic() + 10
    while len(rounds) < 3 and time.monotonic() < until:
        time.sleep(0.02)
    running.stop()
    assert len(rounds) >= 3
    assert len(others) >= 2


def _file(stage: Stage, entry: str) -> str:
    with stage.sessions.reading() as session:
        return session.get_one(Submission, entry).sha256
