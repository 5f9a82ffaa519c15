"""What a user does with their own account: password, sessions, tokens."""

from __future__ import annotations

from datetime import timedelta
from typing import cast

from fastapi import APIRouter, BackgroundTasks, Request, Response
from sqlalchemy.orm import Session

from api import account_mail, browsers, errors
from api.account_schemas import (
    Ended,
    PasswordChange,
    SessionList,
    SessionOut,
    SignedIn,
    TokenIn,
    TokenList,
    TokenMade,
    TokenOut,
)
from api.deps import (
    CredentialDep,
    ManagerDep,
    Service,
    ServiceDep,
    SessionDep,
    SignedInDep,
    UserDep,
    is_id,
)
from api.errors import ApiError, not_found, responses
from api.routes.auth import begin_session, check_password, signed_in_as, take
from api.schemas import TokenScope
from grbcore.store import addresses, audit, tokens
from grbcore.store.accounts import passwords, people, sessions, throttle
from grbcore.store.session import now
from grbcore.store.tables import SessionRow, Token

router = APIRouter(prefix="/me", tags=["account"])

#: Without a password, what needs one needs a sign-in of so recent a time.
FRESH = timedelta(minutes=15)

#: Tokens of one user at a time.
MOST_TOKENS = 100


@router.put("/password", responses=responses(401, 403, 409, 413, 422, 429, 503))
def change_password(
    wanted: PasswordChange,
    request: Request,
    response: Response,
    background: BackgroundTasks,
    service: ServiceDep,
    signed_in: SignedInDep,
) -> SignedIn:
    """Set another password; every other session ends, and this one goes on as a new one."""
    owner = signed_in.user
    new = wanted.new.get_secret_value()
    current = wanted.current.get_secret_value() if wanted.current else None
    prove(service, request, signed_in, current, "body/current")
    check_password(new, owner.name, "body/new")
    kept = passwords.hashed(new)
    with service.sessions.writing() as session, errors.conflicts():
        addresses.active(session, owner.id)  # it may have been stopped while that was computed
        changed = people.set_password(
            session, owner.id, kept, user_id=owner.id, via="api", now=now()
        )
        secret = begin_session(session, changed, request, service)
    background.add_task(account_mail.warn, service, owner.id, "The password was changed")
    browsers.keep(response, request, service.settings, secret)
    response.headers["Cache-Control"] = "no-store"
    return signed_in_as(changed, secret)


@router.get("/sessions", responses=responses(401, 403, 503))
def list_sessions(session: SessionDep, user: UserDep, credential: CredentialDep) -> SessionList:
    """The browsers in which you are signed in."""
    mine = credential.session.id if credential and credential.session else None
    found = sessions.of(session, user, now())
    return SessionList(sessions=[_session(row, row.id == mine) for row in found])


@router.delete("/sessions", responses=responses(401, 403, 503))
def end_sessions(service: ServiceDep, user: ManagerDep, credential: CredentialDep) -> Ended:
    """Sign out everywhere but here."""
    mine = credential.session.id if credential and credential.session else None
    with service.sessions.writing() as session:
        others = [row.id for row in sessions.of(session, user, now()) if row.id != mine]
        ended = sum(sessions.end(session, user, one) for one in others)
        _record(session, user.id, "session.end", "user", user.id)
    return Ended(ended=ended)


@router.delete(
    "/sessions/{session_id}", status_code=204, responses=responses(401, 403, 404, 422, 503)
)
def end_session(session_id: str, service: ServiceDep, user: ManagerDep) -> None:
    """Sign out in one browser."""
    with service.sessions.writing() as session:
        if not is_id(session_id) or not sessions.end(session, user, session_id):
            raise not_found("session", session_id)
        _record(session, user.id, "session.end", "session", session_id)


@router.get("/tokens", responses=responses(401, 403, 503))
def list_tokens(session: SessionDep, user: UserDep) -> TokenList:
    """Your tokens, without what they are in clear."""
    return TokenList(tokens=[_token(row) for row in tokens.of(session, user)])


@router.post("/tokens", status_code=201, responses=responses(401, 403, 409, 413, 422, 503))
def make_token(
    wanted: TokenIn, response: Response, service: ServiceDep, signed_in: SignedInDep
) -> TokenMade:
    """Make a token, which is shown here only.  A token can't make another."""
    if not wanted.name.isprintable():
        raise errors.field("body/name", repr(wanted.name), "letters that are printed")
    at = now()
    days = wanted.expires_in_days
    with service.sessions.writing() as session:
        owner = addresses.locked(session, signed_in.user_id)
        _refuse_more(len(tokens.of(session, owner)))
        try:
            row, clear = tokens.make(
                session,
                owner,
                scopes=wanted.scopes,
                title=wanted.name.strip(),
                expires_at=None if days is None else at + timedelta(days=days),
                now=at,
            )
        except ValueError as error:
            found = " ".join(wanted.scopes)
            allowed = str(error).rpartition("allowed: ")[2]
            raise errors.field("body/scopes", found, allowed) from None
        _record(session, owner.id, "token.make", "token", row.id, scopes=row.scopes)
    response.headers["Cache-Control"] = "no-store"
    return TokenMade(**_token(row).model_dump(), token=clear)


@router.delete("/tokens/{token_id}", status_code=204, responses=responses(401, 403, 404, 422, 503))
def revoke_token(token_id: str, service: ServiceDep, user: ManagerDep) -> None:
    """End a token, at once."""
    with service.sessions.writing() as session:
        if not is_id(token_id) or not tokens.revoke_one(session, user, token_id, now=now()):
            raise not_found("token", token_id)
        _record(session, user.id, "token.revoke", "token", token_id)


def prove(
    service: Service, request: Request, signed_in: SessionRow, password: str | None, place: str
) -> None:
    """Have somebody who is signed in show that it is they, by their password.

    Who has none shows it by having signed in a moment ago.

    Raises:
        ApiError: 422 for another password, 403 for an old session, 429 after too many tries.
    """
    owner = signed_in.user
    if owner.password_hash is None:
        if now() - signed_in.created_at > FRESH:
            minutes = int(FRESH.total_seconds() / 60)
            text = f"found a sign-in of more than {minutes} minutes ago, allowed: sign in again"
            raise ApiError(403, "sign-in-again", text)
        return
    if password is None:
        raise errors.field(place, "nothing", "your password")
    tries = throttle.sign_in(owner.name, browsers.client_address(request))
    take(service, tries, owner)
    if not passwords.verify(owner.password_hash, password):
        raise errors.field(place, "another password", "your password")
    with service.sessions.writing() as session:
        throttle.give_back(session, tries)


def _refuse_more(count: int) -> None:
    if count >= MOST_TOKENS:
        text = f"tokens: found {count}, allowed: {MOST_TOKENS}; revoke some first"
        raise ApiError(409, "too-many-tokens", text)


def _record(
    session: Session, user_id: str, action: str, kind: str, subject_id: str, **details: str
) -> None:
    audit.record(
        session,
        user_id=user_id,
        via="api",
        action=action,
        subject_kind=kind,
        subject_id=subject_id,
        details=details,
        now=now(),
    )


def _session(row: SessionRow, current: bool) -> SessionOut:
    return SessionOut(
        id=row.id,
        agent=row.agent,
        current=current,
        created_at=row.created_at,
        seen_at=row.seen_at,
        expires_at=row.expires_at,
    )


def _token(row: Token) -> TokenOut:
    return TokenOut(
        id=row.id,
        name=row.name,
        scopes=cast(list[TokenScope], row.scopes.split()),
        created_at=row.created_at,
        expires_at=row.expires_at,
        last_used_at=row.last_used_at,
    )
