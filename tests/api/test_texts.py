"""The rules of a board, the documents and the boards' versions."""

from __future__ import annotations

import re
from pathlib import Path

import httpx

from api import texts
from tests.api.stage import BOARD, EMPTY, Stage, problem

ROOT = Path(__file__).resolve().parents[2]


def test_the_rules_of_a_board_tell_the_degrees_of_its_targets(client: httpx.Client) -> None:
    """digits: 179 targets at each difficulty, 1,797 nodes."""
    found = client.get(f"/api/v1/boards/{BOARD}/rules").json()
    assert sum(one["targets"]["easy"] for one in found["degrees"]) == 179
    assert sum(one["nodes"] for one in found["degrees"]) == 1797
    assert (found["evaluator"], found["cell_seconds"]) == (1, 60)


def test_degrees_are_not_known_where_the_data_never_was(client: httpx.Client) -> None:
    assert client.get(f"/api/v1/boards/{EMPTY}/rules").json()["degrees"] is None
    assert "never on this service" in client.get(f"/boards/{EMPTY}/rules").text


def test_every_document_of_the_repository_is_listed(client: httpx.Client) -> None:
    listed = {one["name"]: one["title"] for one in client.get("/api/v1/docs").json()}
    files = {path.stem for path in (ROOT / "docs").glob("*.md")} - {"about"}
    assert {name for name in listed if not name.startswith("adr-")} == files
    assert listed["rules"] == "Rules of the boards"
    parts = {name for names in texts.PARTS.values() for name in names}
    assert files == parts, "say in api/texts.py where a new document stands"


def test_links_of_documents_lead_somewhere(client: httpx.Client) -> None:
    known = texts.texts()
    faults = []
    for name, text in known.items():
        assert "<script" not in text.html and "javascript:" not in text.html
        for address in re.findall(r'(?:href|src)="([^"]*)"', text.html):
            path, _, fragment = address.partition("#")
            there = text if path == "" else known.get(path.removeprefix("/guide/"))
            if there is None and not path.startswith(("https://", "http://")):
                faults += [] if client.get(path).status_code == 200 else [(name, address)]
            if there is not None and fragment and f'id="{fragment}"' not in there.html:
                faults.append((name, address))
    assert faults == []


def test_a_document_is_there_without_javascript(client: httpx.Client) -> None:
    page = client.get("/guide/rules").text
    assert "<title>Rules of the boards ·" in page
    assert "<h2 id=" in page and "&lt;h2" not in page
    assert 'href="/guide/rules"' in client.get("/guide").text
    assert "A score is no guarantee" in client.get("/about").text


def test_a_document_that_is_not_there_is_404(client: httpx.Client) -> None:
    for name in ("nothing", "%2e%2e", "%2e%2e%2fREADME", "adr"):
        assert client.get(f"/guide/{name}").status_code == 404
    problem(client.get("/api/v1/docs/nothing"), 404, "not-found")
    for name in ("draw.py", "nothing.png", "..%2fboard.png"):
        assert client.get(f"/guide/pictures/{name}").status_code == 404
    picture = client.get("/guide/pictures/matrix.png")
    assert picture.headers["content-type"] == "image/png"


def test_raw_html_of_a_document_is_shown_as_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "one.md").write_text("# One\n\n<b>bold</b> [x](javascript:alert) [y](../y.md)\n")
    html = texts.texts(tmp_path)["one"].html
    assert "&lt;b&gt;bold" in html
    assert "<a" not in html


def test_a_service_without_its_documents_says_so(tmp_path: Path) -> None:
    assert texts.texts(tmp_path / "nothing") == {}


def test_admins_see_what_results_were_measured_with(client: httpx.Client, stage: Stage) -> None:
    defense = stage.entry("defense", "D", is_reference=True)
    attack = stage.entry("attack", "A", is_reference=True)
    stage.cell(None, defense, {"full": [90]})
    stage.cell(attack, defense, {"full": [40, 50, 60]})
    stage.cell(attack, stage.entry("defense", "E"), state="queued")
    found = client.get("/api/v1/admin/boards", headers=stage.bearer("admin")).json()
    board = next(one for one in found["boards"] if one["id"] == BOARD)
    assert board["protocol"] == stage.protocol
    assert [(one["evaluator"], one["torch"], one["cells"]) for one in board["measured"]] == [
        (1, "2.13.0", 2)
    ]
    assert board["undecided"] == 0


def test_the_audit_log_is_filtered_by_who_and_by_what(client: httpx.Client, stage: Stage) -> None:
    headers = stage.bearer("admin")
    entry = stage.entry("defense", "D")
    for action in ("hide", "show"):
        url = f"/api/v1/submissions/{entry}/{action}"
        client.post(url, json={"reason": "a look"}, headers=headers)

    def actions(**query: str) -> list[str]:
        found = client.get("/api/v1/admin/audit", params=query, headers=headers).json()["entries"]
        return [line["action"] for line in found]

    assert actions(action="submission.") == ["submission.show", "submission.hide"]
    assert actions(action="submission.h") == ["submission.hide"]
    assert actions(action="submission_") == []  # not a pattern
    users = client.get("/api/v1/admin/users", headers=headers).json()["users"]
    ids = {user["name"]: user["id"] for user in users}
    assert actions(action="submission.", user=ids["ann"]) == []
    assert len(actions(action="submission.", user=ids["admin"])) == 2
