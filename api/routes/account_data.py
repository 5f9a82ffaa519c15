"""Everything that is kept of a user, for that user, and the end of it."""

from __future__ import annotations

import logging
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.encoders import jsonable_encoder
from fastapi.responses import JSONResponse
from sqlalchemy import select
from sqlalchemy.orm import Session

from api import browsers, errors
from api.account_schemas import AccountDeletion
from api.deps import ServiceDep, SessionDep, SignedInDep, UserDep
from api.errors import ApiError, responses
from api.routes.account import prove
from grbcore.store import orphans
from grbcore.store.accounts import closing
from grbcore.store.blobs import BlobsAway
from grbcore.store.reevaluation import NotPossible
from grbcore.store.session import now
from grbcore.store.tables import (
    AuditRow,
    Base,
    Identity,
    NoticeRow,
    RefusedUpload,
    SessionRow,
    Submission,
    Token,
    UploadRow,
    User,
)

log = logging.getLogger(__name__)

router = APIRouter(prefix="/me", tags=["account"])

#: What an export leaves out: secrets, of which most are hashes, and the service's own bookkeeping.
_LEFT_OUT = {
    *("password_hash", "reset_digest", "email_digest", "webhook_secret", "digest", "user_id"),
    *("lease_owner", "lease_token", "lease_until", "heartbeat_at", "place"),
}


@router.get("/export", responses=responses(401, 403, 503))
def export_account(session: SessionDep, user: UserDep) -> JSONResponse:
    """Everything that is kept of you, as JSON; the files of your entries are at their addresses."""
    owner = session.get_one(User, user.id)
    found = {
        "account": _row(owner),
        "identities": _rows(session, Identity, user.id),
        "tokens": _rows(session, Token, user.id),
        "sessions": _rows(session, SessionRow, user.id),
        "submissions": _rows(session, Submission, user.id),
        "uploads": _rows(session, UploadRow, user.id),
        "refused_uploads": _rows(session, RefusedUpload, user.id),
        "notices": _rows(session, NoticeRow, user.id),
        "audit": _rows(session, AuditRow, user.id),
        "exported_at": now(),
    }
    headers = {
        "Content-Disposition": 'attachment; filename="account.json"',
        "Cache-Control": "no-store",
    }
    return JSONResponse(jsonable_encoder(found), headers=headers)


@router.post(
    "/account/delete", status_code=204, responses=responses(401, 403, 409, 413, 422, 429, 503)
)
def delete_account(
    wanted: AccountDeletion,
    request: Request,
    response: Response,
    service: ServiceDep,
    signed_in: SignedInDep,
) -> None:
    """Delete your account, for good.

    Entries that rank stay, without a name; all others go with their files, and so do your tokens,
    sessions, addresses and messages.
    """
    owner = signed_in.user
    if wanted.name.strip() != owner.name:
        raise errors.field("body/name", "another name", "the name of your account")
    password = wanted.password.get_secret_value() if wanted.password else None
    prove(service, request, signed_in, password, "body/password")
    try:
        with service.sessions.writing() as session:
            left = closing.close(session, owner.id, user_id=owner.id, via="api", now=now())
    except NotPossible as error:
        raise ApiError(409, error.code, str(error)) from None
    try:
        orphans.remove(service.sessions, service.blobs, left)
    except BlobsAway as error:
        log.error("an account is deleted, files of it are left to grb admin tidy: %s", error)
    browsers.forget(response, request, service.settings)


def _rows(session: Session, table: Any, user_id: str) -> list[dict[str, Any]]:
    mine = select(table).where(table.user_id == user_id).order_by(table.id)
    return [_row(row) for row in session.scalars(mine)]


def _row(row: Base) -> dict[str, Any]:
    names = (column.key for column in row.__table__.columns)
    return {name: getattr(row, name) for name in names if name not in _LEFT_OUT}
