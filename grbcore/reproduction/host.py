"""Where and with what numbers were made."""

from __future__ import annotations

import hashlib
import os
import platform
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import scipy
import torch

from grbcore import __version__

#: What models and attacks are made with; another digest may give other files.
_SOURCES = (
    "architectures",
    "attacks",
    "baselines.py",
    "defenses",
    "graph.py",
    "graphlevel",
    "models",
    "spmm.py",
    "training",
    "training.py",
)


def host() -> dict[str, Any]:
    """The machine and the versions, for the record."""
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "threads": torch.get_num_threads(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "grbcore": __version__,
        "torch": torch.__version__,
        "numpy": np.__version__,
        "scipy": scipy.__version__,
    }


@cache
def source_digest() -> str:
    """A digest of the code that makes models and attacks, 12 hexadecimal digits."""
    package = Path(str(files("grbcore")))
    digest = hashlib.sha256()
    for name in _SOURCES:
        top = package / name
        paths = sorted(top.rglob("*.py")) if top.is_dir() else [top] if top.is_file() else []
        for path in paths:
            digest.update(path.relative_to(package).as_posix().encode() + b"\0")
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _cpu() -> str:
    """The model of the processor, as the system tells it."""
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text("utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
