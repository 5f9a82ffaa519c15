"""Rejected files are removed beside the service's other work."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest

from api import sweeper
from api.sweeper import Sweeper
from grbcore.store.session import now
from grbcore.store.tables import Submission
from tests.api.stage import Stage


def test_files_of_entries_rejected_days_ago_are_removed(stage: Stage) -> None:
    old, new = now() - timedelta(days=8), now() - timedelta(days=6)
    gone = stage.entry("attack", "Old", state="rejected", validated_at=old)
    kept = stage.entry("attack", "New", state="rejected", validated_at=new)
    running = Sweeper(stage.sessions, stage.blobs, 7, seconds=0.02)
    running.start()
    try:
        until = time.monotonic() + 10
        while stage.blobs.exists(_file(stage, gone)) and time.monotonic() < until:
            time.sleep(0.02)
    finally:
        running.stop()
    assert not stage.blobs.exists(_file(stage, gone))
    assert stage.blobs.exists(_file(stage, kept))


def test_one_round_that_fails_is_not_the_last(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds = []

    def sweep(*_: object) -> int:
        rounds.append(1)
        raise OSError("the disk")

    monkeypatch.setattr(sweeper, "sweep", sweep)
    running = Sweeper(stage.sessions, stage.blobs, 7, seconds=0.02)
    running.start()
    until = time.monotonic() + 10
    while len(rounds) < 3 and time.monotonic() < until:
        time.sleep(0.02)
    running.stop()
    assert len(rounds) >= 3


def _file(stage: Stage, entry: str) -> str:
    with stage.sessions.reading() as session:
        return session.get_one(Submission, entry).sha256
