"""The built page, served beside the API."""

from __future__ import annotations

import socket
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from grbcore.settings import Settings
from tests.api.stage import Stage, problem, serve


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 200),
        ("/boards/digits/injection@1?view=all", 200),
        ("/boards/digits/injection?difficulty=extreme", 200),
        ("/boards/digits/nothing@9", 404),
        ("/submissions", 200),
        ("/submissions?board=nothing", 404),
        ("/submissions/01J", 404),
        ("/cells/01J", 404),
        ("/cells/%00", 404),
        ("/apis", 404),
    ],
)
def test_every_address_of_the_page_is_its_index(
    client: httpx.Client, path: str, status: int
) -> None:
    answer = client.get(path)
    assert answer.status_code == status
    assert '<div id="root"></div>' in answer.text
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "no-cache"


def test_assets_are_kept_for_ever(client: httpx.Client) -> None:
    answer = client.get("/assets/app-1a2b.js")
    assert answer.text == "'the script'"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-type"].startswith(("text/javascript", "application/javascript"))


def test_other_files_are_revalidated(client: httpx.Client) -> None:
    answer = client.get("/favicon.svg")
    assert (answer.text, answer.headers["cache-control"]) == ("<svg/>", "no-cache")


def test_a_missing_asset_is_404_and_not_the_index(client: httpx.Client) -> None:
    assert client.get("/assets/app-old.js").status_code == 404


def test_head_has_no_body(client: httpx.Client) -> None:
    answer = client.head("/")
    assert (answer.status_code, answer.content) == (200, b"")


def test_posting_to_the_page_is_405(client: httpx.Client) -> None:
    problem(client.post("/"), 405, "method")


def raw(server: str, path: str) -> bytes:
    """The answer to this very path, which no client has tidied."""
    address = urlsplit(server)
    with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
        head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        connection.sendall(head.encode())
        return b"".join(iter(lambda: connection.recv(65536), b""))


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "//etc/passwd",
        "/assets/..%5c..%5csecret.txt",
        "/%00",
        "/" + "x" * 5000,
    ],
)
def test_no_path_leads_out_of_the_page(server: str, path: str) -> None:
    answer = raw(server, path)
    assert answer.startswith((b"HTTP/1.1 200", b"HTTP/1.1 404"))
    assert b"outside" not in answer and b"root:" not in answer


def test_a_link_that_leads_out_of_the_page_is_not_followed(
    client: httpx.Client, page: Path
) -> None:
    (page / "link.txt").symlink_to(page.parent / "secret.txt")
    assert "outside" not in client.get("/link.txt").text


def test_without_a_built_page_the_root_says_how_to_build_it(
    settings: Settings, stage: Stage, tmp_path: Path
) -> None:
    with serve(settings.model_copy(update={"page_dir": tmp_path / "nothing"})) as address:
        answer = httpx.get(address)
        assert httpx.get(f"{address}/api/v1/health").status_code == 200
    assert answer.status_code == 503
    assert "make page" in answer.text
    assert answer.headers["content-type"].startswith("text/plain")
