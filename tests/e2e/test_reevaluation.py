"""Results computed once more by the real worker: previewed, applied, and once cancelled."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page
from sqlalchemy import select

from grbcore.results import CLEAN
from grbcore.store.session import Sessions, connect
from grbcore.store.tables import BoardRow, CellRow
from tests.e2e.stack import BOARD, Stack, wait_for

JOBS = "/admin/reevaluations"


class Admin:
    """A stack as its admin uses it, and the board as everybody sees it."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        self.headers = {"Authorization": f"Bearer {stack.token}"}
        url = f"sqlite:///{stack.folder / 'var' / 'grb.db'}"
        self.sessions = Sessions(connect(stack.environment.get("GRB_DATABASE_URL", url)))

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        url = f"{self.stack.address}/api/v1{path}"
        answer = httpx.request(method, url, json=body, headers=self.headers, timeout=30)
        assert answer.is_success, answer.text
        return answer.json()

    def computed(self, reason: str, **selection: Any) -> str:
        """The id of a re-evaluation that the worker has computed."""
        asked = {"board": BOARD, "selection": selection, "reason": reason}
        job: str = self.ask("POST", JOBS, asked)["id"]
        path = f"{JOBS}/{job}"
        wait_for("the re-evaluation", lambda: self.ask("GET", path)["state"] == "ready", 180)
        assert self.ask("GET", path)["progress"]["failed"] == 0
        return job

    def public(self) -> str:
        """The rankings and the matrix, without what tells one revision from another, as do the
        intervals, which follow a while later."""
        url = f"/boards/{BOARD}"
        found = [self.stack.get(f"{url}/leaderboard", side=side) for side in ("attack", "defense")]
        matrix = self.stack.get(f"{url}/matrix")
        pairs = {cell.pop("id"): [cell["attack"], cell["defense"]] for cell in matrix["cells"]}
        for best in ("best_attacks", "best_defenses"):
            matrix[best] = sorted(pairs[cell] for cell in matrix[best])
        matrix["cells"].sort(key=lambda cell: (cell["attack"], cell["defense"]))
        for answer in (*found, matrix):
            del answer["revision"]
        for answer in found:
            del answer["intervals"]
            for row in answer["rows"]:
                del row["interval"], row["breaks"]
        return json.dumps([*found, matrix])


@pytest.fixture(scope="module")
def admin(embedded_stack: Stack) -> Iterator[Admin]:
    admin = Admin(embedded_stack)
    yield admin
    admin.sessions.engine.dispose()


def spoil(admin: Admin) -> tuple[str, dict[str, str]]:
    """Every target of the best defense lost under one attack, as a faulty worker would count it;
    the cell's id, and the two entries."""
    rows = admin.stack.get(f"/boards/{BOARD}/leaderboard")["rows"]
    with admin.sessions.writing() as session:
        query = select(CellRow).where(
            CellRow.defense_id == rows[0]["entry"]["id"],
            CellRow.attack_id.is_not(None),
            CellRow.place == "current",
        )
        cell = session.scalars(query.order_by(CellRow.id).limit(1)).one()
        assert cell.correct is not None
        cell.confusion = None  # as of an earlier version
        cell.correct = {name: [0] * len(counts) for name, counts in cell.correct.items()}
        session.get_one(BoardRow, BOARD).revision += 1
        return cell.id, {"attack": str(cell.attack_id), "defense": cell.defense_id}


@pytest.mark.browser
def test_a_faulty_result_is_found_replaced_and_kept(admin: Admin, page: Page) -> None:
    right = admin.public()
    spoiled, pair = spoil(admin)
    wrong = admin.public()
    assert wrong != right

    job = admin.computed("a faulty worker", submissions=[pair["defense"]], side="defense")
    assert admin.public() == wrong  # nobody sees anything of it yet
    preview = admin.ask("GET", f"{JOBS}/{job}/preview")
    largest = preview["largest"][0]
    assert {side: largest[side]["id"] for side in pair} == pair
    assert (largest["before"], preview["changed"]) == (0, 1)
    moved = {row["entry"]["id"]: row["rank_after"] for row in preview["defenses"]}
    assert moved[pair["defense"]] == 1

    applied = admin.ask("POST", f"{JOBS}/{job}/apply", {"revision": preview["revision"]})
    assert applied["outcome"]["changed"] == 1
    assert admin.public() == right  # the worker computed the very same numbers again
    past = admin.stack.get(f"/cells/{spoiled}")
    current = admin.stack.get(f"/cells/{past['replaced_by']}")
    assert [result["id"] for result in current["earlier"]] == [spoiled]
    assert past["macro_f1"] == {} and current["macro_f1"].keys() == current["correct"].keys()

    page.goto(f"{admin.stack.address}/boards/{BOARD}")
    history = page.locator("table[data-table=history]")
    history.get_by_text("a faulty worker").wait_for()
    assert_accessible(page)
    page.goto(f"{admin.stack.address}/cells/{spoiled}")
    page.get_by_role("link", name="a newer one").click()
    page.wait_for_url(f"**/cells/{current['id']}")
    page.locator("table[data-table=earlier]").wait_for()
    assert_accessible(page)


def assert_accessible(page: Page) -> None:
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_one_that_is_cancelled_changes_nothing(admin: Admin) -> None:
    before = admin.public()
    cells = admin.stack.get(f"/boards/{BOARD}/matrix")["cells"]
    clean = sorted(cell["id"] for cell in cells if cell["attack"] == CLEAN)
    job = admin.computed("only a look", families=["GCN"], side="defense")
    assert admin.ask("GET", f"{JOBS}/{job}/preview")["changed"] == 0  # the same numbers again
    reason = {"reason": "the numbers are the same"}
    assert admin.ask("POST", f"{JOBS}/{job}/cancel", reason)["state"] == "cancelled"
    assert admin.public() == before
    cells = admin.stack.get(f"/boards/{BOARD}/matrix")["cells"]
    assert sorted(cell["id"] for cell in cells if cell["attack"] == CLEAN) == clean
    entries = admin.ask("GET", f"/admin/audit?subject_id={job}")["entries"]
    assert [entry["action"] for entry in entries] == ["reevaluation.cancel", "reevaluation.create"]
    applied = admin.stack.get(f"/boards/{BOARD}/history")["applied"]
    assert job not in {one["id"] for one in applied}
