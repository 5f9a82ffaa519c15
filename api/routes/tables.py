"""The paper's table over a choice, entries side by side, and what charts are drawn from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, cast, get_args

from fastapi import APIRouter, Depends, Query, Request, Response
from sqlalchemy.orm import Session

from api import printing, sheets, table_schemas, views
from api.answers import Answer
from api.deps import BoardDep, ServiceDep, SessionDep
from api.downloads import disposition
from api.errors import responses
from api.routes.boards import (
    UNCHANGED,
    DifficultyQuery,
    SideQuery,
    ViewQuery,
    _answered,
    _tag,
)
from grbcore.catalog import Board
from grbcore.paper import Preset
from grbcore.scenario import Difficulty
from grbcore.store import queries
from grbcore.store.session import now
from grbcore.store.tables import BoardRow
from grbcore.store.visibility import beyond

router = APIRouter(tags=["boards"])

_ENTRY = "[0-9A-Z]{26}"
_IDS = f"^({_ENTRY}(,{_ENTRY}){{0,99}})?$"
_WORDS = "|".join(get_args(Difficulty))
_DIFFICULTIES = f"^({_WORDS})(,({_WORDS})){{0,3}}$"
_BASE = f"^(clean|{_ENTRY})$"


def get_asked(
    preset: Annotated[
        Preset, Query(description="A choice with a name; `main` is the paper's")
    ] = "main",
    attacks: Annotated[
        str | None,
        Query(description="Ids of attacks with commas between, at most 100", pattern=_IDS),
    ] = None,
    defenses: Annotated[
        str | None,
        Query(description="Ids of defenses with commas between, at most 100", pattern=_IDS),
    ] = None,
    difficulties: Annotated[
        str | None,
        Query(description="Difficulties with commas between", pattern=_DIFFICULTIES),
    ] = None,
    base: Annotated[
        str | None,
        Query(
            description="The attack, `clean`, or the defense that differences are taken from",
            pattern=_BASE,
        ),
    ] = None,
) -> views.Asked:
    """What stands in a table: a preset, parts of which are chosen otherwise."""
    return views.Asked(
        preset,
        _split(attacks),
        _split(defenses),
        cast(tuple[Difficulty, ...] | None, _split(difficulties)),
        base,
    )


def table_asked(query: Mapping[str, str]) -> views.Asked:
    """What the address of a page asks for; what it misspells is the default."""

    def given(name: str, pattern: str) -> str | None:
        text = query.get(name)
        return text if text is not None and re.fullmatch(pattern, text) else None

    named = (one for one in get_args(Preset) if one == query.get("preset"))
    return get_asked(
        cast(Preset, next(named, "main")),
        given("attacks", _IDS),
        given("defenses", _IDS),
        given("difficulties", _DIFFICULTIES),
        given("base", _BASE),
    )


AskedDep = Annotated[views.Asked, Depends(get_asked)]


def _split(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(filter(None, text.split(",")))


def _state(session: Session, board: Board, *question: object) -> tuple[BoardRow | None, str]:
    """The board's row, and the tag of what everybody sees of its ranked entries."""
    row, lapsed = queries.board_row(session, board.id), beyond(session, board.id, None, now())
    return row, _tag(board, row, lapsed, *question)


@router.get(
    "/boards/{dataset}/{scenario}/table",
    responses={**responses(404, 422, 503), **UNCHANGED},
    response_model=table_schemas.TableOut,
)
def get_table(
    request: Request, board: BoardDep, service: ServiceDep, session: SessionDep, asked: AskedDep
) -> Response:
    """The paper's table over a choice: attack x difficulty against defenses, with their metrics.

    Metrics are computed over what is chosen, in each repeat first.  Chosen ids that are no ranked
    entries of this board are left out, and named in ``missing``.
    """
    question = ("table", asked)

    def answer(session: Session) -> Answer:
        row, tag = _state(session, board, *question)
        found = views.table(session, service.rankings, board, row, asked)
        return Answer(found.model_dump_json().encode(), tag)

    tag = _state(session, board, *question)[1]
    return _answered(request, service, session, (board.id, *question), tag, answer)


@router.get(
    "/boards/{dataset}/{scenario}/comparison",
    responses={**responses(404, 422, 503), **UNCHANGED},
    response_model=table_schemas.ComparisonOut,
)
def get_comparison(
    request: Request,
    board: BoardDep,
    service: ServiceDep,
    session: SessionDep,
    ids: Annotated[
        str,
        Query(
            description="Ids of one to five entries of one side with commas between",
            pattern=f"^{_ENTRY}(,{_ENTRY}){{0,4}}$",
        ),
    ],
    view: ViewQuery = "reference",
) -> Response:
    """Up to five entries of one side, each counterpart of the view by difficulty.

    Differences are from the first of them, in each repeat first.
    """
    entries = tuple(dict.fromkeys(ids.split(",")))
    question = ("comparison", entries, view)

    def answer(session: Session) -> Answer:
        row, tag = _state(session, board, *question)
        found = views.comparison(session, service.rankings, board, row, ids=entries, view=view)
        return Answer(found.model_dump_json().encode(), tag)

    tag = _state(session, board, *question)[1]
    return _answered(request, service, session, (board.id, *question), tag, answer)


@router.get(
    "/boards/{dataset}/{scenario}/charts",
    responses={**responses(404, 422, 503), **UNCHANGED},
    response_model=table_schemas.ChartsOut,
)
def get_charts(
    request: Request,
    board: BoardDep,
    service: ServiceDep,
    session: SessionDep,
    difficulty: DifficultyQuery = "full",
) -> Response:
    """What the charts of a board are drawn from, scores over the references."""
    question = ("charts", difficulty)

    def answer(session: Session) -> Answer:
        row, tag = _state(session, board, *question)
        found = views.charts(session, service.rankings, board, row, difficulty)
        return Answer(found.model_dump_json().encode(), tag)

    tag = _state(session, board, *question)[1]
    return _answered(request, service, session, (board.id, *question), tag, answer)


def _described(media: str, description: str) -> dict[int | str, dict[str, object]]:
    content = {media: {"schema": {"type": "string"}}}
    return {200: {"description": description, "content": content}}


_CSV, _LATEX = "text/csv; charset=utf-8", "application/x-tex; charset=utf-8"
_SHEET = _described(_CSV, "The file, in UTF-8; texts are quoted, and none begins like a formula")
_PRINT = _described(_LATEX, "A tabular with the rules of booktabs; every text is escaped")


def _file(text: str, media: str, board: Board, rest: str) -> Response:
    headers = {"Content-Disposition": disposition(board.id, rest)}
    return Response(text, media_type=media, headers=headers)


@router.get(
    "/boards/{dataset}/{scenario}/table.csv",
    response_class=Response,
    responses={**_SHEET, **responses(404, 422, 503)},
)
def get_table_file(
    board: BoardDep, service: ServiceDep, session: SessionDep, asked: AskedDep
) -> Response:
    """The paper's table over a choice as CSV: a line for each number, as a fraction."""
    row = queries.board_row(session, board.id)
    found = views.table(session, service.rankings, board, row, asked)
    text = "".join(sheets.lines([printing.TABLE_HEAD, *printing.table_rows(found)]))
    return _file(text, _CSV, board, "-table.csv")


@router.get(
    "/boards/{dataset}/{scenario}/table.tex",
    response_class=Response,
    responses={**_PRINT, **responses(404, 422, 503)},
)
def get_table_print(
    board: BoardDep, service: ServiceDep, session: SessionDep, asked: AskedDep
) -> Response:
    """The paper's table over a choice for LaTeX, in percent; of a base the differences."""
    row = queries.board_row(session, board.id)
    found = views.table(session, service.rankings, board, row, asked)
    return _file(printing.table(found), _LATEX, board, "-table.tex")


@router.get(
    "/boards/{dataset}/{scenario}/leaderboard.tex",
    response_class=Response,
    responses={**_PRINT, **responses(404, 422, 503)},
)
def get_leaderboard_print(
    board: BoardDep,
    service: ServiceDep,
    session: SessionDep,
    difficulty: DifficultyQuery = "full",
    view: ViewQuery = "reference",
    side: SideQuery = "defense",
) -> Response:
    """The first 1,000 entries of a ranking for LaTeX, in percent."""
    found = views.leaderboard(
        session,
        service.rankings,
        board,
        queries.board_row(session, board.id),
        view=view,
        side=side,
        difficulty=difficulty,
        rows=views.Span(0, 1000),
    )
    return _file(printing.ranking(found), _LATEX, board, f"-{side}s-{difficulty}-{view}.tex")


@router.get(
    "/boards/{dataset}/{scenario}/matrix.tex",
    response_class=Response,
    responses={**_PRINT, **responses(404, 422, 503)},
)
def get_matrix_print(
    board: BoardDep,
    service: ServiceDep,
    session: SessionDep,
    difficulty: DifficultyQuery = "full",
    view: ViewQuery = "reference",
) -> Response:
    """The first 100 attacks against the first 100 defenses for LaTeX, in percent."""
    found = views.matrix(
        session,
        service.rankings,
        board,
        queries.board_row(session, board.id),
        view=view,
        difficulty=difficulty,
        rows=views.Span(0, 100),
        columns=views.Span(0, 100),
    )
    return _file(printing.matrix(found), _LATEX, board, f"-matrix-{difficulty}-{view}.tex")
