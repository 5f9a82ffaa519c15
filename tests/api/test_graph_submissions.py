"""Files for boards on whole graphs: what the API takes, and what it says of what it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from grbcore.architectures import GRAPH_ARCHITECTURES
from grbcore.graphlevel.models import Shape, build
from grbcore.graphlevel.models.weights import save
from grbcore.perturbation import GraphChanges
from grbcore.scenario import BUDGETS
from grbcore.submission import write_attack
from tests.api.graph_stage import BOARD, Graphs, staged
from tests.api.stage import SUBMISSIONS, defense_file, problem, serve
from tests.store import databases

ATTACK = {"board": BOARD, "side": "attack", "name": "Mine", "authors": "Ann", "family": "AdjPGD"}
DEFENSE = {"board": BOARD, "side": "defense", "name": "My GIN", "authors": "Ann"}


@pytest.fixture(scope="module")
def graphs(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[Graphs]:
    folder = tmp_path_factory.mktemp("graphs")
    with staged(databases.sqlite(folder, sqlite_template), folder) as found:
        yield found


@pytest.fixture(scope="module")
def client(graphs: Graphs) -> Iterator[httpx.Client]:
    with (
        serve(graphs.stage.settings) as address,
        httpx.Client(base_url=address, timeout=60) as opened,
    ):
        yield opened


def post(client: httpx.Client, graphs: Graphs, fields: dict[str, str], file: Path) -> Any:
    files = {"file": ("upload", file.read_bytes())}
    return client.post(SUBMISSIONS, data=fields, files=files, headers=graphs.stage.bearer())


def attack_file(folder: Path, graphs: Graphs, budgets: tuple[Any, ...] = BUDGETS) -> Path:
    """An attack that changes nothing."""
    none = GraphChanges.empty(len(graphs.dataset.split.test))
    write_attack(folder / "attack.npz", {name: (none,) for name in budgets})
    return folder / "attack.npz"


def test_a_defense_of_a_registered_architecture_is_taken(
    client: httpx.Client, graphs: Graphs, tmp_path: Path
) -> None:
    file = tmp_path / "d.safetensors"
    save(file, build("GIN", Shape.of(graphs.dataset), {"hidden": 4, "layers": 1}, seed=0))
    answer = post(client, graphs, DEFENSE, file)
    assert answer.status_code == 202, answer.text
    found = answer.json()
    assert (found["architecture"], found["family"]) == ("GIN", "GIN")
    assert found["parameters"] == {"hidden": 4, "layers": 1}
    assert found["difficulties"] == list(BUDGETS)
    assert client.get(f"/submissions/{found['id']}").status_code == 200
    score = client.get(f"{SUBMISSIONS}/{found['id']}/score")
    assert (score.status_code, score.json()["rank"]) == (200, None)


def test_an_attack_carries_every_budget(
    client: httpx.Client, graphs: Graphs, tmp_path: Path
) -> None:
    answer = post(client, graphs, ATTACK, attack_file(tmp_path, graphs))
    assert answer.status_code == 202, answer.text
    assert (answer.json()["difficulties"], answer.json()["repeats"]) == (list(BUDGETS), 1)
    lacking = post(client, graphs, ATTACK, attack_file(tmp_path, graphs, BUDGETS[:4]))
    (violation,) = problem(lacking, 422, "invalid-file")["violations"]
    assert (violation["code"], violation["place"]) == ("member-missing", "5")
    assert violation["found"] == "no member of 5"


def test_a_family_is_a_method_of_the_scenario_or_ones_own(
    client: httpx.Client, graphs: Graphs, tmp_path: Path
) -> None:
    file = attack_file(tmp_path, graphs)
    methods = ["Random", "AdjPGD", "Genetic"]  # brute force makes one change, no five budgets
    for family in ("FGSM", "BruteForce"):
        refused = post(client, graphs, {**ATTACK, "family": family}, file)
        (violation,) = problem(refused, 422, "invalid-fields")["violations"]
        assert violation["allowed"] == ", ".join((*methods, "or other:<name>"))
    assert client.get(f"/api/v1/boards/{BOARD}").json()["attack_methods"] == methods


def test_a_model_of_nodes_is_refused_with_what_is_allowed(
    client: httpx.Client, graphs: Graphs, tmp_path: Path
) -> None:
    answer = post(client, graphs, DEFENSE, defense_file(tmp_path))
    (violation,) = problem(answer, 422, "invalid-file")["violations"]
    assert violation["allowed"] == ", ".join(GRAPH_ARCHITECTURES)
    board = client.get(f"/api/v1/boards/{BOARD}").json()
    assert board["architectures"] == list(GRAPH_ARCHITECTURES)


def test_an_attack_of_nodes_and_one_of_other_graphs_are_refused(
    client: httpx.Client, graphs: Graphs, tmp_path: Path
) -> None:
    few = GraphChanges.empty(len(graphs.dataset.split.test) - 1)
    write_attack(tmp_path / "few.npz", {name: (few,) for name in BUDGETS})
    answer = post(client, graphs, ATTACK, tmp_path / "few.npz")
    found = problem(answer, 422, "invalid-file")["violations"]
    assert {violation["code"] for violation in found} == {"shape"}
    np.savez(tmp_path / "nodes.npz", **{"full/0/flips": np.zeros((2, 0), np.int64)})
    answer = post(client, graphs, ATTACK, tmp_path / "nodes.npz")
    (violation,) = problem(answer, 422, "invalid-file")["violations"]
    assert (violation["code"], violation["place"]) == ("member-name", "file")
    assert violation["found"] == "an attack for a modification board"


def test_a_board_without_data_takes_none(
    client: httpx.Client, graphs: Graphs, tmp_path: Path
) -> None:
    fields = {**ATTACK, "board": "imdb-multi/adjacency@1"}
    answer = post(client, graphs, fields, attack_file(tmp_path, graphs))
    assert "grb datasets fetch imdb-multi" in problem(answer, 409, "no-data")["message"]


def test_rules_say_how_many_changes_each_graph_may_have(
    client: httpx.Client, graphs: Graphs
) -> None:
    found = client.get("/api/v1/boards/mutag/attributes@1").json()
    assert {name: one["changes"] for name, one in found["budgets"].items()} == {
        name: int(name) for name in BUDGETS
    }
    assert {one["targets"] for one in found["budgets"].values()} == {8}
    details = found["dataset_details"]
    assert (details["graphs"], details["node_values"], details["edge_values"]) == (8, [7], [4])
    page = client.get("/boards/mutag/attributes@1/rules").text
    assert "or a new value of one feature of a node or of an edge" in page
    assert "A node has one feature of value 0 to 6, an edge one feature of value 0 to 3." in page
    assert "Licence of the dataset MUTAG: none stated by the source." in page


def test_rules_say_that_degrees_stand_for_features_and_follow_flips(client: httpx.Client) -> None:
    details = client.get("/api/v1/boards/imdb-multi/adjacency@1").json()["dataset_details"]
    assert (details["features"], details["node_values"], details["by_degree"]) == (26, [1], True)
    page = client.get("/boards/imdb-multi/adjacency@1/rules").text
    assert "A node has no features: models go by its degree, which follows the edges" in page
    assert "An edge has one feature of value 0." in page
