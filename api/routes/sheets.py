"""Rankings and matrices as files for spreadsheets and scripts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fastapi import APIRouter
from fastapi.responses import StreamingResponse

from api import schemas, sheets, views
from api.deps import BoardDep, DifficultyDep, Service, ServiceDep, SessionDep
from api.downloads import described, disposition
from api.errors import responses
from api.routes.boards import RankedDep, ViewQuery
from grbcore.catalog import Board
from grbcore.scenario import Difficulty
from grbcore.store import queries

router = APIRouter(tags=["boards"])

TYPE = "text/csv; charset=utf-8"

#: So many rows or columns are read at once, each part in a session of its own: whoever reads
#: slowly holds no connection to the database.
_STEP = 100

FILE = described(TYPE, "The file, in UTF-8; texts are quoted, and none begins like a formula")


@router.get(
    "/boards/{dataset}/{scenario}/leaderboard.csv",
    response_class=StreamingResponse,
    responses={**FILE, **responses(404, 422, 503)},
)
def get_leaderboard_file(
    board: BoardDep,
    service: ServiceDep,
    session: SessionDep,
    asked: RankedDep,
) -> StreamingResponse:
    """The whole ranking of one side as CSV, scores as fractions at this difficulty."""
    known = queries.board_row(session, board.id)
    found = views.leaderboard(
        session,
        service.rankings,
        board,
        known,
        **asked._asdict(),
        rows=views.Span(0, 1_000_000),
    )
    content = sheets.lines(
        [sheets.ranking_head(asked.side, board.measure), *sheets.ranking_rows(found)]
    )
    return file_of(content, board, sheets.ranking_name(**asked._asdict()))


@router.get(
    "/boards/{dataset}/{scenario}/matrix.csv",
    response_class=StreamingResponse,
    responses={**FILE, **responses(404, 422, 503)},
)
def get_matrix_file(
    board: BoardDep,
    service: ServiceDep,
    difficulty: DifficultyDep,
    view: ViewQuery = "reference",
) -> StreamingResponse:
    """The whole matrix as CSV: a row for each attack, a column for each defense, accuracies.

    Ranks, rows and columns are those of the moment it was asked for.  A board that moves to other
    rules meanwhile ends the answer before its end.  A process makes four at once at most.
    """
    service.sheets.ask()
    with service.sessions.reading() as session:
        row = queries.board_row(session, board.id)
        heads = views.matrix_heads(
            session, service.rankings, board, row, view=view, difficulty=difficulty
        )
    protocol = row.protocol if row else None
    rows = _matrix(service, board, protocol, difficulty, heads)
    content = service.sheets.counted(sheets.lines(rows))
    return file_of(content, board, f"matrix-{difficulty}-{view}")


class RulesChanged(Exception):
    """What was sent of a matrix and what is left of it are not of the same rules."""


def _matrix(
    service: Service,
    board: Board,
    protocol: str | None,
    difficulty: Difficulty,
    heads: views.Heads,
) -> Iterator[list[sheets.Cell]]:
    yield sheets.matrix_head(heads.defenses)
    attacks = [*heads.attacks, views.clean_head()]
    for first in range(0, len(attacks), _STEP):
        some = views.Span(first, _STEP).of(attacks)
        found = _accuracies(service, board, protocol, some, heads.defenses, difficulty)
        yield from sheets.matrix_rows(some, heads.defenses, found)


def _accuracies(
    service: Service,
    board: Board,
    protocol: str | None,
    attacks: Sequence[schemas.MatrixEntry],
    defenses: Sequence[schemas.MatrixEntry],
    difficulty: Difficulty,
) -> dict[tuple[str, str], float]:
    """What is measured of some rows.

    Raises:
        RulesChanged: the board has another protocol than the one it had.
    """
    found: dict[tuple[str, str], float] = {}
    rows = [entry.id for entry in attacks]
    for first in range(0, len(defenses), _STEP):
        with service.sessions.reading() as session:
            row = queries.board_row(session, board.id)
            if (row.protocol if row else None) != protocol:
                raise RulesChanged(f"{board.id}: the board moved on from protocol {protocol}")
            columns = [entry.id for entry in views.Span(first, _STEP).of(defenses)]
            found |= views.accuracies_between(session, board, row, rows, columns, difficulty)
    return found


def file_of(content: Iterable[str], board: Board, name: str) -> StreamingResponse:
    """These lines as a file of a board."""
    headers = {"Content-Disposition": disposition(board.id, f"-{name}.csv")}
    return StreamingResponse(content, media_type=TYPE, headers=headers)
