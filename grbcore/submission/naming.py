"""How the files of each side are called."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from grbcore.scenario import Side
from grbcore.violations import Refused, Violation

#: How the files of each side end.
SUFFIXES: Mapping[Side, str] = {"attack": ".npz", "defense": ".safetensors"}


def side_of(path: Path) -> Side:
    """The side that a file belongs to, by its name.

    Raises:
        Refused: neither ``.npz`` nor ``.safetensors``.
    """
    for side, suffix in SUFFIXES.items():
        if path.suffix == suffix:
            return side
    allowed = "an attack (.npz) or a defense (.safetensors); grb convert makes them"
    raise Refused([Violation("format", path.name, f"a file ending in {path.suffix!r}", allowed)])
