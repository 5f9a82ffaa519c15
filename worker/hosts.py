"""Which host this is, which processes run on it, and with what it evaluates."""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from uuid import uuid4

from grbcore import __version__
from grbcore.results import EVALUATOR_VERSION


def _host() -> str:
    """The host's name and, on Linux, its boot and process namespace.

    Process ids mean something only within these, and two machines may have one name.
    """
    name = socket.gethostname()[:63].replace("/", "-")
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text()[:8]
        return f"{name}:{boot}:{Path('/proc/self/ns/pid').stat().st_ino}"
    except OSError:
        return name


#: Where process ids are comparable.
HOST = _host()


def new_owner() -> str:
    """What a worker signs its leases with: ``host/pid/uuid``."""
    return f"{HOST}/{os.getpid()}/{uuid4().hex[:12]}"


def lives(owner: str) -> bool:
    """Whether the process of a worker of this host runs, and is not this one.

    Processes are started anew in containers with the process ids of those before.
    """
    pid = int(owner.split("/")[1])
    return pid != os.getpid() and running(pid)


def versions() -> dict[str, str]:
    """What this host evaluates with; PyTorch is asked for its version without being imported."""
    found = {"grb": __version__, "evaluator": str(EVALUATOR_VERSION)}
    with suppress(metadata.PackageNotFoundError):
        found["torch"] = metadata.version("torch")
    return found


def running(pid: int) -> bool:
    """Whether a process of this host runs; a zombie does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state not in ("Z", "X")
