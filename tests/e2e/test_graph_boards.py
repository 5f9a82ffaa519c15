"""A board on whole graphs in the real browser: submitted, ranked, looked at cell by cell."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from grbcore import catalog, datasets
from grbcore.evaluate import evaluate
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.graphlevel.models import Shape, build
from grbcore.graphlevel.models.weights import load, save
from grbcore.graphlevel.shape import together
from grbcore.results import Cell
from grbcore.scenario import BUDGETS, MEAN, Difficulty
from grbcore.submission import write_attack
from tests.e2e.addresses import password_of
from tests.e2e.stack import Stack, embedded
from tests.grbcore.graphlevel.test_graph_boards import random_flips

pytestmark = [pytest.mark.browser, pytest.mark.real_data]

BOARD = catalog.board("mutag/adjacency@1")
RANKED = "It is registered and takes part in the ranking."


@pytest.fixture(scope="module")
def mutag(tmp_path_factory: pytest.TempPathFactory, real_data: Path) -> Iterator[Stack]:
    """``grb up`` where MUTAG's data is, and no other."""
    folder = tmp_path_factory.mktemp("mutag")
    (folder / "data" / "graphs").mkdir(parents=True)
    (folder / "data" / "graphs" / "tu-mutag").symlink_to(real_data / "graphs" / "tu-mutag")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRB_DATA_DIR", str(folder / "data"))
        with embedded(folder, "--no-prepare") as stack:
            yield stack


class Files:
    """A small defense, an attack of random flips, and what they score by the library alone."""

    def __init__(self, folder: Path) -> None:
        dataset = datasets.load("mutag", GraphDataset, data_dir=folder / "data")
        self.defense, self.attack = folder / "small.safetensors", folder / "flips.npz"
        save(
            self.defense,
            build("GINE", Shape.of(dataset), {"hidden": 16, "layers": 3}, seed=4),
        )
        rng = np.random.default_rng(0)
        graphs = dataset.part("test")
        flips = {
            name: tuple(
                together([random_flips(rng, graph.n, int(name)) for graph in graphs])
                for _ in range(BOARD.repeats)
            )
            for name in BUDGETS
        }
        write_attack(self.attack, flips)
        model, _ = load(self.defense, Shape.of(dataset))
        self.cell: Cell = evaluate(BOARD, dataset, model=model, attack=flips)

    def shown(self, name: Difficulty) -> str:
        """The accuracy at a budget, or in the mean over all, as the page writes it."""
        values = np.array(self.cell.accuracy(name))
        return f"{100 * values.mean():.2f} ±{100 * values.std():.2f}"


def submitted(page: Page, stack: Stack, side: str, file: Path, name: str) -> None:
    """Send a file with the form, and wait on that page until it is ranked."""
    page.goto(f"{stack.address}/submit?board={BOARD.id}&side={side}")
    page.get_by_text("What the file holds").click()
    words = "over all 19 test graphs" if side == "attack" else "The weights of a model of Bag"
    expect(page.get_by_text(words)).to_be_visible()
    page.get_by_label("File", exact=True).set_input_files(file)
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Authors").fill("The tests")
    if side == "attack":
        page.get_by_label("Method").select_option("Random")
    page.get_by_role("button", name=f"Submit the {side}").click()
    expect(page.get_by_text(RANKED)).to_be_visible(timeout=60_000)


def row_of(page: Page, table: str, name: str) -> Locator:
    return page.locator(f"table[data-table={table}] tbody tr").filter(has_text=name)


def test_whole_loop_on_a_board_of_whole_graphs(mutag: Stack, page: Page) -> None:
    files = Files(mutag.folder)
    page.goto(f"{mutag.address}/account/sign-in")
    page.get_by_label("Name").fill("admin")
    page.get_by_label("Password").fill(password_of(mutag))
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", name="admin", level=1).wait_for()
    submitted(page, mutag, "defense", files.defense, "Small GINE")
    submitted(page, mutag, "attack", files.attack, "Random flips")

    page.goto(mutag.address)
    listed = row_of(page, "boards", BOARD.id)
    expect(listed).to_contain_text("19 test graphs")
    listed.get_by_role("link", name=BOARD.title).click()
    page.get_by_role("navigation", name="Counterparts").get_by_role("link", name="All").click()
    budgets = page.get_by_role("navigation", name="Budget")
    expect(budgets.locator("[aria-current=true]")).to_have_text("Mean")
    expect(row_of(page, "attacks", "Random flips")).to_contain_text(files.shown(MEAN))
    matrix = page.locator("table[data-table=matrix]")
    expect(matrix.get_by_role("link", name=files.shown(MEAN), exact=True)).to_be_visible()

    budgets.get_by_role("link", name="Budget 5").click()
    expect(row_of(page, "attacks", "Random flips")).to_contain_text(files.shown("5"))
    assert "difficulty=5" in page.url
    matrix.get_by_role("link", name=files.shown("5"), exact=True).click()

    page.get_by_role("heading", name="Random flips against Small GINE").wait_for()
    for name in BUDGETS:
        line = row_of(page, "counts", f"Budget {name}")
        expect(line).to_contain_text(files.shown(name))
        for correct in files.cell.correct[name]:
            expect(line.get_by_text(f"{correct} of 19", exact=True).first).to_be_visible()
    expect(row_of(page, "counts", "Mean")).to_contain_text(files.shown(MEAN))

    page.get_by_role("heading", level=1).get_by_role("link", name="Small GINE").click()
    page.get_by_role("heading", name="Under each attack").wait_for()
    heads = page.locator("table[data-table=results] thead th").all_inner_texts()
    assert heads == ["Attack", "Cell", *(f"Budget {name}" for name in BUDGETS), "Mean"]
    expect(row_of(page, "results", "Random flips")).to_contain_text(files.shown("1"))
