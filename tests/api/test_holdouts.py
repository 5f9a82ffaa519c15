"""GET and POST /submissions/{id}/holdouts, and the column of the ranking."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import httpx
import pytest

from grbcore.store.tables import BoardRow, HoldoutAttack, HoldoutCell
from tests.api.stage import BOARD, START, Stage

FOUND = {0.5: [80, 90], 1.0: [70, 80], 2.0: [30, 50]}


def attacks(stage: Stage, protocol: str | None = None) -> dict[float, str]:
    """The references at three budgets, by their budget."""
    made = {}
    with stage.sessions.writing() as session:
        for factor in FOUND:
            row = HoldoutAttack(
                board_id=BOARD, protocol=protocol or stage.protocol, name="FGSM", family="FGSM",
                kind="budget", factor=factor, sha256=f"{factor:064}",
                contents={"difficulties": ["full"], "repeats": 2}, made_at=START,
            )  # fmt: skip
            session.add(row)
            session.flush()
            made[factor] = row.id
    return made


def measure(stage: Stage, defense: str, made: dict[float, str], **fields: Any) -> None:
    with stage.sessions.writing() as session:
        for factor, attack in made.items():
            result = {"correct": {"full": FOUND[factor]}, "total": {"full": 100}}
            cell = {"state": "done", "finished_at": START, **result, **fields}
            session.add(HoldoutCell(attack_id=attack, defense_id=defense, queued_at=START, **cell))


def ranked(stage: Stage, **fields: Any) -> str:
    """A defense that has a rank, over one reference attack."""
    attack = stage.entry("attack", "A", is_reference=True)
    defense = stage.entry("defense", "D", **fields)
    stage.cell(None, defense, {"full": [90]})
    stage.cell(attack, defense, {"full": [70, 70, 70]})
    return defense


def get(client: httpx.Client, defense: str, **query: str) -> dict[str, Any]:
    answer = client.get(f"/api/v1/submissions/{defense}/holdouts", params=query)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_what_a_defense_reaches_at_other_budgets_is_told(
    client: httpx.Client, stage: Stage
) -> None:
    defense = ranked(stage, is_reference=True, adversarially_trained=True)
    measure(stage, defense, attacks(stage))
    found = get(client, defense)
    assert (found["due"], found["attacks"], found["done"], found["failed"]) == (True, 3, 3, 0)
    assert [row["factor"] for row in found["rows"]] == [0.5, 1.0, 2.0]
    assert [row["mean"] for row in found["rows"]] == pytest.approx([0.85, 0.75, 0.4])
    assert found["measured"][2]["accuracy"] == pytest.approx({"mean": 0.4, "std": 0.1})
    assert get(client, defense, difficulty="easy")["rows"] == []
    html = client.get(f"/submissions/{defense}").text
    line = html.split('data-table="holdouts"')[1].split("Double the budget")[1]
    assert re.sub("<[^>]+>", " ", line.split("</tr>")[0]).split() == ["1", "40.00", "40.00", "FGSM"]


def test_what_a_defense_reaches_is_had_as_files(client: httpx.Client, stage: Stage) -> None:
    defense = ranked(stage, is_reference=True, adversarially_trained=True)
    measure(stage, defense, attacks(stage))
    path = f"/api/v1/submissions/{defense}/holdouts"
    rows = list(csv.DictReader(io.StringIO(client.get(f"{path}.csv").text, newline="")))
    assert [(row["attack"], row["kind"], float(row["factor"])) for row in rows] == [
        ("FGSM", "budget", factor) for factor in FOUND
    ]
    assert [float(row["mean"]) for row in rows] == pytest.approx([0.85, 0.75, 0.4])
    assert [float(row["std"]) for row in rows] == pytest.approx([0.05, 0.05, 0.1])
    printed = client.get(f"{path}.tex").text
    assert "2 $\\times$ the budget & 1 & 40.00 & 40.00 & FGSM \\\\\n" in printed
    assert "difficulty full: percent; 3 of 3 hold-outs are measured" in printed
    page = client.get(f"/submissions/{defense}").text
    assert re.findall(r'href="(/api/v1/[^"]*/holdouts[^"]*)"', page) == [
        f"{path}{end}?difficulty=full" for end in (".csv", ".tex", "")
    ]
    assert len(client.get(f"{path}.csv?difficulty=easy").text.splitlines()) == 1


def test_the_ranking_has_a_column_and_the_same_ranks(client: httpx.Client, stage: Stage) -> None:
    defense = ranked(stage)
    asked = {"board": BOARD, "side": "defense"}
    address = f"/api/v1/boards/{BOARD}/leaderboard"
    before = client.get(address, params=asked).json()
    assert before["rows"][0]["entry"]["held_out"] is None
    assert "Double budget" not in client.get(f"/boards/{BOARD}").text
    made = attacks(stage)
    last = {2.0: made.pop(2.0)}
    measure(stage, defense, made)
    stage.change(defense)
    part = client.get(address, params=asked).json()
    assert part["rows"][0]["entry"]["held_out"] is None, "one is not measured, and has no row"
    measure(stage, defense, last)
    with stage.sessions.writing() as session:
        session.get_one(BoardRow, BOARD).revision += 1  # as the last of them does
    after = client.get(address, params=asked).json()
    held = after["rows"][0]["entry"].pop("held_out")
    assert held.pop("unseen") is None
    assert held == pytest.approx({"half": 0.85, "same": 0.75, "double": 0.4})
    before["rows"][0]["entry"].pop("held_out")
    assert after["rows"][0]["entry"] == before["rows"][0]["entry"]
    assert after["rows"][0]["metrics"] == before["rows"][0]["metrics"]
    assert "Double budget full (%)" in client.get(f"/boards/{BOARD}").text


def test_results_of_another_protocol_do_not_count(client: httpx.Client, stage: Stage) -> None:
    defense = ranked(stage)
    measure(stage, defense, attacks(stage, protocol="0" * 16))
    found = get(client, defense)
    assert (found["attacks"], found["done"], found["rows"]) == (0, 0, [])


def test_an_attack_has_none(client: httpx.Client, stage: Stage) -> None:
    attacks(stage)
    found = get(client, stage.entry("attack", "A", is_reference=True))
    assert (found["due"], found["attacks"], found["rows"]) == (False, 0, [])


@pytest.mark.parametrize("who", ["ann", "admin"])
def test_its_owner_and_an_admin_have_it_measured(
    client: httpx.Client, stage: Stage, who: str
) -> None:
    defense = ranked(stage)
    measure(stage, defense, attacks(stage), state="failed", finished_at=START, attempts=3)
    assert get(client, defense)["due"] is False
    address = f"/api/v1/submissions/{defense}/holdouts"
    answer = client.post(address, headers={"Authorization": f"Bearer {stage.tokens[who]}"})
    assert answer.status_code == 200, answer.text
    assert (answer.json()["due"], answer.json()["failed"]) == (True, 0)


def test_nobody_else_does_and_nothing_else_is_measured(client: httpx.Client, stage: Stage) -> None:
    defense = ranked(stage)
    tokens = {who: {"Authorization": f"Bearer {token}"} for who, token in stage.tokens.items()}
    address = "/api/v1/submissions/{}/holdouts"
    none = client.post(address.format(defense), headers=tokens["ann"])
    assert (none.status_code, "grb admin holdout prepare" in none.text) == (409, True)
    attacks(stage)
    assert client.post(address.format(defense), headers=tokens["bob"]).status_code == 403
    assert client.post(address.format(defense)).status_code == 401
    attack = client.post(address.format(stage.entry("attack", "B")), headers=tokens["ann"])
    assert (attack.status_code, "allowed: a defense" in attack.text) == (409, True)
