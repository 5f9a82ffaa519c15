"""The paper's table over a choice, entries side by side, and what charts are drawn from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, NamedTuple, cast, get_args

from fastapi import APIRouter, Depends, Query, Response
from sqlalchemy.orm import Session

from api import schemas, table_schemas, views
from api.conditional import UNCHANGED, OfBoard, OfBoardDep
from api.deps import BoardDep, DifficultyDep
from api.errors import field, responses
from api.routes.boards import ViewQuery
from grbcore.catalog import Board
from grbcore.paper import COMPLETE, Preset
from grbcore.scenario import Difficulty
from grbcore.store.tables import BoardRow

router = APIRouter(tags=["boards"])

_ENTRY = "[0-9A-Z]{26}"
_IDS = f"^({_ENTRY}(,{_ENTRY}){{0,99}})?$"
_BASE = f"^(clean|{_ENTRY})$"


def get_asked(
    board: BoardDep,
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
        Query(
            description="Difficulties of the board with commas between, its `ranked` among them",
            max_length=100,
        ),
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
    chosen = _split(difficulties)
    unknown = sorted({*(chosen or ())} - {*board.choices})
    if unknown or chosen == ():
        found = ", ".join(unknown) or "nothing"
        raise field("query/difficulties", found, f"one or more of {', '.join(board.choices)}")
    # in one order, so that what is the same table is one question
    return views.Asked(
        preset,
        _split(attacks),
        _split(defenses),
        cast(tuple[Difficulty, ...] | None, chosen),
        base,
    )


def table_asked(query: Mapping[str, str], board: Board) -> views.Asked:
    """What the address of a page asks for; what it misspells is the default.

    Of each side at most as many as the complete table has: without JavaScript all of it is drawn.
    """

    def given(name: str, pattern: str) -> str | None:
        text = query.get(name)
        return text if text is not None and re.fullmatch(pattern, text) else None

    words = "|".join(board.choices)
    named = (one for one in get_args(Preset) if one == query.get("preset"))
    asked = get_asked(
        board,
        cast(Preset, next(named, "main")),
        given("attacks", _IDS),
        given("defenses", _IDS),
        given("difficulties", f"({words})(,({words})){{0,9}}"),
        given("base", _BASE),
    )
    return replace(asked, most=COMPLETE)


AskedDep = Annotated[views.Asked, Depends(get_asked)]


def _split(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(sorted({*filter(None, text.split(","))}))


@router.get(
    "/boards/{dataset}/{scenario}/table",
    responses={**responses(404, 422, 503), **UNCHANGED},
    response_model=table_schemas.TableOut,
)
def get_table(of: OfBoardDep, asked: AskedDep) -> Response:
    """The paper's table over a choice: attack x difficulty against defenses, with their metrics.

    Metrics are computed over what is chosen, in each repeat first.  Chosen ids that are no ranked
    entries of this board are left out, and named in ``missing``.
    """

    def make(session: Session, row: BoardRow | None) -> str:
        found = views.table(session, of.service.rankings, of.board, row, asked)
        return found.model_dump_json()

    return of.kept(("table", asked), make)


class Compared(NamedTuple):
    """Which entries stand side by side, the first what others are compared with, and over which
    counterparts."""

    ids: tuple[str, ...]
    view: schemas.View


async def get_compared(
    ids: Annotated[
        str,
        Query(
            description="Ids of one to five entries of one side with commas between",
            pattern=f"^{_ENTRY}(,{_ENTRY}){{0,4}}$",
        ),
    ],
    view: ViewQuery = "reference",
) -> Compared:
    """What a request compares, each entry once."""
    return Compared(tuple(dict.fromkeys(ids.split(","))), view)


ComparedDep = Annotated[Compared, Depends(get_compared)]


def compared(
    of: OfBoard, session: Session, row: BoardRow | None, asked: Compared
) -> table_schemas.ComparisonOut:
    """Entries of a board side by side."""
    return views.comparison(session, of.service.rankings, of.board, row, **asked._asdict())


@router.get(
    "/boards/{dataset}/{scenario}/comparison",
    responses={**responses(404, 422, 503), **UNCHANGED},
    response_model=table_schemas.ComparisonOut,
)
def get_comparison(of: OfBoardDep, asked: ComparedDep) -> Response:
    """Up to five entries of one side, each counterpart of the view by difficulty.

    Differences are from the first of them, in each repeat first.
    """

    def make(session: Session, row: BoardRow | None) -> str:
        return compared(of, session, row, asked).model_dump_json()

    return of.kept(("comparison", *asked), make)


@router.get(
    "/boards/{dataset}/{scenario}/charts",
    responses={**responses(404, 422, 503), **UNCHANGED},
    response_model=table_schemas.ChartsOut,
)
def get_charts(
    of: OfBoardDep, difficulty: DifficultyDep, view: ViewQuery = "reference"
) -> Response:
    """What the charts of a board are drawn from."""

    def make(session: Session, row: BoardRow | None) -> str:
        found = views.charts(session, of.service.rankings, of.board, row, difficulty, view)
        return found.model_dump_json()

    return of.kept(("charts", difficulty, view), make)
