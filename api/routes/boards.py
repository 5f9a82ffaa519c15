"""Boards, their rankings and their matrices."""

from __future__ import annotations

import hashlib
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from api import history_schemas, schemas, views
from api.deps import BoardDep, ServiceDep, SessionDep
from api.errors import responses
from grbcore import __version__
from grbcore.catalog import Board
from grbcore.scenario import Difficulty, Side
from grbcore.store import queries
from grbcore.store.tables import BoardRow

router = APIRouter(tags=["boards"])

DifficultyQuery = Annotated[Difficulty, Query(description="Which targets are attacked")]
ViewQuery = Annotated[
    schemas.View,
    Query(description="Scores over the references, or over every registered counterpart"),
]
SideQuery = Annotated[Side, Query(description="Which side is ranked")]


@router.get("/boards", responses=responses(503))
def list_boards(service: ServiceDep, session: SessionDep) -> list[schemas.BoardSummary]:
    """Every board, smallest dataset first, those without data included."""
    return views.board_list(session, service.rankings)


@router.get("/boards/{dataset}/{scenario}", responses=responses(404, 422, 503))
def get_board(board: BoardDep, service: ServiceDep, session: SessionDep) -> schemas.BoardOut:
    """A board with its rules."""
    row = queries.board_row(session, board.id)
    return views.board_details(session, service.rankings, board, row)


@router.get(
    "/boards/{dataset}/{scenario}/leaderboard",
    responses={
        **responses(404, 422, 503),
        304: {"description": "Nothing changed since the ETag in If-None-Match"},
    },
    response_model=schemas.LeaderboardOut,
)
def get_leaderboard(
    request: Request,
    response: Response,
    board: BoardDep,
    service: ServiceDep,
    session: SessionDep,
    difficulty: DifficultyQuery = "full",
    view: ViewQuery = "reference",
    side: SideQuery = "defense",
) -> schemas.LeaderboardOut | Response:
    """The ranking of one side by Weighted; attacks ascending, since lower is stronger."""
    row = queries.board_row(session, board.id)
    count = queries.tallies(session, board.id).get(board.id, queries.Tally()).submissions
    tag = _tag(board, row, count, difficulty, view, side)
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if tag in _tags(request):
        return Response(status_code=304, headers=headers)
    response.headers.update(headers)
    return views.leaderboard(
        session, service.rankings, board, row, view=view, side=side, difficulty=difficulty
    )


@router.get("/boards/{dataset}/{scenario}/matrix", responses=responses(404, 422, 503))
def get_matrix(
    board: BoardDep,
    service: ServiceDep,
    session: SessionDep,
    difficulty: DifficultyQuery = "full",
    view: ViewQuery = "reference",
) -> schemas.MatrixOut:
    """Every cell, those of entries that are still being evaluated included."""
    row = queries.board_row(session, board.id)
    return views.matrix(session, service.rankings, board, row, view=view, difficulty=difficulty)


@router.get("/boards/{dataset}/{scenario}/history", responses=responses(404, 422, 503))
def get_history(
    board: BoardDep,
    session: SessionDep,
    cursor: Annotated[
        str | None, Query(description="`next` of the page before", pattern="^[0-9A-Z]{26}$")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 20,
) -> history_schemas.HistoryOut:
    """When results of this board were computed once more, why, and what that changed."""
    row = queries.board_row(session, board.id)
    return views.board_history(session, board.id, row, before=cursor, limit=limit)


def _tag(board: Board, row: BoardRow | None, submissions: int, *question: str) -> str:
    """Everything that the answer depends on; the count is behind "attempt 3 of 7"."""
    stamp = (row.revision, row.protocol, row.changed_at) if row else None
    parts = (__version__, board.id, stamp, submissions, *question)
    return f'"{hashlib.sha256(repr(parts).encode()).hexdigest()[:32]}"'


def _tags(request: Request) -> set[str]:
    """The tags of If-None-Match, weak ones as their strong twins."""
    header = request.headers.get("if-none-match", "")
    return {tag.strip().removeprefix("W/") for tag in header.split(",")}
