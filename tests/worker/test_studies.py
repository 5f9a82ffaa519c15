"""Studies over Celery: real workers on a real broker, one of which is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grbcore.cli.main import app
from grbcore.pitfalls.running import Study, carry_out
from grbcore.pitfalls.store import Store
from tests.grbcore import small_node

REDIS = os.environ.get("GRB_TEST_REDIS", "redis://127.0.0.1:6379/0").rsplit("/", 1)[0]

Start = Callable[[Path], subprocess.Popen[bytes]]


@pytest.fixture
def start(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Start]:
    """Starts workers for studies that see this folder of datasets.

    Each test has a numbered database of the server, so that none takes another's jobs.
    """
    started: list[subprocess.Popen[bytes]] = []
    monkeypatch.setenv("GRB_BROKER_URL", f"{REDIS}/{request.param}")
    monkeypatch.setenv("GRB_VAR_DIR", str(tmp_path / "var"))

    def begin(data: Path) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "GRB_DATA_DIR": str(data)}
        worker = subprocess.Popen([sys.executable, "-m", "worker.studies"], env=environment)
        started.append(worker)
        return worker

    yield begin
    for worker in started:
        worker.kill()
        worker.wait()


def arguments(data: Path, folder: Path) -> list[str]:
    options = ["--dataset", "cora-ml", "--models", "GCN,LabelProp", "--splits", "5", "--inits", "2"]
    options += ["--no-plot", "--workers", "celery", "--out", str(folder)]
    return ["study", "splits", *options, "--data-dir", str(data)]


@pytest.mark.parametrize("start", [10], indirect=True)
def test_a_killed_worker_loses_no_run_and_numbers_are_those_of_one_process(
    start: Start, tmp_path: Path
) -> None:
    data, folder = small_node.write(tmp_path / "data"), tmp_path / "out"
    command = [sys.executable, "-m", "grbcore.cli", *arguments(data, folder)]
    first = start(data)
    study = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    store = Store(folder / "runs.sqlite")
    while not store.keys():
        assert study.poll() is None and first.poll() is None
        time.sleep(0.02)
    first.send_signal(signal.SIGKILL)  # while it is at the next
    before = len(store.keys())
    assert before < 15
    start(data)
    assert study.wait() == 0
    here = Store(tmp_path / "here.sqlite")
    carry_out(Study(("cora-ml",), ("GCN", "LabelProp"), 5, 2), here, data_dir=data)
    assert {one.key: one.run for one in store.runs()} == {one.key: one.run for one in here.runs()}


@pytest.mark.parametrize("start", [14], indirect=True)
def test_a_worker_with_another_graph_is_refused(start: Start, tmp_path: Path) -> None:
    data = small_node.write(tmp_path / "data")
    start(small_node.write(tmp_path / "other", seed=1))
    done = CliRunner().invoke(app, arguments(data, tmp_path / "out"))
    assert done.exit_code != 0
    assert "graph of cora-ml" in str(done.exception)
    assert Store(tmp_path / "out" / "runs.sqlite").keys() == set()


def test_without_a_redis_server_it_says_what_it_needs(tmp_path: Path) -> None:
    for url, told in (
        ("filesystem://", "allowed: redis://"),
        ("redis://127.0.0.1:1/0", "found no broker that answers"),
    ):
        environment = {**os.environ, "GRB_BROKER_URL": url, "GRB_VAR_DIR": str(tmp_path)}
        done = subprocess.run(
            [sys.executable, "-m", "worker.studies", "send"],
            input=json.dumps({}) + "\n",
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 1
        assert told in done.stderr and "Traceback" not in done.stderr
        assert done.stdout == ""
