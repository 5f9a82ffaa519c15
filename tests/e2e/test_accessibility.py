"""Every page of the site: axe in both colour schemes, no sideways scrolling, a sane order of keys,
nothing that moves by itself.

The routes come from the page's source, so that a new page without an address fails here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests import studies as samples
from tests.e2e import scenery, states
from tests.e2e.addresses import ADDRESSES, identifiers, password_of, routes, sign_in
from tests.e2e.stack import BOARD, Stack, embedded

WIDE = {"width": 1280, "height": 800}
NARROW = {"width": 360, "height": 780}
PHONE = {"width": 390, "height": 844}
#: What a window of 1280 × 800 shows at 200 %: half as many pixels of the page each way.
ZOOMED = {"width": 640, "height": 400}

#: A second look in the other scheme: colours are all that it changes.
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}

#: A study of each kind; their pages need no JavaScript, and have no route in it.
STUDIES = {
    "splits": samples.splits,
    "robustness": samples.robustness,
    "expressive": samples.expressive,
}

_PRESSES = 12  # of the Tab key

#: What has the focus: whether it is seen, and where it stands among what can have it.
_FOCUSED = """() => {
  const at = document.activeElement;
  const able = 'a[href], button, input, select, textarea, summary, [tabindex]';
  const all = [...document.querySelectorAll(able)];
  const box = at.getBoundingClientRect();
  const style = getComputedStyle(at);
  return {
    tag: at.tagName,
    text: (at.textContent || at.getAttribute('aria-label') || '').trim().slice(0, 40),
    place: all.indexOf(at),
    seen: box.width > 0 && box.height > 0 && box.bottom > 0 && style.visibility === 'visible',
    marked: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1,
  };
}"""


#: Adds up the shifts of the layout that no key or click explains.
_SHIFTS = """
window.shifted = 0;
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""

#: As much as a word of the masthead that moves; Chromium calls a page good up to 0.1.
_STILL = 0.005


@pytest.fixture(scope="module")
def places(embedded_stack: Stack) -> dict[str, str]:
    """Ids that the addresses ask for."""
    return identifiers(embedded_stack)


@pytest.fixture(scope="module")
def windows(browser: Browser, embedded_stack: Stack) -> Iterator[dict[bool, Page]]:
    """A window of an admin who is signed in, and one of somebody who is not."""
    contexts = {admin: browser.new_context(viewport=WIDE) for admin in (True, False)}  # type: ignore[arg-type]
    sign_in(contexts[True], embedded_stack.address, password_of(embedded_stack))
    for context in contexts.values():
        context.add_init_script(_SHIFTS)
    yield {admin: context.new_page() for admin, context in contexts.items()}
    for context in contexts.values():
        context.close()


@pytest.fixture(scope="module")
def studies(embedded_stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> None:
    """One of each kind is shown, by the command."""
    for name, write in STUDIES.items():
        folder = write(tmp_path_factory.mktemp("studies") / name)
        embedded_stack.grb("admin", "study", "publish", str(folder), "--name", name)


def test_every_route_of_the_page_has_an_address() -> None:
    assert routes() == {one.route for one in ADDRESSES.values()}, "add the page to addresses.py"


@pytest.mark.browser
@pytest.mark.parametrize("name", ADDRESSES)
def test_a_page_is_accessible_in_every_window(
    embedded_stack: Stack, places: dict[str, str], windows: dict[bool, Page], name: str
) -> None:
    one = ADDRESSES[name]
    address = embedded_stack.address + one.path.format(**places)
    _look(windows[not one.signed_out], address, one.ready, whole_board=name == "board")


@pytest.mark.browser
@pytest.mark.usefixtures("studies")
@pytest.mark.parametrize("name", ["", *STUDIES])
def test_pages_of_studies_are_accessible_in_every_window(
    embedded_stack: Stack, windows: dict[bool, Page], name: str
) -> None:
    address = f"{embedded_stack.address}/studies/{name}".removesuffix("/")
    _look(windows[False], address, "main table", whole_board=False)


def _look(page: Page, address: str, ready: str, *, whole_board: bool) -> None:
    """Look at one page in both schemes and in windows of every width."""
    page.set_viewport_size(WIDE)  # type: ignore[arg-type]
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    _open(page, address, ready, whole_board=whole_board)
    assert page.locator("h1").count() == 1
    assert page.evaluate("document.getAnimations().length") == 0
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    _tab_through(page)
    page.emulate_media(color_scheme="dark")
    found = Axe().run(page, options=COLOURS)
    assert found.violations_count == 0, found.generate_report()
    for window in (ZOOMED, NARROW):
        page.set_viewport_size(window)  # type: ignore[arg-type]
        wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert wide <= 0, f"{wide} pixels too wide at {window}"
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    _open(page, address, ready, whole_board=whole_board)


def _open(page: Page, address: str, ready: str, *, whole_board: bool) -> None:
    """Wait for all of a page, nothing of which may move meanwhile."""
    page.goto("about:blank")  # a fragment alone would load nothing anew
    page.goto(address)
    page.locator(ready).first.wait_for()
    for table in ("defenses", "attacks") if whole_board else ():
        page.locator(f"table[data-table={table}]").wait_for()
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.shifted") <= _STILL, page.viewport_size


def _tab_through(page: Page) -> None:
    """The Tab key goes through the page in its order, beginning with the skip link; what has the
    focus is seen and marked."""
    before = -1
    for press in range(_PRESSES):
        page.keyboard.press("Tab")
        at = page.evaluate(_FOCUSED)
        if at["tag"] == "BODY":  # the end of the page
            return
        if press == 0:
            assert "Skip" in at["text"], at
        assert at["place"] > before, f"the focus goes back: {at}"
        assert at["seen"] and at["marked"], at
        before = at["place"]


@pytest.mark.browser
def test_the_skip_link_leads_to_the_content(
    embedded_stack: Stack, windows: dict[bool, Page]
) -> None:
    page = windows[False]
    page.goto(f"{embedded_stack.address}/boards/{BOARD}")
    page.locator("h1").wait_for()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"


@pytest.mark.browser
def test_a_service_that_does_not_answer_is_told_of_on_every_page(
    embedded_stack: Stack, browser: Browser
) -> None:
    """At once, with a way to try again; once it answers again, the page is there."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{embedded_stack.address}/status")
    page.locator("table[data-table=expected]").wait_for()
    page.route("**/api/**", lambda route: route.abort())
    page.get_by_role("link", name="Submissions").click()
    alert = page.get_by_role("alert")
    alert.get_by_text("can't be reached").wait_for(timeout=1500)
    alert.get_by_role("button", name="Try").wait_for()
    page.unroute("**/api/**")
    page.locator("table[data-table=submissions]").wait_for()
    context.close()


@pytest.mark.long
@pytest.mark.browser
def test_every_state_of_a_page_is_accessible(
    tmp_path: Path, baseline_cache: Path, browser: Browser
) -> None:
    """Open, empty, refused, loading, out of reach: on a service that people have used."""
    with embedded(tmp_path, "--no-prepare") as stack:
        stack.prepare(baseline_cache)
        ids = scenery.use(stack)
        passwords = {who: password_of(stack, who) for who in ("admin", scenery.NAME)}
        for name, state in states.STATES.items():
            context = browser.new_context(viewport=WIDE)  # type: ignore[arg-type]
            if state.who is not None:
                sign_in(context, stack.address, passwords[state.who], state.who)
            see(context.new_page(), stack.address, name, ids)
            context.close()


def see(page: Page, address: str, name: str, ids: Mapping[str, str]) -> None:
    """Fails where a state has a violation in one of the themes, or is wider than a phone."""
    page.emulate_media(reduced_motion="reduce")  # no colour is half-way to another
    states.show(page, address, states.STATES[name], ids)
    found = Axe().run(page)
    assert found.violations_count == 0, f"{name}: {found.generate_report()}"
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    found = Axe().run(page, options=COLOURS)
    assert found.violations_count == 0, f"{name}: {found.generate_report()}"
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert wide <= 0, f"{name}: {wide} pixels too wide"
