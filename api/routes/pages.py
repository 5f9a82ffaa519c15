"""The addresses that people open: the built page, with its tables for readers without JavaScript.

JavaScript reads the JSON routes instead, so what is wrong in a query is the default here, as there.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import cast, get_args

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse
from sqlalchemy.orm import Session

from api import choices, citing, hosts, views, words
from api.choices import PLACES
from api.deps import (
    MaybeUser,
    Service,
    ServiceDep,
    catalog_board,
    find_board,
    find_cell,
    find_submission,
    is_id,
)
from api.errors import DATABASE_ERRORS, ApiError, unavailable
from api.page import Page
from api.privacy import keep_to
from api.routes.cells import breakdown_of, entry_breakdown_of
from api.routes.tables import table_asked
from api.templating import (
    BEST_NAMES,
    FAULTS,
    METRIC_NAMES,
    OUTCOMES,
    SITE,
    WORKS,
    Document,
    captions,
    fill,
    render,
)
from grbcore.flags import KINDS
from grbcore.paper import Preset
from grbcore.scenario import SIDES, Side
from grbcore.store import queries
from grbcore.store.session import now
from grbcore.store.views import VIEWS
from grbcore.store.visibility import Viewer

log = logging.getLogger(__name__)

router = APIRouter(include_in_schema=False)

METHODS = ["GET", "HEAD"]
_LISTED = 50  # submissions on one page
_APPLIED = 20  # re-evaluations on a board's page

Content = Callable[[Session], Document]


@router.api_route("/", methods=METHODS)
def home(request: Request, service: ServiceDep) -> Response:
    """The boards."""

    def content(session: Session) -> Document:
        boards = views.board_list(session, service.rankings)
        ready = sum(board.state != "no-data" for board in boards)
        about = "How robust is machine learning on graphs? Attacks and defenses, each measured "
        about += f"against every other, on {ready} of {len(boards)} boards."
        return Document(SITE, about, render("boards.html", boards=boards))

    return answer(request, service, content)


@router.api_route("/boards/{dataset}/{scenario}", methods=METHODS)
def board(request: Request, service: ServiceDep, dataset: str, scenario: str) -> Response:
    """A board: both rankings, and the matrix between them."""
    view = choices.view(request)
    metric, best = choices.metric(request), choices.best(request)
    flag = choices.flag(request)
    places = {name: choices.place(request, name) for name in PLACES}
    site = hosts.site(request, service.settings)

    def content(session: Session) -> Document:
        found = find_board(f"{dataset}/{scenario}")
        difficulty = choices.difficulty(request, found.id)
        row = queries.board_row(session, found.id)
        details = views.board_details(session, service.rankings, found, row)
        ranked = {
            f"{side}s": views.leaderboard(
                session,
                service.rankings,
                found,
                row,
                view=view,
                side=side,
                difficulty=difficulty,
                metric=metric,
                best=best,
                rows=views.Span(places[f"{side}s"], PLACES[f"{side}s"]),
                flag=flag,
            )
            for side in SIDES
        }
        matrix = views.grid(
            session,
            service.rankings,
            found,
            row,
            view=view,
            difficulty=difficulty,
            rows=views.Span(places["row"], PLACES["row"]),
            columns=views.Span(places["column"], PLACES["column"]),
        )
        asked: dict[str, object] = {"difficulty": difficulty, "view": view}
        asked |= {"metric": metric, "best": best, "flag": flag}
        flags = {kind.code: kind.title for one in ranked.values() for kind in one.flags}
        flags |= {flag: KINDS[flag].title} if flag else {}

        def at(changes: Mapping[str, object], keep: bool = False) -> str:
            """This page with other choices; ``keep``: at the same parts of its tables."""
            return choices.board_address(found.id, {**asked, **(places if keep else {}), **changes})

        def query(side: Side | None) -> str:
            """What files of a ranking, or of the matrix, are asked for by."""
            chosen = {**asked, "side": side} if side else {"difficulty": difficulty, "view": view}
            return "?" + choices.board_address(found.id, chosen).partition("?")[2]

        body = render(
            "board.html",
            at=at,
            query=query,
            asked={**asked, **places},
            names={
                "difficulty": {name: words.title(name) for name in found.choices},
                "view": {name: name.capitalize() for name in VIEWS},
                "metric": METRIC_NAMES,
                "best": BEST_NAMES,
                "flag": {None: "Any", **flags},
            },
            board=details,
            bibtex=citing.board_bibtex(details, f"{site}/boards/{found.id}", now()),
            history=views.board_history(session, found.id, row, before=None, limit=_APPLIED),
            captions=captions(found.measure, graphs=found.scenario in words.CHANGES),
            steps=PLACES,
            matrix=matrix,
            states=views.STATES,
            **words.scale_of(found.id),
            **ranked,
        )
        about = f"{details.defenses} defenses and {details.attacks} attacks on {found.id}, "
        about += "each measured against every other and ranked by robustness."
        api = f"/api/v1/boards/{found.id}"
        feed, picture = f"{api}/feed.atom", f"{api}/picture.png"
        return Document(details.title, about, body, feed=feed, picture=picture)

    return answer(request, service, content)


@router.api_route("/boards/{dataset}/{scenario}/table", methods=METHODS)
def paper_table(request: Request, service: ServiceDep, dataset: str, scenario: str) -> Response:
    """The table over all of a board, of a preset or of what the address chooses."""

    def content(session: Session) -> Document:
        known = find_board(f"{dataset}/{scenario}")
        row = queries.board_row(session, known.id)
        asked = table_asked(request.query_params, known)
        found = views.table(session, service.rankings, known, row, asked)
        chosen = {"presets": get_args(Preset), "query": asked.query}
        told = words.scale_of(known.id)
        body = render("table.html", found=found, **chosen, **told)
        about = f"Every attack at every {told['scale'].lower()} against every defense on {known.id}"
        if known.paper:
            about += ", as the paper of the Graph Robustness Benchmark prints it"
        return Document(f"{told['table_name']}: {known.id}", f"{about}.", body)

    return answer(request, service, content)


@router.api_route("/boards/{dataset}/{scenario}/charts", methods=METHODS)
def charts(request: Request, service: ServiceDep, dataset: str, scenario: str) -> Response:
    """The numbers behind the charts of a board, which JavaScript draws."""

    def content(session: Session) -> Document:
        known = find_board(f"{dataset}/{scenario}")
        row = queries.board_row(session, known.id)
        at = choices.difficulty(request, known.id), choices.view(request)
        found = views.charts(session, service.rankings, known, row, *at)
        body = render("charts.html", found=found, **words.scale_of(known.id))
        return Document(f"Charts of {known.id}", f"What the numbers of {known.id} look like.", body)

    return answer(request, service, content)


@router.api_route("/submissions", methods=METHODS)
def submissions(request: Request, service: ServiceDep, user: MaybeUser) -> Response:
    """The newest submissions, of one board or of all."""
    name, cursor = request.query_params.get("board"), request.query_params.get("cursor", "")

    def content(session: Session) -> Document:
        board_id = None if name is None else find_board(name).id
        found = views.submission_page(
            session,
            board_id=board_id,
            before=cursor if is_id(cursor) else None,
            limit=_LISTED,
            viewer=user,
        )
        title = "Submissions" if board_id is None else f"Submissions to {board_id}"
        body = render("submissions.html", found=found, board=board_id)
        return Document(title, f"{title}, newest first, with their states.", body)

    return answer(request, service, content, user)


@router.api_route("/submissions/{submission_id}", methods=METHODS)
def submission(
    request: Request, service: ServiceDep, submission_id: str, user: MaybeUser
) -> Response:
    """Everything public about a submission, or about one's own."""
    view = choices.view(request)

    def content(session: Session) -> Document:
        found = find_submission(session, submission_id, user=user)
        difficulty = choices.difficulty(request, found.board_id)
        known = catalog_board(found.board_id)
        entry = views.submission(session, service.rankings, known, found, user)
        body = render(
            "submission.html",
            entry=entry,
            left=known is None,
            names={head.id: head.name for head in entry.counterparts},
            held=views.holdouts_of(session, found, difficulty),
            # of a file for each cell, so only where it is asked for
            breakdown=entry_breakdown_of(service, session, found, difficulty, user)
            if "breakdown" in request.query_params
            else None,
            difficulty=difficulty,
            **words.scale_of(found.board_id, entry.metric),
            made_of=None
            if known is None or entry.rank is None
            else views.submission_score(
                *(session, service.rankings, known),
                *(queries.board_row(session, known.id), found),
                view=view,
                difficulty=difficulty,
                viewer=user,
            ),
        )
        standing = views.standing(session, service.rankings, known, found, user)
        about = f"The {entry.side} {entry.name} ({entry.family}) on {entry.board}: {standing}."
        title = f"{entry.name}, {entry.side} on {entry.board}"
        picture = f"/api/v1/submissions/{entry.id}/picture.png"
        return Document(title, about, body, picture=picture)

    return answer(request, service, content, user)


@router.api_route("/status", methods=METHODS)
def status(request: Request, service: ServiceDep, user: MaybeUser) -> Response:
    """What the service does at the moment."""

    def content(session: Session) -> Document:
        found = views.status(session, now(), user)
        about = f"{found.alive} workers, {found.cells.waiting} cells waiting, and how long a new "
        about += "entry takes until its rank is known."
        words = {"fault": FAULTS, "works": WORKS, "outcomes": OUTCOMES}
        return Document("Status", about, render("status.html", found=found, **words))

    return answer(request, service, content, user)


@router.api_route("/cells/{cell_id}", methods=METHODS)
def cell(request: Request, service: ServiceDep, cell_id: str, user: MaybeUser) -> Response:
    """One attack against one defense."""

    def content(session: Session) -> Document:
        row = find_cell(session, cell_id, user=user)
        server = hosts.address(request, service.settings)
        known = catalog_board(row.board_id)
        found = views.cell(session, service.rankings, known, row, server)
        attack = "Without attack" if row.attack is None else found.attack.name
        title = f"{attack} against {found.defense.name}"
        about = f"{title} on {found.board}: what was counted, and how to count it again."
        chosen = choices.difficulty(request, found.board)
        if found.accuracy and chosen not in found.accuracy:
            chosen = next(reversed(found.accuracy))
        body = render(
            "cell.html",
            cell=found,
            faults=FAULTS,
            difficulty=chosen,
            breakdown=breakdown_of(service, session, row, chosen) if found.accuracy else None,
            taken=views.confusion(session, row, chosen) if found.accuracy else None,
            **words.scale_of(found.board, found.metric),
        )
        return Document(title, about, body)

    return answer(request, service, content, user)


@router.api_route("/account", methods=METHODS)
@router.api_route("/account/sign-in", methods=METHODS)
@router.api_route("/account/sign-up", methods=METHODS)
@router.api_route("/account/reset", methods=METHODS)
def account(request: Request, service: ServiceDep) -> Response:
    """Signing in and what is one's own; the page does that with JavaScript only."""

    def content(_session: Session) -> Document:
        message = (
            "Signing in needs JavaScript. The commands of grb and the API take a token instead."
        )
        body = render("missing.html", heading="Account", message=message)
        return Document("Account", "Sign in, make tokens, end sessions.", body)

    return answer(request, service, content)


@router.api_route("/submit", methods=METHODS)
@router.api_route("/mine", methods=METHODS)
def own(request: Request, service: ServiceDep) -> Response:
    """Submitting, and what one has submitted; the page does that with JavaScript only."""

    def content(_session: Session) -> Document:
        message = (
            "Submitting here needs JavaScript. Without it: grb submit FILE --board BOARD --name "
            "NAME --authors AUTHORS, with a token in GRB_TOKEN; grb status lists what is yours."
        )
        body = render("missing.html", heading="Submit", message=message)
        return Document("Submit", "Submit an attack or a defense, and watch it.", body)

    return answer(request, service, content)


def answer(request: Request, service: Service, content: Content, viewer: Viewer = None) -> Response:
    """The index with this content; what is missing is said with its status, in the page too."""
    page = cast(Page, request.app.state.page)
    index = page.index()
    if index is None:
        return page.not_built()
    try:
        with service.sessions.reading() as session:
            document = content(session)
    except ApiError as error:
        document = _trouble(error)
    except DATABASE_ERRORS as error:
        log.error("the database does not answer: %s", error)
        document = _trouble(unavailable("database"))
    place = service.settings.public_url.rstrip("/") or hosts.address(request, service.settings)
    address = f"{'' if place == hosts.UNKNOWN else place}{request.url.path}"
    response = HTMLResponse(fill(index, document, address), document.status)
    keep_to(viewer, response)
    return response


def _trouble(error: ApiError) -> Document:
    heading = "Not found" if error.status == 404 else "Not available"
    body = render("missing.html", heading=heading, message=error.message)
    return Document(heading, error.message, body, error.status)
