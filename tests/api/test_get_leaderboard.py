"""GET /boards/{dataset}/{scenario}/leaderboard."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from grbcore import catalog
from grbcore.intervals import Breaks, EntryInterval, Place
from grbcore.metrics import METRICS
from grbcore.scenario import Side
from grbcore.store import intervals
from grbcore.store.session import now
from tests.api.stage import BOARD, EMPTY, START, Stage, problem

URL = f"/api/v1/boards/{BOARD}/leaderboard"


def board(client: httpx.Client, **query: str) -> dict[str, Any]:
    answer = client.get(URL, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def names(found: dict[str, Any]) -> list[tuple[int | None, str | None]]:
    return [(row["rank"], row["entry"] and row["entry"]["name"]) for row in found["rows"]]


@pytest.fixture
def ranked(stage: Stage) -> dict[str, str]:
    """References A and D, uploads B (attack) and E (defense); 100 targets, 3 repeats."""
    ids = {
        "A": stage.entry("attack", "A", is_reference=True),
        "D": stage.entry("defense", "D", is_reference=True),
        "B": stage.entry("attack", "B"),
        "E": stage.entry("defense", "E", user="bob"),
    }
    stage.cell(None, ids["D"], {"full": [100]})
    stage.cell(None, ids["E"], {"full": [90]})
    stage.cell(ids["A"], ids["D"], {"full": [80, 90, 100]})
    stage.cell(ids["A"], ids["E"], {"full": [85, 85, 85]})
    stage.cell(ids["B"], ids["D"], {"full": [10, 10, 10]})
    stage.cell(ids["B"], ids["E"], {"full": [60, 60, 60]})
    return ids


def test_defenses_are_scored_in_each_repeat_over_references_and_the_clean_row(
    client: httpx.Client, ranked: dict[str, str]
) -> None:
    """D's repeats: 0.8*80+0.2*100 = 84, 92, 100; mean 92, population std 8*sqrt(2/3) = 6.532."""
    row = board(client)["rows"][0]
    weighted = row["metrics"]["full"]["weighted"]
    assert row["entry"]["name"] == "D"
    assert weighted["mean"] == pytest.approx(0.92)
    assert weighted["std"] == pytest.approx(0.0653197)
    assert row["metrics"]["full"]["n"] == 2


def test_defenses_are_ranked_descending(client: httpx.Client, ranked: dict[str, str]) -> None:
    """E: 0.8*85+0.2*90 = 86, below D's 92."""
    assert names(board(client)) == [(1, "D"), (2, "E")]


def test_attacks_are_ranked_ascending_with_the_clean_row_last_and_unranked(
    client: httpx.Client, ranked: dict[str, str]
) -> None:
    assert names(board(client, side="attack")) == [(1, "B"), (2, "A"), (None, None)]


def test_an_upload_counts_in_the_all_view_only(
    client: httpx.Client, ranked: dict[str, str]
) -> None:
    """Over A, B and clean, D's lowest row is B's 10 %, so E overtakes it."""
    found = board(client, view="all")
    assert names(found) == [(1, "E"), (2, "D")]
    assert [row["metrics"]["full"]["n"] for row in found["rows"]] == [3, 3]


def test_the_clean_accuracy_stands_beside_a_defense(
    client: httpx.Client, ranked: dict[str, str]
) -> None:
    assert board(client)["rows"][0]["clean"] == {"full": {"mean": 1.0, "std": None}}


@pytest.mark.parametrize(
    ("side", "metric", "expected"),
    [
        # D over A and clean: 80, 90, 100 and 100; E: 85 and 90
        ("defense", "weighted", [(1, "D", 92.0), (2, "E", 86.0)]),
        ("defense", "average", [(1, "D", 95.0), (2, "E", 87.5)]),
        ("defense", "worst", [(1, "D", 90.0), (2, "E", 85.0)]),
        # over D, the only reference
        ("attack", "worst", [(1, "B", 10.0), (2, "A", 90.0), (None, None, 100.0)]),
    ],
)
def test_any_metric_ranks(
    client: httpx.Client, ranked: dict[str, str], side: str, metric: str, expected: list[Any]
) -> None:
    found = board(client, side=side, metric=metric)
    assert found["metric"] == metric
    scores = [round(100 * row["metrics"]["full"][metric]["mean"], 6) for row in found["rows"]]
    assert [(*name, one) for name, one in zip(names(found), scores, strict=True)] == expected


def computed(stage: Stage, side: Side, found: dict[str, EntryInterval]) -> None:
    """What a worker would have found at full over the references, at this revision."""
    with stage.sessions.writing() as session:
        planned = intervals.plan(session, catalog.board(BOARD), "reference", now())
        assert planned is not None
        intervals.save(session, BOARD, "reference", side, "full", planned, found, now())


def sure(low: float, high: float, best: int, last: int, **more: Any) -> EntryInterval:
    place = Place(low, high, (best, last), 0.75, 1)
    fields = {"repeated": True, "breaks": None, **more}
    return EntryInterval(dict.fromkeys(METRICS, place), **fields)


def test_an_interval_is_what_a_worker_has_computed(
    client: httpx.Client, stage: Stage, ranked: dict[str, str]
) -> None:
    first = client.get(URL)
    assert (first.json()["intervals"], first.json()["rows"][0]["interval"]) == (None, None)
    pair = sure(0.8, 0.95, 1, 2), sure(0.8, 0.9, 1, 2, repeated=False)
    computed(stage, "defense", dict(zip((ranked["D"], ranked["E"]), pair, strict=True)))
    answer = client.get(URL, headers={"If-None-Match": first.headers["ETag"]})
    assert answer.status_code == 200  # without another revision
    found = answer.json()
    assert (found["intervals"]["draws"], found["intervals"]["rank_draws"]) == (2000, 500)
    assert not found["intervals"]["stale"]
    assert found["rows"][0]["interval"] == {
        "low": 0.8,
        "high": 0.95,
        "ranks": [1, 2],
        "first": 0.75,
        "tie_group": 1,
        "tied": 1,
        "repeated": True,
    }
    assert not found["rows"][1]["interval"]["repeated"]


def test_an_interval_of_an_earlier_revision_says_so(
    client: httpx.Client, stage: Stage, ranked: dict[str, str]
) -> None:
    computed(stage, "defense", {ranked["D"]: sure(0.8, 0.95, 1, 1)})
    stage.entry("attack", "later")
    found = board(client)
    assert found["intervals"]["stale"]
    assert [row["interval"] is None for row in found["rows"]] == [False, True]


def test_a_view_of_too_many_cells_says_so(
    stage: Stage, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intervals, "ROOM", 0)
    stage.entry("defense", "D")
    computed(stage, "defense", {})
    found = client.get(f"/api/v1/boards/{BOARD}/leaderboard", params={"side": "defense"}).json()
    assert (found["intervals"]["too_large"], found["intervals"]["draws"]) == (True, 0)
    assert "Intervals are not computed: too many cells." in client.get(f"/boards/{BOARD}").text


def test_what_only_a_viewer_sees_has_no_interval(
    client: httpx.Client, stage: Stage, ranked: dict[str, str]
) -> None:
    computed(stage, "defense", {ranked["D"]: sure(0.8, 0.95, 1, 1)})
    found = client.get(URL, params={"mine": "true"}, headers=stage.bearer()).json()
    assert (found["intervals"], found["rows"][0]["interval"]) == (None, None)


def test_an_entry_names_the_counterpart_that_is_worst_for_it(
    client: httpx.Client, stage: Stage, ranked: dict[str, str]
) -> None:
    """D and E are least accurate under A; over D alone both attacks are stood best by D."""
    for side, name in (("defense", "A"), ("attack", "D")):
        rows = board(client, side=side)["rows"][:2]
        assert [row["worst"] for row in rows] == [{"id": ranked[name], "name": name}] * 2


def test_an_attack_says_how_many_defenses_it_breaks(
    client: httpx.Client, stage: Stage, ranked: dict[str, str]
) -> None:
    one = sure(0.1, 0.2, 1, 1, breaks=Breaks(1, 3))
    computed(stage, "attack", {ranked["B"]: one})
    rows = board(client, side="attack")["rows"]
    assert rows[0]["breaks"] == {"broken": 1, "of": 3}
    assert rows[1]["breaks"] is None


def test_the_first_of_its_submitter_and_family_is_the_best_of_it(
    client: httpx.Client, stage: Stage, ranked: dict[str, str]
) -> None:
    """Ann has D (GCN); Bob has E (GCN), a worse GCN and a GIN."""
    for name, family, counts in (("worse", "GCN", [10]), ("other", "GIN", [5])):
        entry = stage.entry("defense", name, user="bob")
        stage.change(entry, family=family)
        stage.cell(None, entry, {"full": counts})
        stage.cell(ranked["A"], entry, {"full": counts * 3})
    rows = board(client)["rows"]
    best = [(row["entry"]["name"], row["entry"]["best_of_family"]) for row in rows]
    assert best == [("D", True), ("E", True), ("worse", False), ("other", True)]


def test_of_each_team_only_the_first_entry_of_a_family_is_shown_and_none_renumbered(
    client: httpx.Client, stage: Stage, ranked: dict[str, str]
) -> None:
    """D is Ann's and E Bob's, one team by two spellings; F is of another family, G of no team."""
    stage.change(ranked["D"], team="The  Team")
    stage.change(ranked["E"], team="the team ")
    for name, user, fields in (
        ("F", "bob", {"team": "The Team", "family": "GIN"}),
        ("G", "bob", {}),
    ):
        entry = stage.entry("defense", name, user=user)
        stage.change(entry, **fields)
        stage.cell(None, entry, {"full": [10]})
        stage.cell(ranked["A"], entry, {"full": [5, 5, 5]})
    every = board(client)
    assert [row["entry"]["best_of_team"] for row in every["rows"]] == [True, False, True, True]
    found = board(client, best="team")
    assert (found["best"], found["total"]) == ("team", 3)
    assert names(found) == [(1, "D"), (3, "F"), (3, "G")]
    assert names(board(client, best="submitter")) == [(1, "D"), (2, "E"), (3, "F")]
    lines = client.get(f"{URL}.csv", params={"best": "team"})
    assert len(lines.text.splitlines()) == 4
    assert "best-of-team.csv" in lines.headers["content-disposition"]
    page = client.get(f"/boards/{BOARD}", params={"best": "team"}).text
    assert ">D</a>" in page and f'/submissions/{ranked["E"]}">E</a></th>\n' not in page


@pytest.mark.parametrize(
    "fields",
    [
        {"withdrawn_at": START},
        {"hidden_at": START},
        {"deleted_at": START},
        {"visibility": "private", "published_at": None},
        {"state": "failed", "registered_at": None},
        {"state": "rejected", "registered_at": None},
    ],
    ids=str,
)
def test_a_bad_attempt_that_is_taken_back_stays_counted(
    client: httpx.Client, stage: Stage, ranked: dict[str, str], fields: dict[str, Any]
) -> None:
    """Ann's second defense loses its name and place; her first says that there were two."""
    again = stage.entry("defense", "a bad one", attempt=2)
    stage.change(again, **fields)
    found = board(client)
    assert names(found) == [(1, "D"), (2, "E")]
    first = found["rows"][0]["entry"]
    assert (first["attempt"], first["attempts"]) == (1, 2)
    page = client.get(f"/boards/{BOARD}").text
    assert "a bad one" not in page
    assert client.get(f"/api/v1/submissions/{ranked['E']}").json()["attempts"] == 1


def test_a_defense_says_its_architecture_and_whether_it_draws_at_random(
    client: httpx.Client, stage: Stage
) -> None:
    for architecture in ("GCN", "R-GCN"):
        contents = {"architecture": architecture, "parameters": {}, "features": "raw"}
        stage.entry("defense", architecture, contents=contents)
    found = {
        row["entry"]["architecture"]: row["entry"]["stochastic"] for row in board(client)["rows"]
    }
    assert found == {"GCN": False, "R-GCN": True}


def test_a_difficulty_that_nobody_carries_has_no_ranks(
    client: httpx.Client, ranked: dict[str, str]
) -> None:
    assert {rank for rank, _ in names(board(client, difficulty="easy"))} == {None}


def test_an_entry_that_is_being_evaluated_is_not_ranked(
    client: httpx.Client, stage: Stage, ranked: dict[str, str]
) -> None:
    coming = stage.entry("defense", "coming", state="evaluating")
    stage.cell(None, coming, {"full": [100]})
    assert names(board(client)) == [(1, "D"), (2, "E")]


@pytest.mark.parametrize("mark", ["withdrawn_at", "hidden_at"])
def test_a_marked_entry_leaves_the_ranking_of_both_views(
    client: httpx.Client, stage: Stage, ranked: dict[str, str], mark: str
) -> None:
    stage.change(ranked["E"], **{mark: now()})
    assert names(board(client)) == [(1, "D")]
    assert names(board(client, view="all")) == [(1, "D")]


def test_a_withdrawn_attack_counts_no_longer_in_the_all_view(
    client: httpx.Client, stage: Stage, ranked: dict[str, str]
) -> None:
    stage.change(ranked["B"], withdrawn_at=now())
    assert board(client, view="all")["rows"][0]["metrics"]["full"]["n"] == 2


def test_a_hidden_reference_still_counts_in_the_reference_view(
    client: httpx.Client, stage: Stage, ranked: dict[str, str]
) -> None:
    stage.change(ranked["A"], hidden_at=now())
    assert board(client)["rows"][0]["metrics"]["full"]["weighted"]["mean"] == pytest.approx(0.92)
    assert names(board(client, side="attack")) == [(1, "B"), (None, None)]


def test_cells_of_another_protocol_do_not_count(client: httpx.Client, stage: Stage) -> None:
    defense = stage.entry("defense", "D")
    stage.cell(None, defense, {"full": [50]}, protocol="0" * 16)
    assert names(board(client)) == [(None, "D")]


def test_an_entry_says_which_of_its_submitters_attempts_it_is(
    client: httpx.Client, stage: Stage
) -> None:
    stage.entry("defense", "first", state="rejected")
    second = stage.entry("defense", "second", attempt=2)
    stage.entry("defense", "third", state="received", attempt=3)
    stage.cell(None, second, {"full": [50]})
    entry = board(client)["rows"][0]["entry"]
    assert (entry["attempt"], entry["attempts"]) == (2, 3)


def test_a_board_without_data_has_an_empty_ranking(client: httpx.Client) -> None:
    assert client.get(f"/api/v1/boards/{EMPTY}/leaderboard").json()["rows"] == []


def test_an_unchanged_ranking_is_304(client: httpx.Client, ranked: dict[str, str]) -> None:
    first = client.get(URL)
    again = client.get(URL, headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert first.headers["cache-control"] == "no-cache"


def test_a_weak_tag_among_others_is_recognised(client: httpx.Client) -> None:
    tag = client.get(URL).headers["etag"]
    answer = client.get(URL, headers={"If-None-Match": f'"other", W/{tag}'})
    assert answer.status_code == 304


@pytest.mark.parametrize(
    "query", [{"side": "attack"}, {"view": "all"}, {"difficulty": "easy"}, {"metric": "worst"}]
)
def test_another_question_has_another_tag(client: httpx.Client, query: dict[str, str]) -> None:
    tag = client.get(URL).headers["etag"]
    assert client.get(URL, params=query).headers["etag"] != tag


def test_a_registration_changes_the_tag(
    client: httpx.Client, stage: Stage, ranked: dict[str, str]
) -> None:
    tag = client.get(URL).headers["etag"]
    stage.change(ranked["E"], withdrawn_at=now())
    answer = client.get(URL, headers={"If-None-Match": tag})
    assert answer.status_code == 200


def test_a_new_attempt_changes_the_tag(
    client: httpx.Client, stage: Stage, ranked: dict[str, str]
) -> None:
    tag = client.get(URL).headers["etag"]
    with stage.sessions.reading() as session:
        from grbcore.store.tables import BoardRow

        revision = session.get_one(BoardRow, BOARD).revision
    stage.entry("defense", "another", state="received")
    stage.board(revision=revision)
    assert client.get(URL).headers["etag"] != tag


@pytest.mark.parametrize(
    "query", [{"side": "both"}, {"view": "x"}, {"difficulty": "extreme"}, {"metric": "mean"}]
)
def test_an_unknown_word_is_422_and_named(client: httpx.Client, query: dict[str, str]) -> None:
    body = problem(client.get(URL, params=query), 422, "invalid-fields")
    [violation] = body["violations"]
    assert violation["place"] == f"query/{next(iter(query))}"
    assert violation["found"] == repr(next(iter(query.values())))


def test_an_unknown_board_is_404(client: httpx.Client) -> None:
    problem(client.get("/api/v1/boards/digits/x@1/leaderboard"), 404, "board-unknown")
