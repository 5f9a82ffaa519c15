"""What the score of one entry is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np
from sqlalchemy.orm import Session

from api import score_schemas
from api.rankings import Rankings
from api.schemas import ScoreOut
from api.views.parts import clean_head, matrix_entry, score_out
from api.views.rankings import metrics_out
from grbcore.catalog import Board
from grbcore.metrics import places, score, weights
from grbcore.results import Cell
from grbcore.scenario import Difficulty, Side, judged_as, parts_of
from grbcore.store import charting, queries
from grbcore.store.session import now
from grbcore.store.tables import BoardRow, CellRow, Submission
from grbcore.store.views import View, is_counterpart
from grbcore.store.visibility import Viewer, cells_seen_by, is_public


def submission_score(
    session: Session,
    rankings: Rankings,
    board: Board,
    row: BoardRow | None,
    entry: Submission,
    *,
    view: View,
    difficulty: Difficulty,
    viewer: Viewer,
) -> score_schemas.SubmissionScoreOut:
    """The counterparts behind an entry's score, with what each adds to it."""
    side = cast(Side, entry.side)
    eyes = None if is_public(entry, now()) else viewer  # whose ranking it stands in
    ranking = rankings.get(
        session, board, row, view=view, side=side, difficulty=difficulty, viewer=eyes
    )
    line = next((line for line in ranking.rows if line.id == entry.id), None)
    metrics = line.metrics.get(difficulty) if line is not None else None
    parts: list[score_schemas.ScorePart] = []
    provenance = None
    if metrics is not None:
        seen = cells_seen_by(eyes, now())
        cells = queries.cells_of(session, entry.id, row.protocol if row else None, seen)
        other: Side = "attack" if side == "defense" else "defense"
        others = charting.cards(session, {one for cell in cells if (one := _other(cell, side))})
        counted = [cell for cell in cells if _counts(cell, others, side, view, difficulty)]
        if counted:  # else they were replaced a moment ago
            ranks = rankings.ranks(session, board, row, other, eyes)
            parts = _parts(board, counted, others, side, difficulty, ranks)
            provenance = _provenance(counted)
    return score_schemas.SubmissionScoreOut(
        submission=entry.id,
        difficulty=difficulty,
        view=view,
        repeats=board.repeats,
        rank=line.rank if line is not None else None,
        metrics=None if metrics is None else metrics_out(metrics),
        parts=parts,
        provenance=provenance,
    )


def _provenance(cells: Sequence[CellRow]) -> score_schemas.ScoreProvenance:
    software = {f"{name} {one}" for cell in cells for name, one in (cell.versions or {}).items()}
    return score_schemas.ScoreProvenance(
        protocol=cells[0].protocol,
        evaluator_versions=sorted({cell.evaluator_version or 0 for cell in cells}),
        devices=sorted({cell.device for cell in cells if cell.device}),
        software=sorted(software),
        seconds=sum(cell.seconds or 0.0 for cell in cells),
    )


Others = Mapping[str, Submission]  # the counterparts by id


def _other(cell: CellRow, side: Side) -> str | None:
    return cell.attack_id if side == "defense" else cell.defense_id


def _counts(cell: CellRow, others: Others, side: Side, view: View, difficulty: Difficulty) -> bool:
    """Whether the score runs over this cell: the one without an attack is a defense's always."""
    other = _other(cell, side)
    there = difficulty in queries.as_cell(cell).choices
    return there and (other is None or is_counterpart(others[other], view))


def _parts(
    board: Board,
    cells: Sequence[CellRow],
    others: Others,
    side: Side,
    difficulty: Difficulty,
    ranks: dict[str, int],
) -> list[score_schemas.ScorePart]:
    rows = [_rows(queries.as_cell(cell), difficulty) for cell in cells]
    many = board.repeats
    # at the mean over budgets the repeats of each follow one another
    filled = np.hstack(
        [
            [row if len(row) == many else row * many for row in budget]
            for budget in zip(*rows, strict=True)
        ]
    )
    order = places(filled, judged_as(side, errors=board.errors))
    weight = weights(len(rows))[order]
    share = weight * filled
    parts = []
    for at, cell in enumerate(cells):
        other = _other(cell, side)
        head = clean_head() if other is None else matrix_entry(others[other], ranks.get(other))
        parts.append(
            score_schemas.ScorePart(
                counterpart=head,
                cell=cell.id,
                accuracy=_accuracy(queries.as_cell(cell), difficulty),
                accuracies=[value for row in rows[at] for value in row],
                places=(order[at] + 1).tolist(),
                weights=weight[at].tolist(),
                weight=float(weight[at].mean()),
                share=float(share[at].mean()),
            )
        )
    return sorted(parts, key=lambda part: -part.weight)


def _rows(cell: Cell, difficulty: Difficulty) -> list[tuple[float, ...]]:
    """The accuracies of each difficulty that this one is the mean of."""
    return [cell.accuracy(one) for one in parts_of(difficulty)]


def _accuracy(cell: Cell, difficulty: Difficulty) -> ScoreOut:
    values = np.array(cell.accuracy(difficulty))
    return score_out(score(values, repeated=len(values) > 1))
