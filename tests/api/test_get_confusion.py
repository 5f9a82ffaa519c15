"""For which class targets were taken, scores by class, and what attacks use of their budgets."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import httpx
import numpy as np
import pytest

from grbcore.confusion import pack
from grbcore.store.tables import CellRow
from tests import tables
from tests.api.stage import Stage

#: Of two targets of class 0 and three of class 1: right but for one, which is taken for class 0.
CLEAN = np.array([[[2, 0, 0], [1, 2, 0]]])
#: In repeat 1 no target of class 1 has finite logits.
ATTACKED = np.array([[[1, 1, 0], [1, 2, 0]], [[2, 0, 0], [0, 0, 3]], [[0, 2, 0], [2, 1, 0]]])


def get(client: httpx.Client, path: str, **query: str) -> dict[str, Any]:
    answer = client.get(f"/api/v1/{path}", params=query)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.fixture
def made(stage: Stage) -> dict[str, str]:
    """A defense without attack and under one of either kind: kept by class, and not."""
    ids = {
        "defense": stage.entry("defense", "D"),
        "attack": stage.entry("attack", "A", spent=SPENT),
        "old attack": stage.entry("attack", "B"),
    }
    for name, entry, found in (("clean", None, CLEAN), ("attacked", ids["attack"], ATTACKED)):
        ids[name] = stage.cell(
            entry,
            ids["defense"],
            {"full": np.trace(found, axis1=1, axis2=2).tolist()},
            5,
            confusion=pack({"full": found}),
            not_finite={"full": found[:, :, -1].sum(axis=1).tolist()},
        )
    ids["old"] = stage.cell(ids["old attack"], ids["defense"], {"full": [2]}, 5)
    return ids


#: Two repeats on the digits' injection board, which allows 90 nodes of 20 edges each at full.
SPENT = {"full": {"nodes": [90, 45], "edges": [1700, 850], "ends": [1800, 900]}}


def test_counts_by_class_stand_beside_those_without_the_attack(
    client: httpx.Client, made: dict[str, str]
) -> None:
    found = get(client, f"cells/{made['attacked']}/confusion")
    assert (found["classes"], found["missing"]) == (2, None)
    assert found["repeats"] == ATTACKED.tolist()
    assert found["mean"] == [[1, 1, 0], [1, 1, 1]]
    assert found["clean"] == [[2, 0, 0], [1, 2, 0]]
    assert found["change"] == [[-1, 1, 0], [0, -1, 1]]


def test_without_javascript_a_cells_page_has_both_tables(
    client: httpx.Client, made: dict[str, str]
) -> None:
    shown = tables.tables(client.get(f"/cells/{made['attacked']}").text)
    head = ["Class", "0", "1", "Not finite"]
    assert shown["taken-for"] == [head, ["0", "1", "1", "0"], ["1", "1", "1", "1"]]
    assert shown["taken-for-clean"] == [head, ["0", "2", "0", "0"], ["1", "1", "2", "0"]]
    assert "was not kept" in client.get(f"/cells/{made['old']}").text


def test_counts_by_class_are_had_as_files(client: httpx.Client, made: dict[str, str]) -> None:
    path = f"/api/v1/cells/{made['attacked']}/confusion"
    rows = list(csv.reader(io.StringIO(client.get(f"{path}.csv").text, newline="")))
    head = ["true_class", "taken_for", "mean", "clean", "change"]
    assert rows[0] == [*head, "repeat_0", "repeat_1", "repeat_2"]
    taken = ["0", "1", "not finite"]
    assert [row[:2] for row in rows[1:]] == [[label, one] for label in "01" for one in taken]
    numbers = np.array([row[2:] for row in rows[1:]], float).reshape(2, 3, -1)
    mean = ATTACKED.mean(axis=0)
    columns = [mean, CLEAN[0], mean - CLEAN[0], *ATTACKED]
    assert numbers.tolist() == np.stack(columns, axis=-1).tolist()
    printed = client.get(f"{path}.tex").text
    for line in (
        r" & True class & 0 & 1 & Not finite \\",
        r"With the attack & 1 & 1 & 1 & 1 \\",
        r"W/O Attack & 1 & 1 & 2 & 0 \\",
    ):
        assert f"{line}\n" in printed
    page = client.get(f"/cells/{made['attacked']}").text
    assert re.findall(r'href="(/api/v1/[^"]*/confusion[^"]*)"', page) == [
        f"{path}{end}?difficulty=full" for end in (".csv", ".tex", "")
    ]


def test_a_file_of_what_is_not_known_has_its_head_and_says_why(
    client: httpx.Client, made: dict[str, str]
) -> None:
    path = f"/api/v1/cells/{made['old']}/confusion"
    assert len(client.get(f"{path}.csv").text.splitlines()) == 1
    assert "; missing: for which class targets were taken" in client.get(f"{path}.tex").text
    assert "/confusion" not in client.get(f"/cells/{made['old']}").text


def test_without_an_attack_there_is_nothing_before(
    client: httpx.Client, made: dict[str, str]
) -> None:
    found = get(client, f"cells/{made['clean']}/confusion")
    assert (found["mean"], found["clean"], found["change"]) == (CLEAN[0].tolist(), None, None)


@pytest.mark.parametrize(
    ("cell", "difficulty", "why"),
    [("old", "full", "a re-evaluation keeps it"), ("attacked", "hard", "does not carry hard")],
)
def test_what_is_missing_is_said(
    client: httpx.Client, made: dict[str, str], cell: str, difficulty: str, why: str
) -> None:
    found = get(client, f"cells/{made[cell]}/confusion", difficulty=difficulty)
    assert why in found["missing"]
    assert (found["repeats"], found["mean"], found["clean"]) == ([], [], None)


def test_a_cell_has_its_scores_by_class_where_they_are_known(
    client: httpx.Client, made: dict[str, str]
) -> None:
    clean = get(client, f"cells/{made['clean']}")
    # shares 2/2 and 2/3; F1 4/(2 + 3) and 4/(3 + 2)
    assert clean["balanced_accuracy"]["full"] == {"mean": pytest.approx(5 / 6), "std": None}
    assert clean["macro_f1"]["full"]["mean"] == pytest.approx(0.8)
    # (1/2 + 2/3) / 2, (1 + 0) / 2 and (0 + 1/3) / 2
    attacked = get(client, f"cells/{made['attacked']}")["balanced_accuracy"]["full"]
    assert attacked == pytest.approx({"mean": 5 / 12, "std": np.std([7 / 12, 1 / 2, 1 / 6])})
    old = get(client, f"cells/{made['old']}")
    assert (old["macro_f1"], old["balanced_accuracy"]) == ({}, {})


def test_an_entry_has_the_scores_of_its_cells_in_a_view(
    client: httpx.Client, stage: Stage, made: dict[str, str]
) -> None:
    found = get(client, f"submissions/{made['defense']}/measures", view="all")
    assert found["unknown"] == 1
    balanced = {c["counterpart"]: c["balanced_accuracy"]["full"]["mean"] for c in found["cells"]}
    assert balanced == pytest.approx({"clean": 5 / 6, made["attack"]: 5 / 12})
    reference = get(client, f"submissions/{made['defense']}/measures")
    assert [cell["counterpart"] for cell in reference["cells"]] == ["clean"]
    stage.change(made["attack"], is_reference=True)
    again = get(client, f"submissions/{made['defense']}/measures")
    assert {cell["counterpart"] for cell in again["cells"]} == {"clean", made["attack"]}


def test_an_attacks_ranking_tells_what_it_uses_of_its_budget(
    client: httpx.Client, made: dict[str, str]
) -> None:
    rows = get(client, "boards/digits/injection@1/leaderboard", side="attack", view="all")["rows"]
    used = {row["entry"]["id"]: row["entry"] for row in rows if row["entry"]}
    assert used[made["attack"]]["budget_used"] == 0.75  # 1,350 of 1,800 ends of edges
    assert used[made["attack"]]["spent"] == {"nodes": 67.5, "edges": 1275, "ends": 1350}
    assert used[made["old attack"]]["budget_used"] is None
    assert used[made["old attack"]]["spent"] is None


def test_a_ranking_marks_entries_with_targets_without_finite_logits(
    client: httpx.Client, stage: Stage, made: dict[str, str]
) -> None:
    def marks(side: str) -> dict[str, Any]:
        query = {"side": side, "view": "all"}
        rows = get(client, "boards/digits/injection@1/leaderboard", **query)["rows"]
        return {row["entry"]["id"]: row["entry"]["not_finite"] for row in rows if row["entry"]}

    private = stage.entry("attack", "P", user="bob", visibility="private")
    of = {"not_finite": {"full": [4, 0, 0]}, "newcomer_id": private}
    stage.cell(private, made["defense"], {"full": [1, 5, 5]}, 5, **of)
    mark = {"cells": 1, "targets": 3}
    assert marks("defense") == {made["defense"]: mark}
    assert marks("attack") == {made["attack"]: mark, made["old attack"]: None}


def test_an_attack_tells_its_budget_beside_what_is_allowed(
    client: httpx.Client, made: dict[str, str]
) -> None:
    found = get(client, f"submissions/{made['attack']}")
    assert found["budget"] == {
        "full": {
            "share": 0.75,
            "spent": [
                {"kind": "nodes", "mean": 67.5, "most": 90, "allowed": 90},
                {"kind": "edges", "mean": 1275.0, "most": 1700, "allowed": None},
                {"kind": "ends", "mean": 1350.0, "most": 1800, "allowed": 1800},
            ],
        }
    }
    assert get(client, f"submissions/{made['old attack']}")["budget"] is None


def test_an_entry_tells_how_long_its_evaluation_took(
    client: httpx.Client, made: dict[str, str]
) -> None:
    # each cell of the stage takes half a second
    found = get(client, f"submissions/{made['defense']}")["evaluation"]
    assert found == {"cells": 3, "total": 1.5, "mean": 0.5}


def test_a_ranking_reads_no_counts_by_class(stage: Stage, made: dict[str, str]) -> None:
    with stage.sessions.reading() as session:
        row = session.get_one(CellRow, made["clean"])
        assert "confusion" not in row.__dict__
