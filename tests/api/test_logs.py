"""What the API logs: one line for each request, found again by the id of its answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from grbcore.cli.up import listen
from grbcore.settings import Settings
from tests.api.browsing import PASSWORD, Browser, give_password
from tests.api.stage import SUBMISSIONS, Stage, problem
from tests.worker.fixtures import wait_for

#: A new process answers its first requests late on a busy machine.
get, post = partial(httpx.get, timeout=30), partial(httpx.post, timeout=30)


class Process:
    """The API as an operator starts it, with its log."""

    def __init__(self, log: Path, address: str) -> None:
        self.log = log
        self.address = address

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def about(self, request_id: str) -> list[dict[str, Any]]:
        """The lines of one request, once the last of them is there."""
        found: list[dict[str, Any]] = []

        def ended() -> bool:
            found[:] = [line for line in self.lines() if line.get("request_id") == request_id]
            return any(line["logger"] == "api.access" for line in found)

        wait_for(ended)
        return found


@contextmanager
def api(settings: Settings, folder: Path, **variables: str) -> Iterator[Process]:
    log = folder / "api.log"
    with listen("127.0.0.1", 0) as listening, log.open("wb") as out:
        port = listening.getsockname()[1]
        process = subprocess.Popen(
            [sys.executable, "-m", "api", "--fd", str(listening.fileno())],
            env={
                **os.environ,
                "GRB_VAR_DIR": str(settings.var_dir),
                "GRB_DATABASE_URL": settings.database_url,
                "GRB_BROKER_URL": settings.broker_url,
                "GRB_BLOB_URL": settings.blob_url,
                **variables,
            },
            pass_fds=(listening.fileno(),),
            stdout=out,
            stderr=out,
        )
        address = f"http://127.0.0.1:{port}"
        try:
            wait_for(lambda: get(f"{address}/api/v1/health").is_success)
            yield Process(log, address)
        finally:
            process.terminate()
            assert process.wait(20) is not None


def test_every_line_is_json_and_a_request_is_found_by_its_id(
    settings: Settings, stage: Stage, tmp_path: Path
) -> None:
    with api(settings, tmp_path, GRB_LOG_FORMAT="json") as service:
        answer = get(f"{service.address}{SUBMISSIONS}/{'0' * 26}?token=secret-in-a-query")
        body = problem(answer, 404, "submission-unknown")
        [line] = service.about(body["request_id"])
    assert line["method"] == "GET"
    assert line["path"] == f"{SUBMISSIONS}/{'0' * 26}"
    assert (line["status"], line["level"]) == (404, "INFO")
    assert line["ms"] > 0
    assert line["time"].endswith("+00:00")
    assert all({"time", "level", "logger", "message"} <= set(found) for found in service.lines())
    assert "secret-in-a-query" not in service.log.read_text()


def test_an_error_behind_a_request_is_told_with_its_id(
    settings: Settings, stage: Stage, tmp_path: Path
) -> None:
    with api(settings, tmp_path, GRB_LOG_FORMAT="json") as service:
        blobs = settings.var_dir / "blobs"
        entry = stage.entry("defense", "D")
        for path in blobs.rglob("*"):
            if path.is_file():
                path.unlink()
        answer = get(f"{service.address}/api/v1/ready")
        assert answer.status_code == 200
        answer = get(f"{service.address}{SUBMISSIONS}/{entry}/artefact")
        body = problem(answer, 503, "unavailable")
        assert service.about(body["request_id"])[-1]["status"] == 503


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ("proxy-4711:abc_1", True),
        ("x" * 64, True),
        ("x" * 65, False),
        ("short", False),
        ("with spaces in it", False),
        ("line\\nbreak=1", False),
    ],
)
def test_the_id_of_a_proxy_is_kept_if_it_is_sane(
    client: httpx.Client, given: str, taken: bool
) -> None:
    answer = client.get("/api/v1/health", headers={"X-Request-ID": given})
    assert (answer.headers["x-request-id"] == given) is taken


@pytest.mark.parametrize("form", ["json", "text"])
def test_tokens_and_passwords_are_never_logged(
    settings: Settings, stage: Stage, tmp_path: Path, form: str
) -> None:
    token = stage.tokens["ann"]
    broker = "redis://someone:a-password@127.0.0.1:9/0"  # nobody listens there
    with api(settings, tmp_path, GRB_LOG_FORMAT=form, GRB_BROKER_URL=broker) as service:
        headers = stage.bearer("ann")
        get(f"{service.address}/api/v1/whoami", headers=headers)
        get(f"{service.address}/api/v1/whoami?token={token}", headers=headers)
        get(f"{service.address}/{token}")
        post(f"{service.address}{SUBMISSIONS}", data={"board": token}, headers=headers)
        answer = get(f"{service.address}/api/v1/ready")
        wait_for(lambda: answer.headers["x-request-id"] in service.log.read_text())
    written = service.log.read_text()
    assert token not in written and "a-password" not in written
    assert "grb_…" in written


def test_what_people_sign_in_with_is_never_logged(
    settings: Settings, stage: Stage, tmp_path: Path
) -> None:
    """Not the password, the cookie, the token of the page, nor the code of a provider."""
    give_password(stage)
    log = {"GRB_LOG_LEVEL": "debug"}
    with api(settings, tmp_path, **log) as service:
        browser = Browser(service.address)
        browser.sign_in(password="a wrong planted one")
        browser.sign_in()
        token = browser.post("/me/tokens", {"name": "x", "scopes": ["read"]}).json()["token"]
        body = {"token": "planted-link", "password": "planted horse battery"}
        browser.post("/auth/reset/password", body)
        answer = browser.get("/auth/providers/oidc/callback?code=planted-code&state=planted")
        wait_for(lambda: answer.headers["x-request-id"] in service.log.read_text())
    written = service.log.read_text()
    secrets = (PASSWORD, token, browser.csrf, *browser.client.cookies.values(), "planted")
    assert len(secrets) == 5 and not any(secret in written for secret in secrets)


def test_text_tells_the_same_for_people(settings: Settings, stage: Stage, tmp_path: Path) -> None:
    with api(settings, tmp_path, GRB_LOG_LEVEL="info") as service:
        answer = get(f"{service.address}/api/v1/boards")
        about = f"request_id={answer.headers['x-request-id']} method=GET path=/api/v1/boards"
        wait_for(lambda: f"{about} status=200 ms=" in service.log.read_text())


def test_a_level_leaves_out_what_is_below_it(
    settings: Settings, stage: Stage, tmp_path: Path
) -> None:
    with api(settings, tmp_path, GRB_LOG_LEVEL="warning") as service:
        get(f"{service.address}/api/v1/boards")
    assert service.log.read_text() == ""
