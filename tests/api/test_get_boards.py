"""GET /boards and GET /boards/{dataset}/{scenario}."""

from __future__ import annotations

import httpx
import pytest

from grbcore import catalog
from grbcore.architectures import ARCHITECTURES
from grbcore.store.session import now
from tests.api.stage import BOARD, EMPTY, Stage, problem


def summary(client: httpx.Client, board: str = BOARD) -> dict:
    return {line["id"]: line for line in client.get("/api/v1/boards").json()}[board]


def test_the_list_has_every_board_of_the_catalog_in_its_order(client: httpx.Client) -> None:
    listed = client.get("/api/v1/boards").json()
    assert [board["id"] for board in listed] == list(catalog.boards())


def test_a_board_without_data_says_how_to_get_it(client: httpx.Client) -> None:
    board = summary(client, EMPTY)
    assert board["state"] == "no-data"
    assert board["hint"] == "data not present: grb datasets fetch grb-reddit"


def test_a_board_whose_data_is_damaged_says_so(client: httpx.Client, stage: Stage) -> None:
    stage.board(state="no-data", problem="labels.npz: found 3 bytes, allowed: a zip archive")
    assert summary(client)["hint"] == "labels.npz: found 3 bytes, allowed: a zip archive"


def test_a_board_whose_data_has_left_keeps_its_ranking(client: httpx.Client, stage: Stage) -> None:
    page = f"/boards/{BOARD}"
    stage.board(state="no-data")
    assert 'id="defenses"' not in client.get(page).text
    stage.entry("defense", "D")
    found = client.get(page).text
    assert "The dataset's files are not on this service" in found and 'id="defenses"' in found


def test_a_problem_of_the_past_is_no_hint_once_the_data_is_there(
    client: httpx.Client, stage: Stage
) -> None:
    stage.board(state="ready", problem="labels.npz: found 3 bytes, allowed: a zip archive")
    assert summary(client)["hint"] is None


def test_a_modification_board_shows_how_many_edges_may_be_changed(client: httpx.Client) -> None:
    """A twentieth of the 3,884 edges of digits, rounded down; features stay as they are."""
    board = client.get("/api/v1/boards/digits/modification@1").json()
    assert {budget["flips"] for budget in board["budgets"].values()} == {194}
    assert {budget["nodes"] for budget in board["budgets"].values()} == {None}
    assert board["feature_range"] is None


def test_a_board_with_data_is_ready_and_has_no_hint(client: httpx.Client) -> None:
    board = summary(client)
    assert (board["state"], board["hint"]) == ("ready", None)


def test_registered_and_pending_entries_are_counted_without_marked_ones(
    client: httpx.Client, stage: Stage
) -> None:
    stage.entry("attack", "A")
    stage.entry("attack", "hidden", hidden_at=now())
    stage.entry("defense", "D")
    stage.entry("defense", "withdrawn", withdrawn_at=now())
    stage.entry("defense", "coming", state="evaluating")
    stage.entry("defense", "refused", state="rejected")
    board = summary(client)
    assert (board["attacks"], board["defenses"], board["pending"]) == (1, 1, 1)


def test_the_best_entries_are_those_of_the_reference_view_at_full(
    client: httpx.Client, stage: Stage
) -> None:
    """D: 0.8 * 50 % + 0.2 * 100 % = 60 %; over D alone, attack A has 50 %."""
    defense = stage.entry("defense", "D", is_reference=True)
    attack = stage.entry("attack", "A", is_reference=True)
    stage.cell(None, defense, {"full": [100]})
    stage.cell(attack, defense, {"full": [50]})
    board = summary(client)
    assert board["best_defense"] == {"id": defense, "name": "D", "score": pytest.approx(0.6)}
    assert board["best_attack"] == {"id": attack, "name": "A", "score": 0.5}


def test_a_new_registration_replaces_the_best_entry(client: httpx.Client, stage: Stage) -> None:
    first = stage.entry("defense", "first")
    stage.cell(None, first, {"full": [50]})
    assert summary(client)["best_defense"]["name"] == "first"
    second = stage.entry("defense", "second", state="evaluating")
    stage.cell(None, second, {"full": [60]})
    stage.change(second, state="ranked", registered_at=now())
    assert summary(client)["best_defense"]["name"] == "second"


def test_preparation_is_shown_as_it_is(client: httpx.Client, stage: Stage) -> None:
    step = {"step": "training GAT+LN", "done": 3, "total": 10, "failed": None}
    stage.board(state="preparing", preparation=step)
    board = summary(client)
    assert (board["state"], board["preparation"]) == ("preparing", step)


def test_a_board_can_be_named_without_its_version(client: httpx.Client) -> None:
    assert client.get("/api/v1/boards/digits/injection").json()["id"] == BOARD


def test_a_board_shows_its_rules(client: httpx.Client) -> None:
    """90 nodes of 20 edges at full; digits has 1,797 images, so 3 * 10 % are 537 targets."""
    board = client.get(f"/api/v1/boards/{BOARD}").json()
    assert board["budgets"]["full"] == {
        "nodes": 90,
        "edges_per_node": 20,
        "flips": None,
        "changes": None,
        "targets": 537,
    }
    assert board["dataset_details"]["nodes"] == 1797
    assert board["repeats"] == 3
    assert board["architectures"] == list(ARCHITECTURES)


def test_a_board_without_data_shows_its_rules_too(client: httpx.Client) -> None:
    board = client.get(f"/api/v1/boards/{EMPTY}").json()
    assert board["protocol"] is None
    assert board["budgets"]["easy"]["nodes"] == 500
    assert board["dataset_details"]["nodes"] == 232965


def test_an_unknown_board_is_404_and_names_those_there_are(client: httpx.Client) -> None:
    body = problem(client.get("/api/v1/boards/digit/injection"), 404, "board-unknown")
    assert BOARD in body["message"]


def test_an_unknown_version_is_404(client: httpx.Client) -> None:
    problem(client.get("/api/v1/boards/digits/injection@9"), 404, "board-unknown")


def test_another_method_is_405_and_says_which_is_allowed(client: httpx.Client) -> None:
    answer = client.delete("/api/v1/boards")
    problem(answer, 405, "method")
    assert answer.headers["allow"] == "GET, HEAD"
