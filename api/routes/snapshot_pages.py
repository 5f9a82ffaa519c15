"""The pages of boards as they stood, for readers without JavaScript too."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from sqlalchemy.orm import Session

from api import words
from api.deps import ServiceDep, find_board, is_id
from api.routes import snapshots as routes
from api.routes.pages import METHODS, answer
from api.templating import Document, render
from api.views import snapshots as views
from grbcore.store import snapshots

router = APIRouter(include_in_schema=False)

_LISTED = 50  # snapshots on one page


@router.api_route("/boards/{dataset}/{scenario}/snapshots", methods=METHODS)
def listed(request: Request, service: ServiceDep, dataset: str, scenario: str) -> Response:
    """The snapshots of a board."""
    cursor = request.query_params.get("cursor", "")

    def content(session: Session) -> Document:
        board = find_board(f"{dataset}/{scenario}")
        before = cursor if is_id(cursor) else None
        rows = snapshots.page(session, board.id, before=before, limit=_LISTED + 1)
        body = render("snapshots.html", board=board, found=views.snapshot_page(rows, _LISTED))
        about = f"{board.id} as it stood when each month began, for good."
        return Document(f"Snapshots of {board.id}", about, body)

    return answer(request, service, content)


@router.api_route("/snapshots/{snapshot_id}", methods=METHODS)
def snapshot(request: Request, service: ServiceDep, snapshot_id: str) -> Response:
    """A board as it stood."""

    def content(_session: Session) -> Document:
        found = routes.read(request, service, snapshot_id)
        day = f"{found.made_at:%Y-%m-%d}"
        about = f"{found.board} on {day}: every number with every hash, for citing."
        body = render("snapshot.html", found=found, **words.scale_of(found.board, found.metric))
        return Document(f"{found.board} on {day}", about, body)

    return answer(request, service, content)
