"""Pictures of every page: light, dark and on a phone, of a service that is prepared for it.

    make screenshots             into build/screenshots, and the two of the README into docs/
    python -m tests.e2e.screenshots FOLDER

Also the states of :mod:`tests.e2e.states` and, on the phone, every text of the guide.  They are for
looking at; no test compares them.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.e2e import scenery, states
from tests.e2e.addresses import ADDRESSES, Address, identifiers, password_of, sign_in
from tests.e2e.conftest import launch
from tests.e2e.stack import ROOT, embedded

#: Colour scheme, width and height of each window.
WINDOWS: Mapping[str, tuple[str, int, int]] = {
    "light": ("light", 1280, 900),
    "dark": ("dark", 1280, 900),
    "phone": ("light", 390, 844),
}

#: What the README shows, under 150 KB each.
TOP_OF_BOARD, MATRIX = "board.png", "board-matrix.png"


def take(
    browser: Browser, address: str, passwords: dict[str, str], ids: dict[str, str], folder: Path
) -> None:
    """Every page and state in every window, as ``FOLDER/WINDOW/NAME.png``."""
    for window, (scheme, width, height) in WINDOWS.items():
        where = folder / window
        where.mkdir(parents=True, exist_ok=True)
        asked: Any = {"viewport": {"width": width, "height": height}, "color_scheme": scheme}
        for who in ("admin", scenery.NAME, None):
            context = browser.new_context(**asked)
            if who is not None:
                sign_in(context, address, passwords[who], who)
            page = context.new_page()
            if who != scenery.NAME:
                for name, one in ADDRESSES.items():
                    if one.signed_out == (who is None):
                        _show(page, address, one, ids)
                        page.screenshot(path=where / f"{name}.png", full_page=True)
            for name, state in states.STATES.items():
                if state.who == who:
                    fresh = context.new_page()
                    states.show(fresh, address, state, ids)
                    fresh.screenshot(path=where / f"{name}.png", full_page=not state.here)
                    fresh.close()
                    context.set_offline(False)
            context.close()
        _say(f"{window}: {len(list(where.iterdir()))} pictures in {where}")


def take_guide(browser: Browser, address: str, folder: Path) -> None:
    """Every text of the guide on a phone, where a wide table or a long word is seen first."""
    _, width, height = WINDOWS["phone"]
    folder.mkdir(parents=True, exist_ok=True)
    page = browser.new_page(viewport={"width": width, "height": height})
    for text in page.request.get(f"{address}/api/v1/docs").json():
        _show(page, address, Address("guide/:name", f"/guide/{text['name']}", ".text"), {})
        page.screenshot(path=folder / f"{text['name']}.png", full_page=True)
    page.close()
    _say(f"guide: {len(list(folder.iterdir()))} texts in {folder}")


def for_the_readme(browser: Browser, address: str, ids: dict[str, str], folder: Path) -> None:
    """The pictures of the README, as anybody sees these pages."""
    context = browser.new_context(viewport={"width": 1200, "height": 800})
    page = context.new_page()
    _show(page, address, ADDRESSES["board"], ids)
    page.screenshot(path=folder / TOP_OF_BOARD)
    page.emulate_media(color_scheme="dark")
    page.locator("section[aria-labelledby=matrix]").screenshot(path=folder / MATRIX)
    context.close()
    for name in (TOP_OF_BOARD, MATRIX):
        _say(f"{folder / name}: {(folder / name).stat().st_size // 1024} KB")


def _show(page: Page, address: str, one: Address, ids: dict[str, str]) -> None:
    page.goto(address + one.path.format(**ids))
    page.locator(one.ready).first.wait_for()
    page.wait_for_load_state("networkidle")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def main(folder: Path) -> None:
    """Prepare a service, take the pictures, stop it."""
    with (
        tempfile.TemporaryDirectory(prefix="grb-screenshots-") as name,
        embedded(Path(name), "--no-prepare") as stack,
        sync_playwright() as playwright,
    ):
        stack.prepare(Path(name) / "cache")
        ids = identifiers(stack)
        browser = launch(playwright)
        for_the_readme(browser, stack.address, ids, ROOT / "docs")
        ids |= scenery.use(stack)
        passwords = {who: password_of(stack, who) for who in ("admin", scenery.NAME)}
        take(browser, stack.address, passwords, ids, folder)
        take_guide(browser, stack.address, folder / "guide")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "screenshots")
