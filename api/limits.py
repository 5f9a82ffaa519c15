"""How often one client may ask: rates for reading, writing, uploading and signing in.

Each request counts for the address that it comes from, and one with a token or a session for that
as well: neither many tokens of one host nor many hosts of one user ask for more.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from ipaddress import ip_address, ip_network
from typing import Literal

from limits import RateLimitItem, parse
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from api.clients import address_of, credentials_of
from api.counting import Counting
from api.errors import ApiError, answer
from api.middleware import PREFIX
from api.schemas import ViolationOut
from grbcore.settings import Settings
from grbcore.store.accounts import throttle

log = logging.getLogger(__name__)

Bucket = Literal["reads", "writes", "uploads", "sign-ins"]

#: What a supervisor asks is never refused.
FREE = frozenset({f"{PREFIX}/health", f"{PREFIX}/ready"})

#: A request to one of these begins an upload.
UPLOADS = frozenset({f"{PREFIX}/submissions", f"{PREFIX}/uploads"})

_SIGN_IN = f"{PREFIX}/auth"
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class RateLimits:
    """Answers 429 to a client that asks too often, before anything else is done for it.

    Clients of ``rate_exempt`` networks, by default this host, are not counted.  One whose request
    says that it was forwarded is: then a proxy is in front that ``trusted_proxies`` lacks.
    """

    def __init__(
        self, app: ASGIApp, settings: Settings, counting: Counting, refuse: Callable[[str], None]
    ) -> None:
        self.app = app
        self._counting = counting
        self._refuse = refuse
        self._exempt = [ip_network(one) for one in settings.rate_exempt]
        self._rates: dict[Bucket, RateLimitItem | None] = {
            "reads": _rate(settings.rate_reads),
            "writes": _rate(settings.rate_writes),
            "uploads": _rate(settings.rate_uploads),
            "sign-ins": _rate(settings.rate_sign_ins),
        }
        self._warned = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in FREE or self._is_exempt(scope):
            await self.app(scope, receive, send)
            return
        bucket = bucket_of(scope["method"], scope["path"])
        rate = self._rates[bucket]
        refused = None if rate is None else await self._count(rate, bucket, scope)
        if refused is None:
            await self.app(scope, receive, send)
            return
        self._refuse(refused.code)
        await answer(refused)(scope, receive, send)

    async def _count(self, rate: RateLimitItem, bucket: Bucket, scope: Scope) -> ApiError | None:
        callers = [("address", throttle.network(address_of(scope)))]
        credentials = credentials_of(scope)
        if credentials is not None:
            callers.append(("token or session", credentials))
        for kind, who in callers:
            wait = await self._counting.hit(rate, bucket, kind, who)
            if wait is not None:
                return _too_often(rate, bucket, kind, wait)
        return None

    def _is_exempt(self, scope: Scope) -> bool:
        try:
            address = ip_address(address_of(scope))
        except ValueError:
            return False
        if not any(address in network for network in self._exempt):
            return False
        headers = Headers(scope=scope)
        if "x-forwarded-for" not in headers and "forwarded" not in headers:
            return True
        if not self._warned:
            log.warning(
                "%s forwards requests of others, who are counted as one client: "
                "GRB_TRUSTED_PROXIES should name it",
                address,
            )
            self._warned = True
        return False


def bucket_of(method: str, path: str) -> Bucket:
    """Which rate a request counts for."""
    if method in _SAFE:
        return "reads"
    if path == _SIGN_IN or path.startswith(f"{_SIGN_IN}/"):
        return "sign-ins"
    return "uploads" if method == "POST" and path.rstrip("/") in UPLOADS else "writes"


def _rate(text: str) -> RateLimitItem | None:
    return None if text == "0" else parse(text)


def _too_often(rate: RateLimitItem, bucket: Bucket, kind: str, wait: int) -> ApiError:
    allowed = f"{rate.amount} in {rate.get_expiry()} s"
    violation = ViolationOut(
        code="rate", place=f"{bucket} of this {kind}", found="more", allowed=allowed
    )
    message = f"{bucket} of this {kind}: found more, allowed: {allowed}; {wait} s are left"
    headers = {
        "Retry-After": str(wait),
        "RateLimit-Policy": f'"{bucket}";q={rate.amount};w={rate.get_expiry()}',
        "RateLimit": f'"{bucket}";r=0;t={wait}',
    }
    return ApiError(429, "rate", message, [violation], headers)
