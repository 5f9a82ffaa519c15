"""Boards as they stood, by the API and on pages: files by hash, and who may make one."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

import httpx
import pytest

from api import keeping
from grbcore.store.session import now
from tests.api.stage import BOARD, EMPTY, Stage, problem

WHY = {"reason": "for a paper"}
MAKE = f"/api/v1/admin/boards/{BOARD}/snapshots"
LIST = f"/api/v1/boards/{BOARD}/snapshots"
UNKNOWN = "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"


@pytest.fixture
def ranked(stage: Stage) -> str:
    """A board with a defense of ann's beside the references; its id."""
    attack = stage.entry("attack", "Reference attack", user="bob", is_reference=True)
    base = stage.entry("defense", "Base", user="bob", is_reference=True)
    mine = stage.entry("defense", "Ann's own", team="The team")
    for defense, clean, under in ((base, 90, [40, 50, 60]), (mine, 80, [60, 70, 80])):
        stage.cell(None, defense, {"full": [clean]})
        stage.cell(attack, defense, {"full": under}, hits_sha256="e" * 64)
    return mine


def made(client: httpx.Client, stage: Stage) -> dict[str, object]:
    answer = client.post(MAKE, json=WHY, headers=stage.bearer("admin"))
    assert answer.status_code == 201, answer.text
    found: dict[str, object] = answer.json()
    assert answer.headers["location"] == f"/api/v1/snapshots/{found['id']}"
    return found


def test_an_admin_makes_one_and_everybody_reads_it(
    client: httpx.Client, stage: Stage, ranked: str
) -> None:
    found = made(client, stage)
    assert client.get(f"/api/v1/snapshots/{found['id']}").json() == found
    assert (found["reason"], found["month"], found["cells"]) == ("for a paper", None, 4)
    lines = [(one["rank"], one["name"]) for one in found["rankings"]["defense"]]  # type: ignore[index]
    assert lines == [(1, "Ann's own"), (2, "Base")]
    first = found["rankings"]["defense"][0]  # type: ignore[index]
    assert first["metrics"]["weighted"]["mean"] == pytest.approx(0.72)  # 0.8·(60+70+80)/3 + 0.2·80
    listed = client.get(LIST).json()
    assert [one["id"] for one in listed["snapshots"]] == [found["id"]]
    assert listed["next"] is None


def test_the_list_goes_on_at_its_cursor(client: httpx.Client, stage: Stage, ranked: str) -> None:
    ids = [made(client, stage)["id"] for _ in range(3)][::-1]
    first = client.get(LIST, params={"limit": 2}).json()
    rest = client.get(LIST, params={"limit": 2, "cursor": first["next"]}).json()
    assert [one["id"] for one in (*first["snapshots"], *rest["snapshots"])] == ids
    assert rest["next"] is None


def test_each_file_has_its_type_and_its_hash(
    client: httpx.Client, stage: Stage, ranked: str
) -> None:
    types = {}
    for file in made(client, stage)["files"]:  # type: ignore[attr-defined]
        answer = client.get(file["url"])
        assert hashlib.sha256(answer.content).hexdigest() == file["sha256"]
        assert len(answer.content) == file["bytes"]
        assert answer.headers["etag"] == f'"{file["sha256"]}"'
        forever = file["name"] == "cells.csv"
        expected = "public, max-age=31536000, immutable" if forever else "no-cache"
        assert answer.headers["cache-control"] == expected
        known = {"If-None-Match": answer.headers["etag"]}
        assert client.get(file["url"], headers=known).status_code == 304
        latest = client.get(file["url"].partition("?")[0])
        assert (latest.content, latest.headers["cache-control"]) == (answer.content, "no-cache")
        types[file["name"]] = answer.headers["content-type"]
    assert types == {
        "snapshot.json": "application/json",
        "rankings.json": "application/json",
        "rankings.csv": "text/csv; charset=utf-8",
        "cells.csv": "text/csv; charset=utf-8",
        "rankings.tex": "application/x-tex; charset=utf-8",
    }


def test_it_is_cited_by_its_address(
    client: httpx.Client, server: str, stage: Stage, ranked: str
) -> None:
    found = made(client, stage)
    answer = client.get(f"/api/v1/snapshots/{found['id']}/cite.bib")
    assert answer.text == found["bibtex"]
    assert answer.headers["content-type"] == "application/x-bibtex; charset=utf-8"
    assert f"url = {{{server}/snapshots/{found['id']}}}" in answer.text


def test_a_file_with_a_name_that_left_is_gone(
    client: httpx.Client, stage: Stage, ranked: str
) -> None:
    before = made(client, stage)
    client.post(f"/api/v1/submissions/{ranked}/withdraw", headers=stage.bearer("ann"))
    old = {file["name"]: file["url"] for file in before["files"]}  # type: ignore[attr-defined]
    body = problem(client.get(old["snapshot.json"]), 410, "gone")
    assert "a name has left" in body["message"]
    assert client.get(old["cells.csv"]).status_code == 200  # it has no names
    after = client.get(f"/api/v1/snapshots/{before['id']}").json()
    assert after["digest"] == before["digest"]
    assert after["reissued_at"] is not None
    line = after["rankings"]["defense"][0]
    assert (line["rank"], line["name"], line["mark"]) == (1, "(withdrawn)", "withdrawn")
    whole = client.get(f"/api/v1/snapshots/{before['id']}/files/snapshot.json").text
    assert "Ann's own" not in whole and "The team" not in whole


def test_what_is_not_there_is_said(client: httpx.Client, stage: Stage, ranked: str) -> None:
    found = made(client, stage)
    for path in (UNKNOWN, f"{UNKNOWN}/cite.bib", f"{UNKNOWN}/files/cells.csv", "x"):
        problem(client.get(f"/api/v1/snapshots/{path}"), 404, "snapshot-unknown")
    url = f"/api/v1/snapshots/{found['id']}/files/cells.csv"
    problem(client.get(url, params={"sha256": "0" * 64}), 404, "file-unknown")
    assert client.get(url.replace("cells.csv", "passwords")).status_code == 422


def test_a_board_without_results_is_not_kept(client: httpx.Client, stage: Stage) -> None:
    path = MAKE.replace(BOARD, EMPTY)
    problem(client.post(path, json=WHY, headers=stage.bearer("admin")), 409, "state")


def test_a_file_that_is_lost_is_unavailable(
    client: httpx.Client, stage: Stage, ranked: str
) -> None:
    found = made(client, stage)
    file = found["files"][0]  # type: ignore[index]
    stage.blobs.remove([file["sha256"]])
    problem(client.get(file["url"]), 503, "unavailable")


def test_the_service_makes_one_when_a_month_begins(
    client: httpx.Client, stage: Stage, ranked: str
) -> None:
    keeping.look(stage.sessions, stage.blobs)  # the entries are of January 2026
    keeping.look(stage.sessions, stage.blobs)
    (found,) = client.get(LIST).json()["snapshots"]
    assert found["month"] == f"{datetime.now(UTC):%Y-%m}"
    stage.change(ranked, hidden_at=now())
    keeping.look(stage.sessions, stage.blobs)
    assert client.get(LIST).json()["snapshots"][0]["reissued_at"] is not None


def test_the_pages_need_no_javascript(client: httpx.Client, stage: Stage, ranked: str) -> None:
    assert "There is none yet." in client.get(f"/boards/{BOARD}/snapshots").text
    found = made(client, stage)
    listed = client.get(f"/boards/{BOARD}/snapshots")
    assert f'href="/snapshots/{found["id"]}"' in listed.text
    page = client.get(f"/snapshots/{found['id']}").text
    assert "Ann&#39;s own" in page and "72.00" in page
    assert str(found["digest"]) in page and "@misc{" in page
    assert f"grb reproduce {found['id']}" in page
    for file in found["files"]:  # type: ignore[attr-defined]
        assert file["url"] in page
    assert client.get(f"/snapshots/{UNKNOWN}").status_code == 404
