"""What other sites show: badges, feeds, and what a link looks like there."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from xml.etree import ElementTree

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request

from api import hosts
from api.badges import badge
from api.feeds import Item, feed
from grbcore.settings import Settings
from grbcore.store.session import now
from tests.api.stage import BOARD, START, Stage, problem, serve

ATOM = "{http://www.w3.org/2005/Atom}"
FEED = f"/api/v1/boards/{BOARD}/feed.atom"
ODD = "<b>&\"'\x07 ]]> \u2028 名"


def badge_of(client: httpx.Client, entry: str) -> str:
    answer = client.get(f"/api/v1/submissions/{entry}/badge.svg")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("image/svg+xml")
    found = ElementTree.fromstring(answer.text)
    title = found.findtext("{http://www.w3.org/2000/svg}title")
    assert title == found.get("aria-label")
    return title or ""


@pytest.fixture
def ranked(stage: Stage) -> dict[str, str]:
    """Three defenses over one attack, best first."""
    attack = stage.entry("attack", "A", is_reference=True)
    ids = {}
    for name, count in (("D", 90), ("E", 80), ("F", 70)):
        ids[name] = stage.entry("defense", name)
        stage.cell(None, ids[name], {"full": [count]})
        stage.cell(attack, ids[name], {"full": [count, count, count]})
    return ids


def test_a_badge_says_rank_and_board(client: httpx.Client, ranked: dict[str, str]) -> None:
    assert badge_of(client, ranked["E"]) == f"rank 2 of 3 · {BOARD}"


def test_a_badge_of_what_is_not_ranked_says_so(client: httpx.Client, stage: Stage) -> None:
    waiting = stage.entry("defense", "W", state="evaluating")
    gone = stage.entry("defense", "G")
    stage.change(gone, withdrawn_at=now())
    alone = stage.entry("defense", "N")
    assert badge_of(client, waiting) == f"evaluating · {BOARD}"
    assert badge_of(client, gone) == f"not ranked · {BOARD}"
    assert badge_of(client, alone) == f"no score · {BOARD}"


def test_other_sites_may_show_a_badge_which_runs_nothing(
    client: httpx.Client, ranked: dict[str, str]
) -> None:
    headers = client.get(f"/api/v1/submissions/{ranked['D']}/badge.svg").headers
    assert headers["cross-origin-resource-policy"] == "cross-origin"
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["cache-control"] == "no-cache"


def test_there_is_no_badge_of_what_there_is_not(client: httpx.Client) -> None:
    problem(client.get("/api/v1/submissions/none/badge.svg"), 404, "submission-unknown")


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_a_badge_is_xml_whatever_it_says(text: str) -> None:
    found = ElementTree.fromstring(badge("rank 1 of 2", text).encode())
    assert found.get("width") is not None


def test_a_feed_has_the_entries_that_were_ranked_latest_first(
    client: httpx.Client, stage: Stage, ranked: dict[str, str]
) -> None:
    stage.entry("defense", "waits", state="evaluating")
    stage.entry("defense", "kept", visibility="private")
    stage.change(ranked["F"], hidden_at=now())
    answer = client.get(FEED)
    assert answer.headers["content-type"].startswith("application/atom+xml")
    root = ElementTree.fromstring(answer.content)
    titles = [entry.findtext(f"{ATOM}title") for entry in root.iter(f"{ATOM}entry")]
    assert titles == ["E, defense", "D, defense", "A, attack"]
    first = root.find(f"{ATOM}entry")
    assert first is not None and first.findtext(f"{ATOM}updated") == root.findtext(f"{ATOM}updated")
    address = first.findtext(f"{ATOM}id") or ""
    assert client.get(address).status_code == 200 and ranked["E"] in address


def test_a_feed_that_did_not_change_is_304(client: httpx.Client, ranked: dict[str, str]) -> None:
    tag = client.get(FEED).headers["etag"]
    assert client.get(FEED, headers={"If-None-Match": tag}).status_code == 304


def test_a_feed_is_known_by_any_of_the_tags_that_a_reader_has(
    client: httpx.Client, ranked: dict[str, str]
) -> None:
    tag = client.get(FEED).headers["etag"]
    again = client.get(FEED, headers={"If-None-Match": f'"other", W/{tag}'})
    assert (again.status_code, again.headers["cache-control"]) == (304, "no-cache")


def test_an_embargo_that_ended_a_moment_ago_is_news(
    client: httpx.Client, stage: Stage, ranked: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody has noted yet that it ended: it was registered first, and is seen last."""
    monkeypatch.setattr("api.routes.shared._ITEMS", 1)
    stage.change(
        ranked["D"],
        visibility="embargoed",
        public_at=now() - timedelta(seconds=1),
        published_at=None,
    )
    root = ElementTree.fromstring(client.get(FEED).content)
    titles = [entry.findtext(f"{ATOM}title") for entry in root.iter(f"{ATOM}entry")]
    assert titles == ["D, defense"]


def test_a_name_is_text_in_a_feed_whatever_it_holds(client: httpx.Client, stage: Stage) -> None:
    stage.change(stage.entry("defense", ODD), authors=ODD, family=ODD)
    root = ElementTree.fromstring(client.get(FEED).content)
    title = root.findtext(f"{ATOM}entry/{ATOM}title")
    assert title == f"{ODD}, defense".replace("\x07", "\ufffd")


@given(st.text())
def test_a_feed_is_xml_whatever_it_says(text: str) -> None:
    item = Item("https://a.org/1", text, text, text, START + timedelta(days=1))
    content = feed(
        title=text, page="https://a.org", address="https://a.org/f", began=START, items=[item]
    )
    root = ElementTree.fromstring(content)
    assert root.findtext(f"{ATOM}updated") == "2026-01-02T12:00:00Z"


def test_a_feed_without_news_is_a_feed(client: httpx.Client) -> None:
    root = ElementTree.fromstring(client.get(FEED).content)
    assert root.find(f"{ATOM}entry") is None and root.findtext(f"{ATOM}updated")


def graph(html: str) -> dict[str, str]:
    found = re.findall(r'<meta property="(og:[^"]*)" content="([^"]*)">', html)
    return {name: unescape(text) for name, text in found}


def test_a_link_to_a_board_or_an_entry_has_a_title_a_sentence_and_a_picture(
    client: httpx.Client, ranked: dict[str, str]
) -> None:
    for path in (f"/boards/{BOARD}", f"/submissions/{ranked['D']}"):
        html = client.get(f"{path}?view=all").text
        found = graph(html)
        assert unescape(re.search("<title>(.*?)</title>", html)[1]) == found["og:title"]  # type: ignore[index]
        assert found["og:description"] and found["og:image"].endswith("/picture.png")
        assert found["og:url"] == f"{str(client.base_url).rstrip('/')}{path}"


def test_a_name_is_text_in_a_link_whatever_it_holds(client: httpx.Client, stage: Stage) -> None:
    entry = stage.entry("defense", '"><script>alert(1)</script>\\1')
    html = client.get(f"/submissions/{entry}").text
    assert "<script>alert" not in html
    assert '"><script>alert(1)</script>\\1' in graph(html)["og:title"]


def test_a_board_s_page_names_its_feed(client: httpx.Client) -> None:
    html = client.get(f"/boards/{BOARD}").text
    assert f'<link rel="alternate" type="application/atom+xml" href="{FEED}">' in html


def test_a_request_that_names_no_host_has_an_address_too(settings: Settings) -> None:
    """HTTP/1.0 needs no ``Host``, where any is taken."""
    scope = {"type": "http", "scheme": "https", "path": "/", "headers": []}
    assert hosts.site(Request(scope), settings) == "https://localhost"


def test_links_elsewhere_have_the_address_that_people_open(
    settings: Settings, stage: Stage
) -> None:
    public = settings.model_copy(update={"public_url": "https://grb.example.org"})
    with serve(public) as address:
        assert b"https://grb.example.org/boards/" in httpx.get(f"{address}{FEED}").content
        found = graph(httpx.get(f"{address}/boards/{BOARD}").text)
    assert found["og:url"] == f"https://grb.example.org/boards/{BOARD}"
    assert found["og:image"] == f"https://grb.example.org/api/v1/boards/{BOARD}/picture.png"
