"""The rules of a board, and the documentation, for the page."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request

from api import reference, texts
from api import text_schemas as schemas
from api.deps import BoardDep, ServiceDep, SessionDep
from api.errors import ApiError, responses
from api.routes.studies import of_board
from grbcore.results import EVALUATOR_VERSION, METRIC_VERSION
from grbcore.store import queries

router = APIRouter()

NamePath = Annotated[str, Path(max_length=80, description="As in the list", examples=["rules"])]


@router.get(
    "/boards/{dataset}/{scenario}/rules", tags=["boards"], responses=responses(404, 422, 503)
)
def get_rules(board: BoardDep, service: ServiceDep, session: SessionDep) -> schemas.RulesOut:
    """What a board's results depend on, and how its targets are spread over degrees."""
    row = queries.board_row(session, board.id)
    bins = ((row.facts if row else None) or {}).get("degrees")
    return schemas.RulesOut(
        board=board.id,
        protocol=row.protocol if row else None,
        evaluator=EVALUATOR_VERSION,
        metric=METRIC_VERSION,
        degrees=None if bins is None else [schemas.DegreeBin(**one) for one in bins],
        cell_seconds=board.limits.cell_seconds,
        work_factor=board.limits.work_factor,
        expansion=board.limits.expansion,
        studies=of_board(service, board.id),
    )


@router.get("/docs", tags=["service"])
def list_texts() -> list[schemas.TextSummary]:
    """The documents that this service comes with; none where it was installed without them."""
    return [
        schemas.TextSummary(name=text.name, title=text.title, part=text.part)
        for text in texts.texts().values()
        if text.name != texts.ABOUT
    ]


@router.get("/docs/{name}", tags=["service"], responses=responses(404, 422))
def get_text(name: NamePath) -> schemas.TextOut:
    """One document, as HTML."""
    text = find_text(name)
    return schemas.TextOut(name=text.name, title=text.title, part=text.part, html=text.html)


@router.get("/reference", tags=["service"])
def get_reference(request: Request) -> schemas.ReferenceOut:
    """This reference, as HTML: every route, what it takes and what it answers."""
    found = reference.of(request.app)
    return schemas.ReferenceOut(title=found.title, html=found.html)


def find_text(name: str) -> texts.Text:
    """The document of this name; 404 where there is none."""
    text = texts.texts().get(name)
    if text is None:
        raise ApiError(404, "not-found", f"document: found {name}, allowed: those of /api/v1/docs")
    return text
