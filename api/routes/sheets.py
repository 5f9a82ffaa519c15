"""Rankings and matrices as files for spreadsheets and scripts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from fastapi import APIRouter
from fastapi.responses import StreamingResponse

from api import schemas, sheets, views
from api.deps import BoardDep, Service, ServiceDep, SessionDep
from api.downloads import disposition
from api.errors import responses
from api.routes.boards import DifficultyQuery, SideQuery, ViewQuery
from grbcore.catalog import Board
from grbcore.scenario import Difficulty
from grbcore.store import queries

router = APIRouter(tags=["boards"])

_TYPE = "text/csv; charset=utf-8"

#: So many rows or columns are read at once, each part in a session of its own: whoever reads
#: slowly holds no connection to the database.
_STEP = 100

_FILE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The file, in UTF-8; texts are quoted, and none begins like a formula",
        "content": {_TYPE: {"schema": {"type": "string"}}},
    }
}


@router.get(
    "/boards/{dataset}/{scenario}/leaderboard.csv",
    response_class=StreamingResponse,
    responses={**_FILE, **responses(404, 422, 503)},
)
def get_leaderboard_file(
    board: BoardDep,
    service: ServiceDep,
    session: SessionDep,
    difficulty: DifficultyQuery = "full",
    view: ViewQuery = "reference",
    side: SideQuery = "defense",
) -> StreamingResponse:
    """The whole ranking of one side as CSV, scores as fractions at this difficulty."""
    known = queries.board_row(session, board.id)
    found = views.leaderboard(
        session,
        service.rankings,
        board,
        known,
        view=view,
        side=side,
        difficulty=difficulty,
        rows=views.Span(0, 1_000_000),
    )
    content = sheets.lines([sheets.ranking_head(side), *sheets.ranking_rows(found)])
    return _file(content, board, f"{side}s-{difficulty}-{view}")


@router.get(
    "/boards/{dataset}/{scenario}/matrix.csv",
    response_class=StreamingResponse,
    responses={**_FILE, **responses(404, 422, 503)},
)
def get_matrix_file(
    board: BoardDep,
    service: ServiceDep,
    difficulty: DifficultyQuery = "full",
    view: ViewQuery = "reference",
) -> StreamingResponse:
    """The whole matrix as CSV: a row for each attack, a column for each defense, accuracies."""
    first = _part(service, board, view, difficulty, 0, 0)
    rest = _matrix(service, board, view, difficulty, first)
    return _file(sheets.lines(rest), board, f"matrix-{difficulty}-{view}")


def _matrix(
    service: Service,
    board: Board,
    view: schemas.View,
    difficulty: Difficulty,
    first: schemas.MatrixOut,
) -> Iterator[list[sheets.Cell]]:
    for row in range(0, max(first.total_rows, 1), _STEP):
        parts = [
            first if row == column == 0 else _part(service, board, view, difficulty, row, column)
            for column in range(0, max(first.total_columns, 1), _STEP)
        ]
        if row == 0:
            yield sheets.matrix_head(entry for part in parts for entry in part.defenses)
        last = row + _STEP >= first.total_rows
        yield from sheets.matrix_rows(parts, difficulty, clean=last)


def _part(
    service: Service,
    board: Board,
    view: schemas.View,
    difficulty: Difficulty,
    row: int,
    column: int,
) -> schemas.MatrixOut:
    with service.sessions.reading() as session:
        return views.matrix(
            session,
            service.rankings,
            board,
            queries.board_row(session, board.id),
            view=view,
            difficulty=difficulty,
            rows=views.Span(row, _STEP),
            columns=views.Span(column, _STEP),
        )


def _file(content: Iterable[str], board: Board, name: str) -> StreamingResponse:
    headers = {"Content-Disposition": disposition(board.id, f"-{name}.csv")}
    return StreamingResponse(content, media_type=_TYPE, headers=headers)
