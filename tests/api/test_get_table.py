"""The paper's table over a choice, entries side by side, and what charts are drawn from."""

from __future__ import annotations

import csv
import io
from typing import Any

import httpx
import pytest

from grbcore.store.session import now
from grbcore.store.tables import CellRow
from tests import tables
from tests.api.stage import BOARD, EMPTY, Stage, problem

URL = f"/api/v1/boards/{BOARD}"
GCN = {
    "architecture": "GCN",
    "parameters": {"hidden": [4], "layer_norm": False},
    "features": "normalised",
}


@pytest.fixture
def ids(stage: Stage) -> dict[str, str]:
    """Two attacks and two defenses; A, B and E are the references.

    Full: D has 40, 60, 50 and 60, 40, 50 %, clean 90; E 50, 50, 50 and 20, 30, 25, clean 80.
    """
    found = {
        "A": stage.entry("attack", "A_1", is_reference=True),
        "B": stage.entry("attack", "B", is_reference=True),
        "D": stage.entry("defense", "D", contents=GCN),
        "E": stage.entry("defense", "=E", is_reference=True),
    }
    for defense, attack, counts in (
        ("D", "A", [40, 60, 50]),
        ("D", "B", [60, 40, 50]),
        ("E", "A", [50, 50, 50]),
        ("E", "B", [20, 30, 25]),
    ):
        found[attack + defense] = stage.cell(found[attack], found[defense], {"full": counts})
    stage.cell(None, found["D"], {"full": [90]})
    stage.cell(None, found["E"], {"full": [80]})
    return found


def table(client: httpx.Client, **asked: str) -> Any:
    answer = client.get(f"{URL}/table", params=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_rows_are_attacks_by_difficulty_clean_last_and_columns_defenses(
    client: httpx.Client, ids: dict[str, str]
) -> None:
    found = table(client)
    assert [row["attack"] for row in found["rows"]] == [ids["B"], ids["A"], "clean"]
    assert [entry["id"] for entry in found["defenses"]] == [ids["D"], ids["E"]]
    assert found["rows"][1]["cells"][0]["id"] == ids["AD"]
    assert {row["difficulty"] for row in found["rows"]} == {"full"}


def test_the_numbers_are_those_of_the_rankings_where_their_counterparts_are_chosen(
    client: httpx.Client, ids: dict[str, str]
) -> None:
    found = table(client)
    assert (found["official_defenses"], found["official_attacks"]) == (True, False)
    board = client.get(f"{URL}/leaderboard", params={"side": "defense"}).json()
    weighted = {row["entry"]["id"]: row["metrics"]["full"]["weighted"] for row in board["rows"]}
    [foot] = [one for one in found["foot"] if (one["metric"], one["difficulty"]) == WEIGHTED]
    assert foot["n"] == 3
    for defense, value in foot["values"].items():
        assert {"mean": value["mean"], "std": value["std"]} == weighted[defense]


WEIGHTED = ("weighted", "full")


def test_metrics_are_computed_anew_over_what_is_chosen(
    client: httpx.Client, ids: dict[str, str]
) -> None:
    """D under A and without attack: (4 * 40 + 90) / 5 = 50, 66 and 58 %, mean 58; the std of -8, 8
    and 0 is sqrt(128 / 3) = 6.532."""
    found = table(client, attacks=ids["A"], defenses=ids["D"], difficulties="full")
    assert (found["preset"], found["official_defenses"]) == (None, False)
    assert table(client, defenses=ids["E"])["official_attacks"]
    [foot] = [one for one in found["foot"] if one["metric"] == "weighted"]
    value = foot["values"][ids["D"]]
    assert value["mean"] == pytest.approx(0.58) and value["std"] == pytest.approx(0.0653197)
    assert foot["n"] == 2


def test_differences_are_from_the_base(client: httpx.Client, ids: dict[str, str]) -> None:
    """B minus A against E: -30, -20 and -25 points; -60, -40 and -50 % of A's."""
    found = table(client, base=ids["A"])
    cell = {c["defense"]: c["value"] for c in found["rows"][0]["cells"]}[ids["E"]]
    assert cell["difference"]["mean"] == pytest.approx(-0.25)
    assert cell["relative"]["mean"] == pytest.approx(-0.5)
    assert table(client)["rows"][0]["cells"][0]["value"]["difference"] is None


def test_what_is_not_ranked_for_everybody_is_left_out_and_named(
    client: httpx.Client, stage: Stage, ids: dict[str, str]
) -> None:
    private = stage.entry("defense", "Secret", visibility="private")
    stage.change(ids["D"], withdrawn_at=now())
    asked = ",".join((ids["D"], ids["E"], private, "0" * 26))
    found = table(client, defenses=asked, base=private)
    assert [entry["id"] for entry in found["defenses"]] == [ids["E"]]
    assert set(found["missing"]) == {ids["D"], private, "0" * 26} and found["base"] is None
    assert "Secret" not in str(found)


def test_an_id_of_the_other_side_is_named_too(client: httpx.Client, ids: dict[str, str]) -> None:
    found = table(client, attacks=f"{ids['A']},{ids['D']}")
    assert [entry["id"] for entry in found["attacks"]] == [ids["A"], "clean"]
    assert found["missing"] == [ids["D"]]


def test_the_same_choice_is_one_question_however_it_is_written(
    client: httpx.Client, ids: dict[str, str]
) -> None:
    first, second = (
        client.get(f"{URL}/table", params={"attacks": f"{ids[a]},{ids[b]}"}).headers["etag"]
        for a, b in ("AB", "BA")
    )
    assert first == second


def test_a_page_draws_as_much_as_the_complete_table_at_most(
    client: httpx.Client, ids: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {"attacks": f"{ids['A']},{ids['B']}", "defenses": f"{ids['D']},{ids['E']}"}
    whole = client.get(f"/boards/{BOARD}/table", params=asked).text
    monkeypatch.setattr("api.routes.tables.COMPLETE", 1)
    part = client.get(f"/boards/{BOARD}/table", params=asked).text
    for cell, there in (("BD", True), ("AD", False), ("BE", False)):
        assert f"/cells/{ids[cell]}" in whole and (f"/cells/{ids[cell]}" in part) == there


def test_a_preset_is_known_by_its_choice(client: httpx.Client, ids: dict[str, str]) -> None:
    assert table(client)["preset"] == "main"
    assert table(client, preset="brief")["preset"] == "brief"
    plain = table(client, preset="no-defenses")
    assert [entry["name"] for entry in plain["defenses"]] == ["D", "=E"]  # both are of GCN


def test_a_board_without_data_has_an_empty_table(client: httpx.Client) -> None:
    found = client.get(f"/api/v1/boards/{EMPTY}/table").json()
    assert (found["rows"], found["defenses"]) == ([], [])


def test_a_choice_that_cannot_be_is_422(client: httpx.Client, ids: dict[str, str]) -> None:
    problem(client.get(f"{URL}/table?attacks=x"), 422, "invalid-fields")
    problem(client.get(f"{URL}/table?difficulties=extreme"), 422, "invalid-fields")
    problem(client.get(f"{URL}/table?preset=mine"), 422, "invalid-fields")
    problem(client.get("/api/v1/boards/x/injection/table"), 404, "board-unknown")


def test_an_answer_that_is_known_is_not_sent_again(
    client: httpx.Client, stage: Stage, ids: dict[str, str]
) -> None:
    files = ("table.csv", "table.tex", "leaderboard.tex", "matrix.tex")
    for path in (*files, "table", f"comparison?ids={ids['D']}", "charts"):
        tag = client.get(f"{URL}/{path}").headers["etag"]
        again = client.get(f"{URL}/{path}", headers={"If-None-Match": tag})
        assert again.status_code == 304
    stage.entry("defense", "New")
    assert client.get(f"{URL}/charts", headers={"If-None-Match": tag}).status_code == 200


def test_the_table_as_csv_has_a_line_for_each_number(
    client: httpx.Client, ids: dict[str, str]
) -> None:
    text = client.get(f"{URL}/table.csv", params={"base": ids["A"]}).text
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert len(rows) == 6 + 3 * 3 + 3 * 2  # cells, metrics of three rows, of two defenses
    [cell] = [r for r in rows if (r["attack_id"], r["defense_id"]) == (ids["B"], ids["E"])]
    assert float(cell["mean"]) == 0.25 and float(cell["difference"]) == -0.25
    assert cell["defense"] == "'=E" and cell["best_attack"] == "yes"


@pytest.mark.parametrize(
    ("path", "lines"),
    [
        ("table.tex", [r"B & F &", r"A\_1 & F &", r"W/O Attack & F &", r"Weighted & F &"]),
        ("leaderboard.tex?side=defense&view=all", [r"1 & D &", r"2 & =E &"]),
        (
            "leaderboard.tex?metric=worst",
            [r"Rank & Defense & Clean & Weighted & Avg & 3-Min & Worst"],
        ),
        (
            "leaderboard.tex?side=attack",
            [r"Rank & Attack & Budget used & Weighted", r"1 & B & -- &", r"-- & W/O Attack & -- &"],
        ),
        ("matrix.tex", [r"A\_1 & 50.00{\scriptsize$\pm$8.16} & 50.00"]),
    ],
)
def test_a_table_for_latex_has_its_rows(
    client: httpx.Client, ids: dict[str, str], path: str, lines: list[str]
) -> None:
    answer = client.get(f"{URL}/{path}")
    assert answer.headers["content-type"] == "application/x-tex; charset=utf-8"
    assert answer.headers["content-disposition"].endswith('.tex"')
    assert r"\toprule" in answer.text and r"\bottomrule" in answer.text
    for line in lines:
        assert any(one.startswith(line) for one in answer.text.splitlines()), answer.text


def test_entries_side_by_side_differ_from_the_first(
    client: httpx.Client, ids: dict[str, str]
) -> None:
    """E minus D under B: -40, -10 and -25 points, std sqrt(150) = 12.247; D wins there and on the
    clean graph, under A both have 50 % and win."""
    asked = {"ids": f"{ids['D']},{ids['E']}"}
    found = client.get(f"{URL}/comparison", params=asked).json()
    assert found["side"] == "defense" and found["total"] == 2
    assert [entry["wins"]["full"] for entry in found["entries"]] == [3, 1]
    assert [row["counterpart"] for row in found["rows"]] == [ids["B"], ids["A"], "clean"]
    first, second = found["rows"][0]["values"]
    assert first["difference"]["mean"] == 0
    assert second["difference"]["mean"] == pytest.approx(-0.25)
    assert second["difference"]["std"] == pytest.approx(0.1224745)
    assert found["rows"][1]["cells"] == [ids["AD"], ids["AE"]]
    weighted = [one for one in found["metrics"] if (one["metric"], one["difficulty"]) == WEIGHTED]
    assert len(weighted) == 1 and None not in weighted[0]["values"]


def test_a_comparison_as_a_file_has_every_number(client: httpx.Client, ids: dict[str, str]) -> None:
    """Three counterparts and three scores of two entries; under B the second has 25 points less."""
    asked = {"ids": f"{ids['D']},{ids['E']}"}
    text = client.get(f"{URL}/comparison.csv", params=asked).text
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert len(rows) == 2 * (3 + 3)
    [cell] = [r for r in rows if (r["counterpart_id"], r["entry_id"]) == (ids["B"], ids["E"])]
    assert (cell["what"], cell["entry"], cell["best"]) == ("accuracy", "'=E", "no")
    assert (float(cell["mean"]), float(cell["difference"])) == (0.25, -0.25)
    print_ = client.get(f"{URL}/comparison.tex", params=asked).text.splitlines()
    assert any(one.startswith(r" & D & =E & $\Delta$") for one in print_), print_
    [line] = [one for one in print_ if one.startswith("B & ")]
    assert line.startswith(r"B & \textbf{50.00") and "25.00{" in line and "-25.00" in line, line


def test_where_each_is_best_is_had_as_files(client: httpx.Client, ids: dict[str, str]) -> None:
    """D is best under both attacks and without one, E under A as well."""
    asked = {"ids": f"{ids['D']},{ids['E']}"}
    text = client.get(f"{URL}/comparison/wins.csv", params=asked).text
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [list(row.values()) for row in rows] == [
        ["full", ids["D"], "D", "3", "3"],
        ["full", ids["E"], "'=E", "1", "3"],
    ]
    printed = client.get(f"{URL}/comparison/wins.tex", params=asked)
    assert "Difficulty & D & =E & Of \\\\\n" in printed.text
    assert "Full & 3 & 1 & 3 \\\\\n" in printed.text
    name = 'filename="digits-injection-1-wins-reference.tex"'
    assert printed.headers["content-disposition"] == f"attachment; {name}"
    page = client.get("/compare", params={"board": BOARD, **asked}).text
    assert tables.tables(page)["wins"][1:] == [["Full (of 3)", "3", "1"]]


def test_attacks_are_compared_over_defenses_without_the_clean_row(
    client: httpx.Client, ids: dict[str, str]
) -> None:
    asked = {"ids": f"{ids['A']},{ids['B']},{ids['D']}", "view": "all"}
    found = client.get(f"{URL}/comparison", params=asked).json()
    assert found["side"] == "attack" and found["missing"] == [ids["D"]]
    assert {row["counterpart"] for row in found["rows"]} == {ids["D"], ids["E"]}
    assert [entry["wins"]["full"] for entry in found["entries"]] == [1, 2]


def test_the_side_of_a_comparison_is_that_of_the_first_that_is_ranked(
    client: httpx.Client, ids: dict[str, str]
) -> None:
    asked = {"ids": f"{'0' * 26},{ids['D']},{ids['A']}"}
    found = client.get(f"{URL}/comparison", params=asked).json()
    assert found["side"] == "defense" and found["missing"] == ["0" * 26, ids["A"]]


def test_the_time_of_cells_that_not_everybody_sees_is_not_told(
    client: httpx.Client, stage: Stage, ids: dict[str, str]
) -> None:
    """Nor that of cells beyond the references, which is told of no score either."""
    before = client.get(f"{URL}/charts").json()
    kept = stage.entry("attack", "Kept", visibility="private")
    waiting = stage.entry("attack", "Waits", state="evaluating")
    for attack in (kept, waiting):
        cell = stage.cell(attack, ids["D"], {"full": [1, 2, 3]})
        with stage.sessions.writing() as session:
            session.get_one(CellRow, cell).seconds = 1000.0
    stage.board(changed_at=now())  # the answer before is not right any more
    assert client.get(f"{URL}/charts").json()["defenses"] == before["defenses"]


def test_charts_tell_of_each_entry_what_the_ranking_and_its_cells_have(
    client: httpx.Client, ids: dict[str, str]
) -> None:
    """A GCN of 64, 4 and 10: 64 * 4 + 4 + 4 * 10 + 10 = 310 weights; every cell took 0.5 s."""
    found = client.get(f"{URL}/charts").json()
    board = client.get(f"{URL}/leaderboard", params={"side": "defense"}).json()["rows"]
    for entry, row in zip(found["defenses"], board, strict=True):
        assert (entry["id"], entry["metrics"]) == (row["entry"]["id"], row["metrics"])
        repeats = entry["weighted_repeats"]
        assert sum(repeats) / 3 == pytest.approx(row["metrics"]["full"]["weighted"]["mean"])
    assert [entry["parameters"] for entry in found["defenses"]] == [310, None]
    assert found["attacks"][0]["seconds"] == 0.5
    assert [one["id"] for one in found["best_defenses"]] == [ids["D"]]
    assert [one["id"] for one in found["best_attacks"]] == [ids["A"], ids["B"]]


def test_charts_over_all_counterparts_have_the_scores_of_that_view(
    client: httpx.Client, ids: dict[str, str]
) -> None:
    """E is the only reference of its side, so attacks differ: over both B has 50 and 25 %."""
    asked = {"side": "attack", "view": "all"}
    board = client.get(f"{URL}/leaderboard", params=asked).json()["rows"]
    found = client.get(f"{URL}/charts", params={"view": "all"}).json()
    assert found["view"] == "all"
    for entry, row in zip(found["attacks"], board, strict=False):
        assert entry["metrics"] == row["metrics"]
        mean = row["metrics"]["full"]["weighted"]["mean"]
        assert sum(entry["weighted_repeats"]) / 3 == pytest.approx(mean)
    assert found["attacks"][0]["metrics"]["full"]["average"]["mean"] == pytest.approx(0.375)
