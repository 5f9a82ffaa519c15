"""What a child that an upload has taken over can do: nothing, in every sandbox of this machine."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

from grbcore import datasets
from grbcore.datasets import Dataset
from grbcore.settings import Settings
from tests.grbcore.engine import small
from tests.worker import hostile
from worker.child import Child, ChildDied, ChildGarbled, ChildSilent
from worker.limits import Limits
from worker.sandbox import KINDS, Sandbox, choose, trouble_with

HERE = [kind for kind in KINDS if trouble_with(kind) is None]
LIMITS = Limits(memory=3 << 30, scratch=100 << 20)
HOSTILE = str(Path(hostile.__file__))

#: How an attempt ends where it isn't ``not-permitted``, the code of what the kernel refuses.
ENDS = {
    "own environment": {"StoppedError"},
    "what waits": {"StoppedError"},
    "print 1 GB": {"StoppedError"},
    "20 GB": {"out-of-memory"},
    "20 GB shared": {"out-of-memory", "OSError"},  # ENOMEM
    "20 GB growing": {"out-of-memory"},
    "20 GB in a file of memory": {"out-of-memory", "OSError"},
    "large file": {"scratch-limit"},
    "second name of an input": {"not-permitted", "OSError"},  # across file systems
    "move an input": {"not-permitted", "OSError"},
    "raise the limit": {"not-permitted", "ValueError"},
}
#: With a file system and processes of its own, what is outside is not there, or is read-only.
ABSENT = {"FileNotFoundError", "OSError", "ProcessLookupError"}

TAKES_TIME = {"forever"}


@pytest.fixture(scope="module", params=HERE)
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    return choose(Settings(sandbox=request.param))


@pytest.fixture(scope="module")
def neighbour() -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(["sleep", "600"])
    yield process
    process.kill()
    process.wait()


class Service:
    """A folder with what a service has, and children in it."""

    def __init__(self, folder: Path, sandbox: Sandbox, neighbour: int) -> None:
        self.settings = Settings(
            var_dir=folder / "var", data_dir=None, database_url=f"sqlite:///{folder}/var/grb.db"
        )
        var = self.settings.var_dir
        (var / "blobs" / "ab").mkdir(parents=True)
        self.blob, self.database = var / "blobs" / "ab" / "cd", var / "grb.db"
        for path in (self.blob, self.database):
            path.write_text("of others")
        self.dataset = datasets.prepare_blind(
            "digits", cache=self.settings.prepared_dir, into=self.settings.blind_dir
        )
        self.sandbox = sandbox
        self.listener = socket.create_server(("127.0.0.1", 0))
        (prepared,) = self.settings.prepared_dir.iterdir()
        self.facts: dict[str, Any] = {
            "worker": os.getpid(),
            "neighbour": neighbour,
            "port": self.listener.getsockname()[1],
            "database": str(self.database),
            "blob": str(self.blob),
            "prepared": str(self.settings.prepared_dir),
            "labels": str(prepared / "labels.npy"),
            "bundled": str(Path(datasets.__file__).parent / "digits" / "labels.npz"),
            "outside": str(folder / "outside"),
        }

    def child(self, role: str, **facts: Any) -> Child:
        command = (sys.executable, HOSTILE, role, json.dumps(self.facts | facts))
        return Child(
            command,
            self.settings,
            sandbox=self.sandbox,
            limits=LIMITS,
            visible="",
            two_steps=role == "evaluator",
        )

    def untouched(self) -> bool:
        return (
            self.blob.read_text() == self.database.read_text() == "of others"
            and not Path(self.facts["outside"]).exists()
        )


@pytest.fixture(scope="module")
def service(
    tmp_path_factory: pytest.TempPathFactory, sandbox: Sandbox, neighbour: subprocess.Popen[bytes]
) -> Iterator[Service]:
    os.environ["AWS_SECRET_ACCESS_KEY"] = "a secret of the worker"
    made = Service(tmp_path_factory.mktemp("service"), sandbox, neighbour.pid)
    yield made
    made.listener.close()
    del os.environ["AWS_SECRET_ACCESS_KEY"]


class Evaluator:
    """The evaluator, with a defense and the numbers that it should give."""

    def __init__(self, service: Service, digits: Dataset, folder: Path) -> None:
        from grbcore import models

        self.service = service
        self.defense = folder / "defense.safetensors"
        width = digits.features.shape[1]
        self.model = models.build(
            "GCN", small("GCN"), features=width, classes=digits.classes, seed=1
        )
        models.save(self.defense, self.model)
        self._child: Child | None = None

    def ask(self, cell: str) -> Child:
        """Ask a child that waits for one cell."""
        child = self._child or self.service.child("evaluator")
        if self._child is None:
            assert child.receive(120)["ready"] is True
            self._child = child
        child.send(
            {
                "board": "digits/injection@1",
                "dataset": str(self.service.dataset),
                "out": str(child.scratch),
                "pairs": [{"cell": cell, "attack": None, "defense": child.give(self.defense)}],
            }
        )
        return child

    def close(self) -> None:
        if self._child is not None:
            self._child.close()
            self._child = None


@pytest.fixture(scope="module")
def evaluator(service: Service, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evaluator]:
    made = Evaluator(service, datasets.load("digits"), tmp_path_factory.mktemp("defense"))
    yield made
    made.close()


def allowed_ends(name: str, kind: str) -> set[str]:
    ends = ENDS.get(name, {"not-permitted"})
    return ends | ABSENT if kind == "bubblewrap" and name not in ENDS else ends


def test_some_sandbox_holds_here() -> None:
    """Else the tests below would test nothing."""
    assert HERE


@pytest.mark.parametrize("name", sorted(hostile.ACTS.keys() - TAKES_TIME))
def test_an_evaluator_is_stopped_and_tells_so_and_the_next_batch_is_right(
    evaluator: Evaluator, service: Service, neighbour: subprocess.Popen[bytes], name: str
) -> None:
    child = evaluator.ask(f"try {name}")
    error = child.receive(60)["error"]
    assert error["code"] in allowed_ends(name, service.sandbox.kind), error
    assert child.receive(20) == {"finished": True, "again": True}
    assert child.rest()
    assert service.untouched()
    assert neighbour.poll() is None
    assert len(psutil.Process(child.pid).children(recursive=True)) <= 2  # those of bubblewrap
    evaluator.ask("next")
    answer = child.receive(60)
    assert (answer["cell"], "error" in answer) == ("next", False)
    with np.load(child.scratch / "next.npz") as found:
        assert found["full/0"].shape == (537,)
    assert child.receive(20) == {"finished": True, "again": True}
    assert child.rest()


def test_an_evaluator_that_runs_for_ever_is_ended_with_all_it_started(
    evaluator: Evaluator,
) -> None:
    child = evaluator.ask("try forever")
    with pytest.raises(ChildSilent):
        child.receive(1.5)
    family = [child.pid, *(one.pid for one in psutil.Process(child.pid).children(recursive=True))]
    evaluator.close()
    gone(family)


def test_a_validator_is_stopped_whatever_it_tries(
    service: Service, neighbour: subprocess.Popen[bytes]
) -> None:
    """All in one process, as it is confined once; its input and output are its own."""
    acts = sorted(hostile.ACTS.keys() - TAKES_TIME - {"what waits", "print 1 GB"})
    with closing(service.child("validator")) as child:
        child.give(service.blob)
        child.send({"acts": acts})
        ends = child.receive(60)["ends"]
    assert ends.keys() == set(acts)
    for name, end in ends.items():
        told = {"PermissionError": "not-permitted", "MemoryError": "out-of-memory"}.get(end, end)
        expected = {"OSError"} if name == "large file" else allowed_ends(name, service.sandbox.kind)
        assert told in expected, name
    assert service.untouched()
    assert neighbour.poll() is None


def test_the_end_of_a_validator_that_was_stopped_is_told(service: Service) -> None:
    with closing(service.child("validator", act="socket")) as child:
        child.send({})
        with pytest.raises(ChildDied, match="ended with exit code 1"):
            child.receive(60)
        assert "PermissionError" in (child.wrote() or "").splitlines()[-1]


def test_a_validator_that_prints_without_end_is_ended(service: Service) -> None:
    with closing(service.child("validator", act="print 1 GB")) as child:
        child.send({})
        with pytest.raises(ChildGarbled, match="allowed: a JSON object"):
            child.receive(60)


def test_a_validator_that_runs_for_ever_is_ended(service: Service) -> None:
    child = service.child("validator", act="forever")
    child.send({})
    with pytest.raises(ChildSilent):
        child.receive(1.5)
    family = [child.pid, *(one.pid for one in psutil.Process(child.pid).children(recursive=True))]
    child.close()
    gone(family)


def gone(pids: list[int]) -> None:
    until = time.monotonic() + 5
    while any(psutil.pid_exists(pid) for pid in pids):
        assert time.monotonic() < until
        time.sleep(0.05)
