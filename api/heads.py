"""How large the head of a request may be: its address and its headers."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

from api.errors import ApiError, answer

#: Bytes of the address and of all headers together.
MOST = 16 * 1024

#: Headers of one request.
MOST_HEADERS = 100


class SmallHeads:
    """Refuses a request whose head is larger than any browser's.

    The server below stops reading a head that arrives in pieces; this sees one that came at once.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            problem = _problem(scope)
            if problem is not None:
                await answer(problem)(scope, receive, send)
                return
        await self.app(scope, receive, send)


def too_large(found: str) -> ApiError:
    """431: the head is larger than `MOST`, or has more headers than `MOST_HEADERS`."""
    allowed = f"at most {MOST} bytes and {MOST_HEADERS} headers"
    return ApiError(
        431,
        "head-too-large",
        f"head: found {found}, allowed: {allowed}",
        headers={"Connection": "close"},
    )


def _problem(scope: Scope) -> ApiError | None:
    headers = scope["headers"]
    size = len(scope.get("raw_path") or b"") + len(scope["query_string"])
    size += sum(len(name) + len(value) for name, value in headers)
    if size > MOST:
        return too_large(f"{size} bytes")
    return too_large(f"{len(headers)} headers") if len(headers) > MOST_HEADERS else None
