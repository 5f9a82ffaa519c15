"""What a link to a board or an entry looks like elsewhere: a picture, a record for BibTeX."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from api import citing, conditional, hosts, snapshot_schemas, views
from api.deps import (
    BoardDep,
    MaybeUser,
    ServiceDep,
    SessionDep,
    catalog_board,
    find_submission,
)
from api.downloads import described
from api.errors import responses
from api.pictures import VERSION, Bar, Card, png
from api.privacy import keep_to
from grbcore.measure import Measure
from grbcore.store import queries
from grbcore.store.session import now
from grbcore.store.tables import User

router = APIRouter()

_PNG = "image/png"

#: Other sites may show a picture so long before they ask again.
_AGE = "public, max-age=300"


@router.get(
    "/boards/{dataset}/{scenario}/picture.png",
    tags=["boards"],
    response_class=Response,
    responses={
        **described(_PNG, "The picture"),
        **conditional.UNCHANGED,
        **responses(404, 422, 503),
    },
)
def get_board_picture(
    request: Request, board: BoardDep, service: ServiceDep, session: SessionDep
) -> Response:
    """What a board holds and who is first, as a picture of 1200 × 630 for other sites."""
    row = queries.board_row(session, board.id)
    details = views.board_details(session, service.rankings, board, row)
    best = (
        ("Best defense", details.best_defense),
        (f"Best attack, {board.measure.word} left", details.best_attack),
    )
    card = Card(
        above=board.id,
        title=details.title,
        fact=f"{details.defenses} defenses against {details.attacks} attacks",
        bars=tuple(
            _bar(f"{label}: {one.name}", board.measure, one.score)
            for label, one in best
            if one is not None
        ),
    )
    return _picture(request, card, None)


@router.get(
    "/submissions/{submission_id}/picture.png",
    tags=["submissions"],
    response_class=Response,
    responses={
        **described(_PNG, "The picture"),
        **conditional.UNCHANGED,
        **responses(401, 404, 422, 503),
    },
)
def get_submission_picture(
    submission_id: str,
    request: Request,
    service: ServiceDep,
    session: SessionDep,
    user: MaybeUser,
) -> Response:
    """Where an entry stands in the reference view, as a picture for other sites."""
    found = find_submission(session, submission_id, user=user)
    board = catalog_board(found.board_id)
    entry = views.submission(session, service.rankings, board, found, user)
    standing = views.standing(session, service.rankings, board, found, user)
    bars: tuple[Bar, ...] = ()
    if board is not None and entry.rank is not None:
        row = queries.board_row(session, board.id)
        score = views.submission_score(
            *(session, service.rankings, board, row, found),
            view="reference",
            difficulty=board.ranked,
            viewer=user,
        )
        if score.metrics is not None:
            bars = tuple(
                _bar(label, board.measure, one.mean, one.std)
                for label, one in (
                    ("Weighted", score.metrics.weighted),
                    ("Worst case", score.metrics.worst),
                )
            )
    card = Card(f"{entry.side} on {entry.board}", entry.name, standing, bars)
    return _picture(request, card, user)


@router.get(
    "/boards/{dataset}/{scenario}/citation",
    tags=["boards"],
    responses=responses(404, 422, 503),
)
def get_citation(
    request: Request, board: BoardDep, service: ServiceDep, session: SessionDep
) -> snapshot_schemas.CitationOut:
    """The board as it is now for a list of references: with its revision, date and address."""
    row = queries.board_row(session, board.id)
    details = views.board_details(session, service.rankings, board, row)
    address = f"{hosts.site(request, service.settings)}/boards/{board.id}"
    return snapshot_schemas.CitationOut(
        board=board.id,
        revision=details.revision,
        bibtex=citing.board_bibtex(details, address, now()),
    )


def _picture(request: Request, card: Card, viewer: User | None) -> Response:
    """A picture as other sites may show it, drawn unless the reader has it.

    Its tag is of what it says.  Nobody between keeps what is given to somebody who is signed in.
    """
    answer = conditional.drawn(request, repr((VERSION, card)), lambda: png(card), _PNG, _AGE)
    keep_to(viewer, answer)
    answer.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return answer


def _bar(label: str, measure: Measure, mean: float, std: float | None = None) -> Bar:
    """A score as a bar; errors of 1 and more fill it."""
    spread = "" if std is None else f" ± {measure.number(std)}"
    unit = "" if measure.errors else " %"
    return Bar(label, f"{measure.number(mean)}{spread}{unit}", min(mean, 1.0), std)
