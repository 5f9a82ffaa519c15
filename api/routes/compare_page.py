"""The page of entries side by side, for readers without JavaScript."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from sqlalchemy.orm import Session

from api import table_schemas, views
from api.deps import Service, ServiceDep, find_board, is_id
from api.routes.comparisons import kept_differences
from api.routes.pages import METHODS, answer, choice
from api.templating import METRIC_NAMES, Document, render
from grbcore.catalog import Board
from grbcore.scenario import Difficulty
from grbcore.store import queries
from grbcore.store.blobs import BlobsAway
from grbcore.store.views import View

router = APIRouter(include_in_schema=False)


@router.api_route("/compare", methods=METHODS)
def compare(request: Request, service: ServiceDep) -> Response:
    """Entries of one side of a board, side by side."""
    board, ids = request.query_params.get("board", ""), request.query_params.get("ids", "")
    difficulty, view = choice(request)

    def content(session: Session) -> Document:
        found = sure = None
        if board:
            known = find_board(board)
            row = queries.board_row(session, known.id)
            entries = tuple(dict.fromkeys(filter(is_id, ids.split(","))))[:5]
            found = views.comparison(session, service.rankings, known, row, ids=entries, view=view)
            if len(found.entries) > 1:
                sure = _differences(service, session, known, entries, difficulty, view)
        about = "Attacks or defenses of one board side by side, with their differences."
        return Document("Compare", about, _body(found, sure))

    return answer(request, service, content)


def _body(
    found: table_schemas.ComparisonOut | None, sure: table_schemas.ComparedDifferencesOut | None
) -> str:
    return render("compare.html", found=found, sure=sure, metrics=METRIC_NAMES)


def _differences(
    service: Service,
    session: Session,
    board: Board,
    ids: tuple[str, ...],
    difficulty: Difficulty,
    view: View,
) -> table_schemas.ComparedDifferencesOut | None:
    """As the API has them; None while the blob store does not answer."""
    try:
        body = kept_differences(service, session, board, ids, difficulty, view)
    except BlobsAway:
        return None
    return table_schemas.ComparedDifferencesOut.model_validate_json(body)
