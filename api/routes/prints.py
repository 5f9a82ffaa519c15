"""The paper's table, rankings and matrices as files for papers and scripts."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import APIRouter, Request, Response
from sqlalchemy.orm import Session

from api import conditional, printing, sheets, views
from api.conditional import UNCHANGED
from api.deps import BoardDep, DifficultyDep, Service, ServiceDep, SessionDep
from api.downloads import described, disposition
from api.errors import responses
from api.routes.boards import RankedDep, ViewQuery
from api.routes.sheets import FILE, TYPE
from api.routes.tables import AskedDep
from grbcore.catalog import Board
from grbcore.store import queries
from grbcore.store.tables import BoardRow

router = APIRouter(tags=["boards"])

LATEX = "application/x-tex; charset=utf-8"
PRINT = described(LATEX, "A tabular with the rules of booktabs; every text is escaped")


def kept_file(
    request: Request,
    service: Service,
    session: Session,
    board: Board,
    question: tuple[object, ...],
    make: Callable[[Session, BoardRow | None], str],
    media: str,
    name: str,
) -> Response:
    """`conditional.kept` as a file."""
    answer = conditional.kept(request, service, session, board, question, make, media=media)
    return named(answer, board, name)


def named(answer: Response, board: Board, name: str) -> Response:
    """The answer as a file."""
    answer.headers["Content-Disposition"] = disposition(board.id, name)
    return answer


@router.get(
    "/boards/{dataset}/{scenario}/table.csv",
    response_class=Response,
    responses={**FILE, **responses(404, 422, 503), **UNCHANGED},
)
def get_table_file(
    request: Request, board: BoardDep, service: ServiceDep, session: SessionDep, asked: AskedDep
) -> Response:
    """The paper's table over a choice as CSV: a line for each number, as a fraction."""

    def make(session: Session, row: BoardRow | None) -> str:
        found = views.table(session, service.rankings, board, row, asked)
        return "".join(sheets.lines([printing.TABLE_HEAD, *printing.table_rows(found)]))

    question = ("table.csv", asked)
    return kept_file(request, service, session, board, question, make, TYPE, "-table.csv")


@router.get(
    "/boards/{dataset}/{scenario}/table.tex",
    response_class=Response,
    responses={**PRINT, **responses(404, 422, 503), **UNCHANGED},
)
def get_table_print(
    request: Request, board: BoardDep, service: ServiceDep, session: SessionDep, asked: AskedDep
) -> Response:
    """The paper's table over a choice for LaTeX, in percent; of a base the differences."""

    def make(session: Session, row: BoardRow | None) -> str:
        return printing.table(views.table(session, service.rankings, board, row, asked))

    question = ("table.tex", asked)
    return kept_file(request, service, session, board, question, make, LATEX, "-table.tex")


@router.get(
    "/boards/{dataset}/{scenario}/leaderboard.tex",
    response_class=Response,
    responses={**PRINT, **responses(404, 422, 503), **UNCHANGED},
)
def get_leaderboard_print(
    request: Request,
    board: BoardDep,
    service: ServiceDep,
    session: SessionDep,
    asked: RankedDep,
) -> Response:
    """The first 1,000 entries of a ranking for LaTeX, in percent."""

    def make(session: Session, row: BoardRow | None) -> str:
        found = views.leaderboard(
            session,
            service.rankings,
            board,
            row,
            **asked._asdict(),
            rows=views.Span(0, 1000),
        )
        return printing.ranking(found)

    question = ("leaderboard.tex", *asked)
    name = sheets.ranking_name(**asked._asdict())
    return kept_file(request, service, session, board, question, make, LATEX, f"-{name}.tex")


@router.get(
    "/boards/{dataset}/{scenario}/matrix.tex",
    response_class=Response,
    responses={**PRINT, **responses(404, 422, 503), **UNCHANGED},
)
def get_matrix_print(
    request: Request,
    board: BoardDep,
    service: ServiceDep,
    session: SessionDep,
    difficulty: DifficultyDep,
    view: ViewQuery = "reference",
) -> Response:
    """The first 100 attacks against the first 100 defenses for LaTeX, in percent."""
    found = views.grid(
        session,
        service.rankings,
        board,
        queries.board_row(session, board.id),
        view=view,
        difficulty=difficulty,
        rows=views.Span(0, 100),
        columns=views.Span(0, 100),
    )
    # not kept: cells that are not done change without a new revision
    answer = conditional.made(request, printing.matrix(found).encode(), LATEX)
    return named(answer, board, f"-matrix-{difficulty}-{view}.tex")
