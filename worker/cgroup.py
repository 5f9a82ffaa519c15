"""A cgroup (version 2) for each child, where this process may make one: memory and processes.

Its limit counts what ``RLIMIT_DATA`` does not see, and the whole group ends when it is exceeded.
A service of systemd may make groups with ``Delegate=yes``; a container where its cgroup file system
is writable.
"""

from __future__ import annotations

import logging
import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

log = logging.getLogger(__name__)

_MOUNT = Path("/sys/fs/cgroup")
_OWN = Path("/proc/self/cgroup")
_WANTED = frozenset({"memory", "pids"})

_ASIDE = "grb-worker"

#: Threads and processes of one child.
PROCESSES = 1024


class NoCgroup(Exception):
    """No group can be made here; the text says why."""


@dataclass(frozen=True, slots=True)
class Group:
    """The cgroup of one child."""

    folder: Path

    def entering(self) -> list[str]:
        """What stands before a command so that it starts inside."""
        enter = 'echo $$ > "$0" && exec "$@"'
        return ["/bin/sh", "-c", enter, str(self.folder / "cgroup.procs")]

    def ran_out_of_memory(self) -> bool:
        """Whether the kernel ended a process in it for want of memory."""
        with suppress(OSError, ValueError, IndexError):
            for line in (self.folder / "memory.events").read_text().splitlines():
                name, _, count = line.partition(" ")
                if name == "oom_kill":
                    return int(count) > 0
        return False

    def remove(self) -> None:
        """End whatever is left in it, and remove it."""
        with suppress(OSError):  # the kernel is older than 5.14
            (self.folder / "cgroup.kill").write_text("1")
        for _ in range(50):
            with suppress(OSError):
                self.folder.rmdir()
                return
            time.sleep(0.02)
        log.warning("the cgroup %s is left behind", self.folder)


def offered() -> str | None:
    """The group that a worker started here could make groups in, as far as can be seen."""
    try:
        folder = _own(_MOUNT, _OWN)
    except NoCgroup:
        return None
    return str(folder) if os.access(folder / "cgroup.subtree_control", os.W_OK) else None


def parent(mount: Path = _MOUNT, own: Path = _OWN) -> Path:
    """The folder in which groups of children can be made.

    Where the worker's own group was left to it, the worker moves to a group of its own in it, as
    a group that has limited ones below may hold no process itself.

    Raises:
        NoCgroup: there is none.
    """
    folder = _own(mount, own)
    control = folder / "cgroup.subtree_control"
    try:
        if not set(control.read_text().split()) >= _WANTED:
            _move_aside(folder)
            control.write_text("+memory +pids")
    except OSError as error:
        raise NoCgroup(f"{folder}: {error.strerror}") from None
    return folder


def _own(mount: Path, own: Path) -> Path:
    try:
        lines = own.read_text().splitlines()
    except OSError:
        raise NoCgroup("this system has no cgroups") from None
    path = next((line.removeprefix("0::") for line in lines if line.startswith("0::")), None)
    if path is None or not (mount / "cgroup.controllers").is_file():
        raise NoCgroup(f"cgroup version 2 is not mounted at {mount}")
    folder = mount / path.lstrip("/")
    if folder.name == _ASIDE:  # another worker of this service has been here
        folder = folder.parent
    try:
        found = set((folder / "cgroup.controllers").read_text().split())
    except OSError as error:
        raise NoCgroup(f"{folder}: {error.strerror}") from None
    if not found >= _WANTED:
        raise NoCgroup(f"{folder} has no control of memory and processes")
    return folder


def make(folder: Path, name: str, memory: int | None) -> Group:
    """A group for one child, with so many bytes of memory.

    Raises:
        NoCgroup: it can't be made.
    """
    group = Group(folder / name)
    try:
        group.folder.mkdir()
        (group.folder / "pids.max").write_text(str(PROCESSES))
        if memory is not None:
            (group.folder / "memory.max").write_text(str(memory))
            with suppress(OSError):  # without swap there is no such file
                (group.folder / "memory.swap.max").write_text("0")
            (group.folder / "memory.oom.group").write_text("1")
    except OSError as error:
        group.remove()
        raise NoCgroup(f"{group.folder}: {error.strerror}") from None
    return group


def _move_aside(folder: Path) -> None:
    aside = folder / _ASIDE
    aside.mkdir(exist_ok=True)
    (aside / "cgroup.procs").write_text(str(os.getpid()))
