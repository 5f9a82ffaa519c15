"""Upload, evaluate against every counterpart, see the ranking: the real processes, no mocks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
import psutil
import pytest
from playwright.sync_api import Browser, Page

from grbcore.leaderboard import Arena, rank
from grbcore.results import CLEAN, Cell
from grbcore.scenario import DIFFICULTIES
from tests import tables
from tests.e2e.stack import BOARD, Stack, wait_for

STACKS = ("production_stack", "embedded_stack")


class Loop:
    """One stack with an attack and a defense uploaded by REST and ranked."""

    def __init__(self, stack: Stack, folder: Path, made: Path) -> None:
        self.stack = stack
        self.folder = folder
        defense, attack = made / "own.safetensors", made / "own.npz"
        if not attack.exists():
            make(stack, defense, attack)
        self.defense = stack.submit(defense, side="defense", name="Own GCN")
        self.attack = stack.submit(attack, side="attack", name="Own FGSM", family="FGSM")
        for submission in (self.defense, self.attack):
            assert stack.settled(submission)["state"] == "ranked"
        self.matrix: dict[str, Any] = stack.get(f"/boards/{BOARD}/matrix", view="all")


def make(stack: Stack, defense: Path, attack: Path) -> None:
    """The two files, as a user makes and checks them at home."""
    stack.grb(
        "train", BOARD, "--hidden", "16", "--epochs", "40", "--seed", "5", "--out", str(defense)
    )
    stack.grb(
        *("attack", BOARD, "--method", "FGSM", "--surrogate", str(defense)),
        *("--steps", "20", "--step-size", "0.1", "--out", str(attack)),
    )
    stack.grb("check", str(defense), str(attack), "--board", BOARD)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the files that go to both stacks."""
    return tmp_path_factory.mktemp("made")


@pytest.fixture(scope="module", params=STACKS)
def loop(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, made: Path
) -> Loop:
    stack: Stack = request.getfixturevalue(request.param)
    return Loop(stack, tmp_path_factory.mktemp("loop"), made)


def cells_of(loop: Loop) -> list[Cell]:
    """Every cell of the board, from the pages that the API has of each."""
    found = []
    for entry in loop.matrix["cells"]:
        cell = loop.stack.get(f"/cells/{entry['id']}")
        correct = {name: tuple(counts) for name, counts in cell["correct"].items()}
        found.append(Cell(entry["attack"], entry["defense"], correct, cell["total"]))
    return found


def test_every_entry_met_every_counterpart(loop: Loop) -> None:
    matrix = loop.matrix
    expected = {(a["id"], d["id"]) for a in matrix["attacks"] for d in matrix["defenses"]}
    assert {(cell["attack"], cell["defense"]) for cell in matrix["cells"]} == expected
    assert {cell["state"] for cell in matrix["cells"]} == {"done"}
    assert loop.attack in {entry["id"] for entry in matrix["attacks"]}
    assert loop.defense in {entry["id"] for entry in matrix["defenses"]}


def test_matrix_equals_grb_evaluate_run_by_hand(loop: Loop) -> None:
    attacks = {
        str(loop.stack.download(entry["id"], loop.folder / f"{entry['id']}.npz")): entry["id"]
        for entry in loop.matrix["attacks"]
        if entry["id"] != CLEAN
    }
    defenses = {
        str(loop.stack.download(entry["id"], loop.folder / f"{entry['id']}.safetensors")): entry[
            "id"
        ]
        for entry in loop.matrix["defenses"]
    }
    arguments = [option for path in attacks for option in ("--attack", path)]
    arguments += [option for path in defenses for option in ("--defense", path)]
    by_hand = json.loads(loop.stack.grb("evaluate", BOARD, "--json", *arguments).stdout)

    served = {(cell.attack, cell.defense): (cell.correct, cell.total) for cell in cells_of(loop)}
    attacks[CLEAN] = CLEAN
    made = {
        (attacks[cell["attack"]], defenses[cell["defense"]]): (
            {name: tuple(counts) for name, counts in cell["correct"].items()},
            cell["total"],
        )
        for cell in by_hand
    }
    assert made == served


@pytest.mark.parametrize("view", ["reference", "all"])
@pytest.mark.parametrize("side", ["attack", "defense"])
def test_ranking_equals_rank_over_the_cells(loop: Loop, side: str, view: str) -> None:
    attacks = [a for a in loop.matrix["attacks"] if a["id"] != CLEAN]
    defenses = loop.matrix["defenses"]
    official = view == "reference"
    arena = Arena(
        repeats=3,
        attacks=tuple(entry["id"] for entry in attacks),
        defenses=tuple(entry["id"] for entry in defenses),
        attack_counterparts=tuple(
            entry["id"] for entry in defenses if entry["is_reference"] or not official
        ),
        defense_counterparts=tuple(
            entry["id"] for entry in attacks if entry["is_reference"] or not official
        ),
    )
    expected = rank(arena, cells_of(loop), side)  # type: ignore[arg-type]
    answer = loop.stack.get(f"/boards/{BOARD}/leaderboard", side=side, view=view)
    served = [
        (row["rank"], row["entry"]["id"] if row["entry"] else CLEAN, row["metrics"]["full"])
        for row in answer["rows"]
    ]
    made = [
        (
            row.rank,
            row.id,
            {
                name: {"mean": score.mean, "std": score.std}
                for name, score in (
                    ("weighted", row.metrics["full"].weighted),
                    ("average", row.metrics["full"].average),
                    ("three", row.metrics["full"].three),
                    ("worst", row.metrics["full"].worst),
                )
            }
            | {"n": row.metrics["full"].n},
        )
        for row in expected.rows
    ]
    assert served == made


def test_scores_are_the_papers_definition(loop: Loop) -> None:
    """Weighted, Avg, 3-Min and the worst case of each defense, from the text of the paper."""
    cells = {(cell.attack, cell.defense): cell for cell in cells_of(loop)}
    attacks = loop.matrix["attacks"]
    references = [a["id"] for a in attacks if a["is_reference"] and a["id"] != CLEAN]
    answer = loop.stack.get(f"/boards/{BOARD}/leaderboard", side="defense", view="reference")
    for row in answer["rows"]:
        for difficulty in DIFFICULTIES:
            repeats = []
            for repeat in range(3):
                rows = []
                for attack in (*references, CLEAN):
                    cell = cells[attack, row["entry"]["id"]]
                    counts = cell.correct[difficulty]
                    count = counts[0] if len(counts) == 1 else counts[repeat]
                    rows.append(count / cell.total[difficulty])
                rows.sort()
                weights = [1 / (i * i) for i in range(1, len(rows) + 1)]
                weighted = sum(w * a for w, a in zip(weights, rows, strict=True)) / sum(weights)
                repeats.append((weighted, sum(rows) / len(rows), sum(rows[:3]) / 3, rows[0]))
            for index, name in enumerate(("weighted", "average", "three", "worst")):
                values = np.array([repeat[index] for repeat in repeats])
                shown = row["metrics"][difficulty][name]
                assert shown["mean"] == pytest.approx(values.mean(), abs=1e-12)
                assert shown["std"] == pytest.approx(values.std(), abs=1e-12)


def asked(loop: Loop, **query: str) -> dict[str, list[list[str]]]:
    """What the tables of a board's page must show, from the API's answers."""
    url = f"/boards/{BOARD}"
    return {
        "attacks": tables.ranking(loop.stack.get(f"{url}/leaderboard", side="attack", **query)),
        "defenses": tables.ranking(loop.stack.get(f"{url}/leaderboard", side="defense", **query)),
        "matrix": tables.matrix(loop.stack.get(f"{url}/matrix", **query)),
    }


def assert_shown(loop: Loop, page: Page, **query: str) -> None:
    """The page has what the API answered before it was read and answers after.

    Intervals and flags come by and by: where one came meanwhile the page is read once more.
    """
    after = asked(loop, **query)
    for _ in range(10):
        before = after
        page.goto(f"{loop.stack.address}/boards/{BOARD}?{urlencode(query)}")
        for name in before:
            page.locator(f"table[data-table={name}]").wait_for()
        found = {name: shown(page, name) for name in before}
        after = asked(loop, **query)
        if after == before:
            assert found == after
            return
    pytest.fail("the board did not stand still")


@pytest.mark.browser
@pytest.mark.parametrize("view", ["reference", "all"])
@pytest.mark.parametrize("difficulty", ["easy", "full"])
def test_page_shows_every_number_of_the_api(
    loop: Loop, page: Page, difficulty: str, view: str
) -> None:
    assert_shown(loop, page, difficulty=difficulty, view=view)


def shown(page: Page, name: str) -> list[list[str]]:
    """The texts of a table, row by row; of a ranking, without its head."""
    rows = page.locator(f"table[data-table={name}]").evaluate(
        "table => [...table.rows].map(row => [...row.cells].map(cell => cell.innerText))"
    )
    texts = [[" ".join(text.split()) for text in row] for row in rows]
    return texts if name == "matrix" else texts[1:]


@pytest.mark.browser
def test_board_shows_every_number_of_the_api_without_javascript(
    loop: Loop, browser: Browser
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    assert_shown(loop, page, difficulty="full", view="all")
    page.get_by_role("link", name="Own FGSM").first.click()
    page.get_by_role("heading", name="Own FGSM").wait_for()
    context.close()


@pytest.mark.browser
def test_page_of_a_submission_leads_to_its_cells(loop: Loop, page: Page) -> None:
    page.goto(f"{loop.stack.address}/submissions/{loop.attack}")
    page.get_by_role("heading", name="Own FGSM").wait_for()
    page.locator("a[href^='/cells/']").first.click()
    page.wait_for_url("**/cells/*")
    page.get_by_text("grb evaluate").first.wait_for()


# what is killed in mid-work is not lost; last, since these add entries to the board


def test_sigkill_of_the_worker_in_mid_evaluation_loses_nothing(
    production_stack: Stack, tmp_path: Path
) -> None:
    """Ranked within 90 s after a worker is back."""
    stack = production_stack
    path = tmp_path / "wide.safetensors"
    stack.grb(
        *("train", BOARD, "--architecture", "GAT", "--hidden", "64,64,64", "--heads", "8"),
        *("--epochs", "3", "--out", str(path)),
    )
    submission = stack.submit(path, side="defense", name="Killed")
    wait_for("a running cell", lambda: running(stack, submission), 60)
    worker = psutil.Process(stack.processes["worker"].pid)
    children = worker.children(recursive=True)
    stack.stop("worker", kill=True)
    try:
        assert stack.get(f"/submissions/{submission}")["state"] == "evaluating"
        stack.start_worker()
        assert stack.settled(submission, 90)["state"] == "ranked"
        assert stack.get(f"/submissions/{submission}")["cells"]["failed"] == 0
    finally:
        _, alive = psutil.wait_procs(children, timeout=30)
    assert not alive, "a child of the killed worker lives on"


def running(stack: Stack, submission: str) -> bool:
    return bool(stack.get(f"/submissions/{submission}")["cells"]["running"])


def test_worker_stopped_gently_gives_its_work_back(production_stack: Stack, tmp_path: Path) -> None:
    stack = production_stack
    path = tmp_path / "stopped.safetensors"
    stack.grb(
        *("train", BOARD, "--architecture", "GAT", "--hidden", "64,64,64", "--heads", "8"),
        *("--epochs", "2", "--seed", "9", "--out", str(path)),
    )
    submission = stack.submit(path, side="defense", name="Stopped")
    wait_for("a running cell", lambda: running(stack, submission), 60)
    stack.stop("worker")
    assert not running(stack, submission)
    stack.start_worker()
    assert stack.settled(submission, 90)["state"] == "ranked"
