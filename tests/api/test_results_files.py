"""Entries and cells as files: the numbers of the JSON, for whoever may read that."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import httpx
import numpy as np
import pytest

from grbcore import datasets
from grbcore.confusion import pack as pack_confusion
from grbcore.scoring import pack
from tests.api.stage import START, Stage, problem

API = "/api/v1"


def read(answer: httpx.Response) -> list[dict[str, str]]:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    return list(csv.DictReader(io.StringIO(answer.text, newline="")))


def latex(answer: httpx.Response) -> list[list[str]]:
    """The lines of a tabular, the head first."""
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/x-tex; charset=utf-8"
    assert r"\usepackage{booktabs}" in answer.text
    lines = [line.removesuffix(r" \\") for line in answer.text.splitlines()]
    return [line.split(" & ") for line in lines if " & " in line]


def number(text: str) -> float | None:
    return float(text) if text else None


def shown(score: Any) -> str:
    if score is None:
        return "--"
    std = "" if score["std"] is None else rf"{{\scriptsize$\pm${100 * score['std']:.2f}}}"
    return f"{100 * score['mean']:.2f}{std}"


@pytest.fixture
def ids(stage: Stage) -> dict[str, str]:
    """A defense of bob's under two attacks and ann's private one; two of its cells are not done."""
    made = {
        "D": stage.entry("defense", "=D_1", user="bob", is_reference=True),
        "A": stage.entry("attack", r"50% \of A", is_reference=True),
        "B": stage.entry("attack", "B", is_reference=True),
        "gone": stage.entry("attack", "gone", user="bob"),
        "mine": stage.entry("attack", "Mine", visibility="private"),
    }
    taken = np.array([[[40, 10, 0], [20, 29, 1]]] * 3)
    missed = {"full": [1, 1, 1]}
    for name, counts, more in (
        ("A", {"full": [69, 69, 69], "easy": [40, 50, 61]},
         {"confusion": pack_confusion({"full": taken}), "not_finite": missed}),
        ("B", {"full": [33]}, {}),
        ("mine", {"full": [1, 2, 3]}, {}),
    ):  # fmt: skip
        made[f"{name}/D"] = stage.cell(made[name], made["D"], counts, 300, **more)
    made["clean/D"] = stage.cell(None, made["D"], {"full": [291], "easy": [99]}, 300)
    made["gone/D"] = stage.cell(made["gone"], made["D"], state="queued")
    stage.change(made["gone"], withdrawn_at=START)
    return made


def test_an_entry_s_results_are_those_of_the_json_in_the_order_of_ranks(
    client: httpx.Client, ids: dict[str, str]
) -> None:
    url = f"{API}/submissions/{ids['D']}"
    rows = read(client.get(f"{url}/results.csv"))
    order = [ids[name] for name in ("B", "A", "A", "gone")]
    assert [row["attack_id"] for row in rows] == [*order, "clean", "clean"]
    assert {(row["defense_id"], row["defense"]) for row in rows} == {(ids["D"], "'=D_1")}
    assert [row["attack"] for row in rows[1:4]] == [r"50% \of A", r"50% \of A", "(withdrawn)"]
    found = {cell["id"]: cell for cell in client.get(url).json()["results"]}
    measures = client.get(f"{url}/measures", params={"view": "all"}).json()["cells"]
    by_class = {cell["cell"]: cell for cell in measures}
    assert {row["cell_id"] for row in rows} == set(found)
    for row in rows:
        cell, at = found[row["cell_id"]], row["difficulty"]
        assert row["state"] == cell["state"]
        counted = client.get(f"{API}/cells/{row['cell_id']}").json()
        correct = counted["correct"].get(at, [])
        shares = [row[f"repeat_{repeat}"] for repeat in range(3)]
        assert [float(one) for one in shares if one] == [c / 300 for c in correct]
        score = cell["accuracy"].get(at) or {"mean": None, "std": None}
        assert (number(row["mean"]), number(row["std"])) == (score["mean"], score["std"])
        for name in ("macro_f1", "balanced_accuracy"):
            known = by_class.get(row["cell_id"], {}).get(name, {}).get(at)
            assert number(row[name]) == (known and known["mean"])
    assert [row["not_finite"] for row in rows] == ["0", "0", "3", "", "0", "0"]
    lines = latex(client.get(f"{url}/results.tex"))
    escaped = [r"50\% \textbackslash{}of A", "(withdrawn)", "W/O Attack"]
    assert [line[0] for line in lines] == ["Attack", "B", *escaped]
    assert lines[0][1:] == ["Easy", "Full"]
    for line, cell_id in zip(lines[1:], dict.fromkeys(row["cell_id"] for row in rows), strict=True):
        accuracy = found[cell_id]["accuracy"]
        assert line[1:] == [shown(accuracy.get(at)) for at in ("easy", "full")]


@pytest.mark.parametrize("form", ["csv", "tex"])
def test_a_cell_with_what_one_may_not_see_is_in_no_file(
    client: httpx.Client, stage: Stage, ids: dict[str, str], form: str
) -> None:
    """As in the JSON: ann's private attack against a public defense is there for her alone."""
    url = f"{API}/submissions/{ids['D']}"
    for who in (None, "bob", "ann"):
        headers = stage.bearer(who) if who else {}
        answer = client.get(f"{url}/results.{form}", headers=headers)
        assert ("Mine" in answer.text) == (ids["mine"] in client.get(url, headers=headers).text)
        assert ("Mine" in answer.text) == (who == "ann")
        cell = client.get(f"{API}/cells/{ids['mine/D']}/results.{form}", headers=headers)
        assert cell.status_code == (200 if who == "ann" else 404)


def test_a_cell_s_file_is_its_counts(client: httpx.Client, ids: dict[str, str]) -> None:
    url = f"{API}/cells/{ids['A/D']}"
    rows = read(client.get(f"{url}/results.csv"))
    found = client.get(url).json()
    assert [row["difficulty"] for row in rows] == ["easy", "full"]
    whole = read(client.get(f"{API}/submissions/{ids['D']}/results.csv"))
    assert rows == [row for row in whole if row["cell_id"] == ids["A/D"]]
    answer = client.get(f"{url}/results.tex")
    expected = [
        [at.capitalize()]
        + [shown(found[name].get(at)) for name in ("accuracy", "macro_f1", "balanced_accuracy")]
        + [f"{100 * right / 300:.2f}" for right in found["correct"][at]]
        for at in ("easy", "full")
    ]
    assert latex(answer)[1:] == expected
    name = f"digits-injection-1-{ids['A/D']}-results.tex"
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
    waiting = read(client.get(f"{API}/cells/{ids['gone/D']}/results.csv"))
    assert [(row["state"], row["mean"]) for row in waiting] == [("queued", "")]
    problem(client.get(f"{url}/results.txt"), 422, "invalid-fields")


def test_groups_of_targets_are_those_of_the_json(
    client: httpx.Client, stage: Stage, ids: dict[str, str]
) -> None:
    """Of a cell and of its entry, of whose results only this one has its hits."""
    dataset = datasets.prepare("digits", data_dir=None, cache=stage.settings.prepared_dir)
    labels = dataset.labels[dataset.targets["full"]]
    hits = np.stack([labels != 3, labels != 0, labels != 1])
    defense = stage.entry("defense", "E")
    cell = stage.cell(
        ids["A"],
        defense,
        {"full": hits.sum(axis=1).tolist()},
        len(labels),
        hits_sha256=stage.blobs.put_bytes(pack({"full": hits})),
    )
    for attack in (None, ids["B"]):
        stage.cell(attack, defense, {"full": [50]})
    for path in (f"cells/{cell}", f"submissions/{defense}"):
        found = client.get(f"{API}/{path}/breakdown").json()
        groups = [("degree", one) for one in found["degrees"]]
        groups += [("class", one) for one in found["classes"]]
        assert len(found["classes"]) == 10 and found["margins"] == []
        rows = read(client.get(f"{API}/{path}/breakdown.csv"))
        assert [
            (row["by"], int(row["low"]), int(row["high"]), int(row["targets"]), float(row["mean"]))
            for row in rows
        ] == [
            (by, one["low"], one["high"], one["targets"], one["accuracy"]["mean"])
            for by, one in groups
        ]
        assert [[int(row[f"correct_{repeat}"]) for repeat in range(3)] for row in rows] == [
            one["correct"] for _, one in groups
        ]
        lines = latex(client.get(f"{API}/{path}/breakdown.tex"))[1:]
        assert [line[2:] for line in lines] == [
            [str(one["targets"]), shown(one["accuracy"]), "--"] for _, one in groups
        ]
        page = client.get(f"/{path}", params={"breakdown": "", "difficulty": "full"}).text
        files = re.findall(r'href="(/api/v1/[^"]*/breakdown[^"]*)"', page)
        assert files == [f"{API}/{path}/breakdown{e}?difficulty=full" for e in (".csv", ".tex", "")]
        nothing = client.get(f"{API}/{path}/breakdown.csv", params={"difficulty": "easy"})
        assert read(nothing) == []
        why = client.get(f"{API}/{path}/breakdown.tex", params={"difficulty": "easy"}).text
        assert re.search("missing: .*(does not carry easy|hit was not kept)", why)


def test_the_pages_without_javascript_link_the_files(
    client: httpx.Client, ids: dict[str, str]
) -> None:
    counts = ("/results.csv", "/results.tex", "")
    taken = tuple(f"/confusion{end}?difficulty=full" for end in (".csv", ".tex", ""))
    for path, ends in (
        (f"submissions/{ids['D']}", counts),
        (f"cells/{ids['A/D']}", counts + taken),
    ):
        files = re.findall(r'href="(/api/v1/[^"]*)" aria-label', client.get(f"/{path}").text)
        assert files == [f"{API}/{path}{end}" for end in ends]
        for file in files:
            assert client.get(file).status_code == 200
