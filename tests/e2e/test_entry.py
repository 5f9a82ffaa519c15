"""Submitting in a real browser, over a line that breaks too, and what one does with an entry."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.api.flaky import flaky
from tests.api.stage import attack_file, defense_file
from tests.e2e.stack import BOARD, Stack

pytestmark = pytest.mark.browser

WAIT = 60_000  # milliseconds until a worker has done a few small cells
SUBMIT = f"/submit?board={BOARD}&side=defense"


@pytest.fixture(scope="module")
def password(embedded_stack: Stack) -> str:
    embedded_stack.grb("admin", "user", "ann")
    made = embedded_stack.grb("admin", "password", "ann", "--generate")
    return made.stdout.strip().splitlines()[-1]


def sign_in(page: Page, password: str) -> None:
    page.get_by_label("Name").fill("ann")
    page.get_by_label("Password").fill(password)
    page.keyboard.press("Enter")


@pytest.fixture(scope="module")
def signed_in(browser: Browser, embedded_stack: Stack, password: str) -> Any:
    """The cookies of a signed-in browser."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{embedded_stack.address}/account/sign-in")
    sign_in(page, password)
    expect(page.get_by_role("heading", name="ann", level=1)).to_be_visible()
    state = context.storage_state()
    context.close()
    return state


@pytest.fixture
def own(browser: Browser, signed_in: Any) -> Iterator[Page]:
    """A window of ann's."""
    context = browser.new_context(storage_state=signed_in)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert not errors, errors


@pytest.fixture(params=["light", "dark"])
def narrow(browser: Browser, signed_in: Any, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A narrow window of ann's, in this colour scheme."""
    size = {"width": 360, "height": 800}
    context = browser.new_context(
        storage_state=signed_in,
        color_scheme=request.param,
        viewport=size,  # type: ignore[arg-type]
    )
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return defense_file(tmp_path_factory.mktemp("weights"), value=0.01)


@pytest.fixture(scope="module")
def entry(embedded_stack: Stack, password: str, weights: Path) -> str:
    """A small defense of ann's that is ranked; its id."""
    assert password  # she is there
    token = embedded_stack.grb("admin", "token", "--user", "ann").stdout.strip().splitlines()[-1]
    said = {"board": BOARD, "side": "defense", "name": "Known", "authors": "Ann"}
    with weights.open("rb") as file:
        answer = httpx.post(
            f"{embedded_stack.address}/api/v1/submissions",
            headers={"Authorization": f"Bearer {token}"},
            data=said,
            files={"file": (weights.name, file)},
            timeout=60,
        )
    assert answer.status_code in (200, 202), answer.text
    found = str(answer.json()["id"])
    assert embedded_stack.settled(found)["state"] == "ranked"
    return found


def clean(page: Page) -> None:
    """Nothing for axe to find, and nothing that scrolls the page sideways."""
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def fill(page: Page, file: Path, name: str) -> None:
    page.get_by_label("File", exact=True).set_input_files(file)
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Authors").fill("Ann")


def test_who_is_not_signed_in_is_led_there_and_back(
    page: Page, embedded_stack: Stack, password: str
) -> None:
    page.goto(embedded_stack.address + SUBMIT)
    page.get_by_role("main").get_by_role("link", name="Sign in").click()
    sign_in(page, password)
    expect(page.get_by_role("button", name="Submit the defense")).to_be_enabled()
    assert page.url.endswith(SUBMIT)


def test_a_file_is_submitted_and_followed_until_it_is_ranked(
    own: Page, embedded_stack: Stack, tmp_path: Path
) -> None:
    own.goto(embedded_stack.address + SUBMIT)
    expect(own.get_by_label("The command that submits")).to_contain_text(f"--board {BOARD}")
    own.get_by_label("File", exact=True).set_input_files(defense_file(tmp_path, value=0.02))
    own.get_by_label("Name", exact=True).focus()
    for text in ("Mine", "Ann"):  # by keyboard alone
        own.keyboard.type(text)
        own.keyboard.press("Tab")
    expect(own.get_by_label("The command that submits")).to_contain_text("--name Mine")
    own.keyboard.press("Enter")  # in the field of the team
    expect(own.get_by_text("its header is in order")).to_be_visible()
    expect(own.get_by_text("It is registered and takes part in the ranking")).to_be_visible(
        timeout=WAIT
    )
    own.get_by_role("link", name="Mine", exact=True).last.click()
    expect(own.get_by_role("heading", name="Mine", level=1)).to_be_visible()


def test_the_same_bytes_are_the_entry_that_is_there(
    own: Page, embedded_stack: Stack, weights: Path, entry: str
) -> None:
    own.goto(embedded_stack.address + SUBMIT)
    fill(own, weights, "Once more")
    own.get_by_role("button", name="Submit the defense").click()
    expect(own.get_by_text("You had submitted these very bytes before")).to_be_visible()
    known = own.get_by_role("main").get_by_role("link", name="Known", exact=True)
    expect(known).to_have_attribute("href", f"/submissions/{entry}")


def test_what_is_wrong_with_a_header_is_told_at_once(
    own: Page, embedded_stack: Stack, tmp_path: Path
) -> None:
    own.goto(embedded_stack.address + SUBMIT)
    fill(own, defense_file(tmp_path, features=100), "Too wide")
    own.get_by_role("button", name="Submit the defense").click()
    table = own.locator("table[data-table=violations]")
    expect(table).to_contain_text("100")
    expect(table.get_by_role("columnheader", name="Allowed")).to_be_visible()
    clean(own)


def test_what_is_wrong_with_the_content_follows_from_the_worker(
    own: Page, embedded_stack: Stack, tmp_path: Path
) -> None:
    path = attack_file(tmp_path)
    with np.load(path) as found:
        members = dict(found)
    edges = next(name for name in members if name.endswith("edges"))
    members[edges] = members[edges] + 100_000
    np.savez(path, **members)
    own.goto(embedded_stack.address + SUBMIT)
    fill(own, path, "Out of range")
    expect(own.get_by_role("button", name="Submit the attack")).to_be_visible()
    own.get_by_role("button", name="Submit the attack").click()
    expect(own.locator("table[data-table=violations]")).to_contain_text(edges, timeout=WAIT)


def test_a_wrong_field_gets_the_focus_with_what_is_allowed(
    own: Page, embedded_stack: Stack, tmp_path: Path
) -> None:
    own.goto(embedded_stack.address + SUBMIT)
    fill(own, defense_file(tmp_path, value=0.5), "Mine")
    own.get_by_label("Paper (optional)").fill("not an address")
    own.get_by_role("button", name="Submit the defense").click()
    expect(own.get_by_label("Paper (optional)")).to_be_focused()
    clean(own)


def test_a_large_file_arrives_over_a_line_that_breaks(
    own: Page, embedded_stack: Stack, tmp_path: Path
) -> None:
    path = defense_file(tmp_path, hidden=1000, value=0.001)
    size = path.stat().st_size
    lives = 1 + size // 3
    with flaky(embedded_stack.address, lambda: lives) as address:
        own.goto(address + SUBMIT)
        fill(own, path, "Over a bad line")
        own.get_by_role("button", name="Submit the defense").click()
        expect(own.get_by_text("its header is in order")).to_be_visible(timeout=WAIT)


def test_a_file_goes_on_where_an_earlier_try_stopped(
    own: Page, embedded_stack: Stack, tmp_path: Path
) -> None:
    path = defense_file(tmp_path, value=0.25)
    own.goto(embedded_stack.address + SUBMIT)
    own.route("**/api/v1/uploads/*", lambda route: route.abort())
    fill(own, path, "In two tries")
    own.get_by_role("button", name="Submit the defense").click()
    expect(own.get_by_text("The connection was lost")).to_be_visible()
    own.unroute("**/api/v1/uploads/*")
    own.reload()
    expect(own.locator("table[data-table=unfinished]")).to_contain_text("In two tries")
    fill(own, path, "In two tries")
    own.get_by_role("button", name="Submit the defense").click()
    expect(own.get_by_text("its header is in order")).to_be_visible()


def test_an_owner_changes_an_entry_and_withdraws_it(
    own: Page, embedded_stack: Stack, tmp_path: Path
) -> None:
    own.goto(embedded_stack.address + SUBMIT)
    fill(own, defense_file(tmp_path, value=0.75), "First name")
    own.get_by_label("Private:").check()
    own.get_by_role("button", name="Submit the defense").click()
    own.get_by_role("link", name="First name").click()
    own.get_by_text("Change what is said of it").click()
    own.get_by_label("Name", exact=True).fill("Second name")
    own.get_by_role("button", name="Save the changes").click()
    expect(own.get_by_role("heading", name="Second name", level=1)).to_be_visible()
    own.goto(f"{embedded_stack.address}/mine")
    own.locator("table[data-table=submissions]").get_by_text("Second name").click()
    own.get_by_text("Withdraw it", exact=True).click()
    own.get_by_role("button", name="Withdraw it for good").click()
    expect(own.get_by_role("heading", name="(withdrawn)", level=1)).to_be_visible()


def test_an_owner_deletes_an_entry_and_an_anonymous_attempt_stays(
    own: Page, embedded_stack: Stack, tmp_path: Path
) -> None:
    own.goto(embedded_stack.address + SUBMIT)
    fill(own, defense_file(tmp_path, value=0.375), "To be deleted")
    own.get_by_role("button", name="Submit the defense").click()
    expect(own.get_by_text("It is registered and takes part in the ranking")).to_be_visible(
        timeout=WAIT
    )
    own.get_by_role("link", name="To be deleted").last.click()
    expect(own.get_by_role("heading", name="To be deleted", level=1)).to_be_visible()
    entry = own.url.rsplit("/", 1)[1]
    file = f"{embedded_stack.address}/api/v1/submissions/{entry}/artefact"
    assert httpx.get(file, timeout=30).is_success
    board = {"side": "defense", "view": "all"}
    attempts = embedded_stack.get(f"/submissions/{entry}")["attempts"]

    delete = own.get_by_role("button", name="Delete it", exact=True)
    delete.focus()  # by keyboard alone
    own.keyboard.press("Enter")
    dialog = own.get_by_role("dialog", name="Delete To be deleted?")
    expect(dialog).to_contain_text("an anonymous attempt")
    clean(own)
    own.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(delete).to_be_focused()
    rows = embedded_stack.get(f"/boards/{BOARD}/leaderboard", **board)["rows"]
    assert entry in [row["entry"]["id"] for row in rows if row["entry"]]

    own.keyboard.press("Enter")
    dialog.get_by_role("button", name="Delete it for good").press("Enter")
    expect(own.get_by_role("heading", name="(deleted)", level=1)).to_be_visible()
    expect(own.get_by_role("button", name="Delete it", exact=True)).to_have_count(0)
    assert httpx.get(file, timeout=30).status_code == 410
    rows = embedded_stack.get(f"/boards/{BOARD}/leaderboard", **board)["rows"]
    assert entry not in [row["entry"]["id"] for row in rows if row["entry"]]
    left = embedded_stack.get(f"/submissions/{entry}")
    assert (left["deleted"], left["authors"], left["attempts"]) == (True, "", attempts)


def test_the_pages_have_no_violation(narrow: Page, embedded_stack: Stack, entry: str) -> None:
    for path, ready in (
        (SUBMIT, "input[type=file]"),
        (SUBMIT.replace("defense", "attack"), "select[name=method]"),
        ("/mine", "table[data-table=quotas]"),
    ):
        narrow.goto(embedded_stack.address + path)
        narrow.locator(ready).wait_for()
        clean(narrow)
    narrow.goto(f"{embedded_stack.address}/submissions/{entry}")
    narrow.locator("table[data-table=score]").wait_for()
    narrow.locator("summary").first.click()
    clean(narrow)
    narrow.locator("table[data-table=score] td a").first.click()
    narrow.locator("table[data-table=classes]").wait_for()
    narrow.locator("table[data-table=confusion]").wait_for()
    clean(narrow)


def test_a_score_is_that_of_the_api_and_leads_to_its_cells(
    own: Page, embedded_stack: Stack, entry: str
) -> None:
    own.goto(f"{embedded_stack.address}/submissions/{entry}")
    own.get_by_role("navigation", name="Difficulty").get_by_role("link", name="Hard").focus()
    own.keyboard.press("Enter")
    expect(own).to_have_url(re.compile("difficulty=hard&view=reference#score$"))
    score = embedded_stack.get(f"/submissions/{entry}/score", difficulty="hard")
    shown = f"{100 * score['metrics']['weighted']['mean']:.2f}"
    expect(own.locator("table[data-table=score] tfoot")).to_contain_text(shown)
    attacked = next(part for part in score["parts"] if part["counterpart"]["id"] != "clean")
    own.locator(f"table[data-table=score] td a[href='/cells/{attacked['cell']}']").click()
    expect(own.locator("table[data-table=degrees]")).to_be_visible()
    shown = own.locator("table[data-table=confusion]")
    expect(shown).to_contain_text("True class")
    own.get_by_role("link", name="Change", exact=True).focus()
    own.keyboard.press("Enter")
    expect(own).to_have_url(re.compile("taken=change#confusion$"))
    expect(shown).to_contain_text("less those without it")


def test_an_entry_shows_other_measures_of_its_cells(
    own: Page, embedded_stack: Stack, entry: str
) -> None:
    own.goto(f"{embedded_stack.address}/submissions/{entry}")
    own.get_by_role("link", name="Macro-F1").click()
    found = embedded_stack.get(f"/submissions/{entry}/measures", view="all")
    assert found["unknown"] == 0
    clean = next(cell for cell in found["cells"] if cell["counterpart"] == "clean")
    row = own.locator("table[data-table=results] tr.clean")
    expect(row).to_contain_text(f"{100 * clean['macro_f1']['full']['mean']:.2f}")
