"""How quickly the page draws the matrix of a board with 200 attacks and 200 defenses.

    make page && python benchmarks/matrix_speed.py [--entries 200] [--rounds 5]

A board with every cell between so many entries, SQLite, the API as a process and Chromium
without a graphics card.  Measured in the browser, from the moment that the answer with the cells
is there to the frame that shows the table: for the first part of the matrix, and for the next one,
which an arrow key over its edge asks for.  A part has 50 x 30 cells, and the clean row.  Ends
with 1 where a median is over half a second, or the first content over a second.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.workloads.board import BOARD, fill
from grbcore.cli.up import api_command, listen
from tests.e2e.stack import Stack, ready, wait_for

DRAWN, FIRST = 500.0, 1000.0  # milliseconds

#: Milliseconds from the last answer of the matrix to the frame after its table is there.
WATCH = """
window.drawn = new Promise((resolve) => {
  const shown = () => document.querySelector("table[data-table=matrix] tbody th")?.textContent;
  const before = shown();
  const look = () => {
    if (shown() === before) return requestAnimationFrame(look);
    requestAnimationFrame(() => {
      const answers = performance.getEntriesByType("resource");
      const last = answers.filter(({ name }) => name.includes("/matrix?")).at(-1);
      resolve(performance.now() - last.responseEnd);
    });
  };
  requestAnimationFrame(look);
});
null;
"""


@contextmanager
def serving(entries: int) -> Iterator[str]:
    """The address of an API over a board with so many entries on each side."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        url = f"sqlite:///{folder / 'board.db'}"
        fill(url, entries, entries)
        with listen("127.0.0.1", 18_500) as trial:
            port = trial.getsockname()[1]
        stack = Stack(folder, {"GRB_DATABASE_URL": url, "GRB_PORT": str(port)})
        stack.start("api", api_command())
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for("the API", lambda: ready(address), 60)
            yield address
        finally:
            stack.close()


def measured(page: Page, address: str) -> tuple[float, float, float, float]:
    """First content, first part of the matrix, next part, its processor time; milliseconds."""
    meter = page.context.new_cdp_session(page)
    meter.send("Performance.enable", {"timeDomain": "threadTicks"})

    def busy() -> float:
        metrics = meter.send("Performance.getMetrics")["metrics"]
        return 1000 * next(one["value"] for one in metrics if one["name"] == "TaskDuration")

    page.add_init_script(WATCH)
    page.goto(f"{address}/boards/{BOARD}?difficulty=full&view=all")
    part = page.evaluate("window.drawn")
    paint = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
    first = page.evaluate(paint)
    page.locator("table[data-table=matrix] tbody tr:first-child td:last-child a").focus()
    page.evaluate(WATCH.replace("tbody th", "thead th:nth-child(2)"))
    before = busy()
    page.keyboard.press("ArrowRight")
    step = page.evaluate("window.drawn")
    return first, part, step, busy() - before


def run(browser: Browser, address: str, rounds: int) -> list[tuple[float, float, float, float]]:
    """One warm-up, then so many rounds, each in a window of its own."""
    found = []
    for _ in range(rounds + 1):
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        found.append(measured(context.new_page(), address))
        context.close()
    return found[1:]


def main() -> None:
    """Print the medians and the slowest of each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    path = shutil.which("chromium")
    if path is None:
        sys.exit("chromium: not installed")
    with serving(asked.entries) as address, sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=path, args=flags)
        rounds = run(browser, address, asked.rounds)
        browser.close()
    slow = False
    print(f"{asked.entries} x {asked.entries} entries, {asked.rounds} rounds, milliseconds")
    for name, limit, values in zip(
        (
            "first content",
            "first part of the matrix drawn",
            "next part drawn",
            "processor time of the latter",
        ),
        (FIRST, DRAWN, DRAWN, DRAWN),
        zip(*rounds, strict=True),
        strict=True,
    ):
        median = statistics.median(values)
        slow |= median > limit
        print(f"  {name:32} median {median:6.0f}  slowest {max(values):6.0f}  aim {limit:6.0f}")
    sys.exit(int(slow))


if __name__ == "__main__":
    main()
