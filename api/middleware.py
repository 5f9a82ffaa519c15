"""What holds for every response: a request id, security headers, no traceback, a count."""

from __future__ import annotations

import logging
import time

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from ulid import ULID

from api.errors import ApiError, answer

log = logging.getLogger(__name__)

#: The page loads nothing from elsewhere; small images and fonts may be inlined by its build.
POLICY = (
    "default-src 'self'; img-src 'self' data:; font-src 'self' data:; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-cache",
}

#: Where the API's routers are.
PREFIX = "/api/v1"

METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}


class HeadLikeGet:
    """Answers HEAD as GET; the server sends no body where HEAD was asked."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}
        await self.app(scope, receive, send)


class EveryResponse:
    """Adds `HEADERS` and ``X-Request-ID``; an unexpected error is logged and becomes a 500."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = str(ULID())
        begun = time.perf_counter()
        started = False
        status = 0  # none was sent: the client went away

        async def finish(message: Message) -> None:
            nonlocal started, status
            if message["type"] == "http.response.start":
                started, status = True, message["status"]
                headers = MutableHeaders(scope=message)
                headers["X-Request-ID"] = request_id
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            await self.app(scope, receive, finish)
        except ClientDisconnect:
            log.info("request %s: the client went away", request_id)
        except Exception:
            log.exception("request %s: %s %s", request_id, scope["method"], scope["path"])
            if started:
                raise
            message = f"an error of the service, not of yours; it is logged as request {request_id}"
            await answer(ApiError(500, "internal", message))(scope, receive, finish)
        finally:
            seconds = time.perf_counter() - begun
            scope["app"].state.requests.count(_method(scope), _route(scope), status, seconds)


def _method(scope: Scope) -> str:
    """The method, where it is one of HTTP's own."""
    return scope["method"] if scope["method"] in METHODS else "other"


def _route(scope: Scope) -> str:
    """The template of the route that answered; the page's files and unknown addresses have none."""
    template: str | None = getattr(scope.get("route"), "path", None)
    if template is None:
        return "other"
    # a route knows its path within its router only
    within = scope["path"].startswith(PREFIX + "/") and not template.startswith(PREFIX)
    return PREFIX + template if within else template
