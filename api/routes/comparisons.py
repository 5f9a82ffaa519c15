"""Entries side by side as files, how sure their differences are, and by degree of the targets."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import APIRouter, Request, Response
from sqlalchemy.orm import Session

from api import comparing, conditional, sheets, table_schemas, views
from api.conditional import UNCHANGED
from api.deps import BoardDep, DifficultyDep, Service, ServiceDep, SessionDep
from api.errors import responses
from api.routes.boards import ViewQuery
from api.routes.cells import data_of
from api.routes.prints import LATEX, PRINT, kept_file, named
from api.routes.results import FILES, MEDIA, FormPath
from api.routes.sheets import FILE, TYPE
from api.routes.tables import IdsQuery, compared
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
def get_comparison_file(
    request: Request,
    board: BoardDep,
    service: ServiceDep,
    session: SessionDep,
    ids: IdsQuery,
    view: ViewQuery = "reference",
) -> Response:
    """Entries side by side as CSV: a line for each number at every difficulty, as a fraction."""
    entries = compared(ids)

    def make(session: Session, row: BoardRow | None) -> str:
        found = views.comparison(session, service.rankings, board, row, ids=entries, view=view)
        sure = views.compared_differences(session, service.blobs, board, row, found, board.choices)
        return "".join(sheets.lines([comparing.HEAD, *comparing.rows(found, sure)]))

    question = ("comparison.csv", entries, view)
    name = f"-comparison-{view}.csv"
    return kept_file(request, service, session, board, question, make, TYPE, name)


@router.get(
    "/boards/{dataset}/{scenario}/comparison.tex",
    response_class=Response,
    responses={**PRINT, **responses(404, 422, 503), **UNCHANGED},
)
def get_comparison_print(
    request: Request,
    board: BoardDep,
    service: ServiceDep,
    session: SessionDep,
    ids: IdsQuery,
    difficulty: DifficultyDep,
    view: ViewQuery = "reference",
) -> Response:
    """Entries side by side at one difficulty for LaTeX, in percent, with their differences."""
    entries = compared(ids)

    def make(session: Session, row: BoardRow | None) -> str:
        found = views.comparison(session, service.rankings, board, row, ids=entries, view=view)
        [sure] = views.compared_differences(session, service.blobs, board, row, found, [difficulty])
        return comparing.latex_of(found, sure)

    question = ("comparison.tex", entries, difficulty, view)
    name = f"-comparison-{difficulty}-{view}.tex"
    return kept_file(request, service, session, board, question, make, LATEX, name)


@router.get(
    "/boards/{dataset}/{scenario}/comparison/differences",
    responses={**responses(404, 422, 503), **UNCHANGED},
    response_model=table_schemas.ComparedDifferencesOut,
)
def get_comparison_differences(
    request: Request,
    board: BoardDep,
    service: ServiceDep,
    session: SessionDep,
    ids: IdsQuery,
    difficulty: DifficultyDep,
    view: ViewQuery = "reference",
) -> Response:
    """How sure it is that each entry differs from the first: 95 % intervals, paired on targets.

    From the hits of every cell behind the scores; where those are over 200 cells there are none.
    """
    asked, make = _differences(service, board, compared(ids), difficulty, view)
    return conditional.kept(request, service, session, board, asked, make)


def kept_differences(
    service: Service,
    session: Session,
    board: Board,
    ids: tuple[str, ...],
    difficulty: Difficulty,
    view: View,
) -> bytes:
    """The body of `get_comparison_differences`, computed once for it and for the page."""
    asked, make = _differences(service, board, ids, difficulty, view)
    return conditional.held(service, session, board, asked, make)


def _differences(
    service: Service, board: Board, ids: tuple[str, ...], difficulty: Difficulty, view: View
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
def get_wins_file(
    request: Request,
    board: BoardDep,
    service: ServiceDep,
    session: SessionDep,
    ids: IdsQuery,
    form: FormPath,
    view: ViewQuery = "reference",
) -> Response:
    """Against how many counterparts each of the entries is the best, at every difficulty.

    Who shares a first place is counted too.
    """
    entries = compared(ids)

    def make(session: Session, row: BoardRow | None) -> str:
        found = views.comparison(session, service.rankings, board, row, ids=entries, view=view)
        return comparing.wins_csv(found) if form == "csv" else comparing.wins_latex(found)

    question = (f"wins.{form}", entries, view)
    name = f"-wins-{view}.{form}"
    return kept_file(request, service, session, board, question, make, MEDIA[form], name)


Shown = Callable[[table_schemas.ComparisonOut, table_schemas.ComparedDegreesOut], str]


@router.get(
    "/boards/{dataset}/{scenario}/comparison/degrees",
    responses={**responses(404, 422, 503), **UNCHANGED},
    response_model=table_schemas.ComparedDegreesOut,
)
def get_comparison_degrees(
    request: Request,
    board: BoardDep,
    service: ServiceDep,
    session: SessionDep,
    ids: IdsQuery,
    difficulty: DifficultyDep,
    view: ViewQuery = "reference",
) -> Response:
    """Entries side by side by the degree of the targets, or by how many nodes the graphs have that
    are judged: the mean over their counterparts.

    Over the best ranked counterparts of which every entry's hits are known: at most 200 cells.
    """

    def shown(_: table_schemas.ComparisonOut, degrees: table_schemas.ComparedDegreesOut) -> str:
        return degrees.model_dump_json()

    asked = compared(ids), difficulty, view
    return _degrees(request, service, session, board, asked, "degrees", shown)


@router.get(
    "/boards/{dataset}/{scenario}/comparison/degrees.{form}",
    response_class=Response,
    responses={**FILES, **responses(404, 422, 503), **UNCHANGED},
)
def get_degrees_file(
    request: Request,
    board: BoardDep,
    service: ServiceDep,
    session: SessionDep,
    ids: IdsQuery,
    difficulty: DifficultyDep,
    form: FormPath,
    view: ViewQuery = "reference",
) -> Response:
    """Entries side by side by the degree of the targets, or the size of graphs, at one difficulty.

    As CSV a line for each group of targets and entry, in fractions; for LaTeX in percent.
    """
    shown = comparing.degrees_csv if form == "csv" else comparing.degrees_latex
    asked, name = (compared(ids), difficulty, view), f"degrees.{form}"
    answer = _degrees(request, service, session, board, asked, name, shown, MEDIA[form])
    return named(answer, board, f"-degrees-{difficulty}-{view}.{form}")


def _degrees(
    request: Request,
    service: Service,
    session: Session,
    board: Board,
    asked: tuple[tuple[str, ...], Difficulty, View],
    name: str,
    shown: Shown,
    media: str = "application/json",
) -> Response:
    """Entries by degree at a difficulty and in a view, in one of the forms that show them."""
    ids, difficulty, view = asked
    dataset = data_of(service, board)

    def make(session: Session, row: BoardRow | None) -> str:
        found = views.comparison(session, service.rankings, board, row, ids=ids, view=view)
        protocol = row.protocol if row else None
        degrees = views.compared_degrees(
            session, service.blobs, board, protocol, dataset, found, difficulty
        )
        return shown(found, degrees)

    if dataset is None and not board.errors:  # not kept: the data may come
        body = make(session, queries.board_row(session, board.id))
        return conditional.made(request, body.encode(), media)
    return conditional.kept(request, service, session, board, (name, *asked), make, media=media)
