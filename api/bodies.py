"""How much a request may bring, where it is no file: nobody can fill the memory with JSON."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.errors import ApiError, answer
from api.middleware import PREFIX

#: Bytes of a body.
MOST = 64 * 1024

#: Routes that count for themselves what they are sent.
FILES = frozenset({f"{PREFIX}/submissions", f"{PREFIX}/uploads"})
#: Where parts of files go.
PARTS = f"{PREFIX}/uploads/"

_ALLOWED = f"at most {MOST} bytes"


class SmallBodies:
    """Refuses a body of more than `MOST` bytes, before it is there if its length is said."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or _brings_a_file(scope):
            await self.app(scope, receive, send)
            return
        said = Headers(scope=scope).get("content-length", "0")
        if said.isdecimal() and int(said[:20]) > MOST:
            error = ApiError(
                413, "too-large", f"body: found {said[:20]} bytes, allowed: {_ALLOWED}"
            )
            await answer(error)(scope, receive, send)
            return
        come = 0

        async def counted() -> Message:
            nonlocal come
            part = await receive()
            come += len(part.get("body", b""))
            if come > MOST:
                raise HTTPException(
                    413, f"found a body of more than {MOST} bytes, allowed: {_ALLOWED}"
                )
            return part

        await self.app(scope, counted, send)


def _brings_a_file(scope: Scope) -> bool:
    return scope["path"] in FILES or (
        scope["method"] == "PATCH" and scope["path"].startswith(PARTS)
    )
