"""The pieces that several answers share: names, scores, heads and cells of the matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from api import schemas
from grbcore.metrics import Score
from grbcore.results import CLEAN
from grbcore.scenario import Difficulty
from grbcore.store import queries
from grbcore.store.session import now
from grbcore.store.tables import CellRow, Submission
from grbcore.store.visibility import visibility_of


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
        visibility=visibility_of(entry, now()),
    )


def clean_head() -> schemas.MatrixEntry:
    """The head of the row without an attack."""
    return schemas.MatrixEntry(
        id=CLEAN,
        name="without attack",
        rank=None,
        is_reference=True,
        state="ranked",
        visibility="public",
    )


def matrix_cells(cells: Sequence[CellRow]) -> list[schemas.MatrixCell]:
    """Cells in brief."""
    return [
        schemas.MatrixCell(
            id=cell.id,
            attack=cell.attack_id or CLEAN,
            defense=cell.defense_id,
            state=cast(schemas.CellState, cell.state),
            accuracy=accuracy,
        )
        for cell, accuracy in zip(cells, accuracies(cells), strict=True)
    ]


def accuracies(cells: Sequence[CellRow]) -> list[dict[Difficulty, schemas.ScoreOut]]:
    """Of each cell mean and spread over repeats at each difficulty, and at the mean over budgets
    where it has these, of accuracies or errors; empty until done.

    Cells with as many repeats are reckoned together.
    """
    rows: dict[int, list[tuple[int, Difficulty, tuple[float, ...]]]] = {}
    orders: list[tuple[Difficulty, ...]] = []
    for place, row in enumerate(cells):
        cell = queries.as_cell(row)
        orders.append(cell.choices)
        for difficulty in orders[-1]:
            values = cell.accuracy(difficulty)
            rows.setdefault(len(values), []).append((place, difficulty, values))
    found: list[dict[Difficulty, schemas.ScoreOut]] = [{} for _ in cells]
    for repeats, group in rows.items():
        shares = np.array([values for _, _, values in group])
        means, spreads = shares.mean(axis=1).tolist(), shares.std(axis=1).tolist()
        for (place, difficulty, _), mean, std in zip(group, means, spreads, strict=True):
            known = schemas.ScoreOut(mean=mean, std=std if repeats > 1 else None)
            found[place][difficulty] = known
    return [{d: one[d] for d in order} for order, one in zip(orders, found, strict=True)]


def score_out(found: Score) -> schemas.ScoreOut:
    """A score on the wire."""
    return schemas.ScoreOut(mean=found.mean, std=found.std)
