"""What a child may read of this machine: Python, libraries, our code; no data and no secret."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sqlalchemy.engine import make_url

import grbcore
import worker
from grbcore import catalog
from grbcore.settings import Settings

#: Where distributions keep libraries, and what finds them.
_LIBRARIES = (
    "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/local/cuda", "/lib", "/lib64",
    "/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives",
)  # fmt: skip

#: What of the kernel's own files libraries ask how many cores and how much memory there are.
_KERNEL = ("/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/sys/devices/system")

#: What the driver of a GPU asks besides.
_DRIVER = (
    "/proc/driver/nvidia", "/proc/devices", "/proc/modules", "/proc/version", "/sys/devices",
    "/sys/bus/pci", "/sys/module/nvidia", "/sys/module/nvidia_uvm", "/sys/class/drm",
    "/etc/nvidia", "/usr/share/nvidia",
)  # fmt: skip

_DEVICES = Path("/dev")


@dataclass(frozen=True, slots=True)
class Readable:
    """Paths that may be read, with all below, and folders of which only the names may be."""

    read: tuple[str, ...]
    listed: tuple[str, ...]


def readable(settings: Settings, *, gpu: bool) -> Readable:
    """What every child may read, whatever lies below it that is none of its business left out."""
    package, ours = Path(grbcore.__file__).parent, Path(worker.__file__).parent
    python = [sys.prefix, sys.base_prefix, *sysconfig.get_paths().values()]
    # where modules are looked for by their names, as in a checkout; -P leaves out the first one
    listed = {root for root in (package.parent, ours.parent) if str(root) in sys.path[1:]}
    hidden = {path.resolve() for path in _hidden(settings)}
    found: dict[str, None] = {}
    for path in map(Path, (*python, *_LIBRARIES, str(package), str(ours))):
        for form in (path, path.resolve()):
            if not form.exists():
                continue
            for one, whole in _without(form, hidden):
                if whole:
                    found[str(one)] = None
                else:
                    listed.add(one)
    kernel = (*_KERNEL, *_DRIVER) if gpu else _KERNEL
    listed -= {Path(path) for path in found}
    return Readable((*found, *kernel, "/dev/urandom"), tuple(map(str, sorted(listed))))


def devices(*, gpu: bool) -> tuple[str, ...]:
    """The device files of the GPUs, where the child may use them."""
    if not gpu:
        return ()
    return tuple(map(str, sorted(_DEVICES.glob("nvidia*"))))


def _hidden(settings: Settings) -> Iterator[Path]:
    """The service's files, and every file with test labels, wherever somebody put them."""
    yield settings.var_dir
    if settings.data_dir is not None:
        yield settings.data_dir
    for name in {board.dataset for board in catalog.boards().values()}:
        if catalog.dataset(name).bundled:
            yield Path(str(files("grbcore.datasets"))) / name
    if settings.blob_url.startswith("file:"):
        yield Path(unquote(urlsplit(settings.blob_url).path))
    database = make_url(settings.database_url)
    if database.get_backend_name() == "sqlite" and database.database:
        yield Path(database.database).absolute()


def _without(path: Path, hidden: Iterable[Path]) -> Iterator[tuple[Path, bool]]:
    """The largest parts of ``path`` that hold nothing hidden, and the folders around these.

    The second of each pair is whether all of it may be read, or the names in it only.
    """
    real = path.resolve()
    if any(real == one or one in real.parents for one in hidden):
        return
    below = [one for one in hidden if real in one.parents]
    if not below:
        yield path, True
        return
    if path.is_symlink():
        return
    yield path, False
    with os.scandir(path) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            yield from _without(Path(entry.path), below)
