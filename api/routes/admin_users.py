"""What admins see of accounts, and how they stop one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, cast

from fastapi import APIRouter, Query
from sqlalchemy.orm import Session

from api.account_schemas import UserList, UserOut
from api.admin_schemas import Why
from api.deps import AdminDep, Service, ServiceDep, SessionDep, is_id
from api.errors import ApiError, not_found, responses
from api.schemas import Role
from grbcore.store import tokens
from grbcore.store.accounts import people
from grbcore.store.reevaluation import NotPossible
from grbcore.store.session import now
from grbcore.store.tables import User

router = APIRouter(prefix="/admin/users", tags=["admin"])


@router.get("", responses=responses(401, 403, 422, 503))
def list_users(
    session: SessionDep,
    _user: AdminDep,
    after: Annotated[
        str | None, Query(max_length=26, description="`next` of the part before")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> UserList:
    """Accounts by their names; deleted ones are not among them."""
    last = session.get(User, after) if after is not None and is_id(after) else None
    name = last.name if last is not None else None
    found = people.everybody(session, after=name, limit=limit + 1)
    return UserList(
        users=[_out(session, one) for one in found[:limit]],
        next=found[limit - 1].id if len(found) > limit else None,
    )


@router.post("/{user_id}/suspend", responses=responses(401, 403, 404, 409, 413, 422, 503))
def suspend_user(user_id: str, asked: Why, service: ServiceDep, user: AdminDep) -> UserOut:
    """Stop an account: its sessions end, its tokens rest, its entries stay."""
    return _changed(people.suspend, user_id, asked, service, user)


@router.post("/{user_id}/unsuspend", responses=responses(401, 403, 404, 409, 413, 422, 503))
def unsuspend_user(user_id: str, asked: Why, service: ServiceDep, user: AdminDep) -> UserOut:
    """Let a suspended account go on."""
    return _changed(people.unsuspend, user_id, asked, service, user)


def _changed(
    change: Callable[..., None], user_id: str, asked: Why, service: Service, admin: User
) -> UserOut:
    with service.sessions.writing() as session:
        owner = session.get(User, user_id) if is_id(user_id) else None
        if owner is None:
            raise not_found("user", user_id)
        try:
            by = {"user_id": admin.id, "via": "api", "reason": asked.reason}
            change(session, owner, now=now(), **by)
        except NotPossible as error:
            raise ApiError(409, error.code, str(error)) from None
        return _out(session, owner)


def _out(session: Session, row: User) -> UserOut:
    return UserOut(
        id=row.id,
        name=row.name,
        role=cast(Role, row.role),
        created_at=row.created_at,
        has_password=row.password_hash is not None,
        email=row.email,
        email_confirmed=row.email_confirmed_at is not None,
        tokens=len(tokens.of(session, row)),
        suspended_at=row.suspended_at,
    )
