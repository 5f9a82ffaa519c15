"""Signing in elsewhere: a browser is sent to a provider, and comes back."""

from __future__ import annotations

import hmac
import re
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool

from api import browsers, hosts
from api.account_schemas import IdentityList, IdentityOut, ProviderAsked, ProviderGoTo
from api.deps import (
    Credential,
    CredentialDep,
    ManagerDep,
    Service,
    ServiceDep,
    SessionDep,
    UserDep,
    is_id,
)
from api.errors import ApiError, not_found, responses
from api.providers import Provider, ProviderFailed
from api.routes.auth import begin_session, take
from grbcore.store.accounts import identities, throttle
from grbcore.store.accounts.identities import PENDING, Person
from grbcore.store.reevaluation import NotPossible
from grbcore.store.session import now
from grbcore.store.tables import PendingSignIn

router = APIRouter(tags=["account"])

#: Of the cookie that ties what comes back to the browser that was sent.
_SECURE, _PLAIN = "__Host-grb-begun", "grb-begun"

#: Addresses of our own to which a sign-in may lead: a path, and no other host's.
_NEXT = re.compile(r"/(?![/\\])[A-Za-z0-9/._~?=&%@,+-]*")


@router.post("/auth/providers/{provider}", responses=responses(401, 403, 404, 413, 422, 429, 503))
async def begin_at_provider(
    provider: str,
    wanted: ProviderAsked,
    request: Request,
    response: Response,
    service: ServiceDep,
    credential: CredentialDep,
) -> ProviderGoTo:
    """Where to sign in elsewhere; `link` adds who one is there to the account that is signed in."""
    browsers.check_same_site(request, service.settings)
    chosen = _provider(service, provider)
    link_to = _links(credential) if wanted.link else None
    tries = [(throttle.PROVIDER, throttle.network(browsers.client_address(request)))]
    await run_in_threadpool(take, service, tries)
    try:
        begun = await chosen.begin(_back(request, service, provider))
    except ProviderFailed as error:
        raise ApiError(503, "provider", f"{error}; try again later") from None
    following = wanted.next if _NEXT.fullmatch(wanted.next) else "/account"
    secret = await run_in_threadpool(_pend, service, provider, begun.data, following, link_to)
    secure = browsers.is_secure(request, service.settings)
    browsers.set_cookie(response, _SECURE if secure else _PLAIN, secret, secure=secure, age=PENDING)
    response.headers["Cache-Control"] = "no-store"
    return ProviderGoTo(url=begun.url)


# no program calls it, so the description leaves it out
@router.get("/auth/providers/{provider}/callback", include_in_schema=False)
async def come_back_from_provider(
    provider: str,
    request: Request,
    service: ServiceDep,
    credential: CredentialDep,
    code: Annotated[str, Query(max_length=4000)] = "",
    state: Annotated[str, Query(max_length=400)] = "",
    iss: Annotated[str, Query(max_length=400)] = "",
) -> RedirectResponse:
    """Where a provider sends a browser back to."""
    chosen = _provider(service, provider)
    secure = browsers.is_secure(request, service.settings)
    cookie = _SECURE if secure else _PLAIN
    kept = await run_in_threadpool(_taken, service, request.cookies.get(cookie, ""), provider)
    problem: str | None = "link-ended"
    following, secret = "/account", None
    if kept is not None and hmac.compare_digest(kept.data["state"].encode(), state.encode()):
        following = kept.data["next"]
        problem, secret = await _come_back(
            service, chosen, kept, request, credential, code=code, issuer=iss
        )
    answer = RedirectResponse(_page(following, problem, kept), 303)
    browsers.set_cookie(answer, cookie, "", secure=secure, age=PENDING * 0)
    if secret is not None:
        browsers.keep(answer, request, service.settings, secret)
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["Referrer-Policy"] = "no-referrer"
    return answer


@router.get("/me/identities", responses=responses(401, 403, 503))
def list_identities(session: SessionDep, user: UserDep) -> IdentityList:
    """Who you are elsewhere: each of these signs in to your account."""
    found = identities.of(session, user)
    return IdentityList(
        identities=[
            IdentityOut(
                id=row.id,
                issuer=row.issuer,
                label=row.label,
                created_at=row.created_at,
                used_at=row.used_at,
            )
            for row in found
        ]
    )


@router.delete(
    "/me/identities/{identity_id}",
    status_code=204,
    responses=responses(401, 403, 404, 409, 422, 503),
)
def unlink_identity(identity_id: str, service: ServiceDep, user: ManagerDep) -> None:
    """End a way to sign in."""
    with service.sessions.writing() as session:
        try:
            known = is_id(identity_id) and identities.unlink(session, user, identity_id, now())
        except NotPossible as error:
            raise ApiError(409, error.code, str(error)) from None
        if not known:
            raise not_found("identity", identity_id)


async def _come_back(
    service: Service,
    chosen: Provider,
    kept: PendingSignIn,
    request: Request,
    credential: Credential | None,
    *,
    code: str,
    issuer: str,
) -> tuple[str | None, str | None]:
    """What is wrong, if something is; and the secret of a new session, if one begins."""
    if not code:
        return "cancelled", None
    if issuer and issuer != chosen.issuer:  # RFC 9207: another issuer's code
        return "provider", None
    try:
        person = await chosen.finish(kept.data, code)
        return None, await run_in_threadpool(_sign_in, service, kept, person, request, credential)
    except ProviderFailed:
        return "provider", None
    except NotPossible as error:
        return error.code, None


def _sign_in(
    service: Service,
    kept: PendingSignIn,
    person: Person,
    request: Request,
    credential: Credential | None,
) -> str | None:
    with service.sessions.writing() as session:
        if kept.user_id is None:
            may = service.settings.sign_up != "closed"
            owner = identities.sign_in(session, person, may_sign_up=may, now=now())
            return begin_session(session, owner, request, service)
        signed_in = credential.session if credential else None
        if signed_in is None or signed_in.user_id != kept.user_id:
            raise NotPossible("link-ended", "somebody else is signed in by now")
        identities.link(session, kept.user_id, person, now())
        return None


def _pend(
    service: Service, provider: str, data: dict[str, str], following: str, link_to: str | None
) -> str:
    with service.sessions.writing() as session:
        kept = {**data, "next": following}
        return identities.pend(session, provider, kept, link_to=link_to, now=now())


def _taken(service: Service, secret: str, provider: str) -> PendingSignIn | None:
    if not secret:
        return None
    with service.sessions.writing() as session:
        return identities.take(session, secret, provider, now())


def _provider(service: Service, name: str) -> Provider:
    found = service.providers.get(name)
    if found is None:
        raise not_found("provider", name)
    return found


def _links(credential: Credential | None) -> str:
    if credential is None or credential.session is None:
        raise ApiError(
            403, "session-needed", "link: found nobody signed in, allowed: sign in first"
        )
    return credential.session.user_id


def _back(request: Request, service: Service, provider: str) -> str:
    """Our own address, as the provider knows it."""
    return f"{hosts.site(request, service.settings)}/api/v1/auth/providers/{provider}/callback"


def _page(following: str, problem: str | None, kept: PendingSignIn | None) -> str:
    if problem is None:
        return following
    linking = kept is not None and kept.user_id is not None
    page = "/account" if linking else "/account/sign-in"
    return f"{page}?{urlencode({'problem': problem})}"
