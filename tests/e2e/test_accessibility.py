"""Every page, in both colour schemes and on a narrow screen, without a finding of axe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.e2e.stack import BOARD, Stack

WIDTHS = (360, 1280)

#: Every kind of page; `ready` is there once the page shows its content.
PAGES = {
    "home": ("/", "table[data-table=boards]"),
    "board": (f"/boards/{BOARD}?difficulty=full&view=all", "table[data-table=matrix]"),
    "board-unknown": ("/boards/digits/nothing@9", "[role=alert]"),
    "submissions": ("/submissions", "table[data-table=submissions]"),
    "submission": ("/submissions/{submission}", "table[data-table=results]"),
    "cell": ("/cells/{cell}", "table[data-table=counts]"),
    "status": ("/status", "table[data-table=expected]"),
    "not-found": ("/nowhere", "h1"),
}
TABLES = ("table[data-table=defenses]", "table[data-table=attacks]")


@pytest.fixture(scope="module")
def places(embedded_stack: Stack) -> dict[str, str]:
    """A submission and a cell of the board."""
    cell = embedded_stack.get(f"/boards/{BOARD}/matrix")["cells"][0]
    return {"submission": cell["defense"], "cell": cell["id"]}


@pytest.fixture(params=["light", "dark"])
def scheme(request: pytest.FixtureRequest) -> str:
    scheme: str = request.param
    return scheme


@pytest.fixture(params=WIDTHS)
def seen(browser: Browser, scheme: Any, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A window of this width, in this colour scheme."""
    context = browser.new_context(
        color_scheme=scheme, viewport={"width": request.param, "height": 800}
    )
    yield context.new_page()
    context.close()


@pytest.mark.browser
@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_no_violation_and_does_not_scroll_sideways(
    embedded_stack: Stack, places: dict[str, str], seen: Page, name: str
) -> None:
    path, ready = PAGES[name]
    seen.goto(embedded_stack.address + path.format(**places))
    seen.locator(ready).first.wait_for()
    for table in TABLES if name == "board" else ():
        seen.locator(table).wait_for()
    results = Axe().run(seen)
    assert results.violations_count == 0, results.generate_report()
    assert seen.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
