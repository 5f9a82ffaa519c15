"""GET /boards/{dataset}/{scenario}/matrix and GET /cells/{id}."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from grbcore.store.session import now
from tests.api.stage import BOARD, EMPTY, START, Stage, problem

URL = f"/api/v1/boards/{BOARD}/matrix"


def heads(found: dict[str, Any], side: str) -> list[tuple[int | None, str]]:
    return [(head["rank"], head["name"]) for head in found[side]]


@pytest.fixture
def ids(stage: Stage) -> dict[str, str]:
    found = {
        "A": stage.entry("attack", "A", is_reference=True),
        "D": stage.entry("defense", "D", is_reference=True),
        "E": stage.entry("defense", "E"),
    }
    found["clean"] = stage.cell(None, found["D"], {"full": [90]})
    stage.cell(None, found["E"], {"full": [100]})
    found["cell"] = stage.cell(found["A"], found["D"], {"easy": [30], "full": [50, 60, 70]})
    stage.cell(found["A"], found["E"], {"full": [80, 80, 80]})
    return found


def test_rows_and_columns_are_in_the_order_of_their_ranks_clean_last(
    client: httpx.Client, ids: dict[str, str]
) -> None:
    found = client.get(URL).json()
    assert heads(found, "defenses") == [(1, "E"), (2, "D")]
    assert heads(found, "attacks") == [(1, "A"), (None, "without attack")]


def test_a_cell_has_mean_and_spread_over_repeats_at_each_difficulty(
    client: httpx.Client, ids: dict[str, str]
) -> None:
    """50, 60, 70 %: mean 60, population std sqrt(200/3) = 8.165; one repeat has no spread."""
    cells = {cell["id"]: cell for cell in client.get(URL).json()["cells"]}
    accuracy = cells[ids["cell"]]["accuracy"]
    assert accuracy["full"]["mean"] == pytest.approx(0.6)
    assert accuracy["full"]["std"] == pytest.approx(0.08164966)
    assert accuracy["easy"] == {"mean": 0.3, "std": None}


def test_the_best_of_each_row_and_column_are_named(
    client: httpx.Client, ids: dict[str, str]
) -> None:
    """A leaves D 60 and E 80 %, its only attack; E keeps more there, and 100 % without attack."""
    found = client.get(URL).json()
    cells = {(cell["attack"], cell["defense"]): cell["id"] for cell in found["cells"]}
    best = {cells[ids["A"], ids["E"]], cells["clean", ids["E"]]}
    assert set(found["best_defenses"]) == best
    assert set(found["best_attacks"]) == {ids["cell"], cells[ids["A"], ids["E"]]}


def test_cells_of_a_newcomer_are_there_with_their_states(
    client: httpx.Client, stage: Stage, ids: dict[str, str]
) -> None:
    coming = stage.entry("defense", "coming", state="evaluating")
    queued = stage.cell(ids["A"], coming, state="queued")
    found = client.get(URL).json()
    assert heads(found, "defenses")[-1] == (None, "coming")
    [cell] = [cell for cell in found["cells"] if cell["id"] == queued]
    assert (cell["state"], cell["accuracy"]) == ("queued", {})


def test_rejected_failed_and_withdrawn_entries_are_not_in_the_matrix(
    client: httpx.Client, stage: Stage, ids: dict[str, str]
) -> None:
    for state in ("rejected", "failed", "received"):
        stage.entry("defense", state, state=state)
    stage.change(ids["E"], withdrawn_at=now())
    assert heads(client.get(URL).json(), "defenses") == [(1, "D")]


def test_a_hidden_reference_is_there_without_its_name(
    client: httpx.Client, stage: Stage, ids: dict[str, str]
) -> None:
    stage.change(ids["A"], hidden_at=now())
    assert heads(client.get(URL).json(), "attacks")[0] == (None, "(hidden)")


def test_every_cell_joins_two_heads(
    client: httpx.Client, stage: Stage, ids: dict[str, str]
) -> None:
    stage.change(ids["E"], hidden_at=now())
    found = client.get(URL).json()
    attacks = {head["id"] for head in found["attacks"]}
    defenses = {head["id"] for head in found["defenses"]}
    assert len(found["cells"]) == 2
    assert all(cell["attack"] in attacks and cell["defense"] in defenses for cell in found["cells"])


def test_a_board_without_data_has_the_clean_row_only(client: httpx.Client) -> None:
    found = client.get(f"/api/v1/boards/{EMPTY}/matrix").json()
    assert (heads(found, "attacks"), found["cells"]) == ([(None, "without attack")], [])


def test_the_matrix_of_an_unknown_board_is_404(client: httpx.Client) -> None:
    problem(client.get("/api/v1/boards/x/injection/matrix"), 404, "board-unknown")


def test_an_unknown_view_of_the_matrix_is_422(client: httpx.Client) -> None:
    problem(client.get(URL, params={"view": "mine"}), 422, "invalid-fields")


def test_a_cell_shows_its_counts_and_where_they_come_from(
    client: httpx.Client, stage: Stage, ids: dict[str, str]
) -> None:
    cell = client.get(f"/api/v1/cells/{ids['cell']}").json()
    assert cell["correct"] == {"easy": [30], "full": [50, 60, 70]}
    assert cell["total"] == {"easy": 100, "full": 100}
    assert (cell["attack"]["name"], cell["defense"]["name"]) == ("A", "D")
    assert cell["provenance"]["protocol"] == stage.protocol
    assert cell["provenance"]["versions"] == {"torch": "2.13.0"}
    assert len(cell["provenance"]["defense_sha256"]) == 64


def test_a_cells_entries_carry_their_ranks(client: httpx.Client, ids: dict[str, str]) -> None:
    cell = client.get(f"/api/v1/cells/{ids['cell']}").json()
    assert (cell["attack"]["rank"], cell["defense"]["rank"]) == (1, 2)


def test_a_cells_command_downloads_both_files_and_evaluates_them(
    client: httpx.Client, server: str, ids: dict[str, str]
) -> None:
    files = f"{server}/api/v1/submissions"
    assert client.get(f"/api/v1/cells/{ids['cell']}").json()["command"].splitlines() == [
        f"curl -fo attack.npz {files}/{ids['A']}/artefact",
        f"curl -fo defense.safetensors {files}/{ids['D']}/artefact",
        f"grb evaluate {BOARD} --attack attack.npz --defense defense.safetensors",
    ]


def test_the_clean_cell_needs_no_attack(client: httpx.Client, ids: dict[str, str]) -> None:
    cell = client.get(f"/api/v1/cells/{ids['clean']}").json()
    assert cell["attack"]["id"] == "clean"
    assert cell["provenance"]["attack_sha256"] is None
    assert cell["command"].endswith(f"grb evaluate {BOARD} --defense defense.safetensors")


def test_a_cell_counts_predictions_whose_logits_are_not_finite(
    client: httpx.Client, stage: Stage
) -> None:
    defense = stage.entry("defense", "broken")
    missed = {"easy": [2], "full": [5]}
    cell = stage.cell(None, defense, {"easy": [1], "full": [1]}, not_finite=missed)
    assert client.get(f"/api/v1/cells/{cell}").json()["not_finite"] == missed


def test_a_cell_that_is_not_done_has_no_numbers(
    client: httpx.Client, stage: Stage, ids: dict[str, str]
) -> None:
    dead = stage.cell(
        stage.entry("attack", "B", state="evaluating"), ids["D"], state="dead", reason="no memory"
    )
    cell = client.get(f"/api/v1/cells/{dead}").json()
    assert (cell["state"], cell["reason"]) == ("dead", "no memory")
    assert [cell[name] for name in ("correct", "total", "accuracy", "not_finite")] == [{}] * 4


@pytest.mark.parametrize(
    ("state", "family"),
    [("failed", "submission"), ("dead", "infrastructure"), ("queued", "infrastructure")],
)
def test_a_cell_that_failed_tells_whose_fault_it_was_and_what_was_written(
    client: httpx.Client, stage: Stage, state: str, family: str
) -> None:
    defense = stage.entry("defense", "D", state="evaluating")
    cell = stage.cell(
        None,
        defense,
        state=state,
        attempts=2,
        error_code="evaluator-died",
        reason="it died",
        log="Traceback\n<b>MemoryError</b>",
        finished_at=None if state == "queued" else START,
    )
    found = client.get(f"/api/v1/cells/{cell}").json()
    assert (found["error_code"], found["error_family"]) == ("evaluator-died", family)
    assert (found["attempts"], found["max_attempts"]) == (2, 4)
    assert found["log"] == "Traceback\n<b>MemoryError</b>"
    page = client.get(f"/cells/{cell}").text
    assert "Traceback\n&lt;b&gt;MemoryError&lt;/b&gt;" in page


@pytest.mark.parametrize("name", ["0" * 26, "x", "%00", "0" * 500])
def test_an_unknown_cell_is_404(client: httpx.Client, name: str) -> None:
    problem(client.get(f"/api/v1/cells/{name}"), 404, "cell-unknown")
