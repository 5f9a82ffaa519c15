"""Try from within a sandbox what it must stop, and what it must not: ``python -m worker.probe``.

Its arguments are a folder that may be read and a file that may not.  It writes a JSON list: the
names of those attempts that did not end as they should.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path


def _read_environment_of_parent() -> object:
    content = Path(f"/proc/{os.getppid()}/environ").read_bytes()
    if b"bwrap" in Path(f"/proc/{os.getppid()}/cmdline").read_bytes():
        raise PermissionError("in a process namespace of its own")
    return content


def _fork() -> object:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    return os.waitpid(pid, 0)


def _execute() -> object:
    try:
        os.execv("/nowhere", ["nowhere"])
    except FileNotFoundError:
        return None  # the kernel has looked for it


def _attempts(
    inputs: Path, secret: Path
) -> tuple[dict[str, Callable[[], object]], dict[str, Callable[[], object]]]:
    stopped: dict[str, Callable[[], object]] = {
        "a socket": socket.socket,
        "a file outside": secret.read_bytes,
        "writing outside": lambda: secret.with_name("written").write_text("x"),
        "writing to inputs": lambda: (inputs / "other").write_text("x"),
        "another's environment": _read_environment_of_parent,
        "a process": _fork,
        "a program": _execute,
        "a signal": lambda: os.kill(os.getppid(), 0),
        "1 GiB of memory": lambda: bytearray(1 << 30),
    }
    allowed: dict[str, Callable[[], object]] = {
        "its inputs": lambda: (inputs / "input").read_bytes(),
        "its folder": lambda: Path("probe").write_text("x"),
        "numpy": lambda: __import__("numpy").ones(10).sum(),
        "random bytes": lambda: Path("/dev/urandom").open("rb").close(),
        "a place for what nobody reads": lambda: Path(os.devnull).write_text("x"),
    }
    return stopped, allowed


def main(inputs: str, secret: str) -> None:
    """Try everything and tell."""
    stopped, allowed = _attempts(Path(inputs), Path(secret))
    failed = [f"it allows {name}" for name, attempt in stopped.items() if _works(attempt)]
    failed += [f"it denies {name}" for name, attempt in allowed.items() if not _works(attempt)]
    sys.stdout.write(json.dumps(failed) + "\n")


def _works(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except (OSError, MemoryError, ImportError):
        return False
    return True


if __name__ == "__main__":
    main(*sys.argv[1:])
