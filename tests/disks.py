"""File systems that are full soon, for tests of what then happens."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def small_disk(place: Path, size: str) -> Iterator[None]:
    """A file system of this size in the folder ``place``, in memory; needs root."""
    made = ["mount", "-t", "tmpfs", "-o", f"size={size}", "grb-test", str(place)]
    subprocess.run(made, check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)
