"""The page's tables without JavaScript hold what the JSON holds."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest

from grbcore.settings import Settings
from tests import tables
from tests.api.stage import BOARD, EMPTY, Stage, serve

SCRIPT = "<script>alert('x')</script>\\1"


@pytest.fixture
def measured(stage: Stage) -> dict[str, str]:
    """Two attacks and two defenses with odd names, one of them still being evaluated."""
    ids = {
        "A": stage.entry("attack", SCRIPT, is_reference=True),
        "B": stage.entry("attack", 'B "&" </noscript>', paper_url="https://example.org/p"),
        "D": stage.entry("defense", "GCN+AT", is_reference=True, adversarially_trained=True),
        "E": stage.entry("defense", "E", code_url="javascript:alert(1)"),
        "F": stage.entry("defense", "F", state="evaluating", attempt=2),
    }
    for defense, clean in (("D", 99), ("E", 91)):
        stage.cell(None, ids[defense], {"full": [clean], "easy": [clean - 1]})
        stage.cell(ids["A"], ids[defense], {"full": [clean, 80, 71], "easy": [60, 61, 62]})
        stage.cell(ids["B"], ids[defense], {"full": [95]})
    ids["running"] = stage.cell(None, ids["F"], state="queued")
    ids["cell"] = stage.cell(ids["A"], ids["F"], {"full": [50, 50, 50]})
    return ids


@pytest.mark.parametrize("difficulty", ["full", "easy", "hard"])
@pytest.mark.parametrize("view", ["reference", "all"])
def test_a_board_shows_every_number_of_the_json(
    client: httpx.Client, measured: dict[str, str], difficulty: str, view: str
) -> None:
    asked = {"difficulty": difficulty, "view": view}
    shown = tables.tables(client.get(f"/boards/{BOARD}", params=asked).text)
    url = f"/api/v1/boards/{BOARD}"
    for side in ("defense", "attack"):
        found = client.get(f"{url}/leaderboard", params={**asked, "side": side}).json()
        assert shown[f"{side}s"] == [tables.ranking_head(found), *tables.ranking(found)]
    assert shown["matrix"] == tables.matrix(client.get(f"{url}/matrix", params=asked).json())


def test_the_columns_of_a_ranking_are_those_of_the_page(
    client: httpx.Client, measured: dict[str, str]
) -> None:
    shown = tables.tables(client.get(f"/boards/{BOARD}").text)
    scores = ["Weighted full (%)", "Weighted easy (%)", "Weighted medium (%)", "Weighted hard (%)"]
    scores += ["Clean full (%)", "Flags", "Ranks", "95 % interval (%)", "First (%)", "Worst attack"]
    scores += ["Avg full (%)", "3-Min full (%)"]
    about = ["Worst full (%)", "n", "Family", "Architecture", "Authors", "Links", "Date"]
    assert shown["defenses"][0] == ["Rank", "Defense", *scores, *about]


@pytest.mark.parametrize("metric", ["average", "three", "worst"])
def test_a_ranking_by_another_metric_is_that_of_the_json(
    client: httpx.Client, measured: dict[str, str], metric: str
) -> None:
    html = client.get(f"/boards/{BOARD}", params={"metric": metric}).text
    shown = tables.tables(html)
    for side in ("defense", "attack"):
        asked = {"side": side, "metric": metric}
        found = client.get(f"/api/v1/boards/{BOARD}/leaderboard", params=asked).json()
        assert found["metric"] == metric
        assert shown[f"{side}s"] == [tables.ranking_head(found), *tables.ranking(found)]
    assert f"difficulty=hard&amp;view=reference&amp;metric={metric}" in html


def test_a_ranking_shows_those_with_a_flag_only(
    client: httpx.Client, measured: dict[str, str]
) -> None:
    html = client.get(f"/boards/{BOARD}", params={"view": "all"}).text
    link = re.search(r'href="([^"]*flag=adversarially-trained)">', html)
    assert link is not None
    html = client.get(link[1].replace("&amp;", "&")).text
    shown = tables.tables(html)
    assert [row[1] for row in shown["defenses"][1:]] == ["GCN+AT"]
    assert "attacks" not in shown and "No attack has this flag." in html
    files = re.findall(r'href="(/api/v1/[^"]*\.csv[^"]*)"', html)
    [file] = [one.replace("&amp;", "&") for one in files if "side=defense" in one]
    assert len(client.get(file).text.splitlines()) == 2
    assert f'href="/boards/{BOARD}?difficulty=full&amp;view=all">Any</a>' in html


def test_a_comparison_shows_the_scores_at_a_difficulty_over_the_counterparts_that_are_chosen(
    client: httpx.Client, measured: dict[str, str]
) -> None:
    ids = f"{measured['D']},{measured['E']}"
    asked = {"board": BOARD, "ids": ids, "difficulty": "easy", "view": "all"}
    html = client.get("/compare", params=asked).text
    scores = tables.tables(html)["scores"]
    found = client.get(f"/api/v1/boards/{BOARD}/comparison", params={"ids": ids, "view": "all"})
    rows = [row for row in found.json()["metrics"] if row["difficulty"] == "easy"]
    assert scores[0] == ["Score", "GCN+AT", "E"] and len(scores) == 1 + len(rows) == 4
    for line, row in zip(scores[1:], rows, strict=True):
        assert [cell.split()[0] for cell in line[1:]] == [
            f"{100 * value['mean']:.2f}" for value in row["values"]
        ]
    other = f"/compare?board={BOARD}&amp;ids={ids}&amp;view=all&amp;difficulty=full"
    assert f'<a href="{other}">Full</a>' in html


@pytest.mark.parametrize("path", [f"/boards/{BOARD}", "/submissions", "/submissions/{A}", "/"])
def test_a_name_is_text_whatever_it_holds(
    client: httpx.Client, measured: dict[str, str], path: str
) -> None:
    html = client.get(path.format(**measured)).text
    assert "&lt;script&gt;" in html
    assert "<script>" not in html
    assert html.count("</noscript>") == 1


def test_a_name_with_a_script_is_the_title_too(
    client: httpx.Client, measured: dict[str, str]
) -> None:
    html = client.get(f"/submissions/{measured['A']}").text
    expected = "<title>&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;\\1, attack on "
    assert f"{expected}{BOARD} · Graph Robustness Leaderboard</title>" in html


def test_only_web_addresses_are_links(client: httpx.Client, measured: dict[str, str]) -> None:
    for path in (f"/boards/{BOARD}", f"/submissions/{measured['E']}"):
        assert 'href="javascript' not in client.get(path).text


def test_the_list_of_boards_shows_each_with_its_counts(
    client: httpx.Client, measured: dict[str, str]
) -> None:
    shown = tables.tables(client.get("/").text)
    rows, absent = shown["boards"][1:], shown["absent"][1:]
    boards = client.get("/api/v1/boards").json()
    named = {
        f"{board['title']} {board['id']}"
        + (f" {board['graphs']:,} test graphs" if board["graphs"] else ""): board["id"]
        for board in boards
    }
    folded = {named[row[0]]: row[1] for row in absent}
    assert folded[EMPTY] == "grb datasets fetch grb-reddit"
    assert {one["state"] for one in boards if one["id"] in folded} == {"no-data"}
    boards = [board for board in boards if board["id"] not in folded]
    assert [named[row[0]] for row in rows] == [board["id"] for board in boards]
    counts = [[str(board[name]) for name in ("defenses", "attacks", "pending")] for board in boards]
    assert [row[2:5] for row in rows] == counts


def test_a_submission_shows_its_results(client: httpx.Client, measured: dict[str, str]) -> None:
    results = tables.tables(client.get(f"/submissions/{measured['D']}").text)["results"]
    assert results[0] == ["Attack", "Cell", "Easy", "Medium", "Hard", "Full"]
    assert ["Without attack", "done", "98.00", "–", "–", "99.00"] in results


def test_a_cell_shows_its_counts(client: httpx.Client, measured: dict[str, str]) -> None:
    shown = tables.tables(client.get(f"/cells/{measured['cell']}").text)["counts"]
    assert shown == [
        ["Difficulty", "Accuracy (%)", "Macro-F1 (%)", "Balanced accuracy (%)"]
        + [f"Repeat {number}" for number in range(3)],
        ["Full", "50.00 ±0.00", "–", "–", "50 of 100", "50 of 100", "50 of 100"],
    ]


def test_a_cell_says_on_how_many_predictions_the_logits_were_not_finite(
    client: httpx.Client, stage: Stage, measured: dict[str, str]
) -> None:
    cell = stage.cell(
        measured["B"], measured["F"], {"full": [1]}, not_finite={"easy": [2], "full": [5]}
    )
    assert "On 7 predictions the logits were not finite" in client.get(f"/cells/{cell}").text
    assert "not finite" not in client.get(f"/cells/{measured['cell']}").text


def test_a_cell_that_is_not_done_shows_its_state(
    client: httpx.Client, measured: dict[str, str]
) -> None:
    html = client.get(f"/cells/{measured['running']}").text
    assert 'data-state="queued"' in html and tables.tables(html) == {}


def test_a_board_without_data_says_what_to_do(client: httpx.Client) -> None:
    html = client.get(f"/boards/{EMPTY}").text
    assert "grb datasets fetch grb-reddit" in html and tables.tables(html) == {}


def test_each_board_has_a_title_and_a_description_of_its_own(client: httpx.Client) -> None:
    html = client.get(f"/boards/{BOARD}").text
    title = client.get(f"/api/v1/boards/{BOARD}").json()["title"]
    assert f"<title>{title} · Graph Robustness Leaderboard</title>" in html
    assert re.search(rf'name="description"\s+content="0 defenses and 0 attacks on {BOARD}', html)


def test_what_does_not_exist_is_said(client: httpx.Client) -> None:
    answer = client.get("/cells/01ARZ3NDEKTSV4RRFFQ69G5FAV")
    assert answer.status_code == 404
    assert "no such cell" in answer.text


def test_without_a_database_the_page_is_503_and_says_so(settings: Settings, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'empty.db'}"
    with serve(settings.model_copy(update={"database_url": url})) as address:
        answer = httpx.get(f"{address}/")
    assert answer.status_code == 503
    assert "the database does not answer" in answer.text and '<div id="root">' in answer.text
