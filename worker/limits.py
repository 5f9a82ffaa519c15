"""What a child may use beside time: memory, and room in its scratch folder.

The kernel refuses memory beyond the limit (``RLIMIT_DATA``: what is mapped from files, as datasets
are, does not count) and writing a file beyond that of the scratch folder (``RLIMIT_FSIZE``); the
whole folder is measured while its child is waited for.  Where the kernel can't be told (it is not
Linux's), only the folder is.  Whatever exceeds a limit is the infrastructure's trouble, not the
submission's: how much there is depends on the host, and what a submission may ask for is checked
when it is uploaded.
"""

from __future__ import annotations

import logging
import os
import resource
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from grbcore.settings import Settings

log = logging.getLogger(__name__)

#: Children that compute on the CPU may use this share of the memory, together.
SHARE = 0.75

_CGROUP = Path("/sys/fs/cgroup")


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes; None is no limit."""

    memory: int | None
    scratch: int | None


def limits(settings: Settings, kind: str, devices: int) -> Limits:
    """What the settings allow a child on this kind of device, one of so many of this process.

    Where they say nothing of memory, a child on the CPU gets its part of `SHARE`; one on a GPU
    has no limit, as its driver maps as much as it likes.
    """
    memory: int | None = settings.child_memory
    if memory is None and kind == "cpu":
        memory = int(SHARE * memory_of_host() / devices)
    return Limits(memory or None, settings.child_scratch or None)


def memory_of_host(cgroup: Path = _CGROUP) -> int:
    """The bytes of memory of this machine, or of the container around this process."""
    found = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    for name in ("memory.max", "memory/memory.limit_in_bytes"):
        with suppress(OSError, ValueError):  # not there, or "max"
            found = min(found, int((cgroup / name).read_text()))
    return found


def confine(pid: int, allowed: Limits) -> None:
    """Tell the kernel what a process, and whatever it starts, may use."""
    if not hasattr(resource, "prlimit"):
        return
    wanted = {
        resource.RLIMIT_DATA: allowed.memory,
        resource.RLIMIT_FSIZE: allowed.scratch,
        resource.RLIMIT_CORE: 0,
    }
    for kind, most in wanted.items():
        if most is None:
            continue
        try:
            _, hard = resource.prlimit(pid, kind)
            bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.prlimit(pid, kind, (bound, bound))
        except ProcessLookupError:
            log.debug("child %d had ended", pid)


def size(folder: Path) -> int:
    """The bytes of the files in a folder, links not followed."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):
                total += Path(place, name).lstat().st_size
    return total
