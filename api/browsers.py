"""What a signed-in browser sends: its cookie, and what shows that our own page sent the request.

Against requests that other sites make a browser send, two things are asked at once, as OWASP's
cheat sheet has it: fetch metadata (``Sec-Fetch-Site``, else ``Origin``) names our own page, and a
header holds a token bound to the session, which only our own page can read.
"""

from __future__ import annotations

import hashlib
import hmac
from datetime import timedelta
from urllib.parse import urlsplit

from fastapi import Request, Response

from api.errors import ApiError
from grbcore.settings import Settings
from grbcore.store.accounts.sessions import LIFETIME

#: Names of the session's cookie.  A browser keeps one that begins with __Host- only where it came
#: over TLS, from this host, for the whole of it: no other host of the domain can plant it.
SECURE, PLAIN = "__Host-grb", "grb-session"

CSRF_HEADER = "X-CSRF-Token"

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})

_AGENT = 400  # characters of a header


def is_secure(request: Request, settings: Settings) -> bool:
    """Whether people reach the service over TLS."""
    return request.url.scheme == "https" or settings.public_url.startswith("https://")


def cookie(request: Request, settings: Settings) -> str | None:
    """The secret of the session that this request says it is of."""
    name = SECURE if is_secure(request, settings) else PLAIN
    return request.cookies.get(name) or None


def keep(response: Response, request: Request, settings: Settings, secret: str) -> None:
    """Have the browser keep a session's secret, out of the reach of scripts."""
    secure = is_secure(request, settings)
    name = SECURE if secure else PLAIN
    set_cookie(response, name, secret, secure=secure, age=LIFETIME)


def forget(response: Response, request: Request, settings: Settings) -> None:
    """Have the browser forget its session's secret."""
    secure = is_secure(request, settings)
    name = SECURE if secure else PLAIN
    set_cookie(response, name, "", secure=secure, age=timedelta(0))


def set_cookie(response: Response, name: str, value: str, *, secure: bool, age: timedelta) -> None:
    """A cookie of this host only, which no script can read."""
    response.set_cookie(
        name,
        value,
        max_age=int(age.total_seconds()),
        path="/",
        secure=secure,
        httponly=True,
        samesite="lax",
    )


def csrf_token(secret: str) -> str:
    """What our page sends beside the cookie: bound to the session, and no way back to it."""
    return hmac.digest(secret.encode(), b"csrf", hashlib.sha256).hex()


def check_csrf(request: Request, settings: Settings, secret: str) -> None:
    """Refuse an unsafe request with a cookie that our own page did not send.

    Raises:
        ApiError: 403.
    """
    check_same_site(request, settings)
    given = request.headers.get(CSRF_HEADER, "")
    if not hmac.compare_digest(given.encode(), csrf_token(secret).encode()):
        found = "another" if given else "nothing"
        message = f"{CSRF_HEADER}: found {found}, allowed: the csrf_token of GET /api/v1/auth"
        raise ApiError(403, "csrf", message)


def check_same_site(request: Request, settings: Settings) -> None:
    """Refuse what a browser sends for the page of another site; other programs pass.

    Raises:
        ApiError: 403.
    """
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if site in ("same-origin", "none") or (site is None and origin is None):
        return
    if site is None and origin is not None and _is_ours(origin, request, settings):
        return
    found = (site or origin or "")[:100]
    message = f"the request comes from another site: found {found!r}, allowed: this one's pages"
    raise ApiError(403, "cross-site", message)


def agent(request: Request) -> str:
    """What the browser calls itself."""
    return request.headers.get("user-agent", "")[:_AGENT]


def client_address(request: Request) -> str:
    """The address that the request came from, as the server and its trusted proxies tell it."""
    return request.client.host if request.client else ""


def _is_ours(origin: str, request: Request, settings: Settings) -> bool:
    if settings.public_url:
        public = urlsplit(settings.public_url)
        if origin == f"{public.scheme}://{public.netloc}":
            return True
    scheme, _, host = origin.partition("://")
    return scheme in ("http", "https") and host == request.headers.get("host", "")
