"""A board with many entries: windows of its tables, answers that are kept, one working for all."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any, cast

import httpx
import pytest
from sqlalchemy import QueuePool, select

from api.rankings import Rankings
from benchmarks.workloads.board import Filled, fill
from grbcore import catalog
from grbcore.leaderboard import Leaderboard, rank
from grbcore.results import CLEAN
from grbcore.scenario import DIFFICULTIES, SIDES, Side
from grbcore.settings import Settings
from grbcore.store import queries
from grbcore.store.session import Sessions, now
from grbcore.store.tables import CellRow
from grbcore.store.views import VIEWS, View, arena, standing
from tests import tables
from tests.api.stage import BOARD, Stage, problem, serve
from tests.worker.fixtures import wait_for

URL = f"/api/v1/boards/{BOARD}"
SIZE = 60


@pytest.fixture
def filled(store_url: str) -> Filled:
    return fill(store_url, SIZE, SIZE - 10, references=4)


@pytest.fixture
def many(filled: Filled, settings: Settings) -> Any:
    # With more connections than are kept alive httpcore may close one that a thread was just given.
    limits = httpx.Limits(max_keepalive_connections=None)
    with (
        serve(settings) as address,
        httpx.Client(base_url=address, timeout=30, limits=limits) as client,
    ):
        yield client


def of_cells(session: Any, view: View, side: Side) -> Leaderboard:
    """The ranking as `rank` gives it, of every cell's JSON."""
    board = catalog.board(BOARD)
    row = queries.board_row(session, BOARD)
    assert row is not None and row.protocol is not None
    found = arena(queries.entries(session, BOARD), board, view=view)
    return rank(found, queries.results(session, BOARD, row.protocol), side, "hard")


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("side", SIDES)
def test_a_ranking_is_that_of_its_cells_to_the_last_bit(
    filled: Filled, sessions: Sessions, view: View, side: Side
) -> None:
    with sessions.reading() as session:
        row = queries.board_row(session, BOARD)
        assert row is not None
        found = standing(
            session, catalog.board(BOARD), row.protocol, view=view, side=side, difficulty="hard"
        )
        assert found == of_cells(session, view, side)


def test_cells_carry_their_counts_however_they_are_written(stage: Stage) -> None:
    """The rows of the stage are written as a worker's are: inserted, or queued and then done."""
    defense = stage.entry("defense", "D", is_reference=True)
    attack = stage.entry("attack", "A", is_reference=True)
    stage.cell(None, defense, {"full": [90]})
    queued = stage.cell(attack, defense, state="queued")
    with stage.sessions.writing() as session:
        row = session.get_one(CellRow, queued)
        row.state, row.finished_at = "done", now()
        row.correct, row.total = {"full": [50, 60, 70]}, {"full": 100}
    with stage.sessions.reading() as session:
        sizes = [len(counts) for counts in session.scalars(select(CellRow.counts).order_by("id"))]
        assert sizes == [4 * 2 * 4, 4 * 4 * 4]
        assert queries.board_row(session, BOARD) is not None
        [row] = standing(
            session, catalog.board(BOARD), stage.protocol, view="all", side="defense"
        ).rows
        assert row.metrics["full"].n == 2


def test_the_windows_of_a_ranking_make_it_whole(many: httpx.Client) -> None:
    whole = many.get(f"{URL}/leaderboard", params={"side": "attack"}).json()
    parts = [
        many.get(f"{URL}/leaderboard", params={"side": "attack", "row": row, "rows": 25}).json()
        for row in (0, 25, 50)
    ]
    assert [len(part["rows"]) for part in parts] == [26, 26, 11]
    assert {part["total"] for part in parts} == {SIZE}
    assert all(part["rows"][-1]["entry"] is None for part in parts)
    assert [row for part in parts for row in part["rows"][:-1]] == whole["rows"][:-1]


def test_the_windows_of_a_matrix_make_it_whole(many: httpx.Client) -> None:
    whole = many.get(f"{URL}/matrix").json()
    assert (whole["total_rows"], whole["total_columns"]) == (SIZE, SIZE - 10)
    assert len(whole["cells"]) == (SIZE + 1) * (SIZE - 10)
    found = []
    for row in (0, 40):
        for column in (0, 40):
            asked = {"row": row, "rows": 40, "column": column, "columns": 40}
            part = many.get(f"{URL}/matrix", params=asked).json()
            assert part["attacks"] == [*whole["attacks"][:-1][row : row + 40], whole["attacks"][-1]]
            assert part["defenses"] == whole["defenses"][column : column + 40]
            found += [cell for cell in part["cells"] if row == 0 or cell["attack"] != CLEAN]
    assert sorted(found, key=lambda cell: cell["id"]) == whole["cells"]


def test_a_grid_has_the_numbers_ids_and_marks_of_the_matrix(many: httpx.Client) -> None:
    found = many.get(f"{URL}/matrix/grid", params={"difficulty": "hard"}).json()
    whole = many.get(f"{URL}/matrix", params={"difficulty": "hard"}).json()
    for side in ("attacks", "defenses"):
        assert found[side] == whole[side]
    rows = {head["id"]: place for place, head in enumerate(found["attacks"])}
    columns = {head["id"]: place for place, head in enumerate(found["defenses"])}
    places = {}
    for cell in whole["cells"]:
        row, column = rows[cell["attack"]], columns[cell["defense"]]
        places[cell["id"]] = [row, column]
        accuracy = cell["accuracy"]["hard"]
        assert found["cells"][row][column] == cell["id"]
        assert found["means"][row][column] == pytest.approx(accuracy["mean"], abs=1e-10)
        spread = found["spreads"][row][column]
        assert spread == (accuracy["std"] and pytest.approx(accuracy["std"], abs=1e-10))
    assert found["states"] == ["d" * (SIZE - 10)] * (SIZE + 1)
    for best in ("best_attacks", "best_defenses"):
        assert sorted(found[best]) == sorted(places[cell] for cell in whole[best])


def test_a_grid_tells_what_is_not_done_by_a_letter(client: httpx.Client, stage: Stage) -> None:
    attack = stage.entry("attack", "A", is_reference=True)
    defense = stage.entry("defense", "D", is_reference=True)
    coming = stage.entry("defense", "coming", state="evaluating")
    done = stage.cell(attack, defense, {"easy": [50]})
    queued = stage.cell(attack, coming, state="queued")
    found = client.get(f"{URL}/matrix/grid").json()
    assert found["states"] == ["dq", "--"]
    assert found["cells"] == [[done, queued], [None, None]]
    assert found["means"] == [[None, None], [None, None]]  # not carried at full
    easy = client.get(f"{URL}/matrix/grid", params={"difficulty": "easy"}).json()
    assert (easy["means"][0], easy["spreads"][0]) == ([0.5, None], [None, None])
    assert (easy["best_attacks"], easy["best_defenses"]) == ([[0, 0]], [[0, 0]])


def test_beyond_the_end_of_a_matrix_is_the_clean_row_alone(many: httpx.Client) -> None:
    found = many.get(f"{URL}/matrix", params={"row": 500, "column": 500}).json()
    assert [head["id"] for head in found["attacks"]] == [CLEAN]
    assert (found["defenses"], found["cells"]) == ([], [])


@pytest.mark.parametrize(
    "query", [{"rows": 101}, {"columns": 0}, {"row": -1}, {"column": "x"}, {"rows": 0}]
)
def test_an_impossible_window_is_422(client: httpx.Client, query: dict[str, Any]) -> None:
    answer = client.get(f"{URL}/matrix", params=query)
    assert answer.status_code == 422
    assert answer.json()["violations"][0]["place"] == f"query/{next(iter(query))}"


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_a_window_of_the_page_without_javascript_shows_the_json(
    many: httpx.Client, difficulty: str
) -> None:
    asked = {"difficulty": difficulty, "view": "all"}
    places = {"row": 50, "column": 30, "defenses": 20, "attacks": 10}
    html = many.get(f"/boards/{BOARD}", params={**asked, **places}).text
    shown = tables.tables(html)
    window = {"row": 50, "rows": 50, "column": 30, "columns": 30}
    found = many.get(f"{URL}/matrix", params={**asked, **window}).json()
    assert shown["matrix"] == tables.matrix(found)
    assert len(shown["matrix"]) == 1 + 10 + 1
    for side, row in (("defense", 20), ("attack", 10)):
        part = {"side": side, "row": row, "rows": 50}
        ranking = many.get(f"{URL}/leaderboard", params={**asked, **part}).json()
        assert shown[f"{side}s"][1:] == tables.ranking(ranking)
    assert "Attacks 51 to 60 of 60" in html and "Defenses 31 to 50 of 50" in html
    there = f"difficulty={difficulty}&amp;view=all&amp;defenses=20&amp;attacks=10&amp;column=30"
    assert f'<a rel="prev" href="/boards/{BOARD}?{there}#matrix">' in html


def test_a_measured_window_is_304_until_the_board_changes(many: httpx.Client) -> None:
    first = many.get(f"{URL}/matrix", params={"rows": 5})
    headers = {"If-None-Match": first.headers["etag"]}
    again = many.get(f"{URL}/matrix", params={"rows": 5}, headers=headers)
    assert (again.status_code, again.content) == (304, b"")
    assert many.get(f"{URL}/matrix", params={"rows": 6}, headers=headers).status_code == 200


def test_a_window_with_cells_to_come_shows_each_that_is_done(
    client: httpx.Client, stage: Stage
) -> None:
    """No revision tells of a newcomer's cells."""
    attack = stage.entry("attack", "A", is_reference=True)
    coming = stage.entry("defense", "coming", state="evaluating")
    queued = stage.cell(attack, coming, state="queued")
    first = client.get(f"{URL}/matrix")
    same = client.get(f"{URL}/matrix", headers={"If-None-Match": first.headers["etag"]})
    assert same.status_code == 304
    with stage.sessions.writing() as session:
        row = session.get_one(CellRow, queued)
        row.state, row.finished_at = "done", now()
        row.correct, row.total = {"full": [5]}, {"full": 10}
    answer = client.get(f"{URL}/matrix", headers={"If-None-Match": first.headers["etag"]})
    assert answer.status_code == 200
    assert answer.json()["cells"][0]["accuracy"]["full"]["mean"] == 0.5


def test_many_readers_at_once_get_the_same_answer(many: httpx.Client) -> None:
    with ThreadPoolExecutor(30) as threads:
        asked = [threads.submit(many.get, f"{URL}/leaderboard?view=all") for _ in range(60)]
        answers = [future.result() for future in asked]
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1


def test_a_submission_names_its_counterparts_in_the_order_of_their_ranks(
    many: httpx.Client, filled: Filled
) -> None:
    found = many.get(f"/api/v1/submissions/{filled.defenses[7]}").json()
    assert [head["rank"] for head in found["counterparts"]] == list(range(1, SIZE + 1))
    named = {cell["attack"] for cell in found["results"]} - {CLEAN}
    assert named == {head["id"] for head in found["counterparts"]}


def test_who_waits_for_a_board_s_counts_holds_no_connection_and_reads_what_holds_then(
    stage: Stage,
) -> None:
    stage.cell(None, stage.entry("defense", "D"), {"full": [90]})
    rankings, board = Rankings(), catalog.board(BOARD)
    asked = Event()

    def get() -> list[str]:
        with stage.sessions.reading() as session:
            row = queries.board_row(session, BOARD)
            asked.set()
            return [line.id for line in rankings.get(session, board, row, side="defense").rows]

    pool = cast(QueuePool, stage.sessions.engine.pool)
    lock, _ = rankings._of(board)
    with ThreadPoolExecutor(1) as threads:
        with lock:
            found = threads.submit(get)
            assert asked.wait(20)
            wait_for(lambda: pool.checkedout() == 0)
            newcomer = stage.entry("defense", "N")
            stage.cell(None, newcomer, {"full": [80]})
        assert newcomer in found.result(20)


def bounded(schema: dict[str, Any]) -> bool:
    """Whether what a parameter takes is no longer, and no larger, than something that it says."""
    if schema.get("type") == "integer":
        return "maximum" in schema
    ends = ("enum", "const", "maxLength", "pattern", "$ref")
    return schema.get("type") in ("null", "boolean") or any(end in schema for end in ends)


def test_no_parameter_of_an_address_that_is_read_is_without_a_bound(many: httpx.Client) -> None:
    found = {
        f"{path} {one['name']}": [
            bounded(kind) for kind in one["schema"].get("anyOf", [one["schema"]])
        ]
        for path, routes in many.get("/openapi.json").json()["paths"].items()
        for one in routes.get("get", {}).get("parameters", [])
        if one["in"] == "query"
    }
    assert f"{URL.replace(BOARD, '{dataset}/{scenario}')}/table attacks" in found
    assert [name for name, kinds in found.items() if not all(kinds)] == []


@pytest.mark.parametrize(
    ("path", "allowed", "refused"),
    [
        ("table?attacks={}", 100, 101),
        ("table.csv?defenses={}", 100, 101),
        ("table.tex?attacks={}", 100, 101),
        ("comparison?ids={}", 5, 6),
        ("comparison.csv?ids={}", 5, 6),
        ("comparison/differences?ids={}", 5, 6),
        ("comparison/degrees?ids={}", 5, 6),
        ("comparison/degrees.csv?ids={}", 5, 6),
        ("comparison/wins.csv?ids={}", 5, 6),
    ],
)
def test_so_many_entries_may_be_asked_for_and_no_more(
    many: httpx.Client, filled: Filled, path: str, allowed: int, refused: int
) -> None:
    ids = [*filled.attacks, *filled.defenses] if "table" in path else [*filled.defenses]
    assert many.get(f"{URL}/{path.format(','.join(ids[:allowed]))}").status_code == 200
    problem(many.get(f"{URL}/{path.format(','.join(ids[:refused]))}"), 422, "invalid-fields")


def test_pages_without_javascript_draw_no_more_than_so_many_entries(
    many: httpx.Client, filled: Filled
) -> None:
    """30 of a side of the paper's table, 5 side by side; a board has its parts."""
    attacks, defenses = ",".join(filled.attacks), ",".join(filled.defenses)
    html = many.get(f"/boards/{BOARD}/table?attacks={attacks}&defenses={defenses}").text
    assert f"30 of {SIZE} attacks and 30 of {SIZE - 10} defenses" in html
    assert len(tables.tables(html)["paper"][0]) == 2 + 30 + 3
    html = many.get(f"/compare?board={BOARD}&ids={defenses}").text
    assert len(tables.tables(html)["comparison"][0]) == 2 + 5
    shown = tables.tables(many.get(f"/boards/{BOARD}?row=0&column=0").text)
    assert [len(shown[name]) for name in ("attacks", "defenses", "matrix")] == [52, 51, 52]
    assert len(shown["matrix"][0]) == 1 + 30
