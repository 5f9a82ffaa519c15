"""Pictures of every page: light, dark and on a phone, of a service that is prepared for it.

    make screenshots             into build/screenshots, and the two of the README into docs/
    python -m tests.e2e.screenshots FOLDER

They are for looking at; no test compares them.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

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


def take(browser: Browser, address: str, password: str, ids: dict[str, str], folder: Path) -> None:
    """Every page in every window, as ``FOLDER/WINDOW/NAME.png``."""
    for window, (scheme, width, height) in WINDOWS.items():
        where = folder / window
        where.mkdir(parents=True, exist_ok=True)
        for signed_out in (False, True):
            asked: Any = {"viewport": {"width": width, "height": height}, "color_scheme": scheme}
            context = browser.new_context(**asked)
            if not signed_out:
                sign_in(context, address, password)
            page = context.new_page()
            for name, one in ADDRESSES.items():
                if one.signed_out == signed_out:
                    _show(page, address, one, ids)
                    page.screenshot(path=where / f"{name}.png", full_page=True)
            context.close()
        _say(f"{window}: {len(ADDRESSES)} pages in {where}")


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
        ids, password = identifiers(stack), password_of(stack)
        browser = launch(playwright)
        take(browser, stack.address, password, ids, folder)
        for_the_readme(browser, stack.address, ids, ROOT / "docs")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "screenshots")
