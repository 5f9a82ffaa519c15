"""By which names the service may be called, and by which it calls itself.

Of Starlette's own middleware for this, the answer is not ours and addresses in brackets are cut.
"""

from __future__ import annotations

import re

from starlette.requests import HTTPConnection, Request
from starlette.types import ASGIApp, Receive, Scope, Send

from api.errors import ApiError, answer
from grbcore.settings import Settings

_HOST = re.compile(r"([A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?")

#: Where no name is known to be ours, a command names what `grb` reads its server from.
UNKNOWN = "$GRB_SERVER"


class TrustedHosts:
    """Refuses a request whose ``Host`` is none of the service's names."""

    def __init__(self, app: ASGIApp, names: frozenset[str]) -> None:
        self.app = app
        self.names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            host = HTTPConnection(scope).headers.get("host", "")
            if not _is_known(host, self.names):
                message = f"Host: found {host[:100]!r}, allowed: the names of this service"
                message += " (an operator sets GRB_ALLOWED_HOSTS)"
                await answer(ApiError(400, "host", message))(scope, receive, send)
                return
        await self.app(scope, receive, send)


def address(request: Request, settings: Settings) -> str:
    """The service's address for a command that somebody copies.

    Where any ``Host`` is taken, only one that was named besides is repeated.
    """
    host = request.headers.get("host", "")
    if _is_known(host, settings.host_names - {"*"}):
        return f"{request.url.scheme}://{host}"
    return UNKNOWN


def site(request: Request, settings: Settings) -> str:
    """The service's address as people and programs elsewhere open it: scheme and host, no slash.

    ``GRB_PUBLIC_URL``, or as it was asked for.
    """
    here = f"{request.scope['scheme']}://{request.headers.get('host') or 'localhost'}"
    return settings.public_url.rstrip("/") or here


def _is_known(host: str, names: frozenset[str]) -> bool:
    found = _HOST.fullmatch(host)
    if found is None:
        return "*" in names
    name = found[1].strip("[]").lower().removesuffix(".")
    if name in names or "*" in names:
        return True
    return any(one.startswith("*.") and name.endswith(one[1:]) for one in names)
