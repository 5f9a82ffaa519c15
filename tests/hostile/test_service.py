"""The corpus through a running service: uploads, real validators, and what is left afterwards."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.e2e.stack import Stack, embedded, production, wait_for
from tests.hostile.cases import Case
from tests.hostile.corpus import corpus
from tests.hostile.uploading import MIB, Uploads, faults, processes, running, unlimited
from tests.store import databases

REDIS = os.environ.get("GRB_TEST_REDIS", "redis://127.0.0.1:6379/0").rsplit("/", 1)[0] + "/8"


def few() -> list[Case]:
    """All that is refused at the door, and of what a validator must see one of each kind."""
    found, seen = [], set()
    for case in corpus():
        kind = (case.side, case.codes, case.kind if case.valid else "")
        if case.valid or case.late:
            if kind in seen or len(case.codes) > 1 or (case.valid and "honest" not in case.name):
                continue
            seen.add(kind)
        found.append(case)
    return found


@pytest.fixture
def stack(tmp_path: Path) -> Iterator[Stack]:
    """SQLite, folders, one command."""
    with unlimited(tmp_path), embedded(tmp_path, "--no-prepare") as started:
        yield started


@pytest.fixture
def production_stack(tmp_path: Path) -> Iterator[Stack]:
    """Postgres and Redis."""
    with (
        unlimited(tmp_path),
        databases.postgres(migrated=False) as url,
        production(tmp_path, url, REDIS) as started,
    ):
        yield started


def send_and_judge(stack: Stack, cases: list[Case], folder: Path) -> None:
    """Send them; each gets its verdict, and nothing is left but the database and the blobs."""
    [api] = running(stack, "api")
    uploads = Uploads(stack)
    for case in (cases[0], cases[len(cases) // 2], next(case for case in cases if case.valid)):
        uploads.send(case)
    warm = api.memory_info().rss
    for case in cases:
        uploads.send(case)
    grown = api.memory_info().rss - warm
    sys.stdout.write(f"{len(cases)} files, the API grew by {grown / MIB:.1f} MiB\n")
    settled = uploads.settled(60 + 20 * len(uploads.taken))
    assert faults(uploads, settled, folder) == []
    assert grown < 50 * MIB, f"{grown / MIB:.0f} MiB over {len(cases)} files"
    assert api.is_running(), "the API was started again"
    assert running(stack, "api") == [api]
    wait_for("validators", lambda: not running(stack, "grbcore.validator"), 30)
    var = Path(stack.environment["GRB_VAR_DIR"])
    assert list((var / "incoming").iterdir()) == []
    stored = [path for path in (var / "blobs").rglob("*") if path.is_file()]
    assert len({body["sha256"] for body in settled.values()}) <= len(stored)
    uploads.close()
    children = processes(stack)
    stack.close()
    _, alive = psutil.wait_procs(children, timeout=20)
    assert alive == []
    assert list((var / "scratch").glob("*")) == []


def test_the_corpus_is_refused_at_the_door_or_by_a_validator(stack: Stack, tmp_path: Path) -> None:
    send_and_judge(stack, few(), tmp_path)


@pytest.mark.long
def test_every_file_gets_its_verdict_on_sqlite(stack: Stack, tmp_path: Path) -> None:
    send_and_judge(stack, corpus(), tmp_path)


@pytest.mark.long
def test_every_file_gets_its_verdict_on_postgres(production_stack: Stack, tmp_path: Path) -> None:
    send_and_judge(production_stack, corpus(), tmp_path)
