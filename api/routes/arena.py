"""The open arena of a board and its seasons, as JSON and as files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Path, Response
from fastapi.responses import StreamingResponse
from sqlalchemy.orm import Session

from api import arena_schemas as schemas
from api import conditional, measured, printing, sheets, views
from api.conditional import UNCHANGED, OfBoard, OfBoardDep
from api.deps import BoardDep, DifficultyDep, Service, SessionDep, find_season
from api.errors import ApiError, responses
from api.routes.boards import SideQuery
from api.routes.prints import LATEX, PRINT
from api.routes.results import FILES, MEDIA, FormPath
from api.routes.sheets import FILE, file_of
from grbcore.catalog import Board
from grbcore.scenario import Difficulty, Side
from grbcore.store import clusters, seasons
from grbcore.store.tables import BoardRow

router = APIRouter(tags=["boards"])

Number = Annotated[int, Path(ge=1, le=1_000_000)]


@router.get(
    "/boards/{dataset}/{scenario}/arena",
    responses={**responses(404, 422, 503), **UNCHANGED},
    response_model=schemas.ArenaOut,
)
def get_arena(of: OfBoardDep, difficulty: DifficultyDep, side: SideQuery = "defense") -> Response:
    """One side over every registered entry of the other, by GRB's formula and clone-robustly.

    Near-duplicates are looked for in the background, some seconds after a board changes.  A board
    of more than 40,000 cells is too large for it, and says so.
    """
    question = ("arena", side, difficulty, clusters.found(of.session, of.board.id).stamp)

    def make(session: Session, _row: BoardRow | None) -> str:
        return of.service.arenas.get(session, of.board, side, difficulty).model_dump_json()

    return of.kept(question, make)


@router.get(
    "/boards/{dataset}/{scenario}/arena.csv",
    response_class=StreamingResponse,
    responses={**FILE, **responses(404, 409, 422, 503)},
)
def get_arena_file(
    of: OfBoardDep, difficulty: DifficultyDep, side: SideQuery = "defense"
) -> StreamingResponse:
    """One side of the arena as CSV, scores as fractions; 409 where a board is too large for it."""
    found = _played(of, side, difficulty)
    content = sheets.lines([sheets.ARENA_HEAD, *sheets.arena_rows(found)])
    return file_of(content, of.board, f"arena-{side}s-{difficulty}")


@router.get(
    "/boards/{dataset}/{scenario}/arena.tex",
    response_class=Response,
    responses={**PRINT, **responses(404, 409, 422, 503), **UNCHANGED},
)
def get_arena_print(
    of: OfBoardDep, difficulty: DifficultyDep, side: SideQuery = "defense"
) -> Response:
    """One side of the arena for LaTeX, in percent; 409 where a board is too large for it."""
    found = _played(of, side, difficulty)
    return of.made(printing.arena(found), LATEX, f"-arena-{side}s-{difficulty}.tex")


def _played(of: OfBoard, side: Side, difficulty: Difficulty) -> schemas.ArenaOut:
    """One side of the arena; 409 where a board is too large for it."""
    found = of.service.arenas.get(of.session, of.board, side, difficulty)
    if found.too_large:
        raise ApiError(409, "too-large", found.explanation)
    return found


@router.get("/boards/{dataset}/{scenario}/seasons", responses=responses(404, 422, 503))
def get_seasons(board: BoardDep, session: SessionDep) -> schemas.SeasonsOut:
    """The seasons of a board, the latest first, with their references by the hashes of their files.

    There is none while the first references are being made.
    """
    return views.seasons(session, seasons.of_board(session, board.id))


@router.get(
    "/boards/{dataset}/{scenario}/seasons/{number}",
    responses={**responses(404, 422, 503), **UNCHANGED},
    response_model=schemas.SeasonRankingOut,
)
def get_season(of: OfBoardDep, number: Number, difficulty: DifficultyDep) -> Response:
    """Everybody who is ranked now, over the references of one season; past ones stay readable."""
    return of.kept(*_season(of.session, of.board, number, difficulty))


@router.get(
    "/boards/{dataset}/{scenario}/seasons/{number}/ranking.{form}",
    response_class=Response,
    responses={**FILES, **responses(404, 422, 503), **UNCHANGED},
)
def get_season_file(
    of: OfBoardDep, number: Number, form: FormPath, difficulty: DifficultyDep
) -> Response:
    """Both rankings over the references of one season as CSV, in fractions, or for LaTeX."""
    found = season_shown(of.service, of.session, of.board, number, difficulty)
    text = measured.season_csv(found) if form == "csv" else measured.season_latex(found)
    return of.made(text, MEDIA[form], f"-season-{number}-{difficulty}.{form}")


def season_shown(
    service: Service, session: Session, board: Board, number: int, difficulty: Difficulty
) -> schemas.SeasonRankingOut:
    """The answer of `get_season`, for a page."""
    question, make = _season(session, board, number, difficulty)
    kept = conditional.held(service, session, board, question, make)
    return schemas.SeasonRankingOut.model_validate_json(kept)


def _season(
    session: Session, board: Board, number: int, difficulty: Difficulty
) -> tuple[tuple[object, ...], Callable[[Session, BoardRow | None], str]]:
    """What is asked of a season, and how it is answered; 404 where none has begun."""
    state = find_season(session, board, number).state

    def make(session: Session, row: BoardRow | None) -> str:
        assert row is not None
        found = find_season(session, board, number)
        return views.season_ranking(session, board, row, found, difficulty).model_dump_json()

    return ("season", number, state, difficulty), make
