"""The whole service on one machine, with no server to install: ``grb up``."""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import httpx
import typer

from grbcore.cli.baselines import missing
from grbcore.settings import Settings
from grbcore.store import boards, migrate, tokens
from grbcore.store.session import Sessions, connect, now

_READY_SECONDS = 60.0
_STOP_SECONDS = 12.0
_PORTS_TRIED = 20

logger = logging.getLogger(__name__)


def up(
    prepare: Annotated[bool, typer.Option(help="Prepare the starter baselines.")] = True,
) -> None:
    """Start the API and a worker, prepare the starter baselines, and print the address."""
    settings = Settings()
    settings.var_dir.mkdir(parents=True, exist_ok=True)
    typer.echo("Preparing the database …")
    migrate.upgrade(settings.database_url)
    sessions = Sessions(connect(settings.database_url))
    with sessions.writing() as session:
        problems = [row.problem for row in boards.sync(session, settings.data_dir, now())]
    for problem in filter(None, problems):
        typer.echo(f"  left out: {problem}")
    with sessions.writing() as session:
        token = tokens.first_admin(session, now=now())
    sessions.engine.dispose()
    port = free_port(settings.host, settings.port)
    address = f"http://{settings.host}:{port}"
    if token is not None:
        typer.echo(
            f"\n  Admin token, shown this once:  {token}\n  (another one: grb admin token)\n"
        )
    environment = {**os.environ, "GRB_HOST": settings.host, "GRB_PORT": str(port)}
    family = Family(settings.var_dir / "log", environment)
    stop = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: stop.set())
    ready = False
    try:
        family.start("api", api_command(settings.host, port), keep=True)
        family.start("worker", worker_command(), keep=True)
        ready = _await_ready(address, family, stop)
        if ready:
            typer.echo(f"  The leaderboard is at  {address}\n  Logs: {family.logs}\n")
            names = missing(settings) if prepare else []
            if names:
                typer.echo(f"  Preparing baselines in the background: {', '.join(names)}")
                family.start("baselines", [*_python("grbcore.cli"), "baselines", *names])
            typer.echo("  Ctrl-C stops everything.")
            family.watch(stop)
    finally:
        typer.echo("\nStopping …")
        family.stop()
    typer.echo("Stopped.")
    if not ready and not stop.is_set():
        raise typer.Exit(1)


def _python(module: str) -> list[str]:
    return [sys.executable, "-m", module]


def api_command(host: str, port: int) -> list[str]:
    """The command line of the API."""
    return [
        *_python("uvicorn"),
        *("--factory", "api.main:create_app", "--host", host, "--port", str(port)),
        *("--no-server-header", "--timeout-graceful-shutdown", "5"),
    ]


def worker_command() -> list[str]:
    """The command line of a worker."""
    return _python("worker")


def free_port(host: str, port: int) -> int:
    """``port`` or the next one on this host that nobody listens on.

    Raises:
        OSError: none of twenty is free.
    """
    for candidate in range(port, port + _PORTS_TRIED):
        with socket.socket() as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                trial.bind((host, candidate))
            except OSError:
                continue
            return trial.getsockname()[1] if candidate == 0 else candidate
    raise OSError(f"GRB_PORT: found {port} to {port + _PORTS_TRIED - 1} taken, allowed: a free one")


def _await_ready(address: str, family: Family, stop: threading.Event) -> bool:
    """Wait until the API answers; False where it was told to stop or can't start."""
    until = time.monotonic() + _READY_SECONDS
    while not stop.is_set() and time.monotonic() < until:
        try:
            if httpx.get(f"{address}/api/v1/health", timeout=2).is_success:
                return True
        except httpx.HTTPError:
            pass
        if not family.alive("api"):
            typer.echo(f"The API could not start; see {family.logs / 'api.log'}", err=True)
            return False
        stop.wait(0.1)
    return False


@dataclass
class Child:
    """A process of ours; ``keep`` means that it is started again if it ends."""

    command: list[str]
    process: subprocess.Popen[bytes]
    keep: bool
    restarts: list[float] = field(default_factory=list)


class Family:
    """The child processes, each with its log, each in a session of its own.

    Ctrl-C reaches this process alone, which then ends its children in order.
    """

    def __init__(self, logs: Path, environment: dict[str, str]) -> None:
        self.logs = logs
        self.logs.mkdir(parents=True, exist_ok=True)
        self._environment = environment
        self._children: dict[str, Child] = {}

    def start(self, name: str, command: list[str], *, keep: bool = False) -> None:
        """Start a child under this name."""
        self._children[name] = Child(command, self._spawn(name, command), keep)

    def _spawn(self, name: str, command: list[str]) -> subprocess.Popen[bytes]:
        with (self.logs / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=self._environment,
                start_new_session=True,
            )

    def alive(self, name: str) -> bool:
        """Whether the child of this name runs."""
        return self._children[name].process.poll() is None

    def watch(self, stop: threading.Event) -> None:
        """Until told to stop, start again what should not have ended."""
        while not stop.wait(0.5):
            for name, child in list(self._children.items()):
                code = child.process.poll()
                if code is None:
                    continue
                if not child.keep:
                    words = "is done" if code == 0 else f"ended with code {code}"
                    typer.echo(f"  {name} {words}; log: {self.logs / f'{name}.log'}")
                    del self._children[name]
                else:
                    self._restart(name, child, code, stop)

    def _restart(self, name: str, child: Child, code: int, stop: threading.Event) -> None:
        """Start a child again, more slowly the oftener it ended in the last minute."""
        moment = time.monotonic()
        child.restarts = [at for at in child.restarts if moment - at < 60] + [moment]
        typer.echo(f"  {name} ended with code {code} and is started again")
        if not stop.wait(min(2.0 ** (len(child.restarts) - 2), 30.0)):
            child.process = self._spawn(name, child.command)

    def stop(self) -> None:
        """Ask every child to end, and end those that don't."""
        running = {n: c.process for n, c in self._children.items() if c.process.poll() is None}
        for process in running.values():
            _signal(process.terminate)
        until = time.monotonic() + _STOP_SECONDS
        for name, process in running.items():
            try:
                process.wait(max(0.1, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                logger.warning("%s did not end in time", name)
                _signal(functools.partial(os.killpg, process.pid, signal.SIGKILL))
                process.wait()


def _signal(send: Callable[[], object]) -> None:
    with contextlib.suppress(ProcessLookupError):
        send()
