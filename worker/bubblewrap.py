"""Bubblewrap: a child sees a file system, processes and a network of its own, all but empty."""

from __future__ import annotations

import shutil
from pathlib import Path

from worker.confined import Spec

#: Its exit code for a program that a signal ended is this and the signal.
SIGNALLED = 128

_DEVICE = "--dev-bind-try"  # else its device files can't be opened


def program() -> str | None:
    """Where it is installed; None: nowhere."""
    return shutil.which("bwrap")


def command(spec: Spec, bwrap: str, folder: Path) -> list[str]:
    """What stands before the command of a child that works in ``folder``.

    The child keeps the paths that it would have without; those that it may read are mounted for
    reading, and there is nothing else.  Its ends follow this process's.
    """
    found = [bwrap, "--unshare-all", "--die-with-parent", "--cap-drop", "ALL"]
    for link in _links():
        found += ["--symlink", str(link.readlink()), str(link)]
    found += ["--proc", "/proc", "--dir", "/dev"]
    linked = {str(link) for link in _links()}
    for path in spec.read:
        if path not in linked and not path.startswith("/proc/"):
            found += [_DEVICE if path.startswith("/dev/") else "--ro-bind-try", path, path]
    for path in (*spec.devices, *spec.write):
        found += [_DEVICE if path.startswith("/dev/") else "--bind", path, path]
    # the folders around these would take files, which are memory
    return [*found, "--remount-ro", "/", "--chdir", str(folder), "--"]


def _links() -> list[Path]:
    """Folders at the root that are links into /usr, as /lib is today."""
    return [path for path in (Path("/lib"), Path("/lib64"), Path("/bin")) if path.is_symlink()]
