"""A board whose metric is an error, by the API and in its pages: errors, and fewer are better."""

from __future__ import annotations

import asyncio
import csv
import io
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import delete

from api.main import create_app
from api.routes.cells import data_of
from grbcore import datasets
from grbcore.scenario import Side
from grbcore.store import snapshots
from grbcore.store.session import now
from grbcore.store.tables import CellRow
from tests.api.stage import Stage
from tests.grbcore.graphlevel import small_zinc
from tests.store.molecules import BOARD, CASES, TARGETS, Molecules

API = "/api/v1"
AT = f"{API}/boards/{BOARD.id}"


#: In the place of a board of errors that has left the catalog.
FORMER = "zinc/adjacency@0"

ENTRIES: dict[str, Side] = {"A": "defense", "B": "defense", "weak": "attack", "strong": "attack"}


@pytest.fixture
def ids(stage: Stage) -> dict[str, str]:
    """Defenses A and B, attacks weak and strong; see `CASES`."""
    board = Molecules(stage.sessions, stage.blobs, CASES)
    return {name: board.add(side, name) for name, side in ENTRIES.items()}


def get(client: httpx.Client, path: str) -> Any:
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()


def rows(client: httpx.Client, path: str) -> list[dict[str, str]]:
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return list(csv.DictReader(io.StringIO(answer.text, newline="")))


def text(client: httpx.Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return answer.text


#: At budget 2 strong makes A err 1.0 in repeat 0 and a hundredth more in each other; in the mean
#: 1.01, weak 0.61; without attack 0.2.  B: 1.81, 0.81 and 0.3.  In Weighted the worst counts 36,
#: the next 9 and the last 4 of 49.
WEIGHTED = {
    "A": (36 * 1.01 + 9 * 0.61 + 4 * 0.2) / 49,
    "B": (36 * 1.81 + 9 * 0.81 + 4 * 0.3) / 49,
}


def test_the_board_and_its_rankings(client: httpx.Client, ids: dict[str, str]) -> None:
    (board,) = [one for one in get(client, f"{API}/boards") if one["id"] == BOARD.id]
    assert board["metric"] == "error"
    assert (board["best_defense"]["name"], board["best_attack"]["name"]) == ("A", "strong")
    found = get(client, f"{AT}/leaderboard?side=defense&difficulty=2")
    scores = {row["entry"]["name"]: row["metrics"]["2"] for row in found["rows"]}
    assert [*scores] == ["A", "B"]
    for name, expected in WEIGHTED.items():
        assert scores[name]["weighted"]["mean"] == pytest.approx(expected)
    assert scores["B"]["worst"]["mean"] == pytest.approx(1.81)
    assert found["rows"][0]["clean"]["2"]["mean"] == pytest.approx(0.2)
    assert [row["worst"]["name"] for row in found["rows"]] == ["strong", "strong"]
    attacks = get(client, f"{AT}/leaderboard?side=attack&difficulty=mean")["rows"]
    assert [row["entry"]["name"] for row in attacks if row["entry"]] == ["strong", "weak"]
    listed = rows(client, f"{AT}/leaderboard.csv?side=defense&difficulty=2")
    assert [float(row["weighted"]) for row in listed] == pytest.approx([*WEIGHTED.values()])
    assert "avg_3_max" in listed[0]
    printed = text(client, f"{AT}/leaderboard.tex?side=defense&difficulty=2")
    assert f"{WEIGHTED['A']:.3f}{{" in printed
    assert "3-Max" in printed
    assert "percent" not in printed


def test_cells_and_what_a_score_is_made_of(client: httpx.Client, ids: dict[str, str]) -> None:
    made = get(client, f"{API}/submissions/{ids['A']}/score?difficulty=2")
    parts = {part["counterpart"]["name"]: part for part in made["parts"]}
    assert {name: part["places"] for name, part in parts.items()} == {
        "strong": [1, 1, 1], "weak": [2, 2, 2], "without attack": [3, 3, 3]
    }  # fmt: skip
    assert sum(part["share"] for part in parts.values()) == pytest.approx(WEIGHTED["A"])
    cell = get(client, f"{API}/cells/{parts['strong']['cell']}")
    assert cell["correct"] == {}
    assert cell["errors"]["2"] == pytest.approx([1.0, 1.01, 1.02])
    assert cell["total"]["2"] == TARGETS
    assert cell["accuracy"]["2"]["mean"] == pytest.approx(1.01)
    assert cell["accuracy"]["mean"]["mean"] == pytest.approx(1.51)  # 0.5 times 1 to 5
    (line,) = [
        row for row in rows(client, f"{API}/cells/{cell['id']}/results.csv")
        if row["difficulty"] == "2"
    ]  # fmt: skip
    assert [float(line[f"repeat_{n}"]) for n in range(3)] == pytest.approx([1.0, 1.01, 1.02])
    printed = text(client, f"{API}/cells/{cell['id']}/results.tex")
    assert "1.010{" in printed
    assert "Macro-F1" not in printed
    page = text(client, f"/cells/{cell['id']}")
    assert "Mean error over all targets" in page
    assert "1.010" in page
    assert "101.00" not in page


def test_tables_mark_the_best_of_errors(client: httpx.Client, ids: dict[str, str]) -> None:
    """strong is the best attack of both; A the best defense everywhere."""
    found = get(client, f"{AT}/table?preset=complete")
    marks = {
        (row["attack"], cell["defense"]): (
            cell["value"]["best_attack"],
            cell["value"]["best_defense"],
        )
        for row in found["rows"]
        for cell in row["cells"]
        if row["difficulty"] == "2"
    }
    for attack in ("strong", "weak"):
        for defense in "AB":
            expected = (attack == "strong", defense == "A")
            assert marks[ids[attack], ids[defense]] == expected
    matrix = get(client, f"{AT}/matrix?difficulty=2")
    cells = {cell["id"]: (cell["attack"], cell["defense"]) for cell in matrix["cells"]}
    assert {cells[one] for one in matrix["best_attacks"]} == {
        (ids["strong"], ids[defense]) for defense in "AB"
    }
    assert {cells[one][1] for one in matrix["best_defenses"]} == {ids["A"]}
    grid = rows(client, f"{AT}/matrix.csv?difficulty=2")
    by_name = {row["attack"]: row for row in grid}
    assert float(by_name["strong"][f"B ({ids['B']})"]) == pytest.approx(1.81)
    kinds = {row["what"] for row in rows(client, f"{AT}/table.csv?preset=complete")}
    assert kinds == {"error", "Avg", "Weighted", "3-Min", "3-Max"}
    printed = text(client, f"{AT}/table.tex?preset=complete")
    assert r"\textbf{\textit{1.010" in printed
    assert "error in standard deviations of the labels" in printed


def test_entries_side_by_side(client: httpx.Client, ids: dict[str, str]) -> None:
    """Of two defenses B errs more: A wins, by the difference of the scores."""
    both = f"{ids['A']},{ids['B']}"
    found = get(client, f"{AT}/comparison/differences?ids={both}&difficulty=2")
    (pair,) = found["pairs"]
    (known,) = [one for one in pair["metrics"] if one["metric"] == "weighted"]
    assert known["mean"] == pytest.approx(WEIGHTED["B"] - WEIGHTED["A"])
    assert known["winner"] == ids["A"]
    page = text(client, f"/compare?board={BOARD.id}&ids={both}&difficulty=2")
    assert "Lower is better." in page
    assert "A wins by" in page
    wins = rows(client, f"{AT}/comparison/wins.csv?ids={both}")
    assert {(row["entry"], row["wins"]) for row in wins if row["difficulty"] == "2"} == {
        ("A", "3"), ("B", "0")
    }  # fmt: skip


def test_charts_the_arena_and_the_pages(client: httpx.Client, ids: dict[str, str]) -> None:
    charts = get(client, f"{AT}/charts?difficulty=2")
    assert [one["name"] for one in charts["best_defenses"]] == ["A"]
    assert [one["name"] for one in charts["best_attacks"]] == ["weak", "strong"]
    arena = get(client, f"{AT}/arena?side=defense&difficulty=2")
    assert [row["entry"]["name"] for row in arena["rows"]] == ["A", "B"]
    assert arena["frontier"]["value"] == pytest.approx(1.01)
    page = text(client, f"/boards/{BOARD.id}?difficulty=2")
    assert f"{WEIGHTED['A']:.3f}" in page
    assert "Lower is better." in page
    assert "Higher is stronger." in page
    assert "mean error would be 1.010" in text(client, f"/boards/{BOARD.id}/arena?difficulty=2")
    for path in ("table", "charts", "rules"):
        text(client, f"/boards/{BOARD.id}/{path}")
    assert "each share is a weight times an error" in text(client, f"/submissions/{ids['A']}")


def test_what_goes_by_right_and_wrong_says_why_there_is_none(
    client: httpx.Client, ids: dict[str, str]
) -> None:
    made = get(client, f"{API}/submissions/{ids['A']}/score?difficulty=2")
    cell = made["parts"][0]["cell"]
    wrong = "its results are errors, none of which is right or wrong"
    assert get(client, f"{API}/cells/{cell}/breakdown?difficulty=2")["missing"] == wrong
    both = f"{ids['A']},{ids['B']}"
    found = get(client, f"{AT}/comparison/degrees?ids={both}&difficulty=2")
    assert found["missing"] == wrong
    found = get(client, f"{API}/cells/{cell}/confusion?difficulty=2")
    assert found["missing"] == "numbers are predicted, and no classes"
    for path, why in (
        (f"{AT}/comparison/degrees.{{}}?ids={both}&difficulty=2", wrong),
        (f"{API}/cells/{cell}/confusion.{{}}?difficulty=2", found["missing"]),
    ):
        assert rows(client, path.format("csv")) == []
        assert f"missing: {why}" in text(client, path.format("tex"))
    page = text(client, f"/compare?board={BOARD.id}&ids={both}")
    assert "/comparison/degrees" not in page
    assert "/comparison/wins.csv" in page
    flags = get(client, f"{API}/submissions/{ids['B']}")["flags"]
    assert {flag["code"] for flag in flags} == {"reference", "non-adaptive"}


@pytest.fixture
def former(stage: Stage) -> dict[str, str]:
    """The same entries on a board that is in no catalog any more."""
    board = Molecules(stage.sessions, stage.blobs, CASES, board=FORMER)
    return {name: board.add(side, name) for name, side in ENTRIES.items()}


def test_results_of_a_board_that_has_left_the_catalog_stay_errors(
    client: httpx.Client, former: dict[str, str]
) -> None:
    entry = get(client, f"{API}/submissions/{former['A']}")
    assert (entry["board"], entry["metric"]) == (FORMER, "error")
    (known,) = [one for one in entry["results"] if one["attack"] == former["strong"]]
    cell = get(client, f"{API}/cells/{known['id']}")
    assert (cell["metric"], cell["command"]) == ("error", None)
    for path in (f"/submissions/{former['A']}", f"/cells/{known['id']}"):
        page = text(client, path)
        assert "1.010" in page
        assert "101.00" not in page and "right or wrong" not in page
    assert "nothing is ranked there any more" in text(client, f"/submissions/{former['A']}")
    for path in (f"submissions/{former['A']}", f"cells/{known['id']}"):
        assert "1.010{" in text(client, f"{API}/{path}/results.tex")


def test_a_snapshot_says_what_it_is_of_when_its_board_and_cells_are_gone(
    client: httpx.Client, stage: Stage, former: dict[str, str]
) -> None:
    board = BOARD.model_copy(update={"version": 0})
    made = snapshots.make(
        stage.sessions, stage.blobs, board, user_id=None, via="cli", reason="x", now=now()
    )
    with stage.sessions.writing() as session:
        session.execute(delete(CellRow))
    assert get(client, f"{API}/snapshots/{made}")["metric"] == "error"
    page = text(client, f"/snapshots/{made}")
    assert "0.200" in page and "20.00" not in page  # defense A without attack


def test_graphs_are_not_read_for_a_breakdown_that_errors_have_not(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = small_zinc.write(tmp_path / "data", monkeypatch)
    app = create_app(stage.settings.model_copy(update={"data_dir": folder}))

    async def found() -> object:
        async with app.router.lifespan_context(app):
            return data_of(app.state.service, BOARD)

    assert asyncio.run(found()) is None
    kept = stage.settings.prepared_dir
    assert datasets.opened(BOARD.dataset, data_dir=folder, cache=kept) is not None
