"""The admins' part in a real browser: by keyboard, with what it changes seen in the API."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.addresses import password_of, sign_in
from tests.e2e.stack import BOARD, Stack, wait_for

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def password(embedded_stack: Stack) -> str:
    """The admin's own."""
    return password_of(embedded_stack)


@pytest.fixture(scope="module")
def signed_in(browser: Browser, embedded_stack: Stack, password: str) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    sign_in(context, embedded_stack.address, password)
    yield context
    context.close()


@pytest.fixture
def seen(signed_in: BrowserContext) -> Iterator[Page]:
    """A page of an admin who is signed in; no script of it may fail."""
    page = signed_in.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    page.close()
    assert not errors, errors


def ask(stack: Stack, path: str) -> dict[str, object]:
    headers = {"Authorization": f"Bearer {stack.token}"}
    answer = httpx.get(f"{stack.address}/api/v1/admin{path}", headers=headers, timeout=30)
    answer.raise_for_status()
    found: dict[str, object] = answer.json()
    return found


def clean(page: Page) -> None:
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_only_admins_are_led_there(embedded_stack: Stack, page: Page, seen: Page) -> None:
    page.goto(f"{embedded_stack.address}/admin/users")
    expect(page.get_by_text("This part is for admins.")).to_be_visible()
    expect(page.get_by_role("link", name="Admin", exact=True)).to_have_count(0)
    embedded_stack.grb("admin", "user", "carl")
    sign_in(page.context, embedded_stack.address, password_of(embedded_stack, "carl"), "carl")
    page.goto(f"{embedded_stack.address}/admin/users")
    expect(page.get_by_text("carl is not one")).to_be_visible()
    seen.goto(embedded_stack.address)
    seen.get_by_role("link", name="Admin", exact=True).click()
    seen.locator("table[data-table=workers]").wait_for()


def test_an_entry_is_hidden_and_shown_by_keyboard(embedded_stack: Stack, seen: Page) -> None:
    seen.goto(f"{embedded_stack.address}/admin/entries?side=attack&board={BOARD}")
    hide = seen.get_by_role("button", name="Hide FGSM")
    hide.focus()
    seen.keyboard.press("Enter")
    dialog = seen.get_by_role("dialog")
    expect(dialog.get_by_label("Reason")).to_be_focused()
    clean(seen)
    seen.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(hide).to_be_focused()

    seen.keyboard.press("Enter")
    seen.keyboard.press("Enter")  # without a reason
    expect(dialog.get_by_role("textbox")).to_have_attribute("aria-invalid", "true")
    seen.keyboard.type("a look at hiding")
    seen.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    show = seen.get_by_role("button", name="Show FGSM")
    expect(show).to_be_visible()
    attacks = embedded_stack.get(f"/boards/{BOARD}/leaderboard", side="attack", view="all")["rows"]
    assert "FGSM" not in [row["entry"]["name"] for row in attacks if row["entry"]]

    show.focus()
    seen.keyboard.press("Enter")
    seen.keyboard.type("it was only a look")
    seen.keyboard.press("Enter")
    expect(seen.get_by_role("button", name="Hide FGSM")).to_be_focused()
    seen.goto(f"{embedded_stack.address}/admin/audit?action=submission.hide")
    expect(seen.get_by_text("a look at hiding")).to_be_visible()


def test_a_user_is_suspended_and_given_a_quota(embedded_stack: Stack, seen: Page) -> None:
    embedded_stack.grb("admin", "user", "dora")
    seen.goto(f"{embedded_stack.address}/admin/users")
    seen.get_by_label("Part of the name").fill("dora")
    seen.keyboard.press("Enter")
    seen.wait_for_url("**/admin/users?name=dora")
    seen.get_by_role("button", name="Suspend dora").click()
    seen.get_by_label("Reason").fill("a test of it")
    seen.get_by_role("dialog").get_by_role("button", name="Suspend dora").click()
    seen.get_by_role("button", name="Let dora go on").wait_for()
    seen.get_by_role("button", name="Quota of dora").click()
    seen.get_by_label("Uploads a day").fill("7")
    seen.get_by_label("Reason").fill("a course")
    seen.get_by_role("button", name="Set the quota").click()
    expect(seen.get_by_role("dialog")).to_have_count(0)
    user = ask(embedded_stack, "/users?name=dora")["users"][0]  # type: ignore[index]
    assert (user["quota_per_day"], user["suspended_at"] is None) == (7, False)


def test_a_role_is_given_and_taken_and_seen_by_who_has_it(
    embedded_stack: Stack, seen: Page, page: Page, password: str
) -> None:
    embedded_stack.grb("admin", "user", "edith")
    own = password_of(embedded_stack, "edith")
    users = f"{embedded_stack.address}/admin/users?name=edith"
    sign_in(page.context, embedded_stack.address, own, "edith")
    page.goto(users)
    expect(page.get_by_text("edith is not one")).to_be_visible()
    seen.goto(users)
    role = seen.get_by_role("button", name="Role of edith")
    row = seen.get_by_role("row").filter(has=role)
    expect(row.locator(".tag", has_text="admin")).to_have_count(0)

    role.focus()  # by keyboard alone
    seen.keyboard.press("Enter")
    dialog = seen.get_by_role("dialog", name="Make edith an admin?")
    expect(dialog.get_by_label("Your own password")).to_be_focused()
    for text in ("not the password", "helps with the queue"):
        seen.keyboard.type(text)
        seen.keyboard.press("Tab")
    seen.keyboard.press("Enter")
    expect(dialog.get_by_label("Your own password")).to_have_attribute("aria-invalid", "true")
    expect(dialog.get_by_label("Your own password")).to_be_focused()
    clean(seen)
    seen.keyboard.press("Control+A")
    seen.keyboard.type(password)
    seen.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    expect(row.locator(".tag", has_text="admin")).to_be_visible()

    page.goto(users)  # her session ended with the change
    expect(page.get_by_text("This part is for admins.")).to_be_visible()
    sign_in(page.context, embedded_stack.address, own, "edith")
    page.goto(users)
    expect(page.get_by_role("button", name="Quota of edith")).to_be_visible()
    expect(page.get_by_role("button", name="Role of edith")).to_have_count(0)  # not her own

    role.click()
    dialog = seen.get_by_role("dialog", name="Make edith a user?")
    expect(dialog).to_contain_text("Their tokens lose what only admins may do")
    dialog.get_by_label("Your own password").fill(password)
    dialog.get_by_label("Reason").fill("the course is over")
    dialog.get_by_role("button", name="Make edith a user").click()
    expect(row.locator(".tag", has_text="admin")).to_have_count(0)
    page.goto(users)
    expect(page.get_by_text("This part is for admins.")).to_be_visible()
    expect(page.get_by_role("link", name="Admin", exact=True)).to_have_count(0)
    seen.goto(f"{embedded_stack.address}/admin/audit?action=role.")
    for reason in ("helps with the queue", "the course is over"):
        expect(seen.get_by_text(reason)).to_be_visible()


def test_results_are_computed_once_more_previewed_and_applied(
    embedded_stack: Stack, seen: Page
) -> None:
    seen.goto(f"{embedded_stack.address}/admin/entries?side=defense&board={BOARD}")
    seen.get_by_role("link", name="Evaluate GCN once more").first.click()
    seen.get_by_role("button", name="How much is it?").click()
    plan = seen.get_by_label("2. See how much it is, and start")
    expect(plan.get_by_text("4", exact=True).first).to_be_visible()  # three attacks and none
    clean(seen)
    plan.get_by_label("Reason").fill("a look at computing again")
    plan.get_by_role("button", name="Compute these 4 cells").click()
    seen.wait_for_url("**/admin/reevaluations/0*")
    job = seen.url.rsplit("/", 1)[1]
    wait_for("the job", lambda: ask(embedded_stack, f"/reevaluations/{job}")["state"] == "ready")
    apply = seen.get_by_role("button", name="Apply it to the board")
    apply.wait_for(timeout=20_000)
    seen.get_by_role("button", name="Defenses that stay").click()
    seen.locator("table[data-table=ranks-defenses]").wait_for()
    clean(seen)
    apply.click()
    seen.get_by_role("dialog").get_by_role("button", name="Apply it").click()
    expect(seen.get_by_text("Its results stand in the place of the old ones.")).to_be_visible()
    assert ask(embedded_stack, f"/reevaluations/{job}")["state"] == "applied"
    history = embedded_stack.get(f"/boards/{BOARD}/history")["applied"]
    assert history[0]["reason"] == "a look at computing again"


def test_a_selection_of_nothing_can_not_be_started(embedded_stack: Stack, seen: Page) -> None:
    seen.goto(f"{embedded_stack.address}/admin/reevaluations/new?state=dead&board={BOARD}")
    seen.get_by_role("button", name="How much is it?").click()
    expect(seen.get_by_text(f"No cell of {BOARD} is selected")).to_be_visible()
    expect(seen.get_by_role("button", name="Compute these")).to_have_count(0)


def test_one_is_cancelled_for_a_reason(embedded_stack: Stack, seen: Page) -> None:
    asked = {"board": BOARD, "reason": "to be cancelled", "selection": {"families": ["GIN"]}}
    headers = {"Authorization": f"Bearer {embedded_stack.token}"}
    url = f"{embedded_stack.address}/api/v1/admin/reevaluations"
    job = httpx.post(url, json=asked, headers=headers, timeout=30).json()["id"]
    seen.goto(f"{embedded_stack.address}/admin/reevaluations")
    seen.get_by_role("link", name="to be cancelled").click()
    seen.get_by_role("button", name="Cancel", exact=True).click()
    seen.get_by_label("Reason").fill("the numbers are the same")
    seen.get_by_role("button", name="Cancel it for good").click()
    expect(seen.get_by_text("It ended without a trace on the board.")).to_be_visible()
    assert ask(embedded_stack, f"/reevaluations/{job}")["state"] == "cancelled"
