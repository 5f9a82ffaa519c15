"""GET …/comparison/differences: how sure it is that entries differ, and where else that is told."""

from __future__ import annotations

import csv
import io
import re

import httpx
import numpy as np
import pytest

from grbcore.scoring import pack
from tests.api.stage import BOARD, Stage

URL = f"/api/v1/boards/{BOARD}/comparison"


@pytest.fixture
def ids(stage: Stage) -> list[str]:
    """Of 100 targets D hits the first 80, E 60 of these, F 79 of these and another; the same under
    the attack as without it."""
    attack = stage.entry("attack", "A", is_reference=True)
    place = np.arange(100)
    found = []
    for name, right in (("D", place < 80), ("E", place < 60), ("F", (place < 79) | (place == 90))):
        defense = stage.entry("defense", name)
        kept = stage.blobs.put_bytes(pack({"full": right[None]}))
        for one in (attack, None):
            count = int(right.sum())
            stage.cell(one, defense, {"full": [count]}, 100, hits_sha256=kept)
        found.append(defense)
    return found


def test_differences_have_an_interval_and_who_wins(client: httpx.Client, ids: list[str]) -> None:
    """20 of 100 targets less: 0.2 with standard error sqrt(0.2 0.8 / 100) = 0.04, and McNemar's chi
    squared 20, p = 7.744e-6, twice that by Holm.  One won and one lost: 0, p = 1."""
    found = client.get(f"{URL}/differences", params={"ids": ",".join(ids)}).json()
    assert (found["missing"], found["counted"], found["repeated"]) == (None, 2, False)
    assert (found["first"], found["difficulty"]) == (ids[0], "full")
    less, same = found["pairs"]
    assert (less["entry"], same["entry"]) == (ids[1], ids[2])
    assert less["p_value"] == pytest.approx(2 * 7.744e-6, rel=1e-3) and same["p_value"] == 1
    for known in less["metrics"]:
        assert known["mean"] == pytest.approx(-0.2) and known["winner"] == ids[0]
        ends = -0.2 - 1.96 * 0.04, -0.2 + 1.96 * 0.04
        assert (known["low"], known["high"]) == pytest.approx(ends, abs=0.015)
    for known in same["metrics"]:
        assert known["mean"] == pytest.approx(0) and known["winner"] is None
        assert known["low"] < 0 < known["high"]


def test_files_and_the_page_tell_the_same(client: httpx.Client, ids: list[str]) -> None:
    asked = {"ids": f"{ids[1]},{ids[0]}"}
    (pair,) = client.get(f"{URL}/differences", params=asked).json()["pairs"]
    known = {one["metric"]: one for one in pair["metrics"]}["average"]
    text = client.get(f"{URL}.csv", params=asked).text
    lines = [row for row in csv.DictReader(io.StringIO(text)) if row["what"] == "Avg"]
    first, second = (row for row in lines if row["difficulty"] == "full")
    assert first["difference_low"] == first["winner_id"] == ""
    assert float(second["difference_low"]) == known["low"]
    assert float(second["difference_high"]) == known["high"]
    assert float(second["p_value"]) == pair["p_value"] and second["winner_id"] == ids[0]
    low, high = (f"{100 * known[end]:.2f}" for end in ("low", "high"))
    print_ = client.get(f"{URL}.tex", params=asked).text
    assert rf"$+20.00$ {{\scriptsize($+{low}$ to $+{high}$)}}" in print_
    page = client.get("/compare", params={"board": BOARD, **asked}).text
    table = page.split('data-table="differences"')[1].split("</table>")[0]
    assert re.findall("<td>([^<]*)</td>", table)[1] == f"D wins by 20.00 ({low} to {high})"
    page = client.get("/compare", params={"board": BOARD, "ids": f"{ids[0]},{ids[2]}"}).text
    assert "can&#39;t be told apart (−" in page.split('data-table="differences"')[1]


def test_where_there_are_none_it_is_said_why(
    client: httpx.Client, stage: Stage, ids: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def why(*chosen: str, difficulty: str = "full") -> str:
        asked = {"ids": ",".join(chosen), "difficulty": difficulty}
        found = client.get(f"{URL}/differences", params=asked).json()
        assert found["pairs"] == [] and found["counted"] == 0
        said: str = found["missing"]
        return said

    assert why(ids[0]) == "it takes two entries"
    assert why(*ids, difficulty="easy") == "there are no results at difficulty easy"
    late = stage.entry("defense", "G")
    assert why(ids[0], late) == "an entry lacks results at difficulty full"
    stage.cell(None, late, {"full": [80]})
    attack = client.get(f"{URL}?ids={ids[0]}").json()["counterparts"][0]["id"]
    stage.cell(attack, late, {"full": [80]})
    stage.entry("defense", "H")  # a new revision
    assert why(ids[0], late) == "which targets were hit is not known of every cell"
    monkeypatch.setattr("api.views.differences.READ", 5)
    assert why(*ids) == "they hang on 6 cells, and at most 5 are read at once"
