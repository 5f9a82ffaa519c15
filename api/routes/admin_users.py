"""How admins stop an account, and let it go on."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import APIRouter

from api.admin_schemas import Why
from api.deps import AdminDep, Service, ServiceDep, find_user
from api.errors import ApiError, responses
from api.oversight_schemas import UserOut
from api.views import oversight as views
from grbcore.store import oversight
from grbcore.store.accounts import people
from grbcore.store.quotas import Limits
from grbcore.store.reevaluation import NotPossible
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


def _changed(
    change: Callable[..., None], user_id: str, asked: Why, service: Service, admin: User
) -> UserOut:
    with service.sessions.writing() as session:
        owner = find_user(session, user_id)
        try:
            by = {"user_id": admin.id, "via": "api", "reason": asked.reason}
            change(session, owner, now=now(), **by)
        except NotPossible as error:
            raise ApiError(409, error.code, str(error)) from None
        limits = Limits.of(service.settings)
        return views.user(oversight.uploader(session, owner, now(), limits))
