"""Who counts, as admins decide it: the references of a board's next season, and duplicates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Query

from api import arena_schemas as schemas
from api import views
from api.admin_schemas import Why
from api.deps import AdminDep, Service, ServiceDep, SessionDep, find_board, is_id
from api.errors import conflicts, not_found, responses
from api.routes.admin import VIA, LimitQuery
from grbcore.clones import Decision
from grbcore.store import clusters, seasons
from grbcore.store.session import now
from grbcore.store.tables import Season

router = APIRouter(prefix="/admin", tags=["admin"])


@router.get("/seasons", responses=responses(401, 403, 404, 422, 503))
def list_seasons(
    session: SessionDep,
    _user: AdminDep,
    board: Annotated[str | None, Query(max_length=80)] = None,
    limit: LimitQuery = 20,
) -> schemas.AdminSeasonsOut:
    """Seasons and proposals, the latest first."""
    board_id = None if board is None else find_board(board).id
    return views.admin_seasons(session, seasons.known(session, board_id, limit=limit))


@router.post("/seasons", status_code=201, responses=responses(401, 403, 404, 409, 422, 503))
def propose_season(
    asked: schemas.SeasonRequest, service: ServiceDep, user: AdminDep
) -> schemas.AdminSeasonOut:
    """Propose the references of a board's next season; nothing changes until it is accepted."""
    board = find_board(asked.board)
    with service.sessions.writing() as session, conflicts():
        found = seasons.propose(session, board, user_id=user.id, via=VIA, now=now())
        return views.admin_season(session, found)


@router.post("/seasons/{season_id}/accept", responses=responses(401, 403, 404, 409, 422, 503))
def accept_season(
    season_id: str, asked: Why, service: ServiceDep, user: AdminDep
) -> schemas.AdminSeasonOut:
    """Begin a season: official scores are over its references from now on."""
    return _decide(service, season_id, seasons.accept, asked.reason, user.id)


@router.post("/seasons/{season_id}/refuse", responses=responses(401, 403, 404, 409, 422, 503))
def refuse_season(
    season_id: str, asked: Why, service: ServiceDep, user: AdminDep
) -> schemas.AdminSeasonOut:
    """Put a proposal away."""
    return _decide(service, season_id, seasons.refuse, asked.reason, user.id)


@router.post("/duplicates", status_code=201, responses=responses(401, 403, 404, 409, 422, 503))
def decide_duplicates(
    asked: schemas.DecisionRequest, service: ServiceDep, user: AdminDep
) -> schemas.DecisionOut:
    """Have entries count as one, or each of them alone, whatever was found of them."""
    board = find_board(asked.board)
    with service.sessions.writing() as session, conflicts():
        row = clusters.decide(
            session,
            board.id,
            Decision(asked.kind, tuple(asked.entries)),
            reason=asked.reason,
            user_id=user.id,
            via=VIA,
            now=now(),
        )
        return schemas.DecisionOut.model_validate(
            {
                "id": row.id,
                "board": row.board_id,
                "side": row.side,
                "kind": row.kind,
                "entries": row.members,
                "reason": row.reason,
                "decided_at": row.decided_at,
            }
        )


def _decide(
    service: Service, season_id: str, change: Callable[..., Season], reason: str, user_id: str
) -> schemas.AdminSeasonOut:
    with service.sessions.writing() as session, conflicts():
        if not is_id(season_id) or session.get(Season, season_id) is None:
            raise not_found("season", season_id)
        found = change(session, season_id, reason=reason, user_id=user_id, via=VIA, now=now())
        return views.admin_season(session, found)
