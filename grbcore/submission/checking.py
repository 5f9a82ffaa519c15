"""The two stages of the check: the header while the submitter waits, the content afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from grbcore.catalog import Board
from grbcore.datasets.dataset import Dataset
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.scenario import Side
from grbcore.submission.attack import attack_header, attack_violations
from grbcore.submission.defense import defense_contents, defense_header, weight_violations
from grbcore.submission.scale import Scale, scale_of
from grbcore.violations import Refused, Violation


@dataclass(frozen=True, slots=True)
class Header:
    """What the header stage learned: the contents in brief, and every violation."""

    side: Side
    contents: dict[str, Any]
    violations: tuple[Violation, ...]


def check_header(file: BinaryIO, *, side: Side, board: Board, scale: Scale) -> Header:
    """Check everything that can be known without reading data; pure Python, no torch."""
    try:
        _refuse_large(file, side, board)
        if side == "attack":
            return Header(side, attack_header(file, board, scale), ())
        return Header(side, defense_contents(defense_header(file, board, scale)), ())
    except Refused as refused:
        return Header(side, {}, refused.violations)


def check_content(
    path: Path, *, side: Side, board: Board, dataset: Dataset | GraphDataset
) -> tuple[Violation, ...]:
    """Both stages: every violation of the file, up to a hundred of a kind."""
    scale = scale_of(dataset)
    with path.open("rb") as file:
        header = check_header(file, side=side, board=board, scale=scale)
    if header.violations:
        return header.violations
    try:
        if side == "attack":
            return tuple(attack_violations(path, board, dataset))
        return tuple(weight_violations(path))
    except Refused as refused:
        return refused.violations


def _refuse_large(file: BinaryIO, side: Side, board: Board) -> None:
    most = board.limits.attack_bytes if side == "attack" else board.limits.defense_bytes
    size = file.seek(0, 2)
    if size > most:
        raise Refused([Violation("size", "file", f"{size} bytes", f"at most {most} bytes")])
