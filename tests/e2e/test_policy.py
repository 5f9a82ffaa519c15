"""Pages under their content security policy, as a real browser enforces it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route

from tests.e2e.addresses import ADDRESSES, Address, identifiers, password_of, sign_in
from tests.e2e.stack import BOARD, Stack

#: Every page, and those that are not the built one.
PAGES = {
    **ADDRESSES,
    "confirm": Address("/confirm-email", "/confirm-email?token=x"),
}

#: Tells the page's violations to whoever asks.
WATCH = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) =>
  window.violations.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sourceFile}`));
"""

#: What a hole in the page would let a stranger add to it.
INJECTED = """
<script>window.harm = "a script";</script>
<img src="/nothing.png" onerror="window.harm = 'a handler'">
<svg onload="window.harm = 'a drawing'"></svg>
<iframe srcdoc="<script>parent.harm = 'a frame'</script>"></iframe>
<a id="bait" href="javascript:void(window.harm = 'a link')">bait</a>
<base href="https://example.org/">
"""


DESCRIPTION = (
    """# A title

#### Below it

**Bold**, ![a plot](https://tracker.example/pixel.png), [mail](mailto:ann@lab.org),
[bait](javascript:window.harm='a link') <script>window.harm = "a script"</script>
<img src=x onerror="window.harm = 'a handler'"> </noscript></div>

| attack | accuracy |
|---|---|
| RND | 80 |

```
some code, """
    + "x" * 200
    + "\n```\n"
)


@pytest.fixture
def watched(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    context.add_init_script(WATCH)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def places(embedded_stack: Stack) -> dict[str, str]:
    return {**identifiers(embedded_stack), "password": password_of(embedded_stack)}


def violations(page: Page) -> list[str]:
    found: list[str] = page.evaluate("window.violations")
    return found


@pytest.mark.browser
@pytest.mark.parametrize("name", PAGES)
def test_a_page_violates_its_policy_nowhere(
    embedded_stack: Stack, places: dict[str, str], watched: Page, name: str
) -> None:
    one = PAGES[name]
    said: list[str] = []
    watched.on("console", lambda message: said.append(message.text))
    if one.admin:
        sign_in(watched.context, embedded_stack.address, places["password"])
    watched.goto(embedded_stack.address + one.path.format(**places))
    watched.locator(one.ready).first.wait_for()
    watched.wait_for_load_state("networkidle")
    assert violations(watched) == []
    assert not [text for text in said if "Content Security Policy" in text]


@pytest.mark.browser
@pytest.mark.parametrize("path", [f"/boards/{BOARD}", "/docs", "/confirm-email?token=x"])
def test_what_a_stranger_could_inject_does_not_run(
    embedded_stack: Stack, watched: Page, path: str
) -> None:
    def inject(route: Route) -> None:
        answer = route.fetch()
        body = re.sub("</body>", INJECTED + "</body>", answer.text())
        assert INJECTED in body
        route.fulfill(response=answer, body=body)

    watched.route(embedded_stack.address + path, inject)
    watched.goto(embedded_stack.address + path)
    watched.wait_for_load_state("networkidle")
    watched.locator("#bait").click()
    assert watched.evaluate("window.harm") is None
    kinds = " ".join(violations(watched))
    assert "script-src" in kinds and "base-uri" in kinds


@pytest.mark.browser
@pytest.mark.parametrize("javascript", [True, False])
def test_what_somebody_wrote_runs_nothing_loads_nothing_and_is_accessible(
    embedded_stack: Stack,
    places: dict[str, str],
    browser: Browser,
    javascript: bool,
) -> None:
    path = f"/submissions/{places['submission']}"
    httpx.patch(
        f"{embedded_stack.address}/api/v1{path}",
        json={"description": DESCRIPTION},
        headers={"Authorization": f"Bearer {embedded_stack.token}"},
    ).raise_for_status()
    context = browser.new_context(
        java_script_enabled=javascript, viewport={"width": 360, "height": 800}
    )
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(embedded_stack.address + path)
    page.locator(".written h4").wait_for()
    assert page.locator(".written table th").count() == 2
    assert page.get_by_role("link", name="a plot").get_attribute("rel")
    assert all(url.startswith(embedded_stack.address) for url in asked)
    if javascript:
        assert page.evaluate("window.harm") is None
        results = Axe().run(page)
        assert results.violations_count == 0, results.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    context.close()


@pytest.mark.browser
def test_an_uploaded_file_is_saved_and_not_shown(
    embedded_stack: Stack,
    places: dict[str, str],
    watched: Page,
    tmp_path: Path,
) -> None:
    watched.goto(f"{embedded_stack.address}/submissions/{places['submission']}")
    with watched.expect_download() as saved:
        watched.get_by_role("link", name=re.compile("Download")).click()
    saved.value.save_as(tmp_path / "file")
    assert saved.value.suggested_filename.endswith(f"-{places['submission']}.safetensors")
    assert (tmp_path / "file").stat().st_size > 100
