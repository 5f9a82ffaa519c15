"""An account in a real browser: by keyboard, in both widths, without a finding of axe."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from grbcore.settings import Settings
from grbcore.store import boards, migrate
from grbcore.store.session import Sessions, connect, now
from tests.api.stage import serve

PASSWORD = "correct horse battery"

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A service with its built page, where anybody signs up."""
    folder: Path = tmp_path_factory.mktemp("accounts")
    settings = Settings(var_dir=folder / "var", sign_up="open")
    migrate.upgrade(settings.database_url)
    engine = connect(settings.database_url)
    with Sessions(engine).writing() as session:
        boards.sync(session, None, now())
    engine.dispose()
    with serve(settings) as found:
        yield found


@pytest.fixture(params=["light", "dark"])
def seen(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A narrow window in this colour scheme."""
    narrow = {"width": 360, "height": 800}
    context = browser.new_context(color_scheme=request.param, viewport=narrow)  # type: ignore[arg-type]
    yield context.new_page()
    context.close()


def clean(page: Page) -> None:
    """Nothing for axe to find, and nothing that scrolls the page sideways."""
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def sign_up(page: Page, address: str, name: str) -> None:
    """By keyboard alone, once the first field has the focus."""
    page.goto(f"{address}/account/sign-up")
    page.get_by_label("Name").focus()
    page.keyboard.type(name)
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()


def test_somebody_signs_up_makes_a_token_and_signs_out(page: Page, address: str) -> None:
    sign_up(page, address, "ann")
    page.get_by_label("Name of the token").fill("laptop")
    page.get_by_role("button", name="Make a token").click()
    token = page.locator(".notice code, .notice pre").first.inner_text().strip()
    answer = httpx.get(
        f"{address}/api/v1/whoami", headers={"Authorization": f"Bearer {token}"}
    ).json()
    assert (answer["name"], answer["scopes"]) == ("ann", ["read", "submit"])
    page.get_by_role("button", name="Revoke laptop").click()
    expect(page.get_by_text("You have no tokens yet.")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.goto(f"{address}/account")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_who_is_signed_in_stays_so_on_the_next_page_and_no_script_reads_the_cookie(
    page: Page, address: str
) -> None:
    sign_up(page, address, "bob")
    assert page.evaluate("document.cookie") == ""
    page.goto(address)
    expect(page.get_by_role("link", name="bob")).to_be_visible()


def test_a_deleted_account_is_gone(page: Page, address: str) -> None:
    sign_up(page, address, "carol")
    page.get_by_text("Delete the account").click()
    page.get_by_label("Type carol to confirm").fill("carol")
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Delete my account for good").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.get_by_label("Name").fill("carol")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("another name or password")


def test_the_pages_have_no_violation_also_with_errors(seen: Page, address: str) -> None:
    for path in ("sign-in", "sign-up", "reset"):
        seen.goto(f"{address}/account/{path}")
        expect(seen.get_by_role("heading", level=1)).to_be_visible()
        clean(seen)
    seen.goto(f"{address}/account/sign-up")
    seen.get_by_label("Name").fill("Not A Name")
    seen.get_by_role("button", name="Sign up").click()
    expect(seen.get_by_label("Name")).to_be_focused()
    clean(seen)


def test_the_account_has_no_violation(seen: Page, address: str) -> None:
    scheme = seen.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    sign_up(seen, address, "dave" if scheme else "dora")
    seen.get_by_text("Delete the account").click()
    clean(seen)


@pytest.mark.parametrize("path", ["", "/sign-in", "/sign-up", "/reset"])
def test_without_javascript_the_pages_say_what_to_do(address: str, path: str) -> None:
    answer = httpx.get(f"{address}/account{path}")
    assert answer.status_code == 200
    assert "Signing in needs JavaScript" in answer.text
