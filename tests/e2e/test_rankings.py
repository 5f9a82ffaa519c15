"""The rankings of a board in a real browser: sorted, searched, filtered, on a phone too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests import tables
from tests.e2e.stack import BOARD, Stack

DEFENSES = "table[data-table=defenses]"
pytestmark = pytest.mark.browser


def board(stack: Stack, query: str = "") -> str:
    return f"{stack.address}/boards/{BOARD}{query}"


def column(page: Page, name: str) -> list[str]:
    """The texts of one column of the defenses."""
    return page.locator(f"{DEFENSES} tbody [data-column={name}]").all_inner_texts()


@pytest.fixture
def opened(embedded_stack: Stack, page: Page) -> Page:
    page.goto(board(embedded_stack))
    page.locator(DEFENSES).wait_for()
    return page


def test_every_column_sorts_by_keyboard_and_the_address_keeps_it(
    embedded_stack: Stack, opened: Page
) -> None:
    heads = opened.locator(f"{DEFENSES} thead th")
    assert heads.count() == len(tables.ranking_head({**ANY, "side": "defense"}))
    header = opened.locator(f"{DEFENSES} th[data-column=clean]")
    header.get_by_role("button").focus()
    opened.keyboard.press("Enter")
    expect(header).to_have_attribute("aria-sort", "descending")
    falling = [float(text) for text in column(opened, "clean")]
    assert falling == sorted(falling, reverse=True)
    opened.keyboard.press("Enter")
    expect(header).to_have_attribute("aria-sort", "ascending")
    assert [float(text) for text in column(opened, "clean")] == sorted(falling)
    assert "defenses.sort=clean" in opened.url
    opened.reload()
    expect(header).to_have_attribute("aria-sort", "ascending")
    opened.keyboard.press("Tab")
    header.get_by_role("button").focus()
    opened.keyboard.press("Enter")
    expect(opened.locator(f"{DEFENSES} th[data-column=rank]")).to_have_attribute(
        "aria-sort", "ascending"
    )


def test_a_word_of_a_flag_opens_what_it_means_by_keyboard(opened: Page) -> None:
    word = opened.locator(f"{DEFENSES} tbody").get_by_role("button", name="reference").first
    meaning = opened.locator("#defense-flag-reference")
    expect(meaning).to_be_hidden()
    word.focus()
    opened.keyboard.press("Enter")
    expect(meaning).to_be_visible()
    expect(meaning).to_contain_text("scores in the reference view run over it")
    link = meaning.get_by_role("link")
    expect(link).to_have_attribute("href", "/guide/flags#reference")
    opened.keyboard.press("Escape")
    expect(meaning).to_be_hidden()
    expect(word).to_be_focused()


ANY = {"difficulty": "full", "metric": "weighted"}


def test_search_and_filters_hide_rows_and_never_renumber(
    embedded_stack: Stack, opened: Page
) -> None:
    rows = embedded_stack.get(f"/boards/{BOARD}/leaderboard")["rows"]
    family = rows[-1]["entry"]["family"]
    expected = [str(row["rank"]) for row in rows if row["entry"]["family"] == family]
    controls = opened.get_by_role("search", name="Defenses")
    controls.locator("summary", has_text="Filters").click()
    controls.get_by_role("combobox", name="Family").select_option(family)
    expect(opened.locator(f"{DEFENSES} tbody tr")).to_have_count(len(expected))
    assert column(opened, "rank") == expected
    opened.keyboard.press("Escape")
    expect(controls.get_by_role("combobox", name="Family")).to_be_hidden()
    controls.get_by_role("searchbox", name="Search defenses").fill("nobody is called so")
    expect(opened.get_by_text("The search and the filters found none of")).to_be_visible()
    opened.go_back()
    opened.goto(board(embedded_stack, "?defenses.kind=upload"))
    expect(opened.get_by_text("Filters (1)")).to_be_visible()


def test_columns_are_chosen(opened: Page) -> None:
    controls = opened.get_by_role("search", name="Defenses")
    controls.locator("summary", has_text="Columns").click()
    controls.get_by_role("checkbox", name="Authors").uncheck()
    expect(opened.locator(f"{DEFENSES} [data-column=authors]")).to_have_count(0)
    opened.reload()
    opened.locator(DEFENSES).wait_for()
    expect(opened.locator(f"{DEFENSES} [data-column=authors]")).to_have_count(0)


def test_another_metric_ranks_anew_with_the_numbers_of_the_api(
    embedded_stack: Stack, opened: Page
) -> None:
    metrics = opened.get_by_role("navigation", name="Metric")
    metrics.get_by_role("link", name="Worst case").click()
    expect(opened.locator(DEFENSES)).to_contain_text("Worst full (%)")
    expect(opened.get_by_text("Ranked by the worst case: the lowest accuracy")).to_be_visible()
    asked = {"metric": "worst"}
    found = embedded_stack.get(f"/boards/{BOARD}/leaderboard", **asked)
    shown = opened.locator(DEFENSES).evaluate(
        "table => [...table.rows].map(row => [...row.cells].map(cell => cell.innerText))"
    )
    assert [[" ".join(text.split()) for text in row] for row in shown[1:]] == tables.ranking(found)


def test_head_rank_and_name_stay_while_the_table_scrolls(browser: Browser, opened: Page) -> None:
    opened.set_viewport_size({"width": 900, "height": 300})
    region = opened.locator(f".scroll:has({DEFENSES})")
    region.scroll_into_view_if_needed()
    before = {name: _place(opened, name) for name in ("rank", "name", "clean")}
    region.evaluate("region => region.scrollBy(200, 120)")
    after = {name: _place(opened, name) for name in ("rank", "name", "clean")}
    assert after["rank"] == before["rank"] and after["name"]["x"] == before["name"]["x"]
    assert after["clean"]["x"] == before["clean"]["x"] - 200


def _place(page: Page, name: str) -> dict[str, float]:
    found = page.locator(f"{DEFENSES} thead th[data-column={name}]").bounding_box()
    assert found is not None
    return {"x": round(found["x"])}


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 360, "height": 780})
    yield context.new_page()
    context.close()


def test_at_360_pixels_the_chosen_score_is_in_sight_and_no_word_is_broken(
    embedded_stack: Stack, phone: Page
) -> None:
    phone.goto(board(embedded_stack))
    phone.locator(DEFENSES).wait_for()
    score = phone.locator(f"{DEFENSES} tbody tr:first-child td[data-column=full]")
    box = score.bounding_box()
    assert box is not None and box["x"] + box["width"] <= 360
    assert phone.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    # a word in two lines has two boxes
    broken = phone.locator(DEFENSES).evaluate(
        """table => [...table.querySelectorAll("th, td")].flatMap(cell => {
            const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT), found = [];
            for (let node; (node = walker.nextNode()); )
                for (const { 0: word, index } of node.data.matchAll(/[^\\s-]+/g)) {
                    const range = document.createRange();
                    range.setStart(node, index);
                    range.setEnd(node, index + word.length);
                    const lines = [...range.getClientRects()].map(rect => Math.round(rect.top));
                    if (new Set(lines).size > 1) found.push(word);
                }
            return found;
        })"""
    )
    assert broken == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_open_menus_and_an_empty_table_have_no_violation(
    embedded_stack: Stack, browser: Browser, scheme: str, width: int
) -> None:
    context = browser.new_context(
        color_scheme=scheme,  # type: ignore[arg-type]
        viewport={"width": width, "height": 800},
    )
    page = context.new_page()
    query = (
        "?metric=three&defenses.find=none&attacks.sort=-full&attacks.hide=n&attacks.best=submitter"
    )
    page.goto(board(embedded_stack, query))
    page.locator("table[data-table=matrix]").wait_for()
    for side, menu in (("Defenses", "Filters"), ("Attacks", "Columns")):
        page.get_by_role("search", name=side).locator("summary", has_text=menu).click()
        results = Axe().run(page)
        assert results.violations_count == 0, results.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        page.keyboard.press("Escape")
    context.close()


def test_without_the_service_the_page_says_so_and_tries_again(
    embedded_stack: Stack, page: Page
) -> None:
    page.route("**/leaderboard?side=defense*", lambda route: route.abort())
    page.goto(board(embedded_stack))
    alert = page.get_by_role("alert")
    alert.wait_for(timeout=20_000)
    expect(alert).to_contain_text("can't be reached")
    with page.expect_request("**/leaderboard?side=defense*"):
        alert.get_by_role("button").click()
    page.unroute("**/leaderboard?side=defense*")
    page.locator(DEFENSES).wait_for()


def test_the_first_page_has_boards_with_their_best_and_three_steps(
    embedded_stack: Stack, page: Page
) -> None:
    page.goto(embedded_stack.address)
    row = page.locator("table[data-table=boards] tbody tr", has_text=BOARD)
    row.wait_for()
    best = embedded_stack.get(f"/boards/{BOARD}")["best_defense"]
    expect(row).to_contain_text(best["name"])
    expect(page.locator(".steps > li")).to_have_count(3)


def test_a_badge_and_a_feed_tell_of_the_board(embedded_stack: Stack, opened: Page) -> None:
    row = embedded_stack.get(f"/boards/{BOARD}/leaderboard")["rows"][0]
    link = f"{embedded_stack.address}/api/v1/submissions/{row['entry']['id']}/badge.svg"
    assert re.search(rf"rank 1 of \d+ · {BOARD}", httpx.get(link).text)
    address = opened.locator("link[type='application/atom+xml']").get_attribute("href")
    content = httpx.get(f"{embedded_stack.address}{address}").content
    assert ElementTree.fromstring(content).find("{http://www.w3.org/2005/Atom}entry") is not None
