"""Boards on whole graphs in the service: budgets in place of difficulties, ranked by their mean."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from api.main import create_app
from grbcore import catalog
from grbcore.leaderboard import Arena, rank
from grbcore.results import CLEAN
from grbcore.scenario import BUDGETS, MEAN, Difficulty, Side
from grbcore.store import seasons, snapshots
from grbcore.store.session import now
from tests.api.graph_stage import BOARD, REPEATS, Graphs, staged
from tests.api.stage import problem, serve
from tests.store import databases

CHOICES: tuple[Difficulty, ...] = (*BUDGETS, MEAN)
API = f"/api/v1/boards/{BOARD}"


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


@pytest.fixture(scope="module")
def known(graphs: Graphs, client: httpx.Client) -> dict[str, str]:
    """What paths may hold: a snapshot, a season and a re-evaluation among them."""
    stage = graphs.stage
    with stage.sessions.writing() as session:
        seasons.freeze(session, BOARD, now())
    kept = snapshots.make(
        stage.sessions, stage.blobs, catalog.board(BOARD), user_id=None, via="cli", reason=None,
        now=now(),
    )  # fmt: skip
    asked = {"board": BOARD, "reason": "a test"}
    job = client.post(
        "/api/v1/admin/reevaluations", json=asked, headers=stage.bearer("admin")
    ).json()
    dataset, scenario = BOARD.split("/")
    return {
        "dataset": dataset,
        "scenario": scenario,
        "submission_id": graphs.attacks[0],
        "cell_id": graphs.ids[graphs.attacks[0], graphs.defenses[0]],
        "snapshot_id": kept,
        "number": "1",
        "job_id": job["id"],
        "form": "csv",
        "file": "rankings.csv",
    }


def routes() -> Iterator[tuple[str, bool, bool]]:
    """Every GET route that is about a board, streams left out: its path, whether it takes a
    difficulty, and whether it takes ids."""
    paths = create_app().openapi()["paths"]
    for path, operations in paths.items():
        names = set(re.findall(r"{(\w+)}", path))
        about = names & {"dataset", "submission_id", "cell_id", "snapshot_id", "job_id"}
        if "get" not in operations or not about or path.endswith("/events"):
            continue
        asked = {one["name"] for one in operations["get"].get("parameters", ())}
        yield path, "difficulty" in asked, "ids" in asked


ROUTES = list(routes())


def get(client: httpx.Client, graphs: Graphs, path: str, query: dict[str, str]) -> httpx.Response:
    return client.get(path, params=query, headers=graphs.stage.bearer("admin"))


@pytest.mark.parametrize(("path", "at", "ids"), ROUTES, ids=[path for path, *_ in ROUTES])
def test_every_route_answers_at_the_mean_at_each_budget_and_nothing_else(
    client: httpx.Client, graphs: Graphs, known: dict[str, str], path: str, at: bool, ids: bool
) -> None:
    path = path.format_map(known)
    query = {"ids": ",".join(graphs.defenses)} if ids else {}
    answer = get(client, graphs, path, query)
    assert answer.status_code == 200, answer.text
    if not at:
        return
    if answer.headers["content-type"] == "application/json":
        assert answer.json()["difficulty"] == MEAN
    said = get(client, graphs, path, {**query, "difficulty": MEAN})
    assert said.content == answer.content
    for budget in ("1", "5"):
        found = get(client, graphs, path, {**query, "difficulty": budget})
        assert found.status_code == 200, found.text
    refused = get(client, graphs, path, {**query, "difficulty": "full"})
    wrong = problem(refused, 422, "invalid-fields")
    (violation,) = wrong["violations"]
    assert (violation["place"], violation["allowed"]) == ("query/difficulty", ", ".join(CHOICES))


#: Pages, and of those that are at one budget what says at which.
PAGES = {
    "/": "",
    "/boards/{dataset}/{scenario}": "at {}",
    "/boards/{dataset}/{scenario}/table": "",
    "/boards/{dataset}/{scenario}/charts": "at {}",
    "/boards/{dataset}/{scenario}/arena": "at {}",
    "/boards/{dataset}/{scenario}/rules": "",
    "/boards/{dataset}/{scenario}/snapshots": "",
    "/boards/{dataset}/{scenario}/seasons/{number}": "at {}",
    "/compare?board={dataset}/{scenario}&ids={ids}": "at {}",
    "/submissions/{submission_id}?breakdown": "At {}, over",
    "/submissions?board={dataset}/{scenario}": "",
    "/cells/{cell_id}": "at {}",
    "/snapshots/{snapshot_id}": "",
    "/status": "",
}


@pytest.mark.parametrize(("path", "at"), PAGES.items(), ids=PAGES)
def test_every_page_is_there_without_javascript(
    client: httpx.Client, graphs: Graphs, known: dict[str, str], path: str, at: str
) -> None:
    """What an address misspells is the mean over budgets."""
    path = path.format_map({**known, "ids": ",".join(graphs.defenses)})
    join = "&" if "?" in path else "?"
    plain, mean, five, wrong = (
        client.get(path + more)
        for more in ("", f"{join}difficulty=mean", f"{join}difficulty=5", f"{join}difficulty=full")
    )
    assert {answer.status_code for answer in (plain, mean, five, wrong)} == {200}
    for word in ("Hard", "difficulty full", "at full,", ">full<"):
        assert word not in plain.text, word
    assert re.sub("bib.*", "", mean.text) == re.sub("bib.*", "", wrong.text)
    if at:
        assert at.format("the mean over budgets") in mean.text
        assert at.format("budget 5") in five.text and at.format("budget 5") not in mean.text


def arena(graphs: Graphs) -> Arena:
    return Arena(REPEATS, graphs.attacks, graphs.defenses, graphs.defenses, graphs.attacks, BUDGETS)


def leaderboard(client: httpx.Client, side: Side, **query: str) -> dict[str, Any]:
    answer = client.get(f"{API}/leaderboard", params={"side": side, **query})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize("side", ["defense", "attack"])
@pytest.mark.parametrize("at", CHOICES)
def test_the_ranking_is_that_of_the_cells(
    client: httpx.Client, graphs: Graphs, side: Side, at: Difficulty
) -> None:
    expected = rank(arena(graphs), graphs.cells.values(), side, at)
    found = leaderboard(client, side, difficulty=at)
    assert [row["rank"] for row in found["rows"]] == [row.rank for row in expected.rows]
    for row, other in zip(found["rows"], expected.rows, strict=True):
        assert (row["entry"] or {"id": CLEAN})["id"] == other.id
        assert set(row["metrics"]) == set(CHOICES)
        for metric in ("weighted", "average", "three", "worst"):
            score = other.metrics[at].of(metric)  # type: ignore[arg-type]
            assert row["metrics"][at][metric] == {"mean": score.mean, "std": score.std}
        if side == "defense":
            assert other.clean is not None
            assert row["clean"][at]["mean"] == pytest.approx(other.clean[at].mean)
            weighted = [row["metrics"][budget]["weighted"]["mean"] for budget in BUDGETS]
            assert row["metrics"][MEAN]["weighted"]["mean"] == pytest.approx(np.mean(weighted))


def mean_of(graphs: Graphs, attack: str, defense: str) -> float:
    """Of all targets at all budgets and repeats the share that is right."""
    labels = graphs.dataset.labels_of("test")
    every = [
        said == labels for repeats in graphs.said[attack, defense].values() for said in repeats
    ]
    return float(np.mean(every))


def test_a_matrix_at_the_mean_has_the_means_over_budgets_in_every_form(
    client: httpx.Client, graphs: Graphs
) -> None:
    expected = {pair: mean_of(graphs, *pair) for pair in graphs.cells}
    window = client.get(f"{API}/matrix").json()
    cells = {(one["attack"], one["defense"]): one["accuracy"][MEAN] for one in window["cells"]}
    assert {pair: one["mean"] for pair, one in cells.items()} == pytest.approx(expected)
    assert all(
        (one["std"] is None) == (pair[0] != graphs.attacks[0]) for pair, one in cells.items()
    )
    grid = client.get(f"{API}/matrix/grid").json()
    heads = [[one["id"] for one in grid[side]] for side in ("attacks", "defenses")]
    numbers = {
        (attack, defense): (mean, spread)
        for attack, means, spreads in zip(heads[0], grid["means"], grid["spreads"], strict=True)
        for defense, mean, spread in zip(heads[1], means, spreads, strict=True)
    }
    for pair, (mean, spread) in numbers.items():
        assert (mean, spread) == pytest.approx((cells[pair]["mean"], cells[pair]["std"]))
    lines = list(csv.reader(client.get(f"{API}/matrix.csv").text.splitlines()))
    for line in lines[1:]:
        for defense, number in zip(heads[1], line[3:], strict=True):
            assert float(number) == pytest.approx(expected[line[1], defense])
    latex = client.get(f"{API}/matrix.tex").text
    page = client.get(f"/boards/{BOARD}").text
    for mean in expected.values():
        assert f"{100 * mean:.2f}" in latex
        assert f'<span class="score">{100 * mean:.2f}' in page


def test_a_cell_tells_its_budgets_and_their_mean(client: httpx.Client, graphs: Graphs) -> None:
    pair = graphs.attacks[0], graphs.defenses[0]
    cell = client.get(f"/api/v1/cells/{graphs.ids[pair]}").json()
    assert list(cell["accuracy"]) == list(CHOICES)
    assert set(cell["correct"]) == set(BUDGETS)
    lines = list(
        csv.DictReader(
            client.get(f"/api/v1/cells/{graphs.ids[pair]}/results.csv").text.splitlines()
        )
    )
    assert [line["difficulty"] for line in lines] == list(CHOICES)
    repeats = [float(lines[-1][f"repeat_{one}"]) for one in range(REPEATS)]
    assert np.mean(repeats) == pytest.approx(mean_of(graphs, *pair))
    assert float(lines[-1]["mean"]) == pytest.approx(mean_of(graphs, *pair))
    f1 = [float(line["macro_f1"]) for line in lines]
    assert f1[-1] == pytest.approx(np.mean(f1[:-1]))


def test_a_breakdown_is_by_size_and_class_and_adds_up_all_budgets_at_the_mean(
    client: httpx.Client, graphs: Graphs
) -> None:
    pair = graphs.attacks[0], graphs.defenses[0]
    address = f"/api/v1/cells/{graphs.ids[pair]}/breakdown"
    each = [client.get(address, params={"difficulty": budget}).json() for budget in BUDGETS]
    mean = client.get(address).json()
    for found in (*each, mean):
        assert found["missing"] is None
        assert found["degrees"] == []
        groups = found["classes"]
        assert [group["low"] for group in groups] == [0, 1]
        assert sum(group["targets"] for group in found["sizes"]) == (40 if found is mean else 8)
        assert sum(group["targets"] for group in found["margins"]) == (40 if found is mean else 8)
    labels = graphs.dataset.labels_of("test")
    for name, found in zip(BUDGETS, each, strict=True):
        right = [said == labels for said in graphs.said[pair][name]]
        correct = [[int(one[labels == c].sum()) for one in right] for c in (0, 1)]
        assert [group["correct"] for group in found["classes"]] == correct
    summed = np.sum([[group["correct"] for group in one["classes"]] for one in each], axis=0)
    assert [group["correct"] for group in mean["classes"]] == summed.tolist()
    lost = np.sum([one["change"]["lost"] for one in each], axis=0)
    assert mean["change"]["lost"] == lost.tolist()
    graph = graphs.dataset.part("test")[0]
    assert any(group["low"] <= graph.n <= group["high"] for group in mean["sizes"])


def test_where_half_of_the_graphs_is_hidden_no_groups_tell_which(
    client: httpx.Client, graphs: Graphs
) -> None:
    """Sizes of graphs, and margins of a public defense, are known: a group of one is that graph."""
    cell = graphs.ids[graphs.attacks[0], graphs.defenses[0]]
    graphs.stage.board(hidden_seed="5e" * 32, ladder_step=0.05)
    try:
        for path in (f"cells/{cell}", f"submissions/{graphs.defenses[0]}"):
            found = client.get(f"/api/v1/{path}/breakdown").json()
            assert "half of the board's graphs is hidden" in found["missing"]
            assert [found[name] for name in ("sizes", "margins", "classes")] == [[], [], []]
            assert found.get("change") is None
        query = {"ids": ",".join(graphs.defenses), "difficulty": "3"}  # asked for here alone
        compared = client.get(f"{API}/comparison/degrees", params=query).json()
        assert "half of the board's graphs is hidden" in compared["missing"]
        assert compared["groups"] == []
    finally:
        graphs.stage.board(hidden_seed=None, ladder_step=None)


def test_what_targets_were_taken_for_is_added_up_at_the_mean(
    client: httpx.Client, graphs: Graphs
) -> None:
    address = f"/api/v1/cells/{graphs.ids[graphs.attacks[1], graphs.defenses[1]]}/confusion"
    each = [client.get(address, params={"difficulty": budget}).json() for budget in BUDGETS]
    mean = client.get(address).json()
    assert mean["repeats"] == np.sum([one["repeats"] for one in each], axis=0).tolist()
    assert sum(map(sum, mean["mean"])) == 5 * 8
    assert mean["clean"] is not None
    sheet = client.get(f"{address}.csv").text.splitlines()
    assert sum(float(line.split(",")[2]) for line in sheet[1:]) == pytest.approx(5 * 8)


def test_the_parts_of_a_score_add_up_to_the_mean_over_budgets(
    client: httpx.Client, graphs: Graphs
) -> None:
    for entry in (*graphs.attacks, *graphs.defenses):
        found = client.get(f"/api/v1/submissions/{entry}/score").json()
        shares = sum(part["share"] for part in found["parts"])
        assert shares == pytest.approx(found["metrics"]["weighted"]["mean"])
        assert all(len(part["places"]) == len(BUDGETS) * REPEATS for part in found["parts"])


def test_an_attack_tells_what_it_uses_of_each_budget(client: httpx.Client, graphs: Graphs) -> None:
    """8 changes of 8 graphs that may have b each: 1/b; the mean of 1, 1/2, 1/3, 1/4 and 1/5."""
    found = client.get(f"/api/v1/submissions/{graphs.attacks[0]}").json()
    assert found["difficulties"] == list(BUDGETS)
    shares = [found["budget"][budget]["share"] for budget in BUDGETS]
    assert shares == pytest.approx([1 / int(budget) for budget in BUDGETS])
    kinds = {one["kind"]: one["mean"] for one in found["budget"]["4"]["spent"]}
    assert kinds == {"added": 4.0, "removed": 4.0}  # no value may change on this board
    row, other = (
        next(one["entry"] for one in leaderboard(client, "attack")["rows"]
             if one["entry"] and one["entry"]["id"] == attack)
        for attack in graphs.attacks
    )  # fmt: skip
    assert row["budget_used"] == pytest.approx((1 + 1 / 2 + 1 / 3 + 1 / 4 + 1 / 5) / 5)
    assert row["spent"] == kinds
    assert (other["budget_used"], other["spent"]) == (None, None)


def test_the_papers_table_has_budgets_and_their_mean(client: httpx.Client, graphs: Graphs) -> None:
    table = client.get(f"{API}/table").json()
    assert (table["preset"], table["difficulties"]) == ("main", list(CHOICES))
    ranked = leaderboard(client, "defense")
    for row in ranked["rows"]:
        foot = {
            one["difficulty"]: one["values"][row["entry"]["id"]]["mean"]
            for one in table["foot"]
            if one["metric"] == "weighted"
        }
        assert foot == {at: row["metrics"][at]["weighted"]["mean"] for at in CHOICES}
    assert client.get(f"{API}/table?preset=brief").json()["difficulties"] == [MEAN]
    some = client.get(f"{API}/table?difficulties=mean,2").json()
    assert some["difficulties"] == ["2", MEAN]
    for asked, told in (("1,full", "full"), ("Mean", "Mean"), ("", "nothing"), (",", "nothing")):
        answer = client.get(f"{API}/table?difficulties={asked}")
        (wrong,) = problem(answer, 422, "invalid-fields")["violations"]
        assert wrong["allowed"] == "one or more of " + ", ".join(CHOICES)
        assert wrong["found"] == told
    latex = client.get(f"{API}/table.tex").text
    assert "& 5 &" in latex and "& Mean &" in latex


def test_entries_side_by_side_differ_at_the_mean_by_what_their_scores_do(
    client: httpx.Client, graphs: Graphs
) -> None:
    query = {"ids": ",".join(graphs.defenses)}
    found = client.get(f"{API}/comparison/differences", params=query).json()
    (pair,) = found["pairs"]
    scores = {
        row["entry"]["id"]: row["metrics"][MEAN] for row in leaderboard(client, "defense")["rows"]
    }
    first, second = (scores[one] for one in graphs.defenses)
    for known in pair["metrics"]:
        distance = second[known["metric"]]["mean"] - first[known["metric"]]["mean"]
        assert known["mean"] == pytest.approx(distance)
        assert known["low"] <= distance <= known["high"]
    sizes = client.get(f"{API}/comparison/degrees", params=query).json()
    assert sizes["missing"] is None
    assert sum(group["targets"] for group in sizes["groups"]) == 40
    printed = client.get(f"{API}/comparison/degrees.tex", params=query).text
    assert "the mean over budgets, reference: percent" in printed
    assert "\nNodes & Targets & " in printed
    wins = client.get(f"{API}/comparison/wins.tex", params=query).text
    assert re.findall(r"^(\w[\w ]*) & .* & \d+ \\\\$", wins, re.M) == [
        *(f"Budget {budget}" for budget in BUDGETS), "Mean"
    ]  # fmt: skip


def test_grbs_own_form_in_the_arena_is_the_ranking_over_all(
    client: httpx.Client, graphs: Graphs
) -> None:
    for side in ("defense", "attack"):
        found = client.get(f"{API}/arena", params={"side": side}).json()
        scores = {row["entry"]["id"]: row["own"]["score"] for row in found["rows"]}
        ranked = leaderboard(client, side, view="all")["rows"]
        expected = {
            row["entry"]["id"]: row["metrics"][MEAN]["weighted"]["mean"]
            for row in ranked
            if row["entry"]
        }
        assert scores == pytest.approx(expected)


def test_a_snapshot_keeps_the_places_at_the_mean(
    client: httpx.Client, graphs: Graphs, known: dict[str, str]
) -> None:
    found = client.get(f"/api/v1/snapshots/{known['snapshot_id']}").json()
    for side in ("defense", "attack"):
        lines = [(one["id"], one["metrics"]["weighted"]["mean"]) for one in found["rankings"][side]]
        ranked = [row for row in leaderboard(client, side)["rows"] if row["entry"]]
        assert lines == [
            (row["entry"]["id"], row["metrics"][MEAN]["weighted"]["mean"]) for row in ranked
        ]


def test_the_list_of_boards_names_the_first_at_the_mean(
    client: httpx.Client, graphs: Graphs
) -> None:
    boards = {board["id"]: board for board in client.get("/api/v1/boards").json()}
    found = boards[BOARD]
    assert (found["ranked"], found["difficulties"]) == (MEAN, list(BUDGETS))
    first = leaderboard(client, "defense")["rows"][0]
    score = first["metrics"][MEAN]["weighted"]["mean"]
    assert found["best_defense"] == {
        "id": first["entry"]["id"],
        "name": first["entry"]["name"],
        "score": score,
    }
    badge = client.get(f"/api/v1/submissions/{first['entry']['id']}/badge.svg").text
    assert "rank 1 of 2" in badge


def test_tables_without_javascript_have_a_column_for_each_budget_and_the_mean(
    client: httpx.Client, graphs: Graphs
) -> None:
    page = client.get(f"/boards/{BOARD}").text
    head = re.findall(r"<th[^>]*>(Weighted [^<]*)</th>", page)
    names = ["mean", *(f"budget {budget}" for budget in BUDGETS)]
    assert head == [f"Weighted {name} (%)" for name in names] * 2
    assert "at the mean over budgets." in page
    rules = client.get(f"/boards/{BOARD}/rules").text
    assert "A change is an edge added or removed; the features of added edges are free." in rules
    assert (
        '<tr><th scope="row">5</th><td class="number">5</td><td class="number">8</td></tr>' in rules
    )
    entry = client.get(f"/submissions/{graphs.defenses[0]}").text
    assert "at the mean over budgets, over the references" in entry
    parted = f"/submissions/{graphs.defenses[0]}?breakdown&difficulty"
    at_mean = client.get(f"{parted}=mean").text
    assert '<th scope="col" class="number">Graphs × budgets</th>' in at_mean
    at_one = client.get(f"{parted}=1").text
    assert '<th scope="col" class="number">Graphs</th>' in at_one
    table = client.get(f"/boards/{BOARD}/table").text
    for text in (page, table):
        assert "All results as a table" in text
        assert not re.search(r"\b(the|a) paper\b", text, re.IGNORECASE)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("leaderboard?side=defense&flag=odd", "one of graph-agnostic, "),
        ("table?base=odd", "clean, or the id of an attack or a defense"),
        ("table?attacks=odd", "ids of at most 100 attacks, with commas between"),
        ("comparison?ids=odd", "ids of one to five entries, with commas between"),
    ],
)
def test_what_is_misspelt_is_told_in_words(client: httpx.Client, asked: str, told: str) -> None:
    (wrong,) = problem(client.get(f"{API}/{asked}"), 422, "invalid-fields")["violations"]
    assert wrong["allowed"].startswith(told)


def test_charts_count_the_parameters_of_models_of_graphs(
    client: httpx.Client, graphs: Graphs
) -> None:
    from grbcore.graphlevel.models import Shape, build

    model = build("GINE", Shape.of(graphs.dataset), {"hidden": 8, "layers": 2}, seed=0)
    count = sum(one.numel() for one in model.parameters())
    found = client.get(f"{API}/charts").json()
    assert {entry["parameters"] for entry in found["defenses"]} == {count}
    assert all(set(entry["metrics"]) == set(CHOICES) for entry in found["defenses"])


def test_a_board_without_data_answers_too(client: httpx.Client, graphs: Graphs) -> None:
    """ZINC's errors are over nothing: no route fails for that."""
    where = {"dataset": "zinc", "scenario": "adjacency@1", "number": "1", "form": "tex"}
    ids = graphs.defenses[0]
    for path, at, takes_ids in ROUTES:
        if not set(re.findall(r"{(\w+)}", path)) <= where.keys():
            continue
        query = {"ids": ids} if takes_ids else {}
        found = get(client, graphs, path.format_map(where), query)
        assert found.status_code == (404 if "{number}" in path else 200), found.text
        if at and found.headers["content-type"] == "application/json" and found.is_success:
            assert found.json()["difficulty"] == MEAN
    for path in PAGES:
        if set(re.findall(r"{(\w+)}", path)) <= where.keys() and "{number}" not in path:
            assert client.get(path.format_map(where)).status_code == 200, path
