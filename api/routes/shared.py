"""What other sites show of a board or an entry: a badge, a feed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import cast

from fastapi import APIRouter, Request, Response

from api import conditional, hosts, views
from api.badges import badge
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
from api.feeds import Item, feed
from api.privacy import keep_to
from grbcore.scenario import Side
from grbcore.store import history, queries
from grbcore.store.session import now
from grbcore.store.visibility import seen_by

router = APIRouter()

_SVG = "image/svg+xml"
_ATOM = "application/atom+xml"
_ITEMS = 50


@router.get(
    "/submissions/{submission_id}/badge.svg",
    tags=["submissions"],
    response_class=Response,
    responses={**described(_SVG, "The picture"), **responses(401, 404, 422, 503)},
)
def get_badge(
    submission_id: str, service: ServiceDep, session: SessionDep, user: MaybeUser
) -> Response:
    """Where an entry stands in the reference view, as a picture for other pages."""
    found = find_submission(session, submission_id, user=user)
    board = catalog_board(found.board_id)
    standing = views.standing(session, service.rankings, board, found, user)
    answer = Response(badge(standing, found.board_id), media_type=_SVG)
    answer.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    keep_to(user, answer)
    return answer


@router.get(
    "/boards/{dataset}/{scenario}/feed.atom",
    tags=["boards"],
    response_class=Response,
    responses={**described(_ATOM, "The feed"), **conditional.UNCHANGED, **responses(404, 422, 503)},
)
def get_feed(
    request: Request, board: BoardDep, service: ServiceDep, session: SessionDep
) -> Response:
    """What happened on a board, latest first: entries that were ranked, results replaced."""
    base = hosts.site(request, service.settings)
    page = f"{base}/boards/{board.id}"
    items = []
    for entry in queries.latest(session, board.id, seen_by(None, now()), _ITEMS):
        words = "A defense" if entry.side == "defense" else "An attack"
        items.append(
            Item(
                address=f"{base}/submissions/{entry.id}",
                title=f"{entry.name}, {cast(Side, entry.side)}",
                summary=f"{words} of the family {entry.family} is ranked.",
                author=entry.authors,
                at=max(filter(None, (entry.registered_at, entry.published_at, entry.public_at))),
            )
        )
    for job in history.applied(session, board.id, limit=_ITEMS):
        assert job.decided_at is not None
        items.append(
            Item(
                address=f"{page}#{job.id}",
                title="Results were computed once more",
                summary=job.reason,
                author="Graph Robustness Leaderboard",
                at=job.decided_at,
            )
        )
    items.sort(key=lambda item: item.at, reverse=True)
    content = feed(
        title=f"{board.title} · Graph Robustness Leaderboard",
        page=page,
        address=f"{base}/api/v1/boards/{board.id}/feed.atom",
        began=datetime(2026, 1, 1, tzinfo=UTC),
        items=items[:_ITEMS],
    )
    return conditional.made(request, content, _ATOM)
