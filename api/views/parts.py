"""The pieces that several answers share: names, scores, heads and cells of the matrix."""

from __future__ import annotations

from typing import cast

import numpy as np

from api import schemas
from grbcore.metrics import Score, score
from grbcore.results import CLEAN
from grbcore.scenario import DIFFICULTIES, Difficulty
from grbcore.store import queries
from grbcore.store.tables import CellRow, Submission


def shown_name(entry: Submission) -> str:
    """The name, unless its owner withdrew the entry or an admin hid or deleted it."""
    if entry.deleted_at is not None:
        return "(deleted)"
    if entry.withdrawn_at is not None:
        return "(withdrawn)"
    return "(hidden)" if entry.hidden_at is not None else entry.name


def matrix_entry(entry: Submission, rank: int | None) -> schemas.MatrixEntry:
    """The head of a row or column."""
    return schemas.MatrixEntry(
        id=entry.id,
        name=shown_name(entry),
        rank=rank,
        is_reference=entry.is_reference,
        state=cast(schemas.SubmissionState, entry.state),
    )


def clean_head() -> schemas.MatrixEntry:
    """The head of the row without an attack."""
    return schemas.MatrixEntry(
        id=CLEAN, name="without attack", rank=None, is_reference=True, state="ranked"
    )


def matrix_cell(cell: CellRow) -> schemas.MatrixCell:
    """One cell in brief."""
    return schemas.MatrixCell(
        id=cell.id,
        attack=cell.attack_id or CLEAN,
        defense=cell.defense_id,
        state=cast(schemas.CellState, cell.state),
        accuracy=accuracy(cell),
    )


def accuracy(cell: CellRow) -> dict[Difficulty, schemas.ScoreOut]:
    """Mean and spread over repeats at each difficulty; empty until done."""
    if cell.state != "done":
        return {}
    measured = queries.as_cell(cell.attack_id, cell.defense_id, cell.correct, cell.total)
    found = {}
    for difficulty in (d for d in DIFFICULTIES if d in measured.correct):
        repeats = measured.accuracy(difficulty)
        found[difficulty] = score_out(score(np.array(repeats), repeated=len(repeats) > 1))
    return found


def score_out(found: Score) -> schemas.ScoreOut:
    """A score on the wire."""
    return schemas.ScoreOut(mean=found.mean, std=found.std)
