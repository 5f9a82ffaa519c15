"""The paper's table, charts, comparisons and the matrix by keyboard, on the real service."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.e2e.stack import BOARD, Stack

pytestmark = pytest.mark.browser

TABLE = f"/boards/{BOARD}/table"
CHARTS = f"/boards/{BOARD}/charts"


@pytest.fixture(scope="module")
def table(embedded_stack: Stack) -> Any:
    """The paper's table of the board, as the API has it."""
    return embedded_stack.get(f"/boards/{BOARD}/table")


def compare(table: Any, count: int = 3) -> str:
    ids = ",".join(entry["id"] for entry in table["defenses"][:count])
    return f"/compare?board={BOARD}&ids={ids}"


@pytest.fixture(params=["light", "dark"])
def narrow(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A window of 360 pixels in either scheme."""
    context = browser.new_context(
        color_scheme=request.param, viewport={"width": 360, "height": 800}
    )
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("name", ["table", "difference", "charts", "compare", "choose"])
def test_a_page_has_no_violation_and_does_not_scroll_sideways(
    embedded_stack: Stack, table: Any, narrow: Page, name: str
) -> None:
    path, ready = {
        "table": (TABLE, "table[data-table=paper]"),
        "difference": (f"{TABLE}?base=clean&distance=percent", "table[data-table=paper]"),
        "charts": (CHARTS, "svg.drawing"),
        "compare": (compare(table), "table[data-table=comparison]"),
        "choose": (f"/compare?board={BOARD}", ".chips"),
    }[name]
    narrow.goto(embedded_stack.address + path)
    narrow.locator(ready).first.wait_for()
    for details in narrow.locator("details").all():
        details.locator("summary").click()
    results = Axe().run(narrow)
    assert results.violations_count == 0, results.generate_report()
    assert narrow.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def score(value: dict[str, Any] | None) -> str:
    if value is None:
        return "–"
    spread = "" if value["std"] is None else f" ±{100 * value['std']:.2f}"
    return f"{100 * value['mean']:.2f}{spread}"


def shown(page: Page) -> list[list[str]]:
    rows = page.locator("table[data-table=paper]").evaluate(
        "table => [...table.rows].map(row => "
        "[...row.querySelectorAll('td')].map(cell => cell.innerText))"
    )
    return [[" ".join(text.split()) for text in row] for row in rows[1:]]


def expected(found: Any) -> list[list[str]]:
    """The cells of each row, heads left out."""
    order = [entry["id"] for entry in found["defenses"]]
    rows = []
    for row in found["rows"]:
        cells = {cell["defense"]: cell["value"] for cell in row["cells"]}
        metrics = [row["metrics"].get(name) for name in ("average", "three", "weighted")]
        rows.append([*(score(cells.get(one)) for one in order), *map(score, metrics)])
    for foot in found["foot"]:
        rows.append([*(score(foot["values"].get(one)) for one in order), ""])
    return rows


def test_the_papers_table_shows_every_number_of_the_api(
    embedded_stack: Stack, table: Any, page: Page
) -> None:
    page.goto(embedded_stack.address + TABLE)
    page.locator("table[data-table=paper]").wait_for()
    assert shown(page) == expected(table)


def test_what_is_chosen_is_recomputed_and_in_the_address(
    embedded_stack: Stack, table: Any, page: Page
) -> None:
    first = table["defenses"][0]
    page.goto(embedded_stack.address + TABLE)
    page.get_by_role("button", name=f"Leave out {first['name']}").click()
    page.wait_for_url("**/table?defenses=*")
    page.get_by_role("group", name="Difficulties").get_by_role("button", name="Easy").click()
    page.wait_for_url("**&difficulties=medium,hard,full")
    rest = [entry["id"] for entry in table["defenses"][1:]]
    asked = {"defenses": ",".join(rest), "difficulties": "medium,hard,full"}
    found = embedded_stack.get(f"/boards/{BOARD}/table", **asked)
    page.wait_for_function(
        "count => document.querySelectorAll('table[data-table=paper] tbody tr').length === count",
        arg=len(found["rows"]) + len(found["foot"]),
    )
    assert shown(page) == expected(found)
    page.reload()
    page.locator("table[data-table=paper]").wait_for()
    assert shown(page) == expected(found)
    assert page.get_by_text("recomputed").first.is_visible()
    page.go_back()
    page.wait_for_url("**/table?defenses=*")


def test_the_table_is_there_without_javascript(
    embedded_stack: Stack, table: Any, browser: Browser
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(embedded_stack.address + TABLE)
    texts = page.locator("table[data-table=paper] tbody td").all_inner_texts()
    plain = [" ".join(text.replace("▲", "").replace("▼", "").split()) for text in texts]
    rows = expected(table)[: len(table["rows"])]
    assert plain == [text for row in rows for text in row]
    context.close()


def test_its_files_hold_what_the_page_shows(embedded_stack: Stack, table: Any, page: Page) -> None:
    page.goto(embedded_stack.address + f"{TABLE}?preset=brief")
    links = {
        kind: page.get_by_role("link", name=f"This table as {kind}").get_attribute("href")
        for kind in ("CSV", "LaTeX", "JSON")
    }
    texts = {
        kind: httpx.get(f"{embedded_stack.address}{href}").text for kind, href in links.items()
    }
    found = json.loads(texts["JSON"])
    assert found["preset"] == "brief"
    rows = list(csv.DictReader(io.StringIO(texts["CSV"], newline="")))
    cells = [row for row in rows if row["what"] == "accuracy"]
    assert [float(row["mean"]) for row in cells] == [
        cell["value"]["mean"] for row in found["rows"] for cell in row["cells"]
    ]
    assert texts["LaTeX"].count(r"\midrule") == len(found["attacks"]) + 3


def test_charts_are_drawn_with_their_numbers_and_saved(
    embedded_stack: Stack, page: Page, tmp_path: Path
) -> None:
    found = embedded_stack.get(f"/boards/{BOARD}/charts")
    page.goto(embedded_stack.address + CHARTS)
    page.locator("svg.drawing").first.wait_for()
    assert page.locator("svg.drawing").count() == 5
    points = page.locator("figure").first.locator("circle")
    assert points.count() == len(found["defenses"])
    for kind, beginning in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Save “Spread over repeats” as {kind}").click()
        path = tmp_path / download.value.suggested_filename
        download.value.save_as(path)
        content = path.read_bytes()
        assert content.startswith(beginning) and len(content) > 1000
        if kind == "SVG":
            assert b"class=" not in content and b"fill=" in content


def test_the_board_s_page_loads_no_chart_and_little_code(embedded_stack: Stack, page: Page) -> None:
    """What the page of a board loads, compressed as a server would, is under 150 KB."""
    scripts: list[str] = []
    page.on("response", lambda one: scripts.append(one.url) if one.url.endswith(".js") else None)
    page.goto(f"{embedded_stack.address}/boards/{BOARD}")
    page.locator("table[data-table=matrix]").wait_for()
    size = sum(len(gzip.compress(httpx.get(url).content)) for url in scripts)
    assert size < 150_000
    assert not any("ChartsPage" in url for url in scripts)


def test_entries_are_compared_with_their_differences(
    embedded_stack: Stack, table: Any, page: Page
) -> None:
    path = compare(table, 2)
    ids = [entry["id"] for entry in table["defenses"][:2]]
    found = embedded_stack.get(f"/boards/{BOARD}/comparison", ids=",".join(ids))
    page.goto(embedded_stack.address + path)
    page.locator("table[data-table=comparison]").wait_for()
    rows = [row for row in found["rows"] if row["difficulty"] == "full"]
    texts = page.locator("table[data-table=comparison] tbody td:last-child").all_inner_texts()
    assert len(texts) == len(rows)
    for text, row in zip(texts, rows, strict=True):
        value = row["values"][1]
        said = " ".join(text.split())
        assert said.startswith(score(value))
        difference = f"{100 * abs(value['difference']['mean']):.2f}"
        assert difference in said
    wins = page.get_by_role("row", name="Best against").get_by_role("cell").all_inner_texts()
    assert wins == [str(entry["wins"]["full"]) for entry in found["entries"]]
    degrees = embedded_stack.get(f"/boards/{BOARD}/comparison/degrees", ids=",".join(ids))
    groups = page.locator("table[data-table=degrees] tbody tr")
    groups.first.wait_for()
    for group, row in zip(degrees["groups"], groups.all(), strict=True):
        shown_first = " ".join(row.locator("td").first.inner_text().split())
        assert shown_first == score(group["values"][0])
    sure = embedded_stack.get(f"/boards/{BOARD}/comparison/differences", ids=",".join(ids))
    words = page.locator("table[data-table=differences] tbody td").all_inner_texts()
    for said, known in zip(words, sure["pairs"][0]["metrics"], strict=False):
        ends = sorted(f"{100 * abs(known[end]):.2f}" for end in ("low", "high"))
        assert sorted(re.findall(r"[\d.]+", said.split("(")[1])) == ends
        assert ("wins by" in said) == (known["winner"] is not None)
    assert len(words) == 4
    link = page.get_by_role("link", name="This comparison as CSV").get_attribute("href")
    text = httpx.get(f"{embedded_stack.address}{link}").text
    numbers = [row for row in csv.DictReader(io.StringIO(text)) if row["what"] == "accuracy"]
    assert len(numbers) == sum(len(row["values"]) for row in found["rows"])
    added = table["defenses"][2]
    page.get_by_label("Add a defense").select_option(added["id"])
    page.wait_for_url(f"**{added['id']}**")
    page.get_by_role("columnheader", name=added["name"]).first.wait_for()


def test_the_matrix_is_one_stop_and_arrow_keys_move_in_it(
    embedded_stack: Stack, page: Page
) -> None:
    matrix = embedded_stack.get(f"/boards/{BOARD}/matrix", view="all")
    page.goto(f"{embedded_stack.address}/boards/{BOARD}?difficulty=full&view=all")
    cells = page.locator("table[data-table=matrix] [tabindex='0']")
    page.locator("table[data-table=matrix] [tabindex='0']").wait_for()
    assert cells.count() == 1
    page.locator("table[data-table=matrix] tbody a").first.focus()
    focused = "document.activeElement.getAttribute('href')"
    cell_ids = {(cell["attack"], cell["defense"]): cell["id"] for cell in matrix["cells"]}
    order = [head["id"] for head in matrix["defenses"]]
    rows = [head["id"] for head in matrix["attacks"]]
    for key, (row, column) in (
        ("ArrowRight", (0, 0)),
        ("ArrowRight", (0, 1)),
        ("ArrowDown", (1, 1)),
        ("End", (1, len(order) - 1)),
        ("Control+Home", (-1, -1)),
        ("ArrowRight", (0, 0)),
        ("Control+End", (len(rows) - 1, len(order) - 1)),
    ):
        page.keyboard.press(key)
        if row >= 0 and column >= 0:
            assert page.evaluate(focused) == f"/cells/{cell_ids[rows[row], order[column]]}", key
    page.keyboard.press("Enter")
    page.wait_for_url("**/cells/*")
    page.go_back()
    marked = page.locator("table[data-table=matrix] td[data-mark]")
    marked.first.wait_for()
    assert marked.count() == len({*matrix["best_attacks"], *matrix["best_defenses"]})
