"""What was counted in cells: of one of them, and of all of an entry."""

from __future__ import annotations

from typing import cast

from sqlalchemy.orm import Session

from api import schemas
from api.rankings import Rankings
from api.views.confusions import measures
from api.views.parts import accuracies, clean_head, matrix_entry
from grbcore.catalog import Board
from grbcore.scenario import SIDES, Difficulty
from grbcore.store import charting, queries
from grbcore.store.session import now
from grbcore.store.tables import CellRow, Submission
from grbcore.store.visibility import Viewer, cells_seen_by, is_public


def counted_cell(
    found: CellRow, attack: schemas.MatrixEntry, defense: schemas.MatrixEntry
) -> schemas.CountedCell:
    """What was counted in a cell between these two."""
    done = found.state == "done"
    cell = queries.as_cell(found)
    f1, balanced = measures(found)
    return schemas.CountedCell(
        id=found.id,
        attack=attack,
        defense=defense,
        state=cast(schemas.CellState, found.state),
        correct={at: list(counts) for at, counts in cell.correct.items()},
        errors={at: list(means) for at, means in cell.errors.items()},
        total=dict(cell.total),
        not_finite=cast(dict[Difficulty, list[int]], found.not_finite or {}) if done else {},
        accuracy=accuracies([found])[0],
        macro_f1=f1,
        balanced_accuracy=balanced,
    )


def entry_cells(
    session: Session, rankings: Rankings, board: Board | None, entry: Submission, viewer: Viewer
) -> list[schemas.CountedCell]:
    """The cells of an entry that the viewer sees, its row or column of the matrix.

    In the order of the counterparts' ranks; those without a rank follow, the clean one last.
    """
    row = queries.board_row(session, entry.board_id)
    seen = cells_seen_by(viewer, now())
    cells = queries.cells_of(session, entry.id, row.protocol if row else None, seen, by_class=True)
    cards = charting.cards(session, {i for c in cells for i in (c.attack_id, c.defense_id) if i})
    eyes = None if is_public(entry, now()) else viewer  # whose ranking it stands in
    ranks: dict[str, int] = {}
    if board is not None:
        for side in SIDES:
            ranks |= rankings.ranks(session, board, row, side, eyes)

    def head(entry_id: str | None) -> schemas.MatrixEntry:
        if entry_id is None:
            return clean_head()
        return matrix_entry(cards[entry_id], ranks.get(entry_id))

    def place(cell: CellRow) -> tuple[bool, float, str]:
        other = cell.attack_id if entry.side == "defense" else cell.defense_id
        return other is None, ranks.get(other or "", float("inf")), other or ""

    return [
        counted_cell(cell, head(cell.attack_id), head(cell.defense_id))
        for cell in sorted(cells, key=place)
    ]
