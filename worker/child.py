"""A child process that answers in JSON lines: its own session, a clean environment, no patience."""

from __future__ import annotations

import errno
import json
import logging
import os
import queue
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock, Thread
from typing import Any

from grbcore.settings import Settings
from worker import excerpt, hosts
from worker.bubblewrap import SIGNALLED
from worker.cgroup import Group
from worker.devices import VISIBLE
from worker.limits import Limits, confine, size
from worker.patience import SLICE, Stopwatch, left_after
from worker.sandbox import Room, Sandbox

log = logging.getLogger(__name__)

#: Bytes of one line that a child may write, unless more are allowed; lines that wait to be read.
LONGEST_LINE = 64 * 1024
MOST_LINES = 1000

#: Variables that a child inherits; no address and no credential of the service is among them.
INHERITED = (
    "PATH",
    "LANG",
    "LC_ALL",
    "LD_LIBRARY_PATH",
    VISIBLE,
    "NVIDIA_VISIBLE_DEVICES",
)

#: Why a file can't have a second name: its file system is another, or does not know them.
_NO_LINK = (errno.EXDEV, errno.EPERM, errno.EACCES, errno.EMLINK, errno.EOPNOTSUPP)

_STDERR_KEPT = 16_000  # bytes; what is cut away of paths makes room for more

_CHUNK = 64 * 1024


class ChildDied(Exception):
    """The child ended, or closed its output, before it answered; the text says how."""


class ChildSilent(Exception):
    """The child did not answer in time."""


class ChildGarbled(Exception):
    """The child wrote something else than a JSON object in a line of reasonable length."""


class ChildOverflowed(Exception):
    """The child filled its scratch folder beyond what it may."""


class Child:
    """A process with a folder of its own; `close` ends both, whatever happened.

    ``visible`` lists the GPUs that it sees; None: those that the worker sees.  ``two_steps``: it
    tells its sandbox when an upload comes next (see `worker.confined`).
    """

    def __init__(
        self,
        command: Sequence[str],
        settings: Settings,
        *,
        sandbox: Sandbox,
        limits: Limits,
        visible: str | None = None,
        two_steps: bool = False,
        longest_line: int = LONGEST_LINE,
    ) -> None:
        self._longest_line = longest_line
        self.ready: dict[str, Any] | None = None  # what it said when it had started
        self._limits = limits
        settings.scratch_dir.mkdir(parents=True, exist_ok=True)
        prefix = f"{hosts.HOST}-{os.getpid()}-"
        self._room = Room(Path(tempfile.mkdtemp(prefix=prefix, dir=settings.scratch_dir)))
        self.scratch = self._room.out
        self._group: Group | None = None
        self._confined = sandbox.kind != "off"
        self._wrapped = sandbox.kind == "bubblewrap"
        try:
            settings.blind_dir.mkdir(exist_ok=True)
            self._room.inputs.mkdir()
            self._room.out.mkdir()
            inside = sandbox.command(
                command, settings, self._room, limits, gpu=visible != "", two_steps=two_steps
            )
            self._group = sandbox.group(self._room, limits)
            self._process = subprocess.Popen(
                inside if self._group is None else [*self._group.entering(), *inside],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self.scratch,
                env=environment(settings, self.scratch, os.environ, visible=visible),
                start_new_session=True,
                close_fds=True,
            )
        except BaseException:
            self._leave()
            raise
        confine(self.pid, limits)  # in a sandbox, it does so itself
        self._lock = Lock()
        self._closed = False
        self._lines: queue.Queue[bytes | None] = queue.Queue(MOST_LINES)
        self._errors = b""
        self._errors_lock = Lock()
        assert self._process.stderr is not None
        os.set_blocking(self._process.stderr.fileno(), False)
        self._readers = [
            Thread(target=self._read_lines, name="child-stdout", daemon=True),
            Thread(target=self._read_errors, name="child-stderr", daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def give(self, path: Path) -> str:
        """Let the child read this file; where it finds it.

        It is the same file by a second name, which the child can't write to; without a sandbox,
        or where there can't be one, a copy.

        Raises:
            OSError: there is no room for it.
        """
        given = self._room.inputs / path.name
        if not given.exists():
            try:
                if not self._confined or path.stat().st_uid != os.geteuid():
                    raise PermissionError
                given.hardlink_to(path)
            except OSError as error:
                if error.errno not in (None, *_NO_LINK):
                    raise
                shutil.copyfile(path, given)
        return str(given)

    def send(self, message: Mapping[str, Any]) -> None:
        """Write one JSON line; a child that is gone shows in `receive`."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError):
            log.debug("child %d no longer reads", self.pid)

    def receive(self, seconds: float) -> dict[str, Any]:
        """The next JSON object that the child writes.

        Time in which this process was stopped or the machine slept does not count.

        Raises:
            ChildDied, ChildSilent, ChildGarbled, ChildOverflowed: there is none.
        """
        line = self._next_line(seconds)
        if line is None:
            self._lines.put(None)
            raise ChildDied(self._how_it_ended())
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        if not isinstance(message, dict):
            raise ChildGarbled(f"found {line[:80]!r}, allowed: a JSON object in one line")
        return message

    def wrote(self) -> str | None:
        """The end of what it has written to stderr since `forget`, cleaned; see `excerpt`."""
        self._drain()
        with self._errors_lock:
            found = self._errors
        return excerpt.clean(found, self.scratch)

    def forget(self) -> None:
        """Leave out of `wrote` what it has written so far."""
        self._drain()
        with self._errors_lock:
            self._errors = b""

    def _next_line(self, seconds: float) -> bytes | None:
        left = max(0.0, seconds)
        while True:
            asked, watch = min(left, SLICE), Stopwatch()
            try:
                line = self._lines.get(timeout=asked)
                self._check_scratch()
                return line
            except queue.Empty:
                left = left_after(left, asked, watch.passed())
            self._check_scratch()
            if left <= 0:
                raise ChildSilent(f"no answer within {seconds:g} s")

    def _check_scratch(self) -> None:
        most = self._limits.scratch
        if most is not None and (found := size(self.scratch)) > most:
            raise ChildOverflowed(
                f"found {found} bytes in its scratch folder, allowed: {most} (GRB_CHILD_SCRATCH)"
            )

    def alive(self) -> bool:
        """Whether the child runs."""
        return hosts.running(self.pid)

    def rest(self) -> bool:
        """Remove what the work that is done has left; whether the child can take more."""
        self.forget()
        try:
            for path in (*self._room.inputs.iterdir(), *self.scratch.iterdir()):
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path)
                else:
                    path.unlink()
        except OSError as error:
            log.warning("child %d is given up: %s", self.pid, error)
            return False
        return self.alive()

    def kill(self) -> None:
        """End the child and everything it started; safe from any thread, at any time."""
        with self._lock:
            if not self._closed:
                try:
                    os.killpg(self.pid, signal.SIGKILL)
                except ProcessLookupError:
                    log.debug("child %d had ended", self.pid)

    def close(self) -> None:
        """End the child and remove its scratch folder."""
        self.kill()
        with self._lock:
            self._closed = True
            self._process.wait()
        for reader in self._readers:
            reader.join(timeout=5)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                _close_quietly(pipe)
        self._leave()

    def _leave(self) -> None:
        if self._group is not None:
            self._group.remove()
        shutil.rmtree(self._room.folder, ignore_errors=True)

    def _how_it_ended(self) -> str:
        deadline = time.monotonic() + 5
        status = None
        while status is None and time.monotonic() < deadline:
            # WNOWAIT leaves the process for `close`, so that its id can't be another's until then
            status = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
            if status is None:
                time.sleep(0.01)
        self._readers[1].join(timeout=1)
        tail = self.wrote()
        if tail:
            log.warning("child %d wrote to stderr:\n%s", self.pid, tail)
        if status is None:
            return "closed its output"
        if self._group is not None and self._group.ran_out_of_memory():
            return "was ended for want of memory (GRB_CHILD_MEMORY)"
        code: int = status.si_status
        if status.si_code == os.CLD_EXITED and not (self._wrapped and code > SIGNALLED):
            return f"ended with exit code {code}"
        return f"was ended by signal {code % SIGNALLED}"

    def _read_lines(self) -> None:
        assert self._process.stdout is not None
        while line := self._process.stdout.readline(self._longest_line):
            if not line.endswith(b"\n"):
                self._lines.put(line[:80])  # is no JSON object, whatever it is
                break
            self._lines.put(line)
        self._lines.put(None)

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        waiting = select.poll()
        waiting.register(self._process.stderr, select.POLLIN)
        while self._drain():
            waiting.poll()

    def _drain(self) -> bool:
        """Take what stderr holds at the moment; whether there may be more."""
        assert self._process.stderr is not None
        with self._errors_lock:
            try:
                for _ in range(16):  # a pipe holds one chunk; a child may write without end
                    chunk = os.read(self._process.stderr.fileno(), _CHUNK)
                    if not chunk:
                        return False
                    self._errors = (self._errors + chunk)[-_STDERR_KEPT:]
            except BlockingIOError:
                return True
        return True


def environment(
    settings: Settings,
    scratch: Path,
    inherited: Mapping[str, str],
    *,
    visible: str | None = None,
) -> dict[str, str]:
    """What a child sees: the allow-list, and its scratch folder as home."""
    threads = str(settings.threads)
    found = {name: inherited[name] for name in INHERITED if name in inherited}
    found |= {
        "HOME": str(scratch),
        "TMPDIR": str(scratch),
        "OMP_NUM_THREADS": threads,
        "MKL_NUM_THREADS": threads,
        "OPENBLAS_NUM_THREADS": threads,
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
    }
    if visible is not None:
        found[VISIBLE] = visible
    return found


def module(name: str) -> tuple[str, ...]:
    """The command that runs a module of ours; ``-P`` keeps the scratch folder off its path."""
    return (sys.executable, "-P", "-m", name)


def evaluator(settings: Settings) -> tuple[str, ...]:
    """The command of the evaluator child."""
    return settings.evaluator or module("grbcore.evaluator")


def validator(settings: Settings) -> tuple[str, ...]:
    """The command of the validator child."""
    return settings.validator or module("grbcore.validator")


def remove_leftovers(settings: Settings) -> None:
    """Remove scratch folders of workers on this host that are gone."""
    for folder in settings.scratch_dir.glob(f"{hosts.HOST}-*-*"):
        pid = folder.name.removeprefix(f"{hosts.HOST}-").partition("-")[0]
        if pid.isdecimal() and not hosts.running(int(pid)):
            shutil.rmtree(folder, ignore_errors=True)


def _close_quietly(pipe: Any) -> None:
    try:
        pipe.close()
    except BrokenPipeError:
        log.debug("the pipe had ended")
