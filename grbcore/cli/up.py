"""The whole service on one machine, with no server to install: ``grb up``."""

from __future__ import annotations

import contextlib
import errno
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
from typing import Annotated, NoReturn

import httpx
import typer

from grbcore import logs
from grbcore.cli import service
from grbcore.cli.baselines import missing
from grbcore.settings import Settings
from grbcore.store import boards, migrate, tokens
from grbcore.store.session import Sessions, connect, now

_READY_SECONDS = 180.0
_STOP_SECONDS = 12.0
_PORTS_TRIED = 20
_OURS = "an address of this machine, such as 127.0.0.1"

logger = logging.getLogger(__name__)


def up(
    prepare: Annotated[bool, typer.Option(help="Prepare the starter baselines.")] = True,
) -> None:
    """Start the API and a worker, prepare the starter baselines, and print the address."""
    settings = Settings()
    logs.configure(settings)
    if settings.data_dir is not None and not settings.data_dir.is_dir():
        _refuse(f"GRB_DATA_DIR: found {settings.data_dir}, allowed: a folder that exists")
    try:
        listening = listen(settings.host, settings.port)
    except OSError as error:
        _refuse(str(error))
    port = listening.getsockname()[1]
    if settings.port not in (0, port):
        typer.echo(f"Port {settings.port} is taken: using {port}.")
    settings.var_dir.mkdir(parents=True, exist_ok=True)
    typer.echo("Preparing the database …")
    migrate.upgrade(settings.database_url)
    sessions = Sessions(connect(settings.database_url))
    with sessions.writing() as session:
        rows = boards.sync(session, settings.data_dir, now(), needs=settings.needs)
        problems = [row.problem for row in rows]
        proposed = service.proposals(session)
    for problem in filter(None, problems):
        typer.echo(f"  left out: {problem}")
    for line in proposed:
        typer.echo(f"  {line}")
    with sessions.writing() as session:
        token = tokens.first_admin(session, now=now())
    sessions.engine.dispose()
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    address = f"http://{host}:{port}"
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
        descriptor = listening.fileno()
        family.start("api", api_command(descriptor), keep=True, descriptors=(descriptor,))
        family.start("worker", worker_command(), keep=True)
        ready = await_ready(address, family, stop)
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
        listening.close()
        family.stop()
    typer.echo("Stopped.")
    if not ready and not stop.is_set():
        raise typer.Exit(1)


def _refuse(message: str) -> NoReturn:
    typer.echo(f"grb: {message}", err=True)
    raise typer.Exit(1)


def _python(module: str) -> list[str]:
    return [sys.executable, "-m", module]


def api_command(descriptor: int | None = None) -> list[str]:
    """The command line of the API, on this open socket or on GRB_HOST and GRB_PORT."""
    return [*_python("api"), *(() if descriptor is None else ("--fd", str(descriptor)))]


def worker_command() -> list[str]:
    """The command line of a worker."""
    return _python("worker")


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens on ``port`` of this host, or on the next one that nobody has taken.

    It is handed to the API as it is, so that nobody takes the port in between.

    Raises:
        OSError: the host is not ours, the port may not be opened, or none of twenty is free.
    """
    try:
        family, _, _, _, found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise OSError(f"GRB_HOST: found {host!r} ({error}), allowed: {_OURS}") from None
    last = min(port + _PORTS_TRIED - 1, 65535)
    for candidate in range(port, last + 1):
        listening = socket.socket(family)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((found[0], candidate, *found[2:]))
            listening.listen(2048)
        except OSError as error:
            listening.close()
            if error.errno == errno.EADDRINUSE:
                continue
            if isinstance(error, PermissionError):
                raise OSError(f"GRB_PORT: found {candidate}, allowed: 1024 or above") from None
            raise OSError(f"GRB_HOST: found {host!r}, allowed: {_OURS}") from None
        return listening
    raise OSError(f"GRB_PORT: found {port} to {last} taken, allowed: a free one")


def await_ready(address: str, family: Family, stop: threading.Event) -> bool:
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
    if not stop.is_set():
        typer.echo(
            f"The API did not answer at {address} within {_READY_SECONDS:g} seconds: is this"
            f" machine busy? See {family.logs / 'api.log'}",
            err=True,
        )
    return False


@dataclass
class Child:
    """A process of ours; ``keep`` means that it is started again if it ends."""

    command: list[str]
    process: subprocess.Popen[bytes]
    keep: bool
    descriptors: tuple[int, ...] = ()
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

    def start(
        self,
        name: str,
        command: list[str],
        *,
        keep: bool = False,
        descriptors: tuple[int, ...] = (),
    ) -> None:
        """Start a child under this name, which inherits these open files."""
        process = self._spawn(name, command, descriptors)
        self._children[name] = Child(command, process, keep, descriptors)

    def _spawn(
        self, name: str, command: list[str], descriptors: tuple[int, ...]
    ) -> subprocess.Popen[bytes]:
        with (self.logs / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=self._environment,
                pass_fds=descriptors,
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
            child.process = self._spawn(name, child.command, child.descriptors)

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
