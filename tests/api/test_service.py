"""Health, readiness, tokens, headers, unexpected errors, the description and its page."""

from __future__ import annotations

import json
import logging
import re
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from sqlalchemy import create_engine, text

from api.readiness import Readiness
from grbcore import __version__
from grbcore.settings import Settings
from grbcore.store import tokens
from grbcore.store.session import now
from tests.api.stage import Stage, problem, serve


def missing(settings: Settings) -> tuple[int, list[str]]:
    with serve(settings) as address:
        answer = httpx.get(f"{address}/api/v1/ready", timeout=30)
        assert httpx.get(f"{address}/api/v1/health").json()["status"] == "ok"
    return answer.status_code, answer.json()["missing"]


def nowhere() -> int:
    """A port that nobody listens on."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        return closed.getsockname()[1]


# Readiness


def test_a_service_with_every_part_is_ready(client: httpx.Client) -> None:
    answer = client.get("/api/v1/ready")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "version": __version__, "missing": []}


def test_a_broker_that_is_down_is_named(settings: Settings) -> None:
    url = f"redis://127.0.0.1:{nowhere()}/0"
    assert missing(settings.model_copy(update={"broker_url": url})) == (503, ["broker"])


def test_a_database_that_is_down_is_named(settings: Settings) -> None:
    url = f"postgresql+psycopg://postgres@127.0.0.1:{nowhere()}/grb"
    assert missing(settings.model_copy(update={"database_url": url})) == (503, ["database"])


def test_a_database_that_is_down_is_503_for_readers(settings: Settings) -> None:
    url = f"postgresql+psycopg://postgres@127.0.0.1:{nowhere()}/grb"
    with serve(settings.model_copy(update={"database_url": url})) as address:
        problem(httpx.get(f"{address}/api/v1/boards"), 503, "unavailable")


def test_missing_migrations_are_named(settings: Settings, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'empty.db'}"
    assert missing(settings.model_copy(update={"database_url": url})) == (503, ["migrations"])


def test_a_database_without_tables_is_503_for_readers(settings: Settings, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'empty.db'}"
    with serve(settings.model_copy(update={"database_url": url})) as address:
        problem(httpx.get(f"{address}/api/v1/boards"), 503, "unavailable")


def test_an_older_revision_of_the_tables_is_named(settings: Settings, stage: Stage) -> None:
    engine = create_engine(settings.database_url)
    with engine.begin() as connection:
        current = connection.scalar(text("SELECT version_num FROM alembic_version"))
        connection.execute(text("UPDATE alembic_version SET version_num = 'older'"))
    found = missing(settings)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :it"), {"it": current})
    engine.dispose()
    assert found == (503, ["migrations"])


def test_a_blob_store_that_is_gone_is_named(settings: Settings, stage: Stage) -> None:
    with serve(settings) as address:
        folder = settings.var_dir / "blobs"
        folder.rmdir()
        folder.write_text("a file")
        answer = httpx.get(f"{address}/api/v1/ready", timeout=30)
    assert (answer.status_code, answer.json()["missing"]) == (503, ["blobs"])


# Tokens


@pytest.mark.parametrize(("user", "role"), [("ann", "user"), ("admin", "admin")])
def test_a_token_says_whose_it_is(client: httpx.Client, stage: Stage, user: str, role: str) -> None:
    answer = client.get("/api/v1/whoami", headers=stage.bearer(user))
    assert answer.json() == {"name": user, "role": role, "scopes": list(tokens.scopes_of(role))}


def test_without_a_token_nobody_is_known(client: httpx.Client) -> None:
    problem(client.get("/api/v1/whoami"), 401, "token")


def test_a_revoked_token_is_401(client: httpx.Client, stage: Stage) -> None:
    with stage.sessions.writing() as session:
        assert tokens.revoke(session, stage.tokens["ann"], now=now())
    problem(client.get("/api/v1/whoami", headers=stage.bearer()), 401, "token")


# Headers and unexpected errors


def test_an_unexpected_error_is_500_without_a_traceback_and_logged_with_its_id(
    stage: Stage,
    client: httpx.Client,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def broken(_self: object) -> list[str]:
        raise RuntimeError("a secret detail")

    monkeypatch.setattr(Readiness, "missing", broken)
    with caplog.at_level(logging.ERROR):
        answer = client.get("/api/v1/ready")
    body = problem(answer, 500, "internal")
    request_id = answer.headers["x-request-id"]
    assert request_id in body["message"]
    assert "secret" not in answer.text
    assert request_id in caplog.text and "a secret detail" in caplog.text


def test_unknown_routes_of_the_api_are_404_for_every_method(client: httpx.Client) -> None:
    for method in ("GET", "POST", "PUT", "DELETE"):
        problem(client.request(method, "/api/v1/nope"), 404, "not-found")


def test_other_origins_get_no_permission(client: httpx.Client) -> None:
    answer = client.get("/api/v1/boards", headers={"Origin": "https://example.org"})
    assert "access-control-allow-origin" not in answer.headers


# The description


def printed() -> bytes:
    command = [sys.executable, "-m", "api.openapi"]
    return subprocess.run(command, capture_output=True, check=True).stdout


def test_the_description_is_printed_the_same_each_time() -> None:
    first = printed()
    assert first == printed()
    assert json.loads(first)["info"]["version"] == __version__


def test_every_route_is_described_with_its_errors_as_problems(client: httpx.Client) -> None:
    description = client.get("/openapi.json").json()
    problems = {"$ref": "#/components/schemas/Problem"}
    for path, item in description["paths"].items():
        assert path.startswith("/api/v1/")
        for operation in item.values():
            for status, response in operation["responses"].items():
                if int(status) >= 400 and not path.endswith("/ready"):
                    assert response["content"]["application/json"]["schema"] == problems
    assert "HTTPValidationError" not in description["components"]["schemas"]


def test_the_form_of_an_upload_is_described(client: httpx.Client) -> None:
    description = client.get("/openapi.json").json()
    body = description["paths"]["/api/v1/submissions"]["post"]["requestBody"]["content"]
    form = body["multipart/form-data"]["schema"]
    assert set(form["required"]) == {"board", "side", "file", "name", "authors"}
    assert {"team", "family", "paper_url", "surrogate"} <= set(form["properties"])


def test_the_docs_show_every_route_and_type_in_the_frame_of_the_site(client: httpx.Client) -> None:
    html = client.get("/docs").text
    assert client.get("/api/v1/reference").json()["html"] in html
    assert '<nav aria-label="Site">' in html
    description = client.get("/openapi.json").json()
    assert all(path in html for path in description["paths"])
    assert all(f'id="{name}"' in html for name in description["components"]["schemas"])


def test_links_inside_the_docs_lead_somewhere(client: httpx.Client) -> None:
    html = client.get("/docs").text
    targets = set(re.findall(r'id="([^"]+)"', html))
    assert set(re.findall(r'href="#([^"]+)"', html)) <= targets


# Imports


def test_the_application_imports_neither_torch_nor_scipy() -> None:
    code = "import sys, api.main; api.main.create_app(); print(*sys.modules)"
    command = [sys.executable, "-c", code]
    loaded = subprocess.run(command, capture_output=True, check=True, text=True).stdout.split()
    assert not {"torch", "torch_geometric", "scipy", "safetensors"} & set(loaded)


def test_making_the_application_touches_no_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from api.main import create_app

    monkeypatch.chdir(tmp_path)
    create_app(Settings(var_dir=Path("var"))).openapi()
    assert list(tmp_path.iterdir()) == []
