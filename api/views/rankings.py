"""Leaderboards and matrices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy.orm import Session

from api import schemas
from api.rankings import Rankings
from api.views.parts import clean_head, matrix_cell, matrix_entry, score_out
from grbcore.catalog import Board
from grbcore.leaderboard import Leaderboard, Row
from grbcore.metrics import Metrics
from grbcore.results import CLEAN
from grbcore.scenario import Difficulty, Side
from grbcore.store import queries
from grbcore.store.presence import is_shown
from grbcore.store.tables import BoardRow, Submission
from grbcore.store.views import View, is_counterpart, is_ranked


def leaderboard(
    session: Session,
    rankings: Rankings,
    board: Board,
    row: BoardRow | None,
    *,
    view: View,
    side: Side,
    difficulty: Difficulty,
) -> schemas.LeaderboardOut:
    """The ranking of one side with what the page says of each entry."""
    found = rankings.get(session, board, row, view=view, side=side, difficulty=difficulty)
    entries = {entry.id: entry for entry in queries.entries(session, board.id)}
    attempts = queries.attempts(session, board.id)
    return schemas.LeaderboardOut(
        board=board.id,
        revision=row.revision if row else 0,
        side=side,
        view=view,
        difficulty=difficulty,
        repeats=board.repeats,
        rows=[_row(line, entries.get(line.id), attempts) for line in found.rows],
    )


def _row(
    line: Row, entry: Submission | None, attempts: Mapping[tuple[str, str], int]
) -> schemas.LeaderboardRow:
    return schemas.LeaderboardRow(
        rank=line.rank,
        entry=_entry(entry, attempts) if entry is not None else None,
        metrics={difficulty: _metrics(found) for difficulty, found in line.metrics.items()},
        clean=None if line.clean is None else {d: score_out(s) for d, s in line.clean.items()},
    )


def _entry(entry: Submission, attempts: Mapping[tuple[str, str], int]) -> schemas.EntryOut:
    assert entry.registered_at is not None
    return schemas.EntryOut(
        id=entry.id,
        name=entry.name,
        authors=entry.authors,
        team=entry.team,
        family=entry.family,
        is_reference=entry.is_reference,
        adversarially_trained=entry.adversarially_trained,
        paper_url=entry.paper_url,
        code_url=entry.code_url,
        attempt=entry.attempt,
        attempts=attempts.get((entry.user_id, entry.side), entry.attempt),
        registered_at=entry.registered_at,
    )


def _metrics(found: Metrics) -> schemas.MetricsOut:
    return schemas.MetricsOut(
        weighted=score_out(found.weighted),
        average=score_out(found.average),
        three=score_out(found.three),
        n=found.n,
    )


def matrix(
    session: Session,
    rankings: Rankings,
    board: Board,
    row: BoardRow | None,
    *,
    view: View,
    difficulty: Difficulty,
) -> schemas.MatrixOut:
    """Every cell between the entries that are ranked, counted or being evaluated."""
    heads: dict[Side, list[schemas.MatrixEntry]] = {}
    entries = [e for e in queries.entries(session, board.id) if _in_matrix(e, view)]
    for side in ("attack", "defense"):
        ranking = rankings.get(session, board, row, view=view, side=side, difficulty=difficulty)
        heads[side] = _heads([entry for entry in entries if entry.side == side], ranking)
    heads["attack"].append(clean_head())
    known = {head.id for side in heads.values() for head in side}
    cells = queries.cells(session, board.id, row.protocol) if row and row.protocol else []
    return schemas.MatrixOut(
        board=board.id,
        revision=row.revision if row else 0,
        view=view,
        difficulty=difficulty,
        attacks=heads["attack"],
        defenses=heads["defense"],
        cells=[
            matrix_cell(cell)
            for cell in cells
            if (cell.attack_id or CLEAN) in known and cell.defense_id in known
        ],
    )


def _in_matrix(entry: Submission, view: View) -> bool:
    newcomer = entry.registered_at is None
    return is_ranked(entry) or is_counterpart(entry, view) or (newcomer and is_shown(entry))


def _heads(entries: Sequence[Submission], ranking: Leaderboard) -> list[schemas.MatrixEntry]:
    """In the order of the ranking; then hidden references and those not registered yet."""
    order = {line.id: position for position, line in enumerate(ranking.rows)}
    ranks = {line.id: line.rank for line in ranking.rows}
    ordered = sorted(entries, key=lambda entry: (order.get(entry.id, len(order)), entry.id))
    return [matrix_entry(entry, ranks.get(entry.id)) for entry in ordered]
