"""Children that an upload has taken over, and what they then try.

Were nothing to stop them, these attempts would harm nobody but the test's own processes.

``hostile.py evaluator FACTS`` and ``hostile.py validator FACTS``, the latter a JSON object: paths
and process ids of the service, what to try, and the SHA-256 of the file that takes over.
"""

from __future__ import annotations

import ctypes
import fcntl
import hashlib
import json
import mmap
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

FACTS: dict[str, Any] = {}
GIB = 1 << 30
OUT = Path.cwd()


class StoppedError(Exception):
    """An attempt came to nothing, without an error from the system."""


def call(name: str, *arguments: object) -> int:
    """A function of the C library, its error raised."""
    libc = ctypes.CDLL(None, use_errno=True)
    answer = getattr(libc, name)(*arguments)
    if answer == -1:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return int(answer)


def fork() -> None:
    for _ in range(200):
        if os.fork() == 0:
            time.sleep(600)


def growing_memory() -> None:
    """What is mapped so counts as stack, not as data."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    grows = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x100
    found = libc.mmap(None, ctypes.c_size_t(20 * GIB), 3, grows, -1, ctypes.c_long(0))
    if found == ctypes.c_void_p(-1).value:
        raise MemoryError


def forever() -> None:
    while True:
        pass


def write_on(descriptor: int) -> None:
    line = b"x" * (1 << 20)
    for _ in range(1 << 10):
        os.write(descriptor, line)


def print_much() -> None:
    write_on(1)
    raise StoppedError


def to_what_waits() -> None:
    if not os.read(0, 1):
        raise StoppedError


def flock() -> None:
    """Hold the lock by which workers make datasets ready."""
    fcntl.flock(os.open(FACTS["prepared"], os.O_RDONLY), fcntl.LOCK_EX)


def large_file() -> None:
    try:
        (OUT / "large").write_bytes(bytes(200 << 20))
    finally:
        (OUT / "large").unlink()


def secrets() -> None:
    told = {name: value for name, value in os.environ.items() if "GRB" in name or "AWS" in name}
    if not told and "secret" not in str(dict(os.environ)):
        raise StoppedError


def given() -> Path:
    return next(iter((OUT.parent / "in").iterdir()))


def lease() -> None:
    fcntl.fcntl(os.open(given(), os.O_RDONLY), fcntl.F_SETLEASE, fcntl.F_RDLCK)


def signals_of_file() -> None:
    reading, _ = os.pipe()
    fcntl.fcntl(reading, fcntl.F_SETOWN, FACTS["worker"])


def worker_of() -> str:
    return f"/proc/{FACTS['worker']}"


ACTS: dict[str, Callable[[], object]] = {
    "socket": lambda: socket.socket(),
    "unix socket": lambda: socket.socket(socket.AF_UNIX),
    "socket pair": socket.socketpair,
    "connect": lambda: socket.create_connection(("127.0.0.1", FACTS["port"])),
    "database": lambda: Path(FACTS["database"]).read_bytes(),
    "other upload": lambda: Path(FACTS["blob"]).read_bytes(),
    "test labels": lambda: Path(FACTS["labels"]).read_bytes(),
    "bundled labels": lambda: Path(FACTS["bundled"]).read_bytes(),
    "lock": flock,
    "environment of the worker": lambda: Path(worker_of(), "environ").read_bytes(),
    "memory of the worker": lambda: os.open(f"{worker_of()}/mem", os.O_RDONLY),
    "environment of the parent": lambda: Path(f"/proc/{os.getppid()}/environ").read_bytes(),
    "memory of the parent": lambda: os.open(f"/proc/{os.getppid()}/mem", os.O_RDONLY),
    "input of the parent": lambda: os.open(f"/proc/{os.getppid()}/fd/0", os.O_RDONLY),
    "own environment": secrets,
    "what waits": to_what_waits,
    "fork": fork,
    "shell": lambda: os.execv("/bin/sh", ["sh", "-c", "true"]),
    "command": lambda: subprocess.run(["true"], check=True),
    "session": os.setsid,
    "namespace": lambda: call("unshare", 0x10000000),
    "mount": lambda: call("mount", b"none", bytes(OUT), b"tmpfs", 0, None),
    "trace": lambda: call("ptrace", 16, FACTS["neighbour"], 0, 0),
    "kill everything": lambda: os.kill(-1, 0),
    "signal the worker": lambda: os.kill(FACTS["worker"], signal.SIGURG),
    "kill the neighbour": lambda: os.kill(FACTS["neighbour"], signal.SIGKILL),
    "signal the parent": lambda: os.kill(os.getppid(), signal.SIGURG),
    "kill the group": lambda: os.killpg(0, signal.SIGKILL),
    "handle of the worker": lambda: os.pidfd_open(FACTS["worker"]),
    "limit the worker": lambda: resource.prlimit(FACTS["worker"], resource.RLIMIT_CORE, (0, 0)),
    "slow the worker": lambda: os.setpriority(os.PRIO_PROCESS, FACTS["worker"], 19),
    "signals of a file": signals_of_file,
    "lease": lease,
    "raise the limit": lambda: resource.setrlimit(resource.RLIMIT_DATA, (-1, -1)),
    "20 GB": lambda: bytearray(20 * GIB),
    "20 GB shared": lambda: mmap.mmap(-1, 20 * GIB),
    "20 GB growing": growing_memory,
    "20 GB in a file of memory": lambda: os.memfd_create("x"),
    "large file": large_file,
    "System V memory": lambda: call("shmget", 0, ctypes.c_size_t(GIB), 0o1600),
    "write outside": lambda: Path(FACTS["outside"]).write_text("x"),
    "write beside": lambda: (OUT.parent / "x").write_text("x"),
    "empty the database": lambda: os.truncate(FACTS["database"], 0),
    "change a mode": lambda: Path(FACTS["database"]).chmod(0o777),
    "change a time": lambda: os.utime(FACTS["database"], (1, 1)),
    "write to an input": lambda: given().open("r+b"),
    "empty an input": lambda: os.open(given(), os.O_RDONLY | os.O_TRUNC),
    "open up an input": lambda: given().chmod(0o777),
    "second name of an input": lambda: os.link(given(), OUT / "second"),
    "move an input": lambda: given().rename(OUT / "second"),
    "link": lambda: (OUT / "link").symlink_to(FACTS["database"]) or (OUT / "link").read_bytes(),
    "print 1 GB": print_much,
    "forever": forever,
}


def tried(name: str) -> None:
    """Try it and say so; what stops it is raised."""
    ACTS[name]()
    raise AssertionError(f"nothing stopped it: {name}")


def is_evil(path: Path) -> bool:
    return hashlib.sha256(path.read_bytes()).hexdigest() in FACTS.get("evil", {})


def evaluator() -> None:
    """The real one, until it comes to a cell ``try …``, or to a defense of ``evil``."""
    from grbcore import evaluator as real

    honest = real.Bench.run
    says = real.serve

    def run(self: Any, pair: Any) -> Any:
        if pair.cell.startswith("try "):
            tried(pair.cell.removeprefix("try "))
        name = FACTS.get("evil", {}).get(hashlib.sha256(pair.defense.read_bytes()).hexdigest())
        if name == "lie":
            (OUT / f"{pair.cell}.npz").symlink_to(FACTS["database"])
            FACTS["say"]({"cell": pair.cell, "seconds": 1.0})
            time.sleep(600)
        elif name == "forged end":
            FACTS["say"]({"finished": True, "again": True})
            time.sleep(600)
        elif name == "flood":
            for _ in range(1 << 10):
                FACTS["write"]("x" * (1 << 20))
        elif name is not None:
            tried(name)
        return honest(self, pair)

    def serve(requests: Any, answers: Any) -> None:
        def write(text: str) -> None:
            answers.write(text)
            answers.flush()

        FACTS["write"] = write
        FACTS["say"] = lambda message: write(json.dumps(message) + "\n")
        says(requests, answers)

    real.Bench.run = run  # type: ignore[method-assign]
    real.serve = serve
    real.main()


def validator() -> None:
    """The real one, until it has read the request; it tells how each of several attempts ended."""
    from grbcore import validator as real

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        if "act" in FACTS:
            tried(FACTS["act"])
        return {"ends": {name: end_of(name) for name in request["acts"]}}

    real.answer = answer
    real.main()


def end_of(name: str) -> str:
    try:
        tried(name)
    except Exception as error:
        return type(error).__name__
    raise AssertionError


if __name__ == "__main__":
    FACTS.update(json.loads(sys.argv[2]))
    {"evaluator": evaluator, "validator": validator}[sys.argv[1]]()
