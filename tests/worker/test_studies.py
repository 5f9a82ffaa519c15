"""Studies over Celery: real workers on a real broker, one of which is killed."""

from __future__ import annotations

import io
import json
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from celery.states import FAILURE, PENDING, SUCCESS
from redis import RedisError
from typer.testing import CliRunner

from grbcore.cli.main import app
from grbcore.graphlevel.loading import load
from grbcore.graphlevel.study import job as expressive_job
from grbcore.graphlevel.study.plan import Study as Expressive
from grbcore.graphlevel.study.running import carry_out as carry_out_expressive
from grbcore.graphlevel.study.running import jobs_of
from grbcore.graphlevel.study.store import Store as ExpressiveStore
from grbcore.pitfalls import job
from grbcore.pitfalls.running import Job, Study, carry_out
from grbcore.pitfalls.store import Store
from grbcore.violations import Refused
from tests.grbcore import small_node
from tests.grbcore.graphlevel import small_mutag
from worker import studies

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


EXPRESSIVE = Expressive("mutag", ("Bag", "ESAN"), (0, 2), ("brute-force",), (1,), epochs=1)


def expressive(data: Path, folder: Path) -> list[str]:
    options = ["--dataset", "mutag", "--models", "Bag,ESAN", "--seeds", "0,2", "--epochs", "1"]
    options += ["--attacks", "brute-force", "--budgets", "1", "--no-plot", "--workers", "celery"]
    return ["study", "expressive", *options, "--out", str(folder), "--data-dir", str(data)]


@pytest.mark.parametrize("start", [13], indirect=True)
def test_robustness_curves_come_from_workers_and_are_those_of_one_process(
    start: Start, tmp_path: Path
) -> None:
    data, folder = small_mutag.write(tmp_path / "data"), tmp_path / "out"
    start(data)
    done = CliRunner().invoke(app, expressive(data, folder))
    assert done.exit_code == 0, done.output
    store, here = (ExpressiveStore(one / "runs.sqlite") for one in (folder, tmp_path / "here"))
    carry_out_expressive(EXPRESSIVE, here, data_dir=data)
    assert {one.key: one.run for one in store.runs()} == {one.key: one.run for one in here.runs()}
    assert not (folder / "weights").exists()
    again = CliRunner().invoke(app, expressive(data, folder))
    assert "8 runs, 8 of them there" in again.output


def test_a_model_of_other_graphs_or_of_another_recipe_is_not_trained_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRB_DATA_DIR", str(small_mutag.write(tmp_path / "data")))
    (job, *_) = jobs_of(EXPRESSIVE.runs())
    asked = expressive_job.request(EXPRESSIVE, job, "another")
    for message, told in (
        (asked, "graphs of mutag"),
        ({**asked, "recipe": "Recipe(learning_rate=1.0)"}, "recipe of Bag"),
        ({**asked, "implementation": 0}, "of the study 0"),
    ):
        answer = expressive_job.answer(message, {})
        with pytest.raises(Refused, match=told):
            list(expressive_job.found_of(job, message, answer))


def test_an_answer_about_another_model_is_refused_and_one_that_failed_ends_its_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRB_DATA_DIR", str(small_mutag.write(tmp_path / "data")))
    monkeypatch.setenv("GRB_VAR_DIR", str(tmp_path / "var"))
    one, other = jobs_of(EXPRESSIVE.runs())[:2]
    digest = load("mutag").digest
    asked = expressive_job.request(EXPRESSIVE, one, digest)
    answer = json.loads(json.dumps(expressive_job.answer(asked, {})))
    assert [key for key, _ in expressive_job.found_of(one, asked, answer)] == list(one)
    with pytest.raises(Refused, match="an answer to"):
        wrong = expressive_job.request(EXPRESSIVE, other, digest)
        list(expressive_job.found_of(other, wrong, answer))
    failed = {**answer, "found": [{"run": "training: found no finite loss", "seconds": 2.0}]}
    told = list(expressive_job.found_of(one, asked, failed))
    assert told == [(one[0], ("training: found no finite loss", 2.0))]


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


#: Answers each line with itself, a moment later.
ECHO = (
    sys.executable,
    "-c",
    "import sys, time\nfor line in sys.stdin: time.sleep(0.1); print(line, end='', flush=True)",
)


class Asked:
    """A task as `studies.do` sees it, whose broker fails at these calls."""

    def __init__(self, *failing: int) -> None:
        self.request = SimpleNamespace(id="one")
        self.AsyncResult = lambda key: SimpleNamespace(state=PENDING)
        self._calls, self._failing = 0, failing

    def update_state(self, **_: object) -> None:
        self._calls += 1
        if self._calls in self._failing:
            raise RedisError("gone")


@pytest.fixture
def echoing(monkeypatch: pytest.MonkeyPatch) -> Iterator[studies.Child]:
    child = studies.Child(ECHO)
    monkeypatch.setattr(studies, "_child", child)
    yield child
    child.end()


@pytest.mark.usefixtures("echoing")
def test_a_job_that_was_broken_off_is_not_the_answer_to_the_next() -> None:
    task: Any = Asked(1)
    with pytest.raises(RedisError):
        studies.do(task, {"job": 1})
    assert studies.do(task, {"job": 2}) == {"job": 2}
    assert studies.do(task, {"job": 3}) == {"job": 3}


def test_a_process_that_ended_fails_its_job_and_not_the_next(
    echoing: studies.Child, monkeypatch: pytest.MonkeyPatch
) -> None:
    dying = studies.Child((sys.executable, "-c", "raise SystemExit(3)"))
    monkeypatch.setattr(studies, "_child", dying)
    with pytest.raises(RuntimeError, match="the process of the job ended with 3"):
        studies.do(Asked(), {"job": 1})  # type: ignore[arg-type]
    echoing.ask({"job": 2})
    assert echoing.answer(10) == {"job": 2}


def test_signals_to_end_a_worker_are_not_its_jobs() -> None:
    child = studies.Child()
    message = {"study": "splits", "implementation": "another"}
    try:
        for number in (None, signal.SIGINT, signal.SIGTERM):
            if number is not None:
                process = child._process
                assert process is not None
                assert os.getpgid(process.pid) == process.pid != os.getpgid(0)
                process.send_signal(number)
            child.ask(message)
            found = child.answer(120)
            assert found is not None and "of the study another" in found["error"]
    finally:
        child.end()


def test_an_answer_to_another_job_is_refused() -> None:
    study = Study(("cora-ml",), ("LabelProp",), 2, 1)
    dataset = small_node.small()
    one, other = (
        job.request(study, Job("cora-ml", "LabelProp", split, (0,)), dataset.digest)
        for split in (0, 1)
    )
    answer = json.loads(json.dumps(job.answer(one, {"cora-ml": dataset})))
    assert len(job.runs_of(one, answer)[0]) == 1
    for wrong in (other, {**one, "seed": 7}):
        with pytest.raises(Refused, match="an answer to"):
            job.runs_of(wrong, answer)


class Backend:
    """Tells these statuses and results, one for each message that was sent."""

    def __init__(self, *results: tuple[str, object]) -> None:
        self.results = dict(enumerate(results))
        self.sent = 0
        self.AsyncResult = lambda key: SimpleNamespace(forget=lambda: None)

    def delay(self, message: dict[str, Any]) -> SimpleNamespace:
        self.sent += 1
        return SimpleNamespace(id=self.sent - 1)

    def get_task_meta(self, key: int, cache: bool) -> dict[str, object]:
        status, result = self.results[key]
        self.results[key] = (SUCCESS, {"runs": key}) if status == PENDING else (status, result)
        return {"status": status, "result": result}


def sent(monkeypatch: pytest.MonkeyPatch, backend: Backend) -> list[Any]:
    """What a sender of one job answers."""
    monkeypatch.setattr(studies, "app", SimpleNamespace(backend=backend))
    monkeypatch.setattr(studies, "run", backend)
    monkeypatch.setattr(studies, "_queued", lambda: 0)
    out = io.StringIO()
    studies.Sender([{}], out).send_all()
    return [json.loads(line)["answer"] for line in out.getvalue().splitlines()]


def test_a_job_whose_worker_failed_is_sent_again_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    failed = (FAILURE, RuntimeError("the process of the job ended with -9"))
    backend = Backend(failed, failed, (SUCCESS, {"runs": []}))
    assert sent(monkeypatch, backend) == [{"runs": []}]
    backend = Backend(failed, failed, failed)
    assert sent(monkeypatch, backend) == [{"error": "the process of the job ended with -9"}]
    assert backend.sent == 3


def test_a_study_without_workers_says_so_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(studies, "SILENCE", 0.0)
    with caplog.at_level(logging.WARNING):
        assert sent(monkeypatch, Backend((PENDING, None))) == [{"runs": 0}]
        assert caplog.text.count("is python -m worker.studies running?") == 1
        caplog.clear()
        assert sent(monkeypatch, Backend((SUCCESS, {}))) == [{}]
    assert caplog.text == ""
