"""Running services and a real browser, shared by the end-to-end tests."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

from tests.e2e.stack import Stack, prepared, production
from tests.store import databases

REDIS = os.environ.get("GRB_TEST_REDIS", "redis://127.0.0.1:6379/0")


@pytest.fixture(scope="session")
def baseline_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Baselines are seeded, so one making serves every stack of the run, in all its processes."""
    base = tmp_path_factory.getbasetemp()
    return (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "baselines"


@pytest.fixture(scope="session")
def broker_url() -> str:
    # a numbered database of the server for each process of tests
    number = 9 - int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    return f"{REDIS.rsplit('/', 1)[0]}/{number}"


@pytest.fixture(scope="module")
def production_stack(
    tmp_path_factory: pytest.TempPathFactory, broker_url: str, baseline_cache: Path
) -> Iterator[Stack]:
    folder = tmp_path_factory.mktemp("production")
    with databases.postgres(migrated=False) as url, production(folder, url, broker_url) as stack:
        stack.prepare(baseline_cache)
        yield stack


@pytest.fixture(scope="module")
def embedded_stack(
    tmp_path_factory: pytest.TempPathFactory, baseline_cache: Path
) -> Iterator[Stack]:
    with prepared(tmp_path_factory.mktemp("embedded"), baseline_cache) as stack:
        yield stack


def launch(playwright: Playwright) -> Browser:
    """Chromium: the one that is named, or Debian's."""
    path = os.environ.get("GRB_TEST_CHROMIUM") or shutil.which("chromium")
    assert path, "no chromium: run the tests with make test, which installs it"
    return playwright.chromium.launch(
        executable_path=path,
        args=[
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--no-first-run",
        ],
    )


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert not errors, errors
