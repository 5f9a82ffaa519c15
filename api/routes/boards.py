"""Boards, their rankings and their matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Depends, Query, Response
from sqlalchemy.orm import Session

from api import conditional, history_schemas, ranking_schemas, schemas, table_schemas, views
from api.answers import Answer
from api.conditional import UNCHANGED, OfBoard, OfBoardDep
from api.deps import (
    BoardDep,
    DifficultyDep,
    MaybeUser,
    ServiceDep,
    SessionDep,
    require_user,
)
from api.errors import responses
from grbcore.flags import KINDS
from grbcore.metrics import Metric
from grbcore.scenario import Difficulty, Side
from grbcore.store import intervals, queries
from grbcore.store.session import now
from grbcore.store.tables import BoardRow
from grbcore.store.visibility import Viewer, beyond, seen_by

router = APIRouter(tags=["boards"])

ViewQuery = Annotated[
    schemas.View,
    Query(description="Scores over the references, or over every registered counterpart"),
]
MetricQuery = Annotated[
    Metric,
    Query(description="What ranks: `three` is Avg 3-Min of defenses and Avg 3-Max of attacks"),
]
BestQuery = Annotated[
    ranking_schemas.Best,
    Query(description="Only the first of each submitter's, or team's, entries of a family"),
]
SideQuery = Annotated[Side, Query(description="Which side is ranked")]
MineQuery = Annotated[
    bool,
    Query(description="With what only you see: your private entries, and those under an embargo"),
]
#: So many rows, and so many columns, of a matrix are given at once as rows of numbers.
MOST = 500

FlagQuery = Annotated[
    str | None,
    Query(
        description="Only entries with this flag; their ranks stay those among all",
        pattern=f"^({'|'.join(KINDS)})$",
    ),
]
_FARTHEST = 1_000_000
RowQuery = Annotated[
    int, Query(ge=0, le=_FARTHEST, description="The first entry; 0 is the first of the ranking")
]
ColumnQuery = Annotated[
    int, Query(ge=0, le=_FARTHEST, description="The first defense; 0 is the best")
]


class Ranked(NamedTuple):
    """Which ranking of a board is asked for."""

    difficulty: Difficulty
    view: schemas.View
    side: Side
    metric: Metric
    best: ranking_schemas.Best
    flag: str | None


def get_ranked(
    difficulty: DifficultyDep,
    view: ViewQuery = "reference",
    side: SideQuery = "defense",
    metric: MetricQuery = "weighted",
    best: BestQuery = "all",
    flag: FlagQuery = None,
) -> Ranked:
    """What a request chooses."""
    return Ranked(difficulty, view, side, metric, best, flag)


RankedDep = Annotated[Ranked, Depends(get_ranked)]


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
    responses={**responses(401, 404, 422, 503), **UNCHANGED},
    response_model=ranking_schemas.LeaderboardOut,
)
def get_leaderboard(
    of: OfBoardDep,
    user: MaybeUser,
    asked: RankedDep,
    mine: MineQuery = False,
    row: RowQuery = 0,
    rows: Annotated[int, Query(ge=1, le=1000, description="At most so many entries")] = 1000,
) -> Response:
    """The ranking of one side by one metric; attacks ascending, since lower is stronger.

    While the ranking of a new revision is made, the one before is answered for a moment, unless
    the request says `Cache-Control: no-cache`.  ``mine`` gives it as it would be with what only you
    see.
    """
    viewer = require_user(user) if mine else None
    question = ("leaderboard", *asked, row, rows)

    def look(session: Session) -> tuple[BoardRow | None, object, object]:
        known, at = queries.board_row(session, of.board.id), now()
        # behind "attempt 3 of 7"
        counts = queries.attempts_shown(session, of.board.id, asked.side, seen_by(None, at))
        later = intervals.stamp(session, of.board.id)  # they come after the revision
        return known, (counts, later), beyond(session, of.board.id, None, at)

    def current(session: Session, *, fresh: bool) -> tuple[BoardRow | None, str]:
        about = ("leaderboard", of.board.id, asked.side)
        found = of.service.looks.get(about, lambda: look(session), fresh=fresh)
        return found[0], conditional.tag_of(of.board, *found, *question)

    def body(session: Session, known: BoardRow | None) -> bytes:
        found = views.leaderboard(
            session,
            of.service.rankings,
            of.board,
            known,
            **asked._asdict(),
            rows=views.Span(row, rows),
            viewer=viewer,
        )
        return found.model_dump_json().encode()

    if viewer is not None:
        return conditional.private(
            of.request, body(of.session, queries.board_row(of.session, of.board.id))
        )

    def answer(session: Session) -> Answer:
        known, tag = current(session, fresh=True)
        return Answer(body(session, known), tag)

    tag = current(of.session, fresh=conditional.insists(of.request))[1]
    return of.answered(question, tag, answer)


@router.get(
    "/boards/{dataset}/{scenario}/matrix",
    responses={**responses(401, 404, 422, 503), **UNCHANGED},
    response_model=schemas.MatrixOut,
)
def get_matrix(
    of: OfBoardDep,
    user: MaybeUser,
    difficulty: DifficultyDep,
    view: ViewQuery = "reference",
    mine: MineQuery = False,
    row: RowQuery = 0,
    rows: Annotated[int, Query(ge=1, le=100, description="At most so many attacks")] = 100,
    column: ColumnQuery = 0,
    columns: Annotated[int, Query(ge=1, le=100, description="At most so many defenses")] = 100,
) -> Response:
    """A window of the matrix, cells of entries that are still being evaluated included.

    Attacks and defenses stand in the order of their ranks.  As with the leaderboard, the answer
    before may be given for a moment.  ``mine`` adds what only you see.
    """
    question = ("matrix", difficulty, view, row, rows, column, columns)

    def matrix(
        session: Session, known: BoardRow | None, viewer: Viewer = None
    ) -> schemas.MatrixOut:
        return views.matrix(
            session,
            of.service.rankings,
            of.board,
            known,
            view=view,
            difficulty=difficulty,
            rows=views.Span(row, rows),
            columns=views.Span(column, columns),
            viewer=viewer,
        )

    if mine:
        known = queries.board_row(of.session, of.board.id)
        found = matrix(of.session, known, require_user(user))
        return conditional.private(of.request, found.model_dump_json().encode())

    def make(session: Session, known: BoardRow | None) -> tuple[bytes, bool]:
        found = matrix(session, known)
        return found.model_dump_json().encode(), views.is_final(found)

    return _moving(of, question, make)


@router.get(
    "/boards/{dataset}/{scenario}/matrix/grid",
    responses={**responses(404, 422, 503), **UNCHANGED},
    response_model=table_schemas.GridOut,
)
def get_matrix_grid(
    of: OfBoardDep,
    difficulty: DifficultyDep,
    view: ViewQuery = "reference",
    row: RowQuery = 0,
    rows: Annotated[int, Query(ge=1, le=MOST, description="At most so many attacks")] = MOST,
    column: ColumnQuery = 0,
    columns: Annotated[int, Query(ge=1, le=MOST, description="At most so many defenses")] = MOST,
) -> Response:
    """The matrix at one difficulty as rows of numbers: up to 500 x 500 cells at once.

    Larger boards are read in several windows, or as the CSV, which always has all of the matrix.
    """
    question = ("grid", difficulty, view, row, rows, column, columns)

    def make(session: Session, known: BoardRow | None) -> tuple[bytes, bool]:
        found = views.grid(
            session,
            of.service.rankings,
            of.board,
            known,
            view=view,
            difficulty=difficulty,
            rows=views.Span(row, rows),
            columns=views.Span(column, columns),
        )
        return found.model_dump_json().encode(), views.is_settled(found)

    return _moving(of, question, make)


def _moving(
    of: OfBoard,
    question: tuple[object, ...],
    make: Callable[[Session, BoardRow | None], tuple[bytes, bool]],
) -> Response:
    """What everybody sees of cells, of which ``make`` says whether all of them are done."""

    def look(session: Session) -> tuple[BoardRow | None, object, object]:
        known, at = queries.board_row(session, of.board.id), now()
        coming = queries.newcomers(session, of.board.id, seen_by(None, at))
        return known, coming, beyond(session, of.board.id, None, at)

    def current(session: Session, *, fresh: bool) -> tuple[BoardRow | None, str]:
        about = ("matrix", of.board.id)
        found = of.service.looks.get(about, lambda: look(session), fresh=fresh)
        return found[0], conditional.tag_of(of.board, *found, *question)

    def answer(session: Session) -> Answer:
        known, tag = current(session, fresh=True)
        body, final = make(session, known)
        # cells that are not done change without a new revision
        return Answer(body, tag if final else conditional.quoted(body))

    tag = current(of.session, fresh=conditional.insists(of.request))[1]
    return of.answered(question, tag, answer)


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
