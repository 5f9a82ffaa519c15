"""GET /cells/{id}/breakdown: where a defense was right."""

from __future__ import annotations

import csv
import io
import re
from itertools import pairwise
from typing import Any

import httpx
import numpy as np
import pytest

from grbcore import datasets
from grbcore.margins import UNKNOWN
from grbcore.margins import pack as pack_margins
from grbcore.scoring import pack
from grbcore.store.tables import CellRow
from tests.api.stage import BOARD, Stage, problem


def breakdown(client: httpx.Client, cell: str, **query: str) -> dict[str, Any]:
    answer = client.get(f"/api/v1/cells/{cell}/breakdown", params=query)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.fixture
def dataset(stage: Stage) -> datasets.Dataset:
    """Kept ready, as a worker does before its first cell."""
    return datasets.prepare("digits", data_dir=None, cache=stage.settings.prepared_dir)


@pytest.fixture
def cells(stage: Stage, dataset: datasets.Dataset) -> dict[str, str]:
    """Without an attack everything is right; the attack spoils every target of class 3, in the
    second repeat also those of class 0."""
    labels = dataset.labels[dataset.targets["full"]]
    spoiled = np.stack([labels != 3, (labels != 3) & (labels != 0)])
    everything = np.ones((1, len(labels)), bool)
    defense, attack = stage.entry("defense", "D"), stage.entry("attack", "A")
    made = {}
    for name, entry, hits in (("clean", None, everything), ("attacked", attack, spoiled)):
        made[name] = stage.cell(
            entry,
            defense,
            {"full": hits.sum(axis=1).tolist()},
            len(labels),
            hits_sha256=stage.blobs.put_bytes(pack({"full": hits})),
        )
    made["old"] = stage.cell(stage.entry("attack", "B"), defense, {"full": [1]})
    return made


def test_hits_are_told_by_class_with_those_before_the_attack(
    client: httpx.Client, cells: dict[str, str], dataset: datasets.Dataset
) -> None:
    found = breakdown(client, cells["attacked"])
    labels = dataset.labels[dataset.targets["full"]]
    sizes = np.bincount(labels).tolist()
    assert [group["low"] for group in found["classes"]] == list(range(10))
    assert [group["targets"] for group in found["classes"]] == sizes
    assert found["classes"][3]["correct"] == [0, 0]
    assert found["classes"][0]["correct"] == [sizes[0], 0]
    assert found["classes"][0]["accuracy"] == {"mean": 0.5, "std": 0.5}
    assert found["classes"][3]["clean"] == {"mean": 1.0, "std": None}
    html = client.get(f"/cells/{cells['attacked']}").text  # the same without JavaScript
    line = html.split('data-table="classes"')[1].split('<th scope="row">3</th>')[1]
    told = re.sub("<[^>]+>", " ", line.split("</tr>")[0]).split()
    assert told == [str(sizes[3]), "0.00", "±0.00", "100.00"]


def test_hits_are_told_by_degree_in_the_clean_graph(
    client: httpx.Client, cells: dict[str, str], dataset: datasets.Dataset
) -> None:
    found = breakdown(client, cells["attacked"])["degrees"]
    degrees = dataset.degrees[dataset.targets["full"]]
    assert (found[0]["low"], found[-1]["high"]) == (degrees.min(), degrees.max())
    assert sum(group["targets"] for group in found) == len(degrees)
    assert all(one["high"] < other["low"] for one, other in pairwise(found))


def test_hits_are_told_by_how_sure_the_defense_was_without_the_attack(
    client: httpx.Client, stage: Stage, cells: dict[str, str], dataset: datasets.Dataset
) -> None:
    """Of every other target it was 95 % sure, of the rest 5 %, at full and at easy."""
    assert breakdown(client, cells["attacked"])["margins"] == []
    full = dataset.targets["full"]
    kept = np.where(np.arange(len(full)) % 2, 95, 5).astype(np.uint8)
    kept[0] = UNKNOWN
    with stage.sessions.writing() as session:
        session.get_one(CellRow, cells["clean"]).margins = pack_margins(kept)
    low, high = breakdown(client, cells["attacked"])["margins"]
    assert [(one["low"], one["high"]) for one in (low, high)] == [(0, 9), (90, 100)]
    labels = dataset.labels[full]
    sure = labels[kept == 95]
    assert (high["targets"], high["correct"][0]) == (len(sure), int((sure != 3).sum()))
    assert low["targets"] == len(full) - len(sure) - 1
    assert high["clean"] == {"mean": 1.0, "std": None}
    html = client.get(f"/cells/{cells['attacked']}").text
    assert html.split('data-table="margins"')[1].index("90 to 100") > 0
    assert breakdown(client, cells["clean"])["margins"][1]["correct"] == [len(sure)]


def test_margins_are_those_of_the_difficulty(
    client: httpx.Client, stage: Stage, cells: dict[str, str], dataset: datasets.Dataset
) -> None:
    """Sure of exactly the easy targets: at easy there is one group."""
    full, easy = dataset.targets["full"], dataset.targets["easy"]
    kept = np.where(np.isin(full, easy), 95, 5).astype(np.uint8)
    hits = {name: np.ones((1, len(dataset.targets[name])), bool) for name in ("easy", "full")}
    cell = stage.cell(
        None,
        stage.entry("defense", "E"),
        {name: [found.shape[1]] for name, found in hits.items()},
        hits_sha256=stage.blobs.put_bytes(pack(hits)),  # type: ignore[arg-type]
        margins=pack_margins(kept),
    )
    [group] = breakdown(client, cell, difficulty="easy")["margins"]
    assert (group["low"], group["targets"]) == (90, len(easy))


def test_what_the_attack_changed_adds_up(client: httpx.Client, cells: dict[str, str]) -> None:
    change = breakdown(client, cells["attacked"])["change"]
    assert change["gained"] == change["missed"] == [0, 0]
    total = [kept + lost for kept, lost in zip(change["kept"], change["lost"], strict=True)]
    assert len(set(total)) == 1 and change["lost"][1] > change["lost"][0] > 0


def test_without_an_attack_nothing_changed(client: httpx.Client, cells: dict[str, str]) -> None:
    found = breakdown(client, cells["clean"])
    assert found["change"] is None
    assert found["classes"][0]["clean"] is None


def test_hits_are_told_where_those_without_an_attack_are_not_known(
    client: httpx.Client, stage: Stage, cells: dict[str, str], dataset: datasets.Dataset
) -> None:
    with stage.sessions.writing() as session:
        session.get_one(CellRow, cells["clean"]).hits_sha256 = None
    found = breakdown(client, cells["attacked"])
    assert (found["missing"], found["change"]) == (None, None)
    assert found["classes"][3]["correct"] == [0, 0] and found["classes"][3]["clean"] is None


@pytest.mark.parametrize(
    ("cell", "difficulty", "why"),
    [("old", "full", "was not kept"), ("attacked", "hard", "does not carry hard")],
)
def test_what_is_missing_is_said(
    client: httpx.Client, cells: dict[str, str], cell: str, difficulty: str, why: str
) -> None:
    found = breakdown(client, cells[cell], difficulty=difficulty)
    assert why in found["missing"]
    assert (found["classes"], found["degrees"], found["change"]) == ([], [], None)


def test_a_host_that_keeps_no_data_says_so(client: httpx.Client, stage: Stage) -> None:
    cell = stage.cell(None, stage.entry("defense", "D"), {"full": [1]})
    assert "not kept ready on the host" in breakdown(client, cell)["missing"]


def test_entries_are_compared_by_degree_over_the_counterparts_whose_hits_are_known(
    client: httpx.Client, stage: Stage, dataset: datasets.Dataset
) -> None:
    """D is right everywhere; E on the clean graph too, under the attack nowhere: half of both."""
    count = len(dataset.targets["full"])
    right, wrong = np.ones((1, count), bool), np.zeros((1, count), bool)
    entries = [stage.entry("defense", name) for name in "DE"]
    known, unknown = (stage.entry("attack", name, is_reference=True) for name in "AB")
    for place, defense in enumerate(entries):
        for attack, hits in ((None, right), (known, wrong if place else right)):
            kept = stage.blobs.put_bytes(pack({"full": hits}))
            stage.cell(attack, defense, {"full": [int(hits.sum())]}, count, hits_sha256=kept)
        stage.cell(unknown, defense, {"full": [1]}, count)
    asked = {"ids": ",".join(entries)}
    url = f"/api/v1/boards/{BOARD}/comparison/degrees"
    found = client.get(url, params=asked).json()
    assert (found["missing"], found["counted"], found["total"]) == (None, 2, 3)
    assert sum(group["targets"] for group in found["groups"]) == count
    for group in found["groups"]:
        first, second = group["values"]
        assert (first["mean"], second["mean"]) == (1.0, 0.5)
        assert second["difference"]["mean"] == -0.5
        assert (first["best_defense"], second["best_defense"]) == (True, False)
    sheet = client.get(f"{url}.csv", params=asked).text
    rows = list(csv.DictReader(io.StringIO(sheet, newline="")))
    assert [(int(row["low"]), row["entry_id"]) for row in rows] == [
        (group["low"], entry) for group in found["groups"] for entry in entries
    ]
    whose = {row["entry_id"]: (row["mean"], row["difference"], row["best"]) for row in rows}
    assert [*whose.values()] == [("1.0", "0.0", "yes"), ("0.5", "-0.5", "no")]
    printed = client.get(f"{url}.tex", params=asked).text
    assert r"Degree & Targets & D & E & $\Delta$ \\" in printed
    assert "the mean over 2 of 3 counterparts" in printed
    lines = [one for one in printed.splitlines() if r"\textbf{100.00" in one]
    assert len(lines) == len(found["groups"])
    assert all("$-50.00$" in line for line in lines)


def test_an_entry_is_told_over_all_references_together(
    client: httpx.Client, stage: Stage, dataset: datasets.Dataset
) -> None:
    """One reference attack spoils class 3 for D, another nothing; what is no reference counts
    nothing, and of a third the hits are not known.  An attack is told over defenses likewise."""
    labels = dataset.labels[dataset.targets["full"]]
    right = np.ones((1, len(labels)), bool)
    spoiled = np.stack([labels != 3] * 3)
    defense = stage.entry("defense", "D", is_reference=True)
    attacks = [stage.entry("attack", name, is_reference=name != "X") for name in "ABXC"]
    margins = pack_margins(np.full(len(labels), 95, np.uint8))
    for attack, hits in zip((None, *attacks[:3]), (right, spoiled, right, ~right), strict=True):
        kept = stage.blobs.put_bytes(pack({"full": hits}))
        about = {} if attack else {"margins": margins}
        counts = {"full": hits.sum(axis=1).tolist()}
        stage.cell(attack, defense, counts, len(labels), hits_sha256=kept, **about)
    stage.cell(attacks[3], defense, {"full": [1]}, len(labels))
    found = client.get(f"/api/v1/submissions/{defense}/breakdown").json()
    assert (found["missing"], found["counted"], found["total"]) == (None, 2, 3)
    size = int((labels == 3).sum())
    third = found["classes"][3]
    assert (third["targets"], third["correct"]) == (2 * size, [size] * 3)
    assert (third["accuracy"]["mean"], third["clean"]["mean"]) == (0.5, 1.0)
    [sure] = found["margins"]
    assert (sure["low"], sure["targets"]) == (90, 2 * len(labels))
    assert sum(group["targets"] for group in found["degrees"]) == 2 * len(labels)
    html = client.get(f"/submissions/{defense}", params={"breakdown": ""}).text
    line = html.split('data-table="classes"')[1].split('<th scope="row">3</th>')[1]
    told = re.sub("<[^>]+>", " ", line.split("</tr>")[0]).split()
    assert told == [str(2 * size), "50.00", "±0.00", "100.00"]
    assert "over 2 of 3 references together" in html
    assert 'data-table="classes"' not in client.get(f"/submissions/{defense}").text
    of_attack = client.get(f"/api/v1/submissions/{attacks[0]}/breakdown").json()
    assert of_attack["classes"][3]["correct"] == [0] * 3
    unknown = client.get(f"/api/v1/submissions/{attacks[3]}/breakdown").json()
    assert (unknown["counted"], unknown["degrees"]) == (0, [])
    assert "was not kept" in unknown["missing"]
    elsewhere = client.get(f"/api/v1/submissions/{defense}/breakdown", params={"difficulty": "1"})
    assert problem(elsewhere, 422, "invalid-fields")["violations"][0]["found"] == "'1'"
