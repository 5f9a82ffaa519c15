"""The page of entries side by side, for readers without JavaScript."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from sqlalchemy.orm import Session

from api import choices, table_schemas, views, words
from api.deps import Service, ServiceDep, find_board, is_id
from api.routes.comparisons import kept_differences
from api.routes.pages import METHODS, answer
from api.templating import METRIC_NAMES, Document, render
from grbcore.catalog import Board
from grbcore.scenario import Difficulty
from grbcore.store import queries
from grbcore.store.blobs import BlobsAway
from grbcore.store.views import VIEWS, View

router = APIRouter(include_in_schema=False)


@router.api_route("/compare", methods=METHODS)
def compare(request: Request, service: ServiceDep) -> Response:
    """Entries of one side of a board, side by side."""
    board = request.query_params.get("board", "")
    entries = tuple(dict.fromkeys(filter(is_id, request.query_params.get("ids", "").split(","))))[
        :5
    ]
    view = choices.view(request)

    def content(session: Session) -> Document:
        found = sure = None
        shown: dict[str, object] = {}
        if board:
            known = find_board(board)
            difficulty = choices.difficulty(request, known.id)
            shown = {"difficulty": difficulty, **words.scale_of(known.id)}
            row = queries.board_row(session, known.id)
            found = views.comparison(session, service.rankings, known, row, ids=entries, view=view)
            if len(found.entries) > 1:
                sure = _differences(service, session, known, entries, difficulty, view)
        about = "Attacks or defenses of one board side by side, with their differences."
        body = render(
            "compare.html",
            found=found,
            sure=sure,
            view=view,
            views=VIEWS,
            address=f"/compare?board={board}&ids={','.join(entries)}",
            metrics=METRIC_NAMES,
            **shown,
        )
        return Document("Compare", about, body)

    return answer(request, service, content)


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
        body = kept_differences(service, session, board, ids, view, difficulty)
    except BlobsAway:
        return None
    return table_schemas.ComparedDifferencesOut.model_validate_json(body)
