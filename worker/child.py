"""A child process that answers in JSON lines: its own session, a clean environment, no patience.

The place of the sandbox: whatever confines a child wraps its command here.
"""

from __future__ import annotations

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
from worker.devices import VISIBLE
from worker.limits import Limits, confine, size
from worker.patience import SLICE, Stopwatch, left_after

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
    """A process with a scratch folder of its own; `close` ends both, whatever happened.

    ``visible`` lists the GPUs that it sees; None: those that the worker sees.
    """

    def __init__(
        self,
        command: Sequence[str],
        settings: Settings,
        *,
        visible: str | None = None,
        limits: Limits,
        longest_line: int = LONGEST_LINE,
    ) -> None:
        self._longest_line = longest_line
        self.ready: dict[str, Any] | None = None  # what it said when it had started
        self._limits = limits
        settings.scratch_dir.mkdir(parents=True, exist_ok=True)
        prefix = f"{hosts.HOST}-{os.getpid()}-"
        self.scratch = Path(tempfile.mkdtemp(prefix=prefix, dir=settings.scratch_dir))
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self.scratch,
                env=environment(settings, self.scratch, os.environ, visible=visible),
                start_new_session=True,
                close_fds=True,
            )
        except BaseException:
            shutil.rmtree(self.scratch, ignore_errors=True)
            raise
        confine(self.pid, limits)  # what is untrusted comes later, with the work
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
            for path in self.scratch.iterdir():
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
        shutil.rmtree(self.scratch, ignore_errors=True)

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
        if status.si_code == os.CLD_EXITED:
            return f"ended with exit code {status.si_status}"
        return f"was ended by signal {status.si_status}"

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
    """What a child sees: the allow-list, its scratch folder as home, where the datasets are."""
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
        "GRB_VAR_DIR": str(settings.var_dir),
    }
    if visible is not None:
        found[VISIBLE] = visible
    if settings.data_dir is not None:
        found["GRB_DATA_DIR"] = str(settings.data_dir)
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
