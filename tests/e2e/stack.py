"""The real processes, started as an operator starts them, on loopback and in a test folder."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from grbcore.cli.up import api_command, listen, worker_command

ROOT = Path(__file__).resolve().parents[2]
BOARD = "digits/injection@1"
FINAL = ("ranked", "failed", "rejected")


def wait_for(what: str, found: Callable[[], Any], seconds: float = 120.0) -> Any:
    """The first true answer of ``found``, asked ten times a second."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        answer = found()
        if answer:
            return answer
        time.sleep(0.1)
    raise AssertionError(f"{what}: not within {seconds:g} s")


class Stack:
    """A running service: its address, its token, and its processes by name."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.environment = {**os.environ, "OMP_NUM_THREADS": "1", **environment}
        self.environment["GRB_VAR_DIR"] = str(folder / "var")
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.address = ""
        self.token = ""

    # processes

    def start(self, name: str, command: list[str]) -> subprocess.Popen[bytes]:
        with (self.folder / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                command,
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        return self.processes[name]

    def start_worker(self, name: str = "worker") -> subprocess.Popen[bytes]:
        return self.start(name, worker_command())

    def stop(self, name: str, kill: bool = False) -> None:
        """End a process that this stack started, with everything in its group."""
        process = self.processes.pop(name)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL if kill else signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def close(self) -> None:
        for name in list(self.processes):
            self.stop(name)

    def log(self, name: str) -> str:
        path = self.folder / f"{name}.log"
        return path.read_text("utf-8", "replace") if path.exists() else ""

    def grb(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run the ``grb`` command as a user of this stack."""
        done = subprocess.run(
            [sys.executable, "-m", "grbcore.cli", *arguments],
            cwd=self.folder,
            env={**self.environment, "GRB_SERVER": self.address, "GRB_TOKEN": self.token},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    # the API

    def get(self, path: str, **query: str) -> Any:
        """What holds now: no answer of a moment ago."""
        headers = {"Cache-Control": "no-cache"}
        answer = httpx.get(
            f"{self.address}/api/v1{path}", params=query, headers=headers, timeout=30
        )
        answer.raise_for_status()
        return answer.json()

    def download(self, submission: str, to: Path) -> Path:
        answer = httpx.get(f"{self.address}/api/v1/submissions/{submission}/artefact", timeout=30)
        answer.raise_for_status()
        to.write_bytes(answer.content)
        return to

    def upload(self, path: Path, **fields: str) -> httpx.Response:
        given = {"board": BOARD, "name": path.stem, "authors": "The tests", **fields}
        with path.open("rb") as file:
            return httpx.post(
                f"{self.address}/api/v1/submissions",
                headers={"Authorization": f"Bearer {self.token}"},
                data=given,
                files={"file": (path.name, file)},
                timeout=60,
            )

    def submit(self, path: Path, **fields: str) -> str:
        """Upload a file that must be taken; its id."""
        answer = self.upload(path, **fields)
        assert answer.status_code == 202, answer.text
        return str(answer.json()["id"])

    def settled(self, submission: str, seconds: float = 120.0) -> dict[str, Any]:
        """The submission, once it is ranked, failed or rejected."""

        def found() -> dict[str, Any] | None:
            answer: dict[str, Any] = self.get(f"/submissions/{submission}")
            return answer if answer["state"] in FINAL else None

        answer: dict[str, Any] = wait_for(f"submission {submission}", found, seconds)
        return answer

    def prepare(self, cache: Path, board: str = BOARD) -> None:
        """The board's starter baselines, made once in all and kept in ``cache``."""
        own = self.folder / "var" / "baselines"
        kept = cache / board.replace("/", "-")
        with cache.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # other processes of tests wait for what is made here
            made = kept.exists()
            if not made:
                self.grb("baselines", board)
                shutil.copytree(own, cache, dirs_exist_ok=True)
        if made:
            shutil.copytree(cache, own, dirs_exist_ok=True)
            self.grb("baselines", board)


@contextmanager
def production(folder: Path, database_url: str, broker_url: str) -> Iterator[Stack]:
    """Postgres, Redis, the API and one worker."""
    stack = Stack(folder, {"GRB_DATABASE_URL": database_url, "GRB_BROKER_URL": broker_url})
    try:
        stack.grb("board", "sync")
        stack.token = stack.grb("admin", "token").stdout.strip().splitlines()[-1]
        with listen("127.0.0.1", 18_000 + os.getpid() % 1000) as trial:
            port = trial.getsockname()[1]
        stack.environment["GRB_PORT"] = str(port)
        stack.start("api", api_command())
        stack.start_worker()
        stack.address = f"http://127.0.0.1:{port}"
        wait_for("the API", lambda: ready(stack.address), 60)
        yield stack
    finally:
        stack.close()


@contextmanager
def embedded(folder: Path, *options: str, token: str = "") -> Iterator[Stack]:
    """``grb up``: SQLite, folders, one command; ``token`` is the admin's where there is one."""
    stack = Stack(folder, {"GRB_PORT": str(19_000 + os.getpid() % 1000)})
    stack.token = token
    try:
        up(stack, *options)
        yield stack
    finally:
        stack.close()


@contextmanager
def prepared(folder: Path, cache: Path) -> Iterator[Stack]:
    """`embedded` with the board's starter baselines, which are ranked once in all, and copied.

    How they come in and are ranked is held by the tests of the main loop on Postgres, and by those
    of a first start on SQLite.
    """
    kept = cache.with_name("prepared")
    with kept.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # other processes of tests wait for what is made here
        if not kept.exists():
            first = folder / "first"
            first.mkdir()
            with embedded(first, "--no-prepare") as stack:
                stack.prepare(cache)
            (first / "token").write_text(stack.token)
            first.rename(kept)
    shutil.copytree(kept / "var", folder / "var", symlinks=True)
    with embedded(folder, "--no-prepare", token=(kept / "token").read_text()) as stack:
        yield stack


def up(stack: Stack, *options: str) -> None:
    """Start ``grb up`` and read address and token from what it prints."""
    (stack.folder / "up.log").unlink(missing_ok=True)
    stack.start("up", [sys.executable, "-u", "-m", "grbcore.cli", "up", *options])

    def address() -> str | None:
        found = re.search(r"leaderboard is at\s+(\S+)", stack.log("up"))
        return found[1] if found else None

    stack.address = wait_for("grb up", address, 120)
    found = re.search(r"shown this once:\s+(\S+)", stack.log("up"))
    stack.token = found[1] if found else stack.token


def ready(address: str) -> bool:
    """Whether an API answers there and lacks nothing."""
    try:
        return httpx.get(f"{address}/api/v1/ready", timeout=5).is_success
    except httpx.HTTPError:
        return False
