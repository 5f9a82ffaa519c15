"""The addresses of documents, rules and the admins' part, for readers without JavaScript too."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse
from markupsafe import Markup
from sqlalchemy.orm import Session

from api import reference, texts, views, words
from api.deps import ServiceDep, find_board
from api.errors import ApiError
from api.routes.pages import METHODS, answer
from api.routes.studies import of_board
from api.routes.texts import find_text
from api.templating import Document, render
from grbcore.store import queries

router = APIRouter(include_in_schema=False)


@router.api_route("/guide", methods=METHODS)
def guide(request: Request, service: ServiceDep) -> Response:
    """The list of documents."""

    def content(_session: Session) -> Document:
        listed = [text for text in texts.texts().values() if text.name != texts.ABOUT]
        body = render("guide.html", texts=listed)
        return Document("Guide", "How to take part, what is measured, how to run it.", body)

    return answer(request, service, content)


@router.api_route("/guide/{name}", methods=METHODS)
def document(request: Request, service: ServiceDep, name: str) -> Response:
    """One document."""
    return answer(request, service, lambda _session: _document(name))


@router.api_route("/about", methods=METHODS)
def about(request: Request, service: ServiceDep) -> Response:
    """What this is, its limits, how to propose something and how to cite it."""
    return answer(request, service, lambda _session: _document(texts.ABOUT))


@router.api_route("/docs", methods=METHODS)
def api_reference(request: Request, service: ServiceDep) -> Response:
    """The reference of the API."""

    def content(_session: Session) -> Document:
        found = reference.of(request.app)
        # made and escaped from the application's own description
        body = render("reference.html", title=found.title, html=Markup(found.html))
        return Document(
            found.title, "Every route of the API, what it takes and what it answers.", body
        )

    return answer(request, service, content)


@router.api_route("/guide/pictures/{name}", methods=METHODS)
def picture(name: str) -> Response:
    """A picture of a document."""
    file = texts.picture(name)
    if file is None:
        raise ApiError(404, "not-found", "picture: no such file")
    return FileResponse(file)


@router.api_route("/boards/{dataset}/{scenario}/rules", methods=METHODS)
def rules(request: Request, service: ServiceDep, dataset: str, scenario: str) -> Response:
    """What an attacker may do on a board, and what a score on it says."""

    def content(session: Session) -> Document:
        found = find_board(f"{dataset}/{scenario}")
        row = queries.board_row(session, found.id)
        details = views.board_details(session, service.rankings, found, row)
        degrees = ((row.facts if row else None) or {}).get("degrees")
        studies = of_board(service, found.id)
        told = {"degrees": degrees or [], "studies": studies, **words.scale_of(found.id)}
        changes = words.CHANGES.get(found.scenario)
        body = render("rules.html", board=details, changes=changes, **told)
        said = f"What an attacker may do on {found.id}, and what a score there says."
        return Document(f"Rules of {details.title}", said, body)

    return answer(request, service, content)


@router.api_route("/admin", methods=METHODS)
@router.api_route("/admin/{section}", methods=METHODS)
@router.api_route("/admin/{section}/{name}", methods=METHODS)
def admin(request: Request, service: ServiceDep) -> Response:
    """The admins' part, which the page shows with JavaScript only."""

    def content(_session: Session) -> Document:
        message = "This part needs JavaScript. Admins can use grb admin in a terminal instead."
        body = render("missing.html", heading="Admin", message=message)
        return Document("Admin", "For admins of this service.", body)

    return answer(request, service, content)


def _document(name: str) -> Document:
    text = find_text(name)
    # made by nh3 from documents of the repository
    body = render("text.html", title=text.title, html=Markup(text.html))
    return Document(text.title, f"{text.title}: a document of this service.", body)
