"""Supervisors and worker processes on real databases, with an evaluator that tests can direct."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from grbcore import catalog, datasets
from grbcore.datasets import Dataset
from grbcore.scenario import Side
from grbcore.settings import SANDBOX_OFF, Settings
from grbcore.store.blobs import Blobs
from grbcore.store.session import Sessions, now
from grbcore.store.tables import CellRow, Submission
from tests.store.world import BOARD, World
from worker.supervisor import Supervisor

WORKER = (sys.executable, "-m", "worker")
DOUBLE = Path(__file__).with_name("evaluator_double.py")


@pytest.fixture(scope="session")
def digits() -> Dataset:
    return datasets.load("digits")


def wait_for(what: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait until this holds."""
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)


class Double:
    """Directs the evaluator double and sees what it did."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()

    @property
    def command(self) -> tuple[str, ...]:
        return (sys.executable, str(DOUBLE), str(self.folder))

    def plan(self, *words: str) -> None:
        """What to do for the next cells, one word each."""
        (self.folder / "plan").write_text(" ".join(words))

    def asked(self) -> list[str]:
        """What it did for each cell so far."""
        path = self.folder / "asked"
        return path.read_text().split() if path.exists() else []

    def pid(self, name: str = "hanging") -> int | None:
        """The process that hangs now, or one that it started."""
        path = self.folder / name
        return int(path.read_text() or 0) or None if path.exists() else None

    def environment(self) -> dict[str, str]:
        found: dict[str, str] = json.loads((self.folder / "environment").read_text())
        return found


@pytest.fixture
def double(tmp_path: Path) -> Double:
    return Double(tmp_path / "double")


@pytest.fixture
def settings(store_url: str, tmp_path: Path, double: Double) -> Settings:
    """With the double, which writes to its folder and so needs to be trusted."""
    return Settings(
        var_dir=tmp_path / "var",
        database_url=store_url,
        evaluator=double.command,
        data_dir=None,
        sandbox=SANDBOX_OFF,
    )


class Arena(World):
    """A world whose submissions have bytes, for the protocol of the bundled dataset."""

    def __init__(self, sessions: Sessions, blobs: Blobs, dataset: Dataset) -> None:
        super().__init__(sessions, protocol=catalog.board(BOARD).protocol(dataset.digest))
        self.blobs = blobs

    def newcomer(
        self,
        side: Side,
        content: bytes,
        contents: dict[str, Any] | None = None,
        *,
        user: str | None = None,
    ) -> str:
        """A valid submission with these bytes, whose cells wait; its id."""
        self.blobs.put_bytes(content)
        digest = hashlib.sha256(content).hexdigest()
        return self.evaluating(side, sha256=digest, contents=contents, user=user, now=now())

    def cell_rows(self) -> list[CellRow]:
        """Every cell, the clean ones first."""
        with self.sessions.reading() as session:
            return sorted(session.query(CellRow), key=lambda row: (row.attack_id or "", row.id))

    def hurry(self) -> None:
        """Let every waiting cell and validation be claimed now."""
        with self.sessions.writing() as session:
            session.execute(
                update(CellRow).where(CellRow.state == "queued").values(queued_at=now())
            )
            session.execute(update(Submission).values(retry_at=None))


@pytest.fixture
def arena(sessions: Sessions, settings: Settings, digits: Dataset) -> Arena:
    return Arena(sessions, Blobs(settings.blob_url), digits)


@pytest.fixture
def supervisor(settings: Settings) -> Iterator[Supervisor]:
    """A worker inside this process; the test starts it."""
    made = Supervisor(settings, poll=0.1, heartbeat_seconds=0.3, reap_seconds=0.3)
    yield made
    made.stop()
    assert made.join(10)


class Workers:
    """Real worker processes."""

    def __init__(self, settings: Settings, log: Path) -> None:
        self.settings = settings
        self.log = log
        self.processes: list[subprocess.Popen[bytes]] = []

    def start(
        self, *, command: tuple[str, ...] = WORKER, **variables: str
    ) -> subprocess.Popen[bytes]:
        """Start a worker as an operator would."""
        environment = {
            **os.environ,
            "GRB_VAR_DIR": str(self.settings.var_dir),
            "GRB_DATABASE_URL": self.settings.database_url,
            "GRB_BROKER_URL": self.settings.broker_url,
            "GRB_EVALUATOR": json.dumps(self.settings.evaluator),
            "GRB_SANDBOX": self.settings.sandbox,
            **variables,
        }
        with self.log.open("ab") as log:
            process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        self.processes.append(process)
        return process

    def stop(self) -> None:
        for process in self.processes:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        for process in self.processes:
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@pytest.fixture
def workers(settings: Settings, tmp_path: Path) -> Iterator[Workers]:
    made = Workers(settings, tmp_path / "worker.log")
    yield made
    made.stop()
    sys.stdout.write(made.log.read_text()[-6000:] if made.log.exists() else "")
