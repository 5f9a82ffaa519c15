"""The paper's table, rankings and matrices as files for papers and scripts."""

from __future__ import annotations

from fastapi import APIRouter, Response
from sqlalchemy.orm import Session

from api import printing, sheets, views
from api.conditional import UNCHANGED, OfBoardDep
from api.deps import DifficultyDep
from api.downloads import described
from api.errors import responses
from api.routes.boards import RankedDep, ViewQuery
from api.routes.sheets import FILE, TYPE
from api.routes.tables import AskedDep
from grbcore.store import queries
from grbcore.store.tables import BoardRow

router = APIRouter(tags=["boards"])

LATEX = "application/x-tex; charset=utf-8"
PRINT = described(LATEX, "A tabular with the rules of booktabs; every text is escaped")


@router.get(
    "/boards/{dataset}/{scenario}/table.csv",
    response_class=Response,
    responses={**FILE, **responses(404, 422, 503), **UNCHANGED},
)
def get_table_file(of: OfBoardDep, asked: AskedDep) -> Response:
    """The paper's table over a choice as CSV: a line for each number, as a fraction."""

    def make(session: Session, row: BoardRow | None) -> str:
        found = views.table(session, of.service.rankings, of.board, row, asked)
        return "".join(sheets.lines([printing.TABLE_HEAD, *printing.table_rows(found)]))

    return of.kept(("table.csv", asked), make, media=TYPE, name="-table.csv")


@router.get(
    "/boards/{dataset}/{scenario}/table.tex",
    response_class=Response,
    responses={**PRINT, **responses(404, 422, 503), **UNCHANGED},
)
def get_table_print(of: OfBoardDep, asked: AskedDep) -> Response:
    """The paper's table over a choice for LaTeX, in percent; of a base the differences."""

    def make(session: Session, row: BoardRow | None) -> str:
        return printing.table(views.table(session, of.service.rankings, of.board, row, asked))

    return of.kept(("table.tex", asked), make, media=LATEX, name="-table.tex")


@router.get(
    "/boards/{dataset}/{scenario}/leaderboard.tex",
    response_class=Response,
    responses={**PRINT, **responses(404, 422, 503), **UNCHANGED},
)
def get_leaderboard_print(of: OfBoardDep, asked: RankedDep) -> Response:
    """The first 1,000 entries of a ranking for LaTeX, in percent."""

    def make(session: Session, row: BoardRow | None) -> str:
        found = views.leaderboard(
            session,
            of.service.rankings,
            of.board,
            row,
            **asked._asdict(),
            rows=views.Span(0, 1000),
        )
        return printing.ranking(found)

    question = ("leaderboard.tex", *asked)
    name = sheets.ranking_name(**asked._asdict())
    return of.kept(question, make, media=LATEX, name=f"-{name}.tex")


@router.get(
    "/boards/{dataset}/{scenario}/matrix.tex",
    response_class=Response,
    responses={**PRINT, **responses(404, 422, 503), **UNCHANGED},
)
def get_matrix_print(
    of: OfBoardDep, difficulty: DifficultyDep, view: ViewQuery = "reference"
) -> Response:
    """The first 100 attacks against the first 100 defenses for LaTeX, in percent."""
    found = views.grid(
        of.session,
        of.service.rankings,
        of.board,
        queries.board_row(of.session, of.board.id),
        view=view,
        difficulty=difficulty,
        rows=views.Span(0, 100),
        columns=views.Span(0, 100),
    )
    # not kept: cells that are not done change without a new revision
    return of.made(printing.matrix(found), LATEX, f"-matrix-{difficulty}-{view}.tex")
