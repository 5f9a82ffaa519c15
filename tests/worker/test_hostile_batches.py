"""Submissions that take over the evaluator, among honest ones, all the way through a worker."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from grbcore import catalog
from grbcore.datasets import Dataset
from grbcore.settings import Settings
from grbcore.store.tables import CellRow
from tests.store.world import BOARD
from tests.worker import hostile
from tests.worker.fixtures import Arena, wait_for
from tests.worker.real import Send, by_hand, defense
from worker import evaluation
from worker.supervisor import Supervisor

#: What each tries, and the code of the cell that tells of it.
TRIED = {
    "socket": "not-permitted",
    "fork": "not-permitted",
    "20 GB": "out-of-memory",
    "forever": "time-limit",
    "flood": "evaluator-answer",
    "lie": "evaluator-answer",
    "forged end": "evaluator-answer",
}


@pytest.mark.parametrize("names", [sorted(TRIED)[:3], sorted(TRIED)[3:]], ids=["one", "other"])
def test_what_was_tried_is_told_and_honest_cells_have_the_right_numbers(
    arena: Arena,
    real: Settings,
    send: Send,
    digits: Dataset,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    names: list[str],
) -> None:
    """Each hostile defense is submitted between honest ones; a cell may take 5 seconds."""
    board = catalog.board(BOARD)
    limits = board.limits.model_copy(update={"cell_seconds": 5.0})
    short = board.model_copy(update={"limits": limits})
    monkeypatch.setattr(catalog, "board", lambda _: short)
    monkeypatch.setattr(evaluation, "LOADING_SECONDS", 0.0)
    paths = {name: defense(tmp_path / name, digits, seed=n) for n, name in enumerate(names)}
    honest = [defense(tmp_path / f"{n}", digits, seed=100 + n) for n in range(2)]
    evil = {hashlib.sha256(path.read_bytes()).hexdigest(): name for name, path in paths.items()}
    facts = {"evil": evil, "database": "/etc/passwd", "worker": os.getpid()}
    real.evaluator = (sys.executable, str(hostile.__file__), "evaluator", json.dumps(facts))
    real.child_memory = 3 << 30  # type: ignore[assignment]
    entries = [send("defense", honest[0])]
    hostiles = {name: send("defense", path) for name, path in paths.items()}
    entries.append(send("defense", honest[1]))
    supervisor = Supervisor(real, poll=0.1)
    monkeypatch.setattr(supervisor, "_avoid", lambda *_: None)  # goes on with the board
    supervisor.start()
    try:
        wait_for(lambda: all(arena.state(entry) == "ranked" for entry in entries), 120)
        wait_for(lambda: all(row.error_code for row in rows(arena, hostiles.values())), 120)
    finally:
        supervisor.stop()
        assert supervisor.join(10)
    for name, entry in hostiles.items():
        (row,) = rows(arena, [entry])
        assert row.error_code == TRIED[name], row.reason
        assert row.correct is None
    for path, entry in zip(honest, entries, strict=True):
        (row,) = rows(arena, [entry])
        assert (row.correct, row.attempts) == (by_hand(digits, None, path), 0)


def rows(arena: Arena, entries: Iterable[str]) -> list[CellRow]:
    wanted = set(entries)
    return [row for row in arena.cell_rows() if row.defense_id in wanted]


def test_where_a_validator_died_its_submission_shows_what_it_wrote(
    arena: Arena, real: Settings, send: Send, digits: Dataset, tmp_path: Path
) -> None:
    """The next one finds the file in order, and what the first wrote is forgotten."""
    facts = json.dumps({"act": "socket"})
    hostile_one = (sys.executable, str(hostile.__file__), "validator", facts)
    entry = send("defense", defense(tmp_path / "d", digits, seed=1))
    supervisor = Supervisor(real.model_copy(update={"validator": hostile_one}), poll=0.1)
    supervisor.start()
    try:
        wait_for(lambda: arena.submission(entry).attempts == 1, 60)
    finally:
        supervisor.stop()
        assert supervisor.join(10)
    row = arena.submission(entry)
    assert row.reason == "the validator ended with exit code 1"
    assert row.log is not None
    assert row.log.splitlines()[-1] == "PermissionError: [Errno 1] Operation not permitted"
    arena.hurry()
    honest = Supervisor(real, poll=0.1)
    honest.start()
    try:
        wait_for(lambda: arena.state(entry) == "ranked", 60)
    finally:
        honest.stop()
        assert honest.join(10)
    assert arena.submission(entry).log is None
