"""Entries side by side as files, how sure their differences are, and by degree of the targets."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import APIRouter, Response
from sqlalchemy.orm import Session

from api import comparing, conditional, sheets, table_schemas, views
from api.conditional import UNCHANGED, OfBoard, OfBoardDep
from api.deps import DifficultyDep, Service
from api.errors import responses
from api.routes.cells import data_of
from api.routes.prints import LATEX, PRINT
from api.routes.results import FILES, MEDIA, FormPath
from api.routes.sheets import FILE, TYPE
from api.routes.tables import Compared, ComparedDep, compared
from grbcore.catalog import Board
from grbcore.scenario import Difficulty
from grbcore.store import queries
from grbcore.store.tables import BoardRow
from grbcore.store.views import View

router = APIRouter(tags=["boards"])


@router.get(
    "/boards/{dataset}/{scenario}/comparison.csv",
    response_class=Response,
    responses={**FILE, **responses(404, 422, 503), **UNCHANGED},
)
def get_comparison_file(of: OfBoardDep, asked: ComparedDep) -> Response:
    """Entries side by side as CSV: a line for each number at every difficulty, as a fraction."""

    def make(session: Session, row: BoardRow | None) -> str:
        found = compared(of, session, row, asked)
        sure = views.compared_differences(
            session, of.service.blobs, of.board, row, found, of.board.choices
        )
        return "".join(sheets.lines([comparing.HEAD, *comparing.rows(found, sure)]))

    name = f"-comparison-{asked.view}.csv"
    return of.kept(("comparison.csv", *asked), make, media=TYPE, name=name)


@router.get(
    "/boards/{dataset}/{scenario}/comparison.tex",
    response_class=Response,
    responses={**PRINT, **responses(404, 422, 503), **UNCHANGED},
)
def get_comparison_print(of: OfBoardDep, asked: ComparedDep, difficulty: DifficultyDep) -> Response:
    """Entries side by side at one difficulty for LaTeX, in percent, with their differences."""

    def make(session: Session, row: BoardRow | None) -> str:
        found = compared(of, session, row, asked)
        [sure] = views.compared_differences(
            session, of.service.blobs, of.board, row, found, [difficulty]
        )
        return comparing.latex_of(found, sure)

    name = f"-comparison-{difficulty}-{asked.view}.tex"
    return of.kept(("comparison.tex", *asked, difficulty), make, media=LATEX, name=name)


@router.get(
    "/boards/{dataset}/{scenario}/comparison/differences",
    responses={**responses(404, 422, 503), **UNCHANGED},
    response_model=table_schemas.ComparedDifferencesOut,
)
def get_comparison_differences(
    of: OfBoardDep, asked: ComparedDep, difficulty: DifficultyDep
) -> Response:
    """How sure it is that each entry differs from the first: 95 % intervals, paired on targets.

    From the hits of every cell behind the scores; where those are over 200 cells there are none.
    """
    return of.kept(*_differences(of.service, of.board, *asked, difficulty))


def kept_differences(
    service: Service,
    session: Session,
    board: Board,
    ids: tuple[str, ...],
    view: View,
    difficulty: Difficulty,
) -> bytes:
    """The body of `get_comparison_differences`, computed once for it and for the page."""
    question, make = _differences(service, board, ids, view, difficulty)
    return conditional.held(service, session, board, question, make)


def _differences(
    service: Service, board: Board, ids: tuple[str, ...], view: View, difficulty: Difficulty
) -> tuple[tuple[object, ...], Callable[[Session, BoardRow | None], str]]:
    """The question for the differences, and what makes their answer."""

    def make(session: Session, row: BoardRow | None) -> str:
        found = views.comparison(session, service.rankings, board, row, ids=ids, view=view)
        [sure] = views.compared_differences(session, service.blobs, board, row, found, [difficulty])
        return sure.model_dump_json()

    return ("differences", ids, difficulty, view), make


@router.get(
    "/boards/{dataset}/{scenario}/comparison/wins.{form}",
    response_class=Response,
    responses={**FILES, **responses(404, 422, 503), **UNCHANGED},
)
def get_wins_file(of: OfBoardDep, asked: ComparedDep, form: FormPath) -> Response:
    """Against how many counterparts each of the entries is the best, at every difficulty.

    Who shares a first place is counted too.
    """

    def make(session: Session, row: BoardRow | None) -> str:
        found = compared(of, session, row, asked)
        return comparing.wins_csv(found) if form == "csv" else comparing.wins_latex(found)

    name = f"-wins-{asked.view}.{form}"
    return of.kept((f"wins.{form}", *asked), make, media=MEDIA[form], name=name)


Shown = Callable[[table_schemas.ComparisonOut, table_schemas.ComparedDegreesOut], str]


@router.get(
    "/boards/{dataset}/{scenario}/comparison/degrees",
    responses={**responses(404, 422, 503), **UNCHANGED},
    response_model=table_schemas.ComparedDegreesOut,
)
def get_comparison_degrees(
    of: OfBoardDep, asked: ComparedDep, difficulty: DifficultyDep
) -> Response:
    """Entries side by side by the degree of the targets, or by how many nodes the graphs have that
    are judged: the mean over their counterparts.

    Over the best ranked counterparts of which every entry's hits are known: at most 200 cells.
    """

    def shown(_: table_schemas.ComparisonOut, degrees: table_schemas.ComparedDegreesOut) -> str:
        return degrees.model_dump_json()

    return _degrees(of, asked, difficulty, shown)


@router.get(
    "/boards/{dataset}/{scenario}/comparison/degrees.{form}",
    response_class=Response,
    responses={**FILES, **responses(404, 422, 503), **UNCHANGED},
)
def get_degrees_file(
    of: OfBoardDep, asked: ComparedDep, difficulty: DifficultyDep, form: FormPath
) -> Response:
    """Entries side by side by the degree of the targets, or the size of graphs, at one difficulty.

    As CSV a line for each group of targets and entry, in fractions; for LaTeX in percent.
    """
    shown = comparing.degrees_csv if form == "csv" else comparing.degrees_latex
    name = f"-degrees-{difficulty}-{asked.view}.{form}"
    return _degrees(of, asked, difficulty, shown, MEDIA[form], name)


def _degrees(
    of: OfBoard,
    asked: Compared,
    difficulty: Difficulty,
    shown: Shown,
    media: str = "application/json",
    name: str | None = None,
) -> Response:
    """Entries by degree at a difficulty, in one of the forms that show them."""
    dataset = data_of(of.service, of.board)

    def make(session: Session, row: BoardRow | None) -> str:
        found = compared(of, session, row, asked)
        protocol = row.protocol if row else None
        degrees = views.compared_degrees(
            session, of.service.blobs, of.board, protocol, dataset, found, difficulty
        )
        return shown(found, degrees)

    if dataset is None and not of.board.errors:  # not kept: the data may come
        return of.made(make(of.session, queries.board_row(of.session, of.board.id)), media, name)
    return of.kept(("degrees", *asked, difficulty, name), make, media=media, name=name)
