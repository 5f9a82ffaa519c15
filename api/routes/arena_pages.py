"""The pages of a board's open arena and of its seasons, for readers without JavaScript too."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from sqlalchemy.orm import Session

from api import choices, views, words
from api.deps import ServiceDep, find_board
from api.errors import not_found
from api.routes import arena as routes
from api.routes.pages import METHODS, answer
from api.templating import Document, render
from grbcore.scenario import Side
from grbcore.store import seasons

router = APIRouter(include_in_schema=False)

_BOTH: tuple[Side, ...] = ("defense", "attack")  # in the order of a board's page
_DIGITS = 6  # of a season's number, at most


@router.api_route("/boards/{dataset}/{scenario}/arena", methods=METHODS)
def open_arena(request: Request, service: ServiceDep, dataset: str, scenario: str) -> Response:
    """The open arena of a board, and its seasons."""

    def content(session: Session) -> Document:
        known = find_board(f"{dataset}/{scenario}")
        difficulty = choices.difficulty(request, known.id)
        arenas = [service.arenas.get(session, known, side, difficulty) for side in _BOTH]
        seasons_ = views.seasons(session, seasons.of_board(session, known.id)).seasons
        told = {"arenas": arenas, "seasons": seasons_}
        body = render("arena.html", board=known.id, **told, **words.scale_of(known.id))
        about = f"Everybody against everybody on {known.id}, by GRB's formula and by one that "
        about += "copies can't move; who is a duplicate of whom; the frozen references."
        return Document(f"The open arena of {known.id}", about, body)

    return answer(request, service, content)


@router.api_route("/boards/{dataset}/{scenario}/seasons/{number}", methods=METHODS)
def season(
    request: Request, service: ServiceDep, dataset: str, scenario: str, number: str
) -> Response:
    """Everybody over the references of one season, and over the targets that it hid."""

    def content(session: Session) -> Document:
        known = find_board(f"{dataset}/{scenario}")
        difficulty = choices.difficulty(request, known.id)
        if not number.isdecimal() or len(number) > _DIGITS:
            raise not_found("season", number)
        found = routes.season_shown(service, session, known, int(number), difficulty)
        title = f"Season {found.season.number} of {known.id}"
        about = f"Everybody who is ranked on {known.id}, over the references of one season."
        body = render("season.html", board=known.id, found=found, **words.scale_of(known.id))
        return Document(title, about, body)

    return answer(request, service, content)
