"""How admins stop an account and let it go on, and who is an admin."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import APIRouter, BackgroundTasks, Request
from sqlalchemy.orm import Session

from api import account_mail
from api.admin_schemas import RoleChange, Why
from api.deps import AdminDep, Service, ServiceDep, SignedInDep, find_user
from api.errors import ApiError, conflicts, responses
from api.oversight_schemas import UserOut
from api.routes.account import prove
from api.views import oversight as views
from grbcore.store import oversight
from grbcore.store.accounts import people
from grbcore.store.quotas import Limits
from grbcore.store.session import now
from grbcore.store.tables import User

router = APIRouter(prefix="/admin/users", tags=["admin"])


@router.post("/{user_id}/suspend", responses=responses(401, 403, 404, 409, 413, 422, 503))
def suspend_user(user_id: str, asked: Why, service: ServiceDep, user: AdminDep) -> UserOut:
    """Stop an account: its sessions end, its tokens rest, its entries stay."""
    return _changed(people.suspend, user_id, asked, service, user)


@router.post("/{user_id}/unsuspend", responses=responses(401, 403, 404, 409, 413, 422, 503))
def unsuspend_user(user_id: str, asked: Why, service: ServiceDep, user: AdminDep) -> UserOut:
    """Let a suspended account go on."""
    return _changed(people.unsuspend, user_id, asked, service, user)


@router.post("/{user_id}/role", responses=responses(401, 403, 404, 409, 413, 422, 429, 503))
def set_role(
    user_id: str,
    asked: RoleChange,
    request: Request,
    background: BackgroundTasks,
    service: ServiceDep,
    admin: AdminDep,
    signed_in: SignedInDep,
) -> UserOut:
    """Make a user an admin, or an admin a user; in a signed-in browser, with the password again.

    The user's sessions end.  Their tokens gain nothing, and lose what the new role may not do.
    """
    if user_id == admin.id:
        text = "role: found your own, allowed: another user's; grb admin user changes any"
        raise ApiError(409, "own-role", text)
    password = asked.password.get_secret_value() if asked.password else None
    prove(service, request, signed_in, password, "body/password")
    with service.sessions.writing() as session, conflicts():
        owner = find_user(session, user_id)
        before = owner.role
        people.set_role(
            session,
            owner,
            asked.role,
            user_id=admin.id,
            via="api",
            reason=asked.reason,
            now=now(),
        )
        out = _out(service, session, owner)
    if before != asked.role:
        said = "You are an admin now" if asked.role == "admin" else "You are no admin any more"
        background.add_task(account_mail.warn, service, user_id, said)
    return out


def _changed(
    change: Callable[..., None], user_id: str, asked: Why, service: Service, admin: User
) -> UserOut:
    with service.sessions.writing() as session, conflicts():
        owner = find_user(session, user_id)
        by = {"user_id": admin.id, "via": "api", "reason": asked.reason}
        change(session, owner, now=now(), **by)
        return _out(service, session, owner)


def _out(service: Service, session: Session, owner: User) -> UserOut:
    limits = Limits.of(service.settings)
    return views.user(oversight.uploader(session, owner, now(), limits))
