"""What an evaluation gives for a cell, and its place in the cell's row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grbcore.probes import Probe
from grbcore.results import EVALUATOR_VERSION
from grbcore.store.tables import CellRow


@dataclass(frozen=True, slots=True)
class CellResult:
    """What an evaluation gives for one cell."""

    correct: Mapping[str, Sequence[int]]  # difficulty -> one count per repeat
    total: Mapping[str, int]  # difficulty -> number of targets
    not_finite: Mapping[str, Sequence[int]]  # difficulty -> predictions that are not finite
    hits_sha256: str  # the blob of packed hits, or errors
    device: str
    seconds: float
    versions: Mapping[str, str]
    # of boards of errors, in place of counts: difficulty -> one mean per repeat
    errors: Mapping[str, Sequence[float]] | None = None
    probe: Probe | None = None  # of the defense, with a clean cell
    margins: bytes | None = None  # as `grbcore.margins.pack` writes them, with a clean cell
    confusion: bytes | None = None  # as `grbcore.confusion.pack` writes it
    # of a board with hidden targets: {"correct": …, "total": …} of these; all else is of the others
    hidden: Mapping[str, Mapping[str, Any]] | None = None
    evaluator_version: int = EVALUATOR_VERSION


def put(row: CellRow, result: CellResult) -> None:
    """Write a result into its row."""
    row.correct = {difficulty: list(counts) for difficulty, counts in result.correct.items()}
    row.total = dict(result.total)
    row.errors = None if result.errors is None else {k: list(v) for k, v in result.errors.items()}
    row.not_finite = {name: list(counts) for name, counts in result.not_finite.items()}
    row.hits_sha256, row.confusion = result.hits_sha256, result.confusion
    row.margins = result.margins
    row.hidden = None if result.hidden is None else {k: dict(v) for k, v in result.hidden.items()}
    row.evaluator_version = result.evaluator_version
    row.device, row.seconds = result.device, result.seconds
    row.versions = dict(result.versions)
    row.probe = None if result.probe is None else result.probe.model_dump(mode="json")
