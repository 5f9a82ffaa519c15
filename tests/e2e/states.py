"""States of pages beside what an address alone shows: open, empty, refused, loading, out of reach.

A state is shown on a service with :mod:`tests.e2e.scenery`, whose ids its address may name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from playwright.sync_api import Page, expect

from tests.e2e.scenery import HALVED
from tests.e2e.stack import BOARD

Who = Literal["admin", "ann"] | None


@dataclass(frozen=True)
class State:
    """Where it begins, what is done there, and what is there in the end."""

    path: str  # with {entry}, {halved} … for the ids of the scenery
    ready: str
    do: Callable[[Page], None] = lambda page: None
    who: Who = None
    here: bool = False  # a picture of what is in sight, where that depends on it


def _meaning(page: Page) -> None:
    flag = page.locator("table[data-table=attacks] .flag").first
    flag.scroll_into_view_if_needed()
    flag.click()


def _nobody(page: Page) -> None:
    page.get_by_label("Search defenses").fill("nobody at all")


def _loading(page: Page) -> None:
    page.route(re.compile(r"/api/v1/submissions(\?|$)"), lambda route: None)  # it never answers
    page.get_by_role("link", name="Submissions").first.click()


def _silent(page: Page) -> None:
    page.route("**/api/**", lambda route: route.abort())
    page.get_by_role("link", name="Submissions").first.click()


def _offline(page: Page) -> None:
    page.locator("h1").wait_for()
    page.context.set_offline(True)
    page.get_by_role("link", name="Submissions").first.click()


def _refused(page: Page) -> None:
    page.get_by_label("File", exact=True).set_input_files(
        {"name": "no.safetensors", "mimeType": "application/octet-stream", "buffer": b"none"}
    )
    page.get_by_label("Name", exact=True).fill("Nothing")
    page.get_by_label("Authors").fill("Ann")
    page.get_by_role("button", name="Submit the defense").click()


def _asked(page: Page) -> None:
    page.get_by_role("button", name="Hide Five epochs").click()


def _counted(page: Page) -> None:
    page.get_by_role("button", name="How much is it?").click()


def _held(page: Page) -> None:
    page.get_by_text("What the file holds").click()


def _unfolded(page: Page) -> None:
    page.get_by_text("whose data is not on this host").click()


_BOARD = f"/boards/{BOARD}?view=all"
_GRAPHS = "mutag/adjacency@1"  # its data is not on this service; its rules are the same

STATES: Mapping[str, State] = {
    "home-unfolded": State("/", "table[data-table=absent]", _unfolded),
    "board-graphs": State(f"/boards/{_GRAPHS}", "text=Edges changed in each graph"),
    "rules-graphs": State(f"/boards/{_GRAPHS}/rules", "text=graph_ptr"),
    "submit-graphs": State(f"/submit?board={_GRAPHS}&side=attack", "text=graph_ptr", _held),
    "board-flag": State(_BOARD, ".meaning:popover-open", _meaning, here=True),
    "board-nobody": State(_BOARD, "text=No defense is like that", _nobody),
    "board-halved": State(f"/boards/{HALVED}?view=all", "text=Half of the targets is hidden"),
    "rules-halved": State(f"/boards/{HALVED}/rules", "text=Half of the targets is hidden"),
    "cell-halved": State("/cells/{halved_cell}", "table[data-table=counts]"),
    "submission-halved": State("/submissions/{halved}", "text=The board hides half"),
    "submission-own": State("/submissions/{entry}", "table[data-table=holdouts]", who="ann"),
    "submission-rejected": State(
        "/submissions/{rejected}", "table[data-table=violations]", who="ann"
    ),
    "submission-private": State("/submissions/{private}", "[role=alert], main ul"),
    "mine-used": State("/mine", "table[data-table=submissions]", who="ann"),
    "submit-refused": State(f"/submit?board={BOARD}&side=defense", ".told table", _refused, "ann"),
    "submit-signed-out": State(f"/submit?board={BOARD}&side=defense", "main form"),
    "entries-asked": State(
        "/admin/entries", "[role=dialog], dialog[open]", _asked, "admin", here=True
    ),
    "reevaluation-counted": State(
        "/admin/reevaluations/new", "#plan ~ * .facts, #plan ~ .facts", _counted, "admin"
    ),
    "admin-not-allowed": State("/admin/users", "text=This part is for admins", who="ann"),
    "snapshots-none": State(f"/boards/{HALVED}/snapshots", "main p"),
    "loading": State("/status", ".loading", _loading),
    "silent": State("/status", "[role=alert]", _silent),
    "offline": State("/status", "text=This device is offline", _offline),
}


def show(page: Page, address: str, state: State, ids: Mapping[str, str]) -> None:
    """Bring a page into a state."""
    page.goto(address + state.path.format(**ids))
    page.locator("h1").wait_for()
    page.wait_for_load_state("networkidle")
    state.do(page)
    expect(page.locator(state.ready).first).to_be_visible(timeout=20_000)
