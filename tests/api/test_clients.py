"""Who asks: addresses and credentials, read from a request's head."""

from __future__ import annotations

from typing import Any

from api.clients import NOWHERE, address_of, credentials_of


def scope(*headers: tuple[bytes, bytes], client: Any = ("192.0.2.7", 1234)) -> dict[str, Any]:
    return {"type": "http", "client": client, "headers": list(headers)}


def test_the_address_is_the_connections_whatever_the_client_writes() -> None:
    assert address_of(scope((b"x-forwarded-for", b"198.51.100.1"))) == "192.0.2.7"
    assert address_of(scope(client=None)) == NOWHERE


def test_a_token_or_a_session_is_known_by_a_digest() -> None:
    token = (b"authorization", b"Bearer grb_secret")
    cookie = (b"cookie", b"other=1; grb-session=secret; __Host-x=2")
    found = {credentials_of(scope(token)), credentials_of(scope(cookie)), credentials_of(scope())}
    assert len(found) == 3 and None in found
    assert not any("secret" in str(one) for one in found)
    assert credentials_of(scope(token, cookie)) == credentials_of(scope(token))
    assert credentials_of(scope((b"cookie", b"other=1"))) is None
