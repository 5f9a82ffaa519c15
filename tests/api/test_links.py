"""What a link to a board or an entry shows elsewhere, and what pages say without JavaScript."""

from __future__ import annotations

import io
import re
from datetime import UTC, datetime
from html import unescape

import httpx
import pytest
from PIL import Image

from api.citing import board_bibtex
from api.pictures import SIZE, Bar, Card, png
from api.schemas import BoardOut
from tests.api.stage import BOARD, SUBMISSIONS, Stage

API = f"/api/v1/boards/{BOARD}"


@pytest.fixture
def ranked(stage: Stage) -> dict[str, str]:
    """Two defenses over one attack, best first, and the cell of the best."""
    attack = stage.entry("attack", "A", is_reference=True)
    ids = {"A": attack}
    for name, count in (("D", 90), ("E", 60)):
        ids[name] = stage.entry("defense", name)
        stage.cell(None, ids[name], {"full": [count]})
        cell = stage.cell(attack, ids[name], {"full": [count - 40] * 3})
        ids[f"cell of {name}"] = cell
    return ids


def picture(client: httpx.Client, path: str) -> bytes:
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
    assert Image.open(io.BytesIO(answer.content)).size == (1200, 630)
    return answer.content


def shared(html: str) -> dict[str, str]:
    found = re.findall(r'<meta (?:property|name)="((?:og|twitter):\w+)" content="([^"]*)">', html)
    return {name: unescape(text) for name, text in found}


def test_a_link_to_an_entry_shows_a_picture_of_its_own(
    client: httpx.Client, ranked: dict[str, str]
) -> None:
    found = shared(client.get(f"/submissions/{ranked['D']}").text)
    assert found["og:title"] == found["twitter:title"]
    assert found["og:title"].startswith(f"D, defense on {BOARD}")
    assert found["og:description"].endswith(f"on {BOARD}: rank 1 of 2.")
    assert found["og:image"] == found["twitter:image"]
    mine = picture(client, found["og:image"])
    assert mine != picture(client, f"{SUBMISSIONS}/{ranked['E']}/picture.png")


def test_a_picture_is_kept_for_minutes_and_not_sent_again(
    client: httpx.Client, stage: Stage, ranked: dict[str, str]
) -> None:
    for path in (f"{SUBMISSIONS}/{ranked['D']}/picture.png", f"{API}/picture.png"):
        first = client.get(path)
        assert first.headers["cache-control"] == "public, max-age=300"
        known = {"If-None-Match": first.headers["etag"]}
        again = client.get(path, headers=known)
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["cross-origin-resource-policy"] == "cross-origin"
    mine = client.get(f"{SUBMISSIONS}/{ranked['D']}/picture.png", headers=stage.bearer())
    assert mine.headers["cache-control"] == "private, no-cache"
    stage.change(ranked["E"], name="Another")
    assert client.get(f"{SUBMISSIONS}/{ranked['E']}/picture.png", headers=known).status_code == 200


def test_a_board_s_picture_tells_nothing_of_what_is_kept(
    client: httpx.Client, stage: Stage, ranked: dict[str, str]
) -> None:
    path = shared(client.get(f"/boards/{BOARD}").text)["og:image"]
    before = picture(client, path)
    kept = stage.entry("defense", "Kept", visibility="private")
    stage.cell(None, kept, {"full": [100]})
    stage.cell(ranked["A"], kept, {"full": [100] * 3})
    assert picture(client, path) == before
    stage.change(kept, visibility="public")
    assert picture(client, path) != before


def test_a_page_that_is_not_seen_names_no_picture_of_an_entry(
    client: httpx.Client, stage: Stage
) -> None:
    kept = stage.entry("defense", "Kept", visibility="private")
    found = shared(client.get(f"/submissions/{kept}").text)
    assert found["og:image"].endswith("/picture.png") and kept not in found["og:image"]


def test_a_picture_holds_any_text_within_its_edges() -> None:
    """The last 20 pixels on the right stay paper, however long a line is."""
    card = Card("x" * 500, "W" * 300, "\u202e\x07 名 " * 40, (Bar("w" * 300, "1 %", 2.0, 9.0),))
    image = Image.open(io.BytesIO(png(card)))
    assert image.size == SIZE
    assert len(set(image.crop((1140, 0, *SIZE)).get_flattened_data())) == 1


def test_a_board_is_cited_as_it_was_on_a_day(client: httpx.Client, ranked: dict[str, str]) -> None:
    details = BoardOut.model_validate(client.get(API).json())
    when = datetime(2026, 3, 4, 23, tzinfo=UTC)
    given = {"title": "A & B", "revision": 7, "defenses": 2, "attacks": 1, "protocol": "ab12"}
    board = details.model_copy(update={**given, "changed_at": datetime(2025, 12, 31, tzinfo=UTC)})
    assert board_bibtex(board, "https://grb.example/boards/x", when) == (
        "@misc{digits-injection-1-r7,\n"
        "  title = {{A \\& B} (digits/injection@1), revision 7},\n"
        "  author = {{Graph Robustness Leaderboard}},\n"
        "  year = {2025},\n"
        "  howpublished = {\\url{https://grb.example/boards/x}},\n"
        "  urldate = {2026-03-04},\n"
        "  note = {2 defenses and 1 attacks, as of 2025-12-31; protocol ab12}\n"
        "}\n"
    )
    cited = client.get(f"{API}/citation").json()
    assert cited["revision"] == details.revision
    address = str(client.base_url).rstrip("/")
    assert rf"\url{{{address}/boards/{BOARD}}}" in cited["bibtex"]
    assert cited["bibtex"] in unescape(client.get(f"/boards/{BOARD}").text)


# Without JavaScript


def rows(html: str, table: str) -> list[list[str]]:
    """The cells of a table's body, as text."""
    body = html.split(f'data-table="{table}"')[1].split("<tbody>")[1].split("</tbody>")[0]
    found = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S) for row in body.split("</tr>")]
    return [[" ".join(re.sub("<[^>]+>", "", cell).split()) for cell in row] for row in found if row]


def test_the_numbers_behind_charts_are_a_table(
    client: httpx.Client, ranked: dict[str, str]
) -> None:
    """D: 90 % without attack, 50 % under it.  Weighted is (50 + 90 / 4) / (1 + 1 / 4) = 58 %."""
    html = client.get(f"/boards/{BOARD}/charts").text
    first = rows(html, "defenses-scores")[0]
    assert first[:2] == ["D", "90.00"]
    assert first[5].startswith("58.00") and first[6] == "58.00, 58.00, 58.00"
    assert [line[1] for line in rows(html, "best-defenses")] == ["D"]
    hard = client.get(f"/boards/{BOARD}/charts", params={"difficulty": "hard"}).text
    assert 'difficulty=hard" aria-current="true"' in hard


def test_an_entry_s_page_says_what_its_score_is_made_of(
    client: httpx.Client, ranked: dict[str, str]
) -> None:
    """The attack weighs 1 / 1.25 = 80 %, no attack 20 %: shares of 40 and 18 %."""
    html = client.get(f"/submissions/{ranked['D']}").text
    assert rows(html, "parts") == [
        ["A", "50.00 ±0.00", "1, 1, 1", "80.00", "40.00"],
        ["Without attack", "90.00", "2, 2, 2", "20.00", "18.00"],
    ]
    easy = client.get(f"/submissions/{ranked['D']}", params={"difficulty": "easy"}).text
    assert "It has no score here." in easy


def test_a_cell_s_page_says_why_there_is_no_breakdown(
    client: httpx.Client, ranked: dict[str, str]
) -> None:
    html = client.get(f"/cells/{ranked['cell of D']}").text
    told = client.get(f"/api/v1/cells/{ranked['cell of D']}/breakdown").json()["missing"]
    assert told and f"It can’t be told: {told}." in unescape(html)
