"""Each test of the API has a server of its own, over SQLite and over Postgres."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from grbcore.settings import Settings
from grbcore.store.session import Sessions
from tests.api.stage import SUBMISSIONS, Stage, serve
from tests.store.fixtures import *  # noqa: F403

#: A numbered database of the Redis server that other tests leave alone, also those run beside it.
_NUMBER = (11, 13, 15, 6)[int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))]
REDIS = urlsplit(os.environ.get("GRB_TEST_REDIS", "redis://127.0.0.1:6379/0"))._replace(
    path=f"/{_NUMBER}"
)

#: As the build leaves it.
INDEX = """<!doctype html>
<meta
  name="description"
  content="the page, whatever it shows"
/>
<title>the page</title>
<div id="root"></div>
<noscript><p>what the build says</p></noscript>
"""


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """The folder of a built page."""
    folder = tmp_path / "dist"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(INDEX)
    (folder / "assets" / "app-1a2b.js").write_text("'the script'")
    (folder / "favicon.svg").write_text("<svg/>")
    (tmp_path / "secret.txt").write_text("outside")
    return folder


@pytest.fixture
def settings(store_url: str, tmp_path: Path, page: Path) -> Settings:
    """As in production beside Postgres (Redis), embedded beside SQLite (a folder)."""
    broker = REDIS.geturl() if store_url.startswith("postgresql") else ""
    return Settings(
        var_dir=tmp_path / "var",
        page_dir=page,
        database_url=store_url,
        broker_url=broker,
        stale_seconds=0,  # a reader waits for what a test has just changed
        reap_seconds=3600,  # what tests put into the database stays as it is
    )


@pytest.fixture
def stage(sessions: Sessions, settings: Settings) -> Stage:
    return Stage(sessions, settings)


@pytest.fixture
def server(stage: Stage) -> Iterator[str]:
    with serve(stage.settings) as address:
        yield address


@pytest.fixture
def client(server: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server, timeout=30) as opened:
        yield opened


@pytest.fixture
def post(client: httpx.Client, stage: Stage) -> Callable[..., httpx.Response]:
    """Submits a file as ann, or as another user."""

    def submit(fields: dict[str, str], file: Path | bytes, user: str = "ann") -> httpx.Response:
        content = file if isinstance(file, bytes) else file.read_bytes()
        files = {"file": ("upload", content)}
        return client.post(SUBMISSIONS, data=fields, files=files, headers=stage.bearer(user))

    return submit
