"""What was measured of an entry, and in a cell, as files."""

from __future__ import annotations

from typing import Annotated, Any, Literal, cast

from fastapi import APIRouter, Path, Response

from api import hosts, measured, views
from api.deps import (
    DifficultyQuery,
    MaybeUser,
    ServiceDep,
    SessionDep,
    catalog_board,
    difficulty_on,
    find_cell,
    find_submission,
)
from api.downloads import disposition
from api.errors import responses
from api.privacy import keep_to
from api.routes.cells import breakdown_of, entry_breakdown_of
from api.routes.prints import LATEX, PRINT
from api.routes.sheets import FILE, TYPE
from grbcore.scenario import Side
from grbcore.store import queries
from grbcore.store.tables import Submission, User

router = APIRouter()

Form = Literal["csv", "tex"]
FormPath = Annotated[Form, Path(description="A table for spreadsheets, or for LaTeX")]

MEDIA: dict[Form, str] = {"csv": TYPE, "tex": LATEX}
FILES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The file; every text in it is escaped",
        "content": {**FILE[200]["content"], **PRINT[200]["content"]},
    }
}


@router.get(
    "/submissions/{submission_id}/results.{form}",
    tags=["submissions"],
    response_class=Response,
    responses={**FILES, **responses(401, 404, 422, 503)},
)
def get_results_file(
    submission_id: str, form: FormPath, service: ServiceDep, session: SessionDep, user: MaybeUser
) -> Response:
    """An entry's row or column of the matrix, those of its cells that one sees.

    As CSV a line for each cell and difficulty, in fractions, with each repeat and the scores that
    weigh classes alike; for LaTeX accuracies in percent.
    """
    entry = find_submission(session, submission_id, user=user)
    board = catalog_board(entry.board_id)
    cells = views.entry_cells(session, service.rankings, board, entry, user)
    if form == "csv":
        text = measured.counts_csv(cells)
    else:
        text = measured.entry_latex(
            entry.id, cast(Side, entry.side), cells, queries.measure_of(session, entry.board_id)
        )
    return _file(text, form, user, *_named(entry), "results")


@router.get(
    "/submissions/{submission_id}/breakdown.{form}",
    tags=["submissions"],
    response_class=Response,
    responses={**FILES, **responses(401, 404, 422, 503)},
)
def get_entry_breakdown_file(
    submission_id: str,
    form: FormPath,
    service: ServiceDep,
    session: SessionDep,
    user: MaybeUser,
    difficulty: DifficultyQuery = None,
) -> Response:
    """Where an entry's cells against the references were right, by degree, margin and class."""
    entry = find_submission(session, submission_id, user=user)
    at = difficulty_on(entry.board_id, difficulty)
    found = entry_breakdown_of(service, session, entry, at, user)
    return _groups(found, form, user, *_named(entry))


@router.get(
    "/submissions/{submission_id}/holdouts.{form}",
    tags=["submissions"],
    response_class=Response,
    responses={**FILES, **responses(401, 404, 422, 503)},
)
def get_holdouts_file(
    submission_id: str,
    form: FormPath,
    session: SessionDep,
    user: MaybeUser,
    difficulty: DifficultyQuery = None,
) -> Response:
    """A defense under attacks that it was not trained for.

    As CSV a line for each of them, in fractions; for LaTeX a line for each budget, in percent.
    """
    entry = find_submission(session, submission_id, user=user)
    found = views.holdouts_of(session, entry, difficulty_on(entry.board_id, difficulty))
    text = measured.holdouts_csv(found) if form == "csv" else measured.holdouts_latex(found)
    return _file(text, form, user, *_named(entry), f"holdouts-{found.difficulty}")


@router.get(
    "/cells/{cell_id}/results.{form}",
    tags=["cells"],
    response_class=Response,
    responses={**FILES, **responses(401, 404, 422, 503)},
)
def get_cell_file(
    cell_id: str, form: FormPath, service: ServiceDep, session: SessionDep, user: MaybeUser
) -> Response:
    """The accuracy of one attack against one defense at each difficulty and in each repeat."""
    row = find_cell(session, cell_id, user=user)
    board = catalog_board(row.board_id)
    found = views.cell(session, service.rankings, board, row, hosts.UNKNOWN)
    text = measured.counts_csv([found]) if form == "csv" else measured.cell_latex(found)
    return _file(text, form, user, row.board_id, row.id, "results")


@router.get(
    "/cells/{cell_id}/breakdown.{form}",
    tags=["cells"],
    response_class=Response,
    responses={**FILES, **responses(401, 404, 422, 503)},
)
def get_breakdown_file(
    cell_id: str,
    form: FormPath,
    service: ServiceDep,
    session: SessionDep,
    user: MaybeUser,
    difficulty: DifficultyQuery = None,
) -> Response:
    """Where the defense was right, by degree, margin and class of the targets."""
    row = find_cell(session, cell_id, user=user)
    found = breakdown_of(service, session, row, difficulty_on(row.board_id, difficulty))
    return _groups(found, form, user, row.board_id, row.id)


@router.get(
    "/cells/{cell_id}/confusion.{form}",
    tags=["cells"],
    response_class=Response,
    responses={**FILES, **responses(401, 404, 422, 503)},
)
def get_confusion_file(
    cell_id: str,
    form: FormPath,
    session: SessionDep,
    user: MaybeUser,
    difficulty: DifficultyQuery = None,
) -> Response:
    """For which class the targets of each class were taken, with the attack and without it."""
    row = find_cell(session, cell_id, user=user)
    found = views.confusion(session, row, difficulty_on(row.board_id, difficulty))
    text = measured.confusion_csv(found) if form == "csv" else measured.confusion_latex(found)
    return _file(text, form, user, row.board_id, row.id, f"confusion-{found.difficulty}")


def _named(entry: Submission) -> tuple[str, str]:
    """What a file about an entry is called after."""
    return views.shown_name(entry) or entry.side, entry.id


def _groups(found: measured.Groups, form: Form, user: User | None, name: str, of: str) -> Response:
    text = measured.groups_csv(found) if form == "csv" else measured.groups_latex(found)
    return _file(text, form, user, name, of, f"breakdown-{found.difficulty}")


def _file(text: str, form: Form, user: User | None, name: str, of: str, what: str) -> Response:
    headers = {"Content-Disposition": disposition(name, f"-{of}-{what}.{form}")}
    answer = Response(text, media_type=MEDIA[form], headers=headers)
    keep_to(user, answer)
    return answer
