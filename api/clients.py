"""Who asks: the address that a request comes from, and the credentials that it brings."""

from __future__ import annotations

import hashlib

from starlette.requests import HTTPConnection
from starlette.types import Scope

#: Cookies that say who is signed in.
COOKIES = ("__Host-grb", "grb-session")

#: Where no address is known, as over a Unix socket.
NOWHERE = "nowhere"


def address_of(scope: Scope) -> str:
    """The address of the client.

    What a trusted proxy says of it has replaced the proxy's own before: here nothing is read of
    what a client may write itself.
    """
    client = scope.get("client")
    return str(client[0]) if client else NOWHERE


def credentials_of(scope: Scope) -> str | None:
    """A digest of the token or session that the request brings, whether valid or not."""
    request = HTTPConnection(scope)
    sessions = (request.cookies.get(name) for name in COOKIES)
    given = request.headers.get("authorization") or next(filter(None, sessions), None)
    return None if not given else hashlib.sha256(given.encode()).hexdigest()[:32]
