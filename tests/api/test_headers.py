"""What every answer tells a browser, and which requests are too large to be read."""

from __future__ import annotations

import re
import socket
from urllib.parse import urlsplit

import httpx
import pytest
from pydantic import ValidationError

from api import heads, policies
from grbcore.settings import Settings
from tests.api.stage import Stage, problem, serve

PAGES = ["/", "/docs", "/status", "/boards/digits/nothing", "/confirm-email", "/nowhere"]
OTHERS = [
    "/api/v1/boards",
    "/api/v1/nope",
    "/api/v1/whoami",
    "/assets/no.js",
    "/assets/app-1a2b.js",
    "/favicon.svg",
    "/openapi.json",
    "/plain.css",
    "/metrics",
]
#: Headers that a route may choose more strictly for itself.
STRICTER = {"Cache-Control", "Referrer-Policy"}


def test_every_answer_has_the_security_headers(client: httpx.Client) -> None:
    for path in PAGES + OTHERS:
        headers = client.get(path).headers
        policy = policies.PAGE if path in PAGES else policies.NOTHING
        assert headers["content-security-policy"] == policy, path
        for name, value in policies.HEADERS.items():
            assert headers[name] == value or name in STRICTER, path
        assert headers["cache-control"] and headers["referrer-policy"] != "unsafe-url"
        assert re.fullmatch("[0-9A-Z]{26}", headers["x-request-id"])
        assert "strict-transport-security" not in headers and "server" not in headers


@pytest.mark.parametrize("policy", [policies.PAGE, policies.NOTHING])
def test_no_policy_allows_anything_inline_or_foreign(policy: str) -> None:
    allowed = dict(part.strip().partition(" ")[::2] for part in policy.split(";"))
    assert allowed["default-src"] == "'none'"
    assert set(allowed.values()) <= {"'none'", "'self'", ""}
    assert {"base-uri", "form-action", "frame-ancestors"} <= set(allowed)


def test_no_page_has_a_script_a_style_or_a_handler_inline(client: httpx.Client) -> None:
    for path in PAGES:
        html = client.get(path).text
        inline = r"<style|<script(?![^>]*\ssrc=)|\sstyle=|\son[a-z]+=|javascript:"
        assert not re.search(inline, html), path


def test_what_a_token_or_a_cookie_asked_for_is_kept_by_no_proxy(
    client: httpx.Client, stage: Stage
) -> None:
    path = "/api/v1/boards"
    assert client.get(path).headers["cache-control"] == "no-cache"
    for headers in (stage.bearer(), {"Cookie": "a=b"}):
        answer = client.get(path, headers=headers)
        assert answer.headers["cache-control"] == "private, no-cache"
        assert answer.headers["vary"] == "Authorization, Cookie"


# Proxies

FORWARDED = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.7"}


@pytest.mark.parametrize(("proxies", "trusted"), [("127.0.0.0/8", True), ("10.1.2.3", False)])
def test_only_a_trusted_proxy_says_that_a_request_came_by_tls(
    stage: Stage, proxies: str, trusted: bool
) -> None:
    """The scheme is seen in HSTS and in a cell's command."""
    cell = stage.cell(None, stage.entry("defense", "D"), {"full": [1]})
    given = Settings(trusted_proxies=proxies).trusted_proxies  # type: ignore[arg-type]
    settings = stage.settings.model_copy(update={"trusted_proxies": given})
    with serve(settings) as address:
        answer = httpx.get(f"{address}/api/v1/cells/{cell}", headers=FORWARDED)
        assert httpx.get(address).headers.get("strict-transport-security") is None
    assert answer.headers.get("strict-transport-security") == (
        policies.TRANSPORT if trusted else None
    )
    assert ("https://127.0.0.1" in answer.json()["command"]) is trusted


def test_no_proxy_is_trusted_unless_one_is_named(client: httpx.Client) -> None:
    answer = client.get("/", headers=FORWARDED)
    assert "strict-transport-security" not in answer.headers


@pytest.mark.parametrize("proxies", ["*", "proxy.lab.org", "10.0.0.1/8", "127.0.0.1:80"])
def test_proxies_that_are_no_networks_are_refused(
    monkeypatch: pytest.MonkeyPatch, proxies: str
) -> None:
    monkeypatch.setenv("GRB_TRUSTED_PROXIES", proxies)
    with pytest.raises(ValidationError, match="addresses or networks"):
        Settings()


# Heads


def test_a_head_that_comes_at_once_is_431_when_it_is_too_large(client: httpx.Client) -> None:
    long = {"Cookie": "x" * heads.MOST}
    many = {f"X-{number}": "1" for number in range(heads.MOST_HEADERS)}
    for answer in (
        client.get("/", headers=long),
        client.get("/", headers=many),
        client.get("/?" + "x" * heads.MOST),
    ):
        problem(answer, 431, "head-too-large")
        assert answer.headers["content-security-policy"] == policies.NOTHING
    assert client.get("/", headers={"Cookie": "x" * (heads.MOST // 2)}).status_code == 200


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        (
            b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 2 * heads.MOST,
            431,
            "head-too-large",
        ),
        (b"\x16\x03\x01 a handshake of TLS\r\n\r\n", 400, "bad-request"),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nA : b\r\n\r\n", 400, "bad-request"),
    ],
)
def test_what_is_no_request_is_answered_as_every_error_is(
    server: str, sent: bytes, status: int, code: str
) -> None:
    address = urlsplit(server)
    with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
        connection.sendall(sent)
        answer = b"".join(iter(lambda: connection.recv(65536), b"")).decode()
    assert answer.startswith(f"HTTP/1.1 {status} ")
    assert f'"code":"{code}"' in answer
    assert policies.NOTHING in answer
