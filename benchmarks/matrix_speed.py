"""How quickly the page draws the matrix of a board with 200 attacks and 200 defenses.

    make page && python benchmarks/matrix_speed.py [--entries 200] [--rounds 5]

A board with every cell between so many entries, SQLite, the API as a process and Chromium
without a graphics card.  Measured in the browser: from the moment that the answer with all cells
is there to the frame that shows the grid, when the page is opened and when another difficulty is
chosen, for which also processor time is told; from scrolling to the far corner, and from the keys
that lead there, to the frame that shows its last cell; and how long the API takes to answer.
Ends with 1 where a median is over half a second, or the first content over a second.
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

#: Milliseconds from the answer with the cells to the frame after the grid is there.
WATCH = """
window.drawn = new Promise((resolve) => {
  const look = () => {
    const there = document.querySelector("table[data-table=matrix] tbody td")?.textContent;
    if (there === undefined || there === window.before) return requestAnimationFrame(look);
    requestAnimationFrame(() => {
      const answers = performance.getEntriesByType("resource");
      const answer = answers.filter(({ name }) => name.includes("/matrix/grid?")).at(-1);
      resolve([performance.now() - answer.responseEnd, answer.responseEnd - answer.startTime]);
    });
  };
  requestAnimationFrame(look);
});
null;
"""

#: Milliseconds from what is done to the frame after a cell is in sight and, of keys, has the focus.
CORNER = """
async ([place, keys]) => {
  const region = document.querySelector(".matrix-region"), begun = performance.now();
  if (keys) document.activeElement.dispatchEvent(
    new KeyboardEvent("keydown", { key: "End", ctrlKey: true, bubbles: true, cancelable: true }));
  else region.scrollTo(1e7, 1e7);
  const there = () => {
    const link = region.querySelector(`[data-at="${place}"] > a`);
    return link !== null && (!keys || link === document.activeElement);
  };
  while (!there()) await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  return performance.now() - begun;
}
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


def measured(page: Page, address: str, entries: int) -> tuple[float, ...]:
    """What `main` prints, in its order; milliseconds."""
    meter = page.context.new_cdp_session(page)
    meter.send("Performance.enable", {"timeDomain": "threadTicks"})

    def busy() -> float:
        metrics = meter.send("Performance.getMetrics")["metrics"]
        return 1000 * float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))

    page.add_init_script(WATCH)
    page.goto(f"{address}/boards/{BOARD}?difficulty=full&view=all")
    drawn, answered = page.evaluate("window.drawn")
    paint = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
    first = page.evaluate(paint)
    row = entries - 1  # of the attacks; the row without one is always in sight
    scrolled = page.evaluate(CORNER, [f"{row} {entries - 1}", False])
    page.locator("table[data-table=matrix] thead a").last.focus()
    page.keyboard.press("Control+Home")
    page.wait_for_timeout(500)
    keyed = page.evaluate(CORNER, [f"{entries} {entries - 1}", True])
    page.evaluate(
        "window.before = document.querySelector('[data-table=matrix] tbody td').textContent"
    )
    page.evaluate(WATCH)
    before = busy()
    page.get_by_role("navigation", name="Difficulty").get_by_role("link", name="Hard").click()
    again, _ = page.evaluate("window.drawn")
    return first, answered, drawn, again, busy() - before, scrolled, keyed


def run(browser: Browser, address: str, entries: int, rounds: int) -> list[tuple[float, ...]]:
    """One warm-up, then so many rounds, each in a window of its own."""
    found = []
    for _ in range(rounds + 1):
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        found.append(measured(context.new_page(), address, entries))
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
        rounds = run(browser, address, asked.entries, asked.rounds)
        browser.close()
    slow = False
    print(f"{asked.entries} x {asked.entries} entries, {asked.rounds} rounds, milliseconds")
    for name, limit, values in zip(
        (
            "first content",
            "answer with all cells",
            "grid drawn after it",
            "grid of another difficulty",
            "its processor time",
            "far corner by scrolling",
            "far corner by keys",
        ),
        (FIRST, FIRST, *(DRAWN,) * 5),
        zip(*rounds, strict=True),
        strict=True,
    ):
        median = statistics.median(values)
        slow |= median > limit
        print(f"  {name:32} median {median:6.0f}  slowest {max(values):6.0f}  aim {limit:6.0f}")
    sys.exit(int(slow))


if __name__ == "__main__":
    main()
