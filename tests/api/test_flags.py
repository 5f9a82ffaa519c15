"""Flags in the API's answers: raised from cells, probes and shifts as they are stored."""

from __future__ import annotations

import csv
import io

import httpx
import numpy as np
import pytest

from grbcore.confusion import pack
from tests import tables
from tests.api.stage import BOARD, Stage, problem

LEADERBOARD = f"/api/v1/boards/{BOARD}/leaderboard"
AGNOSTIC = {"total": 100, "unchanged": 100, "cut_correct": 70, "passes": [], "steady": None}
USES_IT = {**AGNOSTIC, "unchanged": 60, "cut_correct": 50}
LOUD = {"clean": [0.2, 0.5, 0.8], "attacked": [-0.4, -0.3, 0.1], "nodes": 90, "features": None}


def contents(architecture: str) -> dict[str, object]:
    return {"architecture": architecture, "parameters": {}, "features": "normalised"}


@pytest.fixture
def entries(stage: Stage) -> dict[str, str]:
    """References RND, FGSM, GCN and MLP; a GCN that ignores the graph and one that knows too much,
    and an attack that leaves as much as RND does."""
    stage.board(facts={"targets": {"full": 100}, "majority": 12})
    ids = {
        "RND": stage.entry("attack", "RND", is_reference=True),
        "FGSM": stage.entry("attack", "FGSM", is_reference=True),
        "weak": stage.entry("attack", "Weak", shift=LOUD),
        "GCN": stage.entry("defense", "GCN", is_reference=True, contents=contents("GCN")),
        "MLP": stage.entry("defense", "MLP", is_reference=True, contents=contents("MLP")),
        "blind": stage.entry("defense", "Blind", contents=contents("GCN")),
        "knows": stage.entry("defense", "Knows", contents=contents("GCN"), attempt=2),
    }
    for attack in ("FGSM", "weak"):
        stage.change(ids[attack], family="FGSM")
    probes = {"MLP": AGNOSTIC, "blind": AGNOSTIC, "knows": USES_IT}
    clean = {"GCN": 80, "MLP": 70, "blind": 70, "knows": 99}
    left = {"GCN": 60, "MLP": 70, "blind": 70, "knows": 60}
    for name, correct in clean.items():
        stage.cell(None, ids[name], {"full": [correct]}, probe=probes.get(name))
        stage.cell(ids["RND"], ids[name], {"full": [correct - 5] * 3})
        stage.cell(ids["FGSM"], ids[name], {"full": [left[name]] * 3})
        stage.cell(ids["weak"], ids[name], {"full": [correct - 6] * 3})
    return ids


def flags_of(client: httpx.Client, submission_id: str) -> dict[str, dict]:
    found = client.get(f"/api/v1/submissions/{submission_id}").json()["flags"]
    return {flag["code"]: flag for flag in found}


def rows_of(client: httpx.Client, **query: str) -> dict[str, list[str]]:
    found = client.get(LEADERBOARD, params={"side": "defense", **query}).json()
    return {row["entry"]["name"]: row["entry"]["flags"] for row in found["rows"] if row["entry"]}


def test_an_entry_has_its_flags_with_reasons_and_figures(
    client: httpx.Client, entries: dict[str, str]
) -> None:
    """70 of 100 with and without the targets' edges, as the MLP."""
    found = flags_of(client, entries["blind"])
    assert list(found) == ["graph-agnostic", "non-adaptive"]
    flag = found["graph-agnostic"]
    assert (flag["severity"], flag["title"]) == ("warning", "ignores the graph")
    assert flag["reason"] == (
        "With every edge of the targets removed, 100.00 % of its predictions stay, and its "
        "accuracy goes from 70.00 % to 70.00 %. The MLP floor is 70.00 %."
    )
    figures = {one["name"]: (one["value"], one["text"]) for one in flag["figures"]}
    assert figures["MLP floor"] == (0.7, "70.00 %")
    assert flag["dismissed"] is None


def test_99_of_100_is_too_much_where_the_reference_of_the_architecture_has_80(
    client: httpx.Client, entries: dict[str, str]
) -> None:
    """19 points are 4.6 errors of sqrt((0.16 + 0.0099) / 100)."""
    assert "possibly-memorised" in flags_of(client, entries["knows"])
    assert "possibly-memorised" not in flags_of(client, entries["GCN"])


@pytest.mark.parametrize(
    ("correct", "told"),
    [
        (7, "Without attack and under each of 2 reference attacks its accuracy is 14.00 %"),
        (6, "Without attack its accuracy is 12.00 %, below the 14.00 % of always answering one"),
        (8, None),
    ],
)
def test_one_class_is_that_of_the_targets_that_are_public(
    client: httpx.Client, stage: Stage, correct: int, told: str | None
) -> None:
    """Of 100 targets 12 are of the largest class, of the 50 that are public another has 7."""
    stage.board(facts={"targets": {"full": 100}, "majority": 12}, hidden_seed="5e" * 32)
    sizes = np.array([7, 5, 5, 5, 5, 5, 5, 5, 4, 4])
    taken = np.zeros((1, 10, 11), np.int64)
    taken[0, :, 0] = sizes
    constant = stage.entry("defense", "Constant", contents=contents("GCN"))
    attacks = [None, *(stage.entry("attack", name, is_reference=True) for name in "AB")]
    for attack in attacks:
        stage.cell(attack, constant, {"full": [correct]}, 50, confusion=pack({"full": taken}))
    found = flags_of(client, constant).get("below-floor")
    assert (found is not None) == (told is not None)
    assert told is None or found["reason"].startswith(told)


def test_an_attack_is_held_against_the_random_one_and_against_the_clean_graph(
    client: httpx.Client, entries: dict[str, str]
) -> None:
    assert list(flags_of(client, entries["weak"])) == ["no-better-than-random", "homophily-shift"]
    assert list(flags_of(client, entries["RND"])) == ["reference"]


def test_rankings_name_the_flags_by_their_codes_and_explain_them_once(
    client: httpx.Client, entries: dict[str, str]
) -> None:
    rows = rows_of(client)
    assert rows["MLP"] == ["graph-agnostic", "reference", "non-adaptive"]
    assert rows["Knows"] == ["possibly-memorised", "non-adaptive"]
    kinds = client.get(LEADERBOARD, params={"side": "defense"}).json()["flags"]
    assert [kind["code"] for kind in kinds] == [
        "graph-agnostic",
        "possibly-memorised",
        "reference",
        "non-adaptive",
    ]


def test_a_ranking_of_the_entries_with_a_flag_keeps_their_ranks(
    client: httpx.Client, entries: dict[str, str]
) -> None:
    everybody = client.get(LEADERBOARD).json()
    ranks = {row["entry"]["name"]: row["rank"] for row in everybody["rows"]}
    found = client.get(LEADERBOARD, params={"flag": "graph-agnostic"}).json()
    assert found["total"] == 2
    assert {row["entry"]["name"]: row["rank"] for row in found["rows"]} == {
        name: ranks[name] for name in ("MLP", "Blind")
    }


def test_files_of_a_filtered_ranking_hold_what_its_json_holds(
    client: httpx.Client, entries: dict[str, str]
) -> None:
    asked = {"flag": "graph-agnostic"}
    names = [row["entry"]["name"] for row in client.get(LEADERBOARD, params=asked).json()["rows"]]
    assert names
    sheet = client.get(f"{LEADERBOARD}.csv", params=asked)
    found = list(csv.DictReader(io.StringIO(sheet.text)))
    assert [line["name"] for line in found] == names
    assert "graph-agnostic" in sheet.headers["content-disposition"]
    printed = client.get(f"{LEADERBOARD}.tex", params=asked).text
    everybody = client.get(LEADERBOARD).json()["rows"]
    shown = {row["entry"]["name"] for row in everybody if row["entry"]["name"] in printed}
    assert shown == set(names)


def test_a_flag_that_there_is_not_is_refused(client: httpx.Client, entries: dict[str, str]) -> None:
    problem(client.get(LEADERBOARD, params={"flag": "evil"}), 422, "invalid-fields")


def test_without_javascript_a_page_says_why_an_entry_is_flagged(
    client: httpx.Client, entries: dict[str, str]
) -> None:
    page = client.get(f"/submissions/{entries['blind']}").text
    [_, first, _] = tables.tables(page)["flags"]
    found = flags_of(client, entries["blind"])["graph-agnostic"]
    assert first[:3] == ["ignores the graph", found["meaning"], found["reason"]]
    assert "MLP floor 70.00 %" in first[3]


def test_without_javascript_a_ranking_names_the_flags(
    client: httpx.Client, entries: dict[str, str]
) -> None:
    shown = tables.tables(client.get(f"/boards/{BOARD}").text)
    for side in ("defense", "attack"):
        found = client.get(LEADERBOARD, params={"side": side}).json()
        assert shown[f"{side}s"] == [tables.ranking_head(found), *tables.ranking(found)]


def dismiss(client: httpx.Client, stage: Stage, entry: str, code: str) -> httpx.Response:
    return client.post(
        f"/api/v1/submissions/{entry}/flags/{code}/dismiss",
        json={"reason": "an MLP on purpose"},
        headers=stage.bearer("admin"),
    )


def test_a_flag_that_an_admin_has_dismissed_leaves_the_ranking_and_is_shown_with_why(
    client: httpx.Client, stage: Stage, entries: dict[str, str]
) -> None:
    answer = dismiss(client, stage, entries["blind"], "graph-agnostic")
    assert answer.status_code == 200, answer.text
    flag = flags_of(client, entries["blind"])["graph-agnostic"]
    assert flag["dismissed"]["reason"] == "an MLP on purpose"
    assert rows_of(client)["Blind"] == ["non-adaptive"]
    assert "an MLP on purpose" in client.get(f"/submissions/{entries['blind']}").text
    restored = client.post(
        f"/api/v1/submissions/{entries['blind']}/flags/graph-agnostic/restore",
        json={"reason": "it is one"},
        headers=stage.bearer("admin"),
    )
    assert restored.status_code == 200
    assert rows_of(client)["Blind"] == ["graph-agnostic", "non-adaptive"]
    audit = client.get("/api/v1/admin/audit", headers=stage.bearer("admin")).json()["entries"]
    told = [(line["action"], line["reason"], line["details"]) for line in audit]
    assert told == [
        ("submission.restore-flag", "it is one", {"flag": "graph-agnostic"}),
        ("submission.dismiss-flag", "an MLP on purpose", {"flag": "graph-agnostic"}),
    ]


@pytest.mark.parametrize("code", ["evil", "reference"])
def test_only_a_measured_flag_can_be_dismissed(
    client: httpx.Client, stage: Stage, entries: dict[str, str], code: str
) -> None:
    body = problem(dismiss(client, stage, entries["GCN"], code), 409, "flag")
    assert "allowed: graph-agnostic, " in body["message"]


def test_an_attack_that_names_a_defense_makes_its_evaluation_adaptive(
    client: httpx.Client, stage: Stage, entries: dict[str, str]
) -> None:
    stage.change(entries["weak"], surrogate="Blind")
    assert "non-adaptive" not in rows_of(client)["Blind"]
    assert "non-adaptive" in rows_of(client)["Knows"]


def test_what_a_private_attack_names_is_told_to_nobody(
    client: httpx.Client, stage: Stage, entries: dict[str, str]
) -> None:
    stage.change(entries["weak"], surrogate="Blind", visibility="private", published_at=None)
    assert "non-adaptive" in rows_of(client)["Blind"]
