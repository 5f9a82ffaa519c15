"""What holds for every response: a request id, security headers, no traceback, a line, a count."""

from __future__ import annotations

import logging
import re
import time

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from ulid import ULID

from api import policies
from api.errors import ApiError, answer
from grbcore import logs

log = logging.getLogger(__name__)
access = logging.getLogger("api.access")

#: Where the API's routers are.
PREFIX = "/api/v1"

METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}


#: A request id that a proxy may give; any other is replaced by one of ours.
_GIVEN_ID = re.compile("[A-Za-z0-9._:-]{8,64}")

_PATH_LIMIT = 200  # characters of an address that a line repeats


class HeadLikeGet:
    """Answers HEAD as GET; the server sends no body where HEAD was asked.

    ``head`` in the scope tells a route whose answer has no end.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "HEAD":
            scope = {**scope, "method": "GET", "head": True}
        await self.app(scope, receive, send)


class EveryResponse:
    """Adds `policies` and ``X-Request-ID``; an unexpected error is logged and becomes a 500.

    The id is the client's own where it is a sane one; every line about the request tells it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = _request_id(scope)
        with logs.about(request_id=request_id):
            await self._answer(scope, receive, send, request_id)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, request_id: str) -> None:
        begun = time.perf_counter()
        answered: float | None = None  # when a stream of events began, which may last for hours
        started = False
        status = 0  # none was sent: the client went away

        async def finish(message: Message) -> None:
            nonlocal started, status, answered
            if message["type"] == "http.response.start":
                started, status = True, message["status"]
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/event-stream"):
                    answered = time.perf_counter()
                headers["X-Request-ID"] = request_id
                policies.add(headers, Headers(scope=scope), scope["scheme"])
            await send(message)

        try:
            await self.app(scope, receive, finish)
        except ClientDisconnect:
            log.debug("request %s: the client went away", request_id)
        except Exception:
            log.exception("request %s: unexpected error", request_id)
            if started:
                raise
            message = f"an error of the service, not of yours; it is logged as request {request_id}"
            await answer(ApiError(500, "internal", message))(scope, receive, finish)
        finally:
            ended = time.perf_counter()
            seconds = (answered or ended) - begun
            scope["app"].state.requests.count(_method(scope), _route(scope), status, seconds)
            _tell(scope, status, ended - begun)


def _request_id(scope: Scope) -> str:
    """The id that the client or a proxy gave, or a new one."""
    given = Headers(scope=scope).get("x-request-id", "")
    return given if _GIVEN_ID.fullmatch(given) else str(ULID())


def _tell(scope: Scope, status: int, seconds: float) -> None:
    """One line for each request, without its query and its headers: they may hold secrets."""
    path = scope.get("raw_path", b"").decode("ascii", "replace").partition("?")[0][:_PATH_LIMIT]
    about = {
        "method": _method(scope),
        "path": path,
        "status": status,
        "ms": round(1000 * seconds, 1),
    }
    access.info("answered" if status else "the client went away", extra=about)


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
