"""A board as it stood: its places, its files, and names that leave it."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import UTC, datetime

import pytest

from grbcore.snapshots import (
    FILES,
    CellRecord,
    Entry,
    Snapshot,
    bibtex,
    files,
    numbers_digest,
    rankings,
    unnamed,
)

START = datetime(2026, 11, 28, 12, tzinfo=UTC)
BOARD = "digits/injection@1"


def entry(name: str, side: str, *, reference: bool = False, **fields: object) -> Entry:
    said: dict[str, object] = {
        "id": name, "side": side, "name": name, "authors": f"{name}'s author", "team": "=team",
        "family": f"other:{name}", "paper_url": "https://a.org", "code_url": None, "mark": None,
        "is_reference": reference, "ranked": True, "registered_at": START, "attempt": 1,
        "attempts": 2, "sha256": name[0] * 64, "canonical": None,
    }  # fmt: skip
    return Entry.model_validate(said | fields)


def cell(attack: str, defense: str, *counts: int) -> CellRecord:
    return CellRecord(
        id=f"{attack}-{defense}", attack=attack, defense=defense, correct={"full": counts},
        total={"full": 100}, hits_sha256="e" * 64, evaluator_version=1, device="cpu",
        versions={"torch": "2.13.0"},
    )  # fmt: skip


ENTRIES = (
    entry("attack", "attack", reference=True),
    entry("base", "defense", reference=True),
    entry("crafted", "defense"),
)
CELLS = (
    cell("clean", "base", 90),
    cell("clean", "crafted", 80),
    cell("attack", "base", 40, 50),
    cell("attack", "crafted", 60, 70),
)


@pytest.fixture
def snapshot() -> Snapshot:
    return Snapshot(
        id="S", board=BOARD, revision=3, made_at=START, protocol="0123", dataset={},
        evaluator_version=1, metric_version=1, repeats=2, entries=ENTRIES, cells=CELLS,
        rankings=rankings(BOARD, ENTRIES, CELLS, 2),
    )  # fmt: skip


def test_places_follow_from_the_cells(snapshot: Snapshot) -> None:
    """Weighted of two rows weighs the lower 4/5 and the higher 1/5.

    base: (0.8·40 + 0.2·90 + 0.8·50 + 0.2·90) / 2 = 54; crafted: (64 + 72) / 2 = 68.
    """
    found = {(r.side, r.view, r.difficulty): r.lines for r in snapshot.rankings}
    assert len(found) == 16
    lines = found["defense", "reference", "full"]
    assert [(line.rank, line.id) for line in lines] == [(1, "crafted"), (2, "base")]
    assert [line.metrics.weighted.mean for line in lines if line.metrics] == pytest.approx(
        [0.68, 0.54]
    )
    assert [line.clean.mean for line in lines if line.clean] == [0.8, 0.9]
    assert [line.rank for line in found["defense", "reference", "easy"]] == [None, None]


def test_a_hidden_reference_counts_and_has_no_place() -> None:
    hidden = (ENTRIES[0].model_copy(update={"ranked": False}), *ENTRIES[1:])
    found = {(r.side, r.view, r.difficulty): r.lines for r in rankings(BOARD, hidden, CELLS, 2)}
    assert found["attack", "reference", "full"] == ()
    base = found["defense", "reference", "full"][1].metrics
    assert base is not None and base.n == 2
    alone = found["defense", "all", "full"][1].metrics
    assert alone is not None and alone.n == 1  # the clean row


def test_a_name_leaves_and_every_number_and_hash_stays(snapshot: Snapshot) -> None:
    after = unnamed(snapshot, {"crafted": "withdrawn", "nobody": "deleted"})
    said = after.entries[2]
    assert (said.name, said.authors, said.team, said.paper_url, said.family) == (
        "(withdrawn)", "", None, None, "other"
    )  # fmt: skip
    assert (said.mark, said.sha256, said.attempt, said.attempts) == ("withdrawn", "c" * 64, 1, 2)
    assert after.entries[:2] == snapshot.entries[:2]
    assert (after.cells, after.rankings) == (snapshot.cells, snapshot.rankings)
    for content in files(after).values():
        assert b"crafted's author" not in content


def test_the_hash_of_the_numbers_knows_no_names(snapshot: Snapshot) -> None:
    digest = numbers_digest(snapshot)
    assert numbers_digest(unnamed(snapshot, {"crafted": "deleted"})) == digest
    fewer = snapshot.model_copy(update={"cells": (*CELLS[:3], cell("attack", "crafted", 60, 71))})
    other = snapshot.model_copy(update={"entries": (entry("attack", "attack"), *ENTRIES[1:])})
    assert len({digest, numbers_digest(fewer), numbers_digest(other)}) == 3


def test_the_document_is_read_as_it_was_written(snapshot: Snapshot) -> None:
    written = files(snapshot)
    assert written.keys() == FILES.keys()
    assert Snapshot.model_validate_json(written["snapshot.json"]) == snapshot
    assert files(snapshot) == written


def rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def test_the_rankings_as_csv_have_every_place_and_run_nothing(snapshot: Snapshot) -> None:
    found = rows(files(snapshot)["rankings.csv"])
    assert len(found) == 2 * 4 * 3  # views, difficulties, entries
    (first,) = [
        row for row in found
        if (row["side"], row["view"], row["difficulty"], row["rank"])
        == ("defense", "reference", "full", "1")
    ]  # fmt: skip
    assert (first["id"], first["team"], first["sha256"]) == ("crafted", "'=team", "c" * 64)
    assert float(first["weighted"]) == pytest.approx(0.68)
    assert (first["n"], first["attempt"], first["attempts"]) == ("2", "1", "2")


def test_the_cells_as_csv_have_every_count_and_hash(snapshot: Snapshot) -> None:
    found = rows(files(snapshot)["cells.csv"])
    counts = [(row["attack"], row["defense"], row["repeat"], row["correct"]) for row in found]
    assert counts == [
        ("clean", "base", "0", "90"), ("clean", "crafted", "0", "80"),
        ("attack", "base", "0", "40"), ("attack", "base", "1", "50"),
        ("attack", "crafted", "0", "60"), ("attack", "crafted", "1", "70"),
    ]  # fmt: skip
    assert (found[0]["attack_sha256"], found[2]["attack_sha256"]) == ("", "a" * 64)
    assert {row["hits_sha256"] for row in found} == {"e" * 64}


def test_the_rankings_for_latex_are_four_tabulars(snapshot: Snapshot) -> None:
    text = files(snapshot)["rankings.tex"].decode()
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == 4
    assert re.search(r"1 & crafted & 68\.00", text)


def test_it_is_cited_with_its_address_and_the_hash_of_its_numbers() -> None:
    text = bibtex(
        board="digits/injection@1", snapshot_id="01S", made_at=START, digest="f" * 64,
        address="https://board.org/snapshots/01S",
    )  # fmt: skip
    assert text.startswith("@misc{grb-digits-injection-1-01s,\n")
    assert "url = {https://board.org/snapshots/01S}" in text
    assert "year = {2026}" in text and "month = {11}" in text
    assert "f" * 64 in text
    assert text.count("{") == text.count("}")


def test_it_is_plain_json_for_other_programs(snapshot: Snapshot) -> None:
    found = json.loads(files(snapshot)["snapshot.json"])
    assert found["cells"][2]["correct"] == {"full": [40, 50]}
    assert found["made_at"] == "2026-11-28T12:00:00Z"
