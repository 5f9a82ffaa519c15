"""How fast the page of a board with 1,000 defenses is, in Chromium on this machine.

    python benchmarks/page_speed.py [--defenses 1000] [--attacks 40] [--tries 7]

Prints the JavaScript that the page loads, gzipped; when it first shows something and when its first
ranking is there, in a browser that has nothing cached; how much the layout shifts meanwhile; and
how long sorting and filtering of all rows take, from the click to the frame that shows the result.
The page must be built (``make page``).
"""

from __future__ import annotations

import argparse
import gzip
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Response, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.service_load import api
from benchmarks.workloads.board import BOARD, fill

GOALS = {"JavaScript": 150.0, "first content": 1000.0, "sort": 100.0, "filter": 100.0}
TABLE = "table[data-table=defenses]"

#: Notes every shift of the layout that no key or click explains.
SHIFTS = """
window.shifted = 0;
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""

#: Acts, and waits for the first frame after the rows have changed; milliseconds.
ACT = """
([act, value]) => new Promise(resolve => {
  const body = document.querySelector("table[data-table=defenses] tbody");
  const control = document.querySelector(act);
  const begun = performance.now();
  const watch = new MutationObserver(() => {
    watch.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun)));
  });
  watch.observe(body, { childList: true, subtree: true, characterData: true });
  if (value === null) control.click();
  else {
    const set = Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, "value").set;
    set.call(control, value);
    control.dispatchEvent(new Event("change", { bubbles: true }));
  }
})
"""


@contextmanager
def browser() -> Iterator[Browser]:
    path = os.environ.get("GRB_TEST_CHROMIUM") or shutil.which("chromium")
    if path is None:
        sys.exit("page_speed: found no chromium, which it needs")
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )


def opened(of: Browser, address: str) -> tuple[Page, list[Response]]:
    """The board's page in a browser with nothing cached, and the scripts that it loaded."""
    page = of.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.add_init_script(SHIFTS)
    scripts: list[Response] = []
    page.on(
        "response",
        lambda answer: scripts.append(answer) if answer.request.resource_type == "script" else None,
    )
    page.goto(f"{address}/boards/{BOARD}")
    page.locator(TABLE).wait_for()
    return page, scripts


def loading(of: Browser, address: str, tries: int) -> dict[str, float]:
    """JavaScript in kB, times in milliseconds (medians), layout shift (the largest)."""
    size, firsts, rankings, shifts = 0.0, [], [], []
    for _ in range(tries):
        page, scripts = opened(of, address)
        rankings.append(page.evaluate("performance.now()"))
        page.wait_for_load_state("networkidle")
        size = sum(len(gzip.compress(script.body(), 9)) for script in scripts) / 1000
        first = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
        firsts.append(page.evaluate(first))
        shifts.append(page.evaluate("window.shifted"))
        page.context.close()
    return {
        "JavaScript": size,
        "first content": statistics.median(firsts),
        "first ranking": statistics.median(rankings),
        "layout shift": max(shifts),
    }


def acting(of: Browser, address: str, tries: int) -> dict[str, list[float]]:
    """Times of sorting by one column after another, and of one filter after another, in ms."""
    page, _ = opened(of, address)
    page.wait_for_load_state("networkidle")
    heads = page.locator(f"{TABLE} thead th").evaluate_all(
        "heads => heads.map(head => head.dataset.column)"
    )
    page.get_by_role("search", name="Defenses").locator("summary", has_text="Filters").click()
    select = "[aria-label=Defenses] select"
    families = (
        page.locator(select)
        .first.locator("option")
        .evaluate_all("options => options.map(option => option.value)")
    )
    columns = [head for head in heads if head in ("name", "clean", "easy", "average", "date")]
    found: dict[str, list[float]] = {"sort": [], "filter": []}
    for _ in range(tries):
        for column in columns:
            found["sort"].append(_act(page, f"{TABLE} th[data-column={column}] button"))
        for family in (*families[1:3], ""):
            found["filter"].append(_act(page, select, family))
    page.context.close()
    return found


def _act(page: Page, control: str, value: str | None = None) -> float:
    milliseconds: Any = page.evaluate(ACT, [control, value])
    page.wait_for_timeout(50)
    return float(milliseconds)


def _print(what: str, value: float, unit: str) -> None:
    goal = GOALS.get(what)
    bound = "" if goal is None else f" (goal: under {goal:g})"
    print(f"  {what:<16}{value:8.2f} {unit}{bound}", flush=True)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--defenses", type=int, default=1000)
    parser.add_argument("--attacks", type=int, default=40)
    parser.add_argument("--tries", type=int, default=7)
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as temporary:
        url = f"sqlite:///{temporary}/page.db"
        fill(url, asked.attacks, asked.defenses)
        with api(Path(temporary), url) as stack, browser() as of:
            opened(of, stack.address)[0].context.close()  # the API's first answer
            print(f"{asked.defenses} defenses, {asked.attacks} attacks, {asked.tries} tries:")
            found = loading(of, stack.address, asked.tries)
            _print("JavaScript", found["JavaScript"], "kB gzipped")
            _print("first content", found["first content"], "ms")
            _print("first ranking", found["first ranking"], "ms")
            _print("layout shift", found["layout shift"], "")
            for what, times in acting(of, stack.address, asked.tries).items():
                _print(what, statistics.median(times), f"ms, most {max(times):.0f}")


if __name__ == "__main__":
    main(sys.argv[1:])
