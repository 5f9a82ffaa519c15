"""Every error of the API as a Problem: a stable code, a sentence, and all violations at once."""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from obstore.exceptions import BaseError as BlobStoreError
from pydantic_core import ErrorDetails
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, ProgrammingError
from starlette.exceptions import HTTPException
from starlette.routing import Match

from api.schemas import Problem, ViolationOut
from grbcore import logs
from grbcore.flags import KINDS
from grbcore.store.blobs import BlobsAway, BlobsFull
from grbcore.store.quotas import QuotaExceeded
from grbcore.store.reevaluation import NotPossible
from grbcore.store.session import now
from grbcore.violations import Violation

log = logging.getLogger(__name__)

#: Codes of the statuses that the framework raises by itself.
_FRAMEWORK = {
    400: "bad-request",
    404: "not-found",
    405: "method",
    413: "too-large",
    415: "media-type",
}

#: The database does not answer; ProgrammingError: a table is missing, the migrations did not run.
DATABASE_ERRORS = (OperationalError, InterfaceError, ProgrammingError)

#: Refusals that are counted, beside every 429.
_REFUSALS = ("busy", "quota-bytes")

_DISK_FULL = "53100"  # in Postgres

_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")

#: What is allowed instead, by the type of a field's fault.
_ALLOWED = {"missing": "a value", "extra_forbidden": "no field of this name here"}

#: What parameters take that a pattern checks, in words.
_WORDS = {
    "attacks": "ids of at most 100 attacks, with commas between",
    "defenses": "ids of at most 100 defenses, with commas between",
    "ids": "ids of one to five entries, with commas between",
    "base": "clean, or the id of an attack or a defense",
    "flag": f"one of {', '.join(KINDS)}",
    "cursor": "`next` of the page before",
}

#: Of statuses that are not HTTP's own: tus has one.
_PHRASES = {460: "Checksum Mismatch"}
#: Where bodies hold passwords.
_SECRET = ("/api/v1/auth", "/api/v1/me/password", "/api/v1/me/account")

#: Fields whose value no answer repeats, nor any log behind it.
_SECRET_FIELD = re.compile("password|secret|token|csrf|credential", re.IGNORECASE)

_BODY_LIMIT = 200  # characters of a wrong value that an answer repeats


class ApiError(Exception):
    """An answer that is not a success, with a stable code."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        violations: Iterable[ViolationOut] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.violations = list(violations)
        self.headers = dict(headers or {})


def unauthorized(message: str) -> ApiError:
    """401: there is no token, or none that is valid."""
    return ApiError(401, "token", message, headers={"WWW-Authenticate": 'Bearer realm="grb"'})


@contextmanager
def conflicts() -> Iterator[None]:
    """409 for what can't be done as things stand."""
    try:
        yield
    except NotPossible as error:
        raise ApiError(409, error.code, str(error)) from None


def not_found(kind: str, name: str) -> ApiError:
    """404: nothing of this kind has this id."""
    return ApiError(404, f"{kind}-unknown", f"{kind}: found {name[:_BODY_LIMIT]!r}, no such {kind}")


def unavailable(part: str) -> ApiError:
    """503: a part of the service does not answer."""
    message = f"the {part} does not answer; nothing was stored, please try again later"
    return ApiError(503, "unavailable", message, headers={"Retry-After": "10"})


def full(part: str) -> ApiError:
    """507: there is no room for what was sent."""
    message = f"the {part} of this service is full; nothing was stored, please try again later"
    return ApiError(507, "disk-full", message, headers={"Retry-After": "60"})


def is_full(error: DBAPIError) -> bool:
    """Whether a database could not write because its disk is full."""
    return getattr(error.orig, "sqlstate", None) == _DISK_FULL or "disk is full" in str(error.orig)


def quota_exceeded(error: QuotaExceeded) -> ApiError:
    """429 with the seconds until some is free again; 403 where waiting frees nothing."""
    violation = ViolationOut(
        code=error.code, place=error.place, found=error.found, allowed=error.allowed
    )
    if error.frees_at is None:
        return ApiError(403, error.code, str(error), [violation])
    headers = {"Retry-After": str(seconds_until(error.frees_at))}
    return ApiError(429, error.code, str(error), [violation], headers)


def seconds_until(moment: datetime) -> int:
    """Whole seconds from now until then, at least 1."""
    return max(1, math.ceil((moment - now()).total_seconds()))


def invalid_file(violations: Iterable[Violation]) -> ApiError:
    """422: the file breaks the board's rules."""
    found = [ViolationOut(**violation.as_dict()) for violation in violations]
    count = "1 violation" if len(found) == 1 else f"{len(found)} violations"
    return ApiError(422, "invalid-file", f"the file is refused: {count}", found)


def invalid_fields(
    errors: Iterable[ErrorDetails | dict[str, Any]], *, secret: bool = False
) -> ApiError:
    """422: fields of the request are missing or out of bounds; one violation for each.

    What was found is not repeated where it may be ``secret``.
    """
    found = [_field_violation(error, secret) for error in errors]
    places = ", ".join(dict.fromkeys(violation.place for violation in found))
    return ApiError(422, "invalid-fields", f"fields to correct: {places}", found)


def field(place: str, found: str, allowed: str) -> ApiError:
    """422: one field is wrong."""
    return fields([(place, found, allowed)])


def fields(faults: Iterable[tuple[str, str, str]]) -> ApiError:
    """422: these fields are wrong; of each its place, what was found and what is allowed."""
    found = [ViolationOut(code="field", place=p, found=f, allowed=a) for p, f, a in faults]
    places = ", ".join(violation.place for violation in found)
    return ApiError(422, "invalid-fields", f"fields to correct: {places}", found)


def _field_violation(error: Mapping[str, Any], secret: bool) -> ViolationOut:
    place = "/".join(str(part) for part in error["loc"]) or "request"
    value = error.get("input")
    missing = error["type"] == "missing"
    found = "nothing" if missing or value is None else repr(_told(value, place))[:_BODY_LIMIT]
    if secret and found != "nothing":
        found = "a value that is not repeated"
    allowed = _ALLOWED.get(error["type"]) or str(error["msg"]).removeprefix("Value error, ")
    if error["type"] == "string_pattern_mismatch" and error["loc"][0] == "query":
        allowed = _WORDS.get(str(error["loc"][-1]), allowed)
    return ViolationOut(code="field", place=place, found=found, allowed=allowed)


def _told(value: Any, place: str) -> Any:
    """The value that was found, with an ellipsis in the place of what should be known to nobody."""
    if _SECRET_FIELD.search(place):
        return "…"
    if isinstance(value, Mapping):
        return {key: _told(part, str(key)) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_told(part, "") for part in value]
    return logs.redact(value) if isinstance(value, str) else value


def answer(error: ApiError) -> JSONResponse:
    """The response that this error becomes."""
    problem = Problem(
        code=error.code,
        message=error.message,
        violations=error.violations,
        request_id=logs.bound("request_id"),
    )
    return JSONResponse(problem.model_dump(), error.status, error.headers)


def responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """What a route's documentation says of these error statuses; every route has 429 (`limits`)."""
    every = sorted({*statuses, 429})
    return {status: {"model": Problem, "description": _phrase(status)} for status in every}


def _phrase(status: int) -> str:
    return _PHRASES.get(status) or HTTPStatus(status).phrase


def install(app: FastAPI) -> None:
    """Make every error of this application a Problem."""

    @app.exception_handler(ApiError)
    async def ours(request: Request, error: ApiError) -> JSONResponse:
        if error.status == 429 or error.code in _REFUSALS:
            request.app.state.requests.refuse(error.code)
        return answer(error)

    @app.exception_handler(QuotaExceeded)
    async def quota(request: Request, error: QuotaExceeded) -> JSONResponse:
        return await ours(request, quota_exceeded(error))

    @app.exception_handler(HTTPException)
    async def framework(request: Request, error: HTTPException) -> JSONResponse:
        code = _FRAMEWORK.get(error.status_code, "http")
        message = f"{request.method} {request.url.path[:_BODY_LIMIT]}: {error.detail}"
        headers = dict(error.headers or {})
        if error.status_code == 405:
            headers["Allow"] = ", ".join(_allowed(request)) or headers.get("Allow", "")
        return answer(ApiError(error.status_code, code, message, headers=headers))

    @app.exception_handler(RequestValidationError)
    async def validation(request: Request, error: RequestValidationError) -> JSONResponse:
        secret = request.scope["path"].startswith(_SECRET)
        return answer(invalid_fields(error.errors(), secret=secret))

    @app.exception_handler(BlobsAway)
    async def away(_request: Request, error: BlobsAway) -> JSONResponse:
        log.error("%s", error)
        found = isinstance(error, BlobsFull)
        return answer(full("blob store") if found else unavailable("blob store"))

    @app.exception_handler(BlobStoreError)
    async def blobs(_request: Request, error: Exception) -> JSONResponse:
        log.error("the blob store does not answer: %s", error)
        return answer(unavailable("blob store"))

    async def database(_request: Request, error: Exception) -> JSONResponse:
        log.error("the database does not answer: %s", error)
        found = isinstance(error, DBAPIError) and is_full(error)
        return answer(full("database") if found else unavailable("database"))

    for kind in DATABASE_ERRORS:
        app.add_exception_handler(kind, database)


def _allowed(request: Request) -> list[str]:
    """The methods that some route answers at this path."""
    found = {
        method
        for method in _METHODS
        for route in request.app.router.routes
        if route.matches({**request.scope, "method": method})[0] is Match.FULL
    }
    return sorted(found | ({"HEAD"} if "GET" in found else set()))
