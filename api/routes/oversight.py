"""What admins look through, and what they allow one user in place of the service's quotas."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from api import oversight_schemas as schemas
from api.deps import AdminDep, ServiceDep, SessionDep, find_board, find_user
from api.errors import responses
from api.routes.admin import VIA, CursorQuery, LimitQuery
from api.schemas import SubmissionState
from api.views import oversight as views
from grbcore.scenario import Side
from grbcore.store import oversight
from grbcore.store.allowances import Allowance, allow
from grbcore.store.oversight import Mark
from grbcore.store.quotas import Limits
from grbcore.store.session import now

router = APIRouter(prefix="/admin", tags=["admin"])

NameQuery = Annotated[
    str | None, Query(min_length=1, max_length=80, description="A part of the name")
]
UserQuery = Annotated[str | None, Query(description="The id of a user", pattern="^[0-9A-Z]{26}$")]
BoardQuery = Annotated[str | None, Query(max_length=80)]


@router.get("/users", responses=responses(401, 403, 422, 503))
def list_users(
    service: ServiceDep,
    session: SessionDep,
    _user: AdminDep,
    name: NameQuery = None,
    cursor: CursorQuery = None,
    limit: LimitQuery = 50,
) -> schemas.UserList:
    """Users and what they have uploaded, newest first."""
    limits = Limits.of(service.settings)
    found = oversight.uploaders(session, now(), limits, name=name, before=cursor, limit=limit + 1)
    return views.user_page(found, limit)


@router.patch("/users/{user_id}", responses=responses(401, 403, 404, 413, 422, 503))
def set_quota(
    user_id: str, asked: schemas.QuotaChange, service: ServiceDep, admin: AdminDep
) -> schemas.UserOut:
    """Allow a user more or less than everybody, or have their day begin anew."""
    changes = Allowance(**asked.model_dump(exclude={"reason"}, exclude_unset=True))
    with service.sessions.writing() as session:
        find_user(session, user_id)
        user = allow(
            session, user_id, changes, by=admin.id, via=VIA, reason=asked.reason, now=now()
        )
        session.flush()
        limits = Limits.of(service.settings)
        return views.user(oversight.uploader(session, user, now(), limits))


@router.get("/uploads", responses=responses(401, 403, 404, 422, 503))
def list_failed_uploads(
    session: SessionDep,
    _user: AdminDep,
    user: UserQuery = None,
    board: BoardQuery = None,
    cursor: CursorQuery = None,
    limit: LimitQuery = 50,
) -> schemas.FailedUploadList:
    """Files that were refused at once or rejected by the validator, newest first."""
    found = oversight.failed_uploads(
        session,
        user_id=user,
        board_id=None if board is None else find_board(board).id,
        before=cursor,
        limit=limit + 1,
    )
    return views.failed_upload_page(found, limit)


@router.get("/entries", responses=responses(401, 403, 404, 422, 503))
def list_entries(
    session: SessionDep,
    _user: AdminDep,
    board: BoardQuery = None,
    side: Side | None = None,
    state: SubmissionState | None = None,
    user: UserQuery = None,
    mark: Mark | None = None,
    name: NameQuery = None,
    cursor: CursorQuery = None,
    limit: LimitQuery = 50,
) -> schemas.AnyEntryList:
    """Entries of all kinds, newest first, with what a mark hides from others."""
    found = oversight.entries(
        session,
        board_id=None if board is None else find_board(board).id,
        side=side,
        state=state,
        user_id=user,
        mark=mark,
        name=name,
        before=cursor,
        limit=limit + 1,
    )
    return views.entry_page(found, limit)


@router.get("/boards", responses=responses(401, 403, 422, 503))
def list_board_versions(session: SessionDep, _user: AdminDep) -> schemas.VersionsOut:
    """Boards with their protocols, and what their current results were measured with."""
    return views.board_versions(session)
