"""Signing up, in and out, and setting a password anew.

Nothing here tells whether a mail address is known, and a wrong name takes as long as a wrong
password.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from fastapi import APIRouter, BackgroundTasks, Request, Response
from sqlalchemy.orm import Session

from api import account_mail, browsers, errors
from api.account_schemas import (
    AuthOut,
    ResetAsked,
    ResetDone,
    SignedIn,
    SignedUp,
    SignIn,
    SignUp,
)
from api.deps import CredentialDep, Service, ServiceDep
from api.errors import ApiError, responses
from api.mail import is_address
from api.schemas import Role
from grbcore.store import addresses, audit
from grbcore.store.accounts import passwords, people, sessions, throttle
from grbcore.store.accounts.throttle import Throttled, Try
from grbcore.store.session import now
from grbcore.store.tables import User

router = APIRouter(prefix="/auth", tags=["account"])

_PRIVATE = {"Cache-Control": "no-store"}


@router.get("", responses=responses(401, 503))
def get_auth(
    request: Request, response: Response, service: ServiceDep, credential: CredentialDep
) -> AuthOut:
    """Who is signed in, and how one signs in here."""
    response.headers.update(_PRIVATE)
    found = None
    secret = browsers.cookie(request, service.settings)
    if credential is not None and credential.session is not None and secret is not None:
        found = signed_in_as(credential.user, secret)
    return AuthOut(
        session=found,
        sign_up=service.settings.sign_up,
        confirm_email=service.settings.confirm_email,
        mail=service.couriers.mail.is_on,
        providers=[],
    )


@router.post("/sign-up", status_code=201, responses=responses(403, 413, 422, 429, 503))
def sign_up(
    wanted: SignUp,
    request: Request,
    response: Response,
    background: BackgroundTasks,
    service: ServiceDep,
) -> SignedUp:
    """Make an account and sign in, where the operator lets anybody."""
    browsers.check_same_site(request, service.settings)
    if service.settings.sign_up != "open":
        raise ApiError(403, "sign-up-closed", "sign up: only the operator makes accounts here")
    name, password = wanted.name.strip(), wanted.password.get_secret_value()
    _check_new(service, name, password, wanted.email)
    address = throttle.network(browsers.client_address(request))
    take(service, [(throttle.SIGN_UP, address)])
    kept = passwords.hashed(password)
    held = service.settings.confirm_email
    with service.sessions.writing() as session:
        people.lock_names(session)
        _check_name(session, name)
        owner = people.sign_up(session, name, kept, awaits_email=held, via="api", now=now())
        secret = None if held else begin_session(session, owner, request, service)
    if wanted.email is not None:
        background.add_task(account_mail.welcome, service, owner.id, wanted.email)
    response.headers.update(_PRIVATE)
    if secret is None:
        return SignedUp(session=None, confirm=wanted.email)
    browsers.keep(response, request, service.settings, secret)
    return SignedUp(session=signed_in_as(owner, secret), confirm=wanted.email)


@router.post("/sign-in", responses=responses(401, 403, 413, 422, 429, 503))
def sign_in(
    wanted: SignIn,
    request: Request,
    response: Response,
    background: BackgroundTasks,
    service: ServiceDep,
) -> SignedIn:
    """Sign in by name and password; a session of this browser ends, and another begins."""
    browsers.check_same_site(request, service.settings)
    tries = throttle.sign_in(wanted.name, browsers.client_address(request))
    with service.sessions.reading() as session:
        owner = people.by_name(session, wanted.name)
    take(service, tries, owner)
    password = wanted.password.get_secret_value()
    kept = owner.password_hash if owner else None
    if not passwords.verify(kept, password) or owner is None or kept is None:
        text = "sign in: found another name or password, allowed: those of an account"
        raise ApiError(401, "sign-in", text, headers={"WWW-Authenticate": 'Bearer realm="grb"'})
    anew = passwords.hashed(password) if passwords.is_outdated(kept) else None
    with service.sessions.writing() as session:
        locked = addresses.locked(session, owner.id)
        _check_may(locked, kept)
        before = throttle.give_back(session, tries)
        held = locked.awaits_email
        if not held:
            locked.password_hash = anew or kept
            secret = begin_session(session, locked, request, service, failures=before)
    if held:
        if locked.email is not None:
            background.add_task(account_mail.welcome, service, locked.id, locked.email)
        text = "sign in: your mail address is not confirmed yet; follow the link that was sent"
        raise ApiError(403, "unconfirmed", text)
    browsers.keep(response, request, service.settings, secret)
    response.headers.update(_PRIVATE)
    return signed_in_as(locked, secret)


@router.post("/sign-out", status_code=204, responses=responses(403, 503))
def sign_out(request: Request, response: Response, service: ServiceDep) -> None:
    """End the session of this browser, whether there is one or not."""
    secret = browsers.cookie(request, service.settings)
    if secret is not None:
        browsers.check_csrf(request, service.settings, secret)
        with service.sessions.writing() as session:
            sessions.end_secret(session, secret)
    browsers.forget(response, request, service.settings)


@router.post("/reset", status_code=202, responses=responses(403, 409, 413, 422, 429, 503))
def ask_reset(
    wanted: ResetAsked, request: Request, background: BackgroundTasks, service: ServiceDep
) -> None:
    """Send a link that sets another password, if an account has confirmed this address."""
    browsers.check_same_site(request, service.settings)
    if not service.couriers.mail.is_on:
        text = "reset: this service sends no mail; its operator sets a password for you"
        raise ApiError(409, "mail-off", text)
    if not is_address(wanted.email):
        raise errors.field("body/email", repr(wanted.email), "an address such as ann@lab.org")
    address = throttle.network(browsers.client_address(request))
    mailbox = wanted.email.lower()
    take(service, [(throttle.RESET_ADDRESS, address), (throttle.RESET_MAILBOX, mailbox)])
    # whether there is such an account is looked up after the answer
    background.add_task(account_mail.reset, service, wanted.email)


@router.post("/reset/password", status_code=204, responses=responses(403, 404, 413, 422, 429, 503))
def finish_reset(
    wanted: ResetDone, request: Request, background: BackgroundTasks, service: ServiceDep
) -> None:
    """Set another password by the link of a mail; every session ends."""
    browsers.check_same_site(request, service.settings)
    address = throttle.network(browsers.client_address(request))
    take(service, [(throttle.RESET_ADDRESS, address)])
    token, password = wanted.token.get_secret_value(), wanted.password.get_secret_value()
    with service.sessions.reading() as session:
        owner = people.resets(session, token, now())
    if owner is None:
        raise _ended()
    check_password(password, owner.name, "body/password")
    kept = passwords.hashed(password)
    with service.sessions.writing() as session:
        addresses.locked(session, owner.id)
        if people.resets(session, token, now()) is None:
            raise _ended()
        people.set_password(session, owner.id, kept, user_id=owner.id, via="api", now=now())
    background.add_task(account_mail.warn, service, owner.id, "The password was changed")


def check_password(password: str, name: str, place: str) -> None:
    """422 where a user of this name may not have this password."""
    fault = passwords.fault(password, name)
    if fault is not None:
        raise errors.field(place, *fault)


def begin_session(
    session: Session, owner: User, request: Request, service: Service, failures: int = 0
) -> str:
    """Sign this locked user in, in place of whoever was signed in here; the new secret."""
    old = browsers.cookie(request, service.settings)
    if old is not None:
        sessions.end_secret(session, old)
    agent = browsers.agent(request)
    secret, session_id = sessions.begin(session, owner, agent=agent, now=now())
    audit.record(
        session,
        user_id=owner.id,
        via="api",
        action="session.begin",
        subject_kind="session",
        subject_id=session_id,
        details={"failures_before": failures} if failures else None,
        now=now(),
    )
    return secret


def take(service: Service, tries: Sequence[Try], owner: User | None = None) -> None:
    """Count a try; 429 where there were too many.  The last that is allowed goes on record."""
    try:
        with service.sessions.writing() as session:
            rule = throttle.take(session, tries, now())
            if rule is not None:
                audit.record(
                    session,
                    user_id=None,
                    via="api",
                    action=f"throttle.{rule.kind}",
                    subject_kind="user" if owner else "service",
                    subject_id=owner.id if owner else "accounts",
                    details={"tries": rule.limit, "seconds": int(rule.span.total_seconds())},
                    now=now(),
                )
    except Throttled as error:
        text = f"found too many tries, allowed: another in {error.seconds} s"
        headers = {"Retry-After": str(error.seconds)}
        raise ApiError(429, "throttled", text, headers=headers) from None


def _check_new(service: Service, name: str, password: str, email: str | None) -> None:
    """422 with everything that is wrong with a new account."""
    found = []
    with service.sessions.reading() as session:
        fault = people.name_fault(session, name)
    if fault is not None:
        found.append(("name", *fault))
    fault = passwords.fault(password, name)
    if fault is not None:
        found.append(("password", *fault))
    if email is None and service.settings.confirm_email:
        found.append(("email", "nothing", "an address such as ann@lab.org"))
    if email is not None and not service.couriers.mail.is_on:
        found.append(("email", "an address", "none: this service sends no mail"))
    elif email is not None and not is_address(email):
        found.append(("email", repr(email), "an address such as ann@lab.org"))
    if found:
        raise errors.fields((f"body/{place}", was, allowed) for place, was, allowed in found)


def _check_name(session: Session, name: str) -> None:
    fault = people.name_fault(session, name)
    if fault is not None:
        raise errors.field("body/name", *fault)


def _check_may(owner: User, kept: str) -> None:
    """What is told only to somebody who knows the password."""
    if owner.password_hash != kept:  # it was changed while this one was compared
        raise ApiError(401, "sign-in", "sign in: the password was changed a moment ago")
    if not owner.is_active:
        raise ApiError(403, "suspended", "sign in: this account is suspended; ask an admin")


def _ended() -> ApiError:
    text = "link: found one that was used, is too old or is unknown, allowed: one of the last hour"
    return ApiError(404, "link-ended", text)


def signed_in_as(owner: User, secret: str) -> SignedIn:
    """Who is signed in, as their page is told."""
    return SignedIn(
        name=owner.name, role=cast(Role, owner.role), csrf_token=browsers.csrf_token(secret)
    )
