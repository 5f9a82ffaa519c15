"""PATCH and DELETE /submissions/{id}, and what others see of an entry afterwards."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from grbcore.store import audit
from tests.api.stage import (
    BOARD,
    DEFENSE,
    SUBMISSIONS,
    Stage,
    defense_file,
    places,
    problem,
)

PAGE = f"/api/v1/boards/{BOARD}/leaderboard"


def patch(
    client: httpx.Client, stage: Stage, entry: str, body: Any, user: str | None = "ann"
) -> httpx.Response:
    headers = stage.bearer(user) if user else {}
    return client.patch(f"{SUBMISSIONS}/{entry}", json=body, headers=headers)


def delete(
    client: httpx.Client, stage: Stage, entry: str, user: str | None = "admin", **query: str
) -> httpx.Response:
    headers = stage.bearer(user) if user else {}
    asked = {"reason": "its author asked", **query}
    return client.delete(f"{SUBMISSIONS}/{entry}", params=asked, headers=headers)


def on_record(stage: Stage, entry: str) -> list[tuple[str, str, str | None]]:
    with stage.sessions.reading() as session:
        rows = audit.entries(session, subject_id=entry, limit=9)
        return [(row.action, row.user.name, row.reason) for row in rows if row.user]


def tag(client: httpx.Client) -> str:
    return client.get(PAGE, params={"side": "attack"}).headers["etag"]


# Editing


@pytest.mark.parametrize("user", ["ann", "admin"])
def test_an_owner_or_an_admin_edits(client: httpx.Client, stage: Stage, user: str) -> None:
    entry = stage.entry("attack", "A", team="Team")
    before = tag(client)
    answer = patch(client, stage, entry, {"name": " New ", "team": None}, user)
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert (found["name"], found["team"], found["authors"]) == ("New", None, "A. Author")
    assert found["edited_at"] is not None
    assert tag(client) != before
    assert "New" in client.get(PAGE, params={"side": "attack"}).text
    assert len(on_record(stage, entry)) == (user == "admin")


def test_an_empty_change_changes_nothing(client: httpx.Client, stage: Stage) -> None:
    entry = stage.entry("attack", "A")
    before = tag(client)
    found = patch(client, stage, entry, {}).json()
    assert (found["name"], found["edited_at"], tag(client)) == ("A", None, before)


def test_every_field_that_is_wrong_unknown_or_fixed_is_named(
    client: httpx.Client, stage: Stage
) -> None:
    entry = stage.entry("attack", "A")
    body = {
        "name": "",
        "authors": None,
        "team": "x" * 81,
        "description": "x" * 20_001,
        "paper_url": "nowhere",
        "family": "PGD",
        "board": BOARD,
        "side": "defense",
        "adversarially_trained": True,
        "surrogate": "GCN",
        "sha256": "f" * 64,
        "nothing": 1,
    }
    answer = problem(patch(client, stage, entry, body), 422, "invalid-fields")
    assert places(answer) == {f"body/{name}" for name in body}
    allowed = {fault["place"]: fault["allowed"] for fault in answer["violations"]}
    assert allowed["body/family"] == "no field of this name here"
    assert client.get(f"{SUBMISSIONS}/{entry}").json()["name"] == "A"


@pytest.mark.parametrize("name", ["a\nb", "\u202etxt", "x\x00"])
def test_a_name_that_would_break_a_table_is_refused(
    client: httpx.Client, stage: Stage, name: str
) -> None:
    answer = patch(client, stage, stage.entry("attack", "A"), {"name": name})
    assert places(problem(answer, 422, "invalid-fields")) == {"body/name"}


def test_a_stranger_may_not_edit(client: httpx.Client, stage: Stage) -> None:
    entry = stage.entry("attack", "A")
    problem(patch(client, stage, entry, {"name": "B"}, "bob"), 403, "not-yours")
    problem(patch(client, stage, entry, {"name": "B"}, None), 401, "token")
    assert client.get(f"{SUBMISSIONS}/{entry}").json()["name"] == "A"


@pytest.mark.parametrize("state", ["received", "evaluating", "rejected", "failed"])
def test_an_entry_is_edited_in_every_state(client: httpx.Client, stage: Stage, state: str) -> None:
    entry = stage.entry("defense", "D", state=state)
    found = patch(client, stage, entry, {"description": "New"}).json()
    assert (found["description"], found["state"]) == ("New", state)


def test_what_is_not_there_any_more_is_not_edited(client: httpx.Client, stage: Stage) -> None:
    withdrawn, deleted = stage.entry("attack", "A"), stage.entry("attack", "B")
    client.post(f"{SUBMISSIONS}/{withdrawn}/withdraw", headers=stage.bearer())
    delete(client, stage, deleted)
    problem(patch(client, stage, withdrawn, {"name": "N"}), 409, "withdrawn")
    problem(patch(client, stage, deleted, {"name": "N"}), 409, "deleted")
    problem(patch(client, stage, "0" * 26, {"name": "N"}), 404, "submission-unknown")


def test_a_references_name_is_fixed(client: httpx.Client, stage: Stage) -> None:
    entry = stage.entry("attack", "A", is_reference=True)
    problem(patch(client, stage, entry, {"name": "N"}, "admin"), 409, "reference")


def test_the_page_tells_when_it_was_edited(client: httpx.Client, stage: Stage) -> None:
    entry = stage.entry("attack", "A")
    assert "Edited" not in client.get(f"/submissions/{entry}").text
    patch(client, stage, entry, {"name": "<b>New</b>"})
    page = client.get(f"/submissions/{entry}").text
    assert "Edited" in page and "&lt;b&gt;New&lt;/b&gt;" in page


# Deleting


def test_an_admin_deletes(client: httpx.Client, stage: Stage) -> None:
    entry = stage.entry("attack", "Secret", team="Team", description="by me")
    digest = client.get(f"{SUBMISSIONS}/{entry}").json()["sha256"]
    before = tag(client)
    answer = delete(client, stage, entry)
    assert answer.status_code == 200, answer.text
    listed = client.get(SUBMISSIONS).json()["submissions"][0]
    for found in (answer.json(), listed, client.get(f"{SUBMISSIONS}/{entry}").json()):
        assert (found["name"], found["deleted"], found["authors"]) == ("(deleted)", True, "")
        said = {str(value) for value in found.values()}
        assert said.isdisjoint({"Secret", "A. Author", "Team", "by me", "ann", digest})
    assert (answer.json()["sha256"], answer.json()["submitter"]) == (None, "")
    assert tag(client) != before
    assert not stage.blobs.exists(digest)
    assert on_record(stage, entry) == [("submission.delete", "admin", "its author asked")]


@pytest.mark.parametrize("user", [None, "ann", "admin"])
def test_a_deleted_file_is_gone_for_everybody(
    client: httpx.Client, stage: Stage, user: str | None
) -> None:
    entry = stage.entry("attack", "A")
    delete(client, stage, entry)
    headers = stage.bearer(user) if user else {}
    problem(client.get(f"{SUBMISSIONS}/{entry}/artefact", headers=headers), 410, "gone")


def test_counterparts_keep_their_numbers(client: httpx.Client, stage: Stage) -> None:
    attack, defense = stage.entry("attack", "Secret"), stage.entry("defense", "D")
    cell = stage.cell(attack, defense, {"full": [40]})
    delete(client, stage, attack)
    found = client.get(f"{SUBMISSIONS}/{defense}").json()
    assert [(one["attack"], one["accuracy"]["full"]["mean"]) for one in found["results"]] == [
        (attack, pytest.approx(0.4))
    ]
    assert found["marked"] == {attack: "(deleted)"}
    result = client.get(f"/api/v1/cells/{cell}").json()
    assert (result["attack"]["name"], result["correct"]) == ("(deleted)", {"full": [40]})
    assert (result["command"], result["provenance"]["attack_sha256"]) == (None, None)
    for page in (f"/submissions/{defense}", f"/cells/{cell}"):
        text = client.get(page).text
        assert "(deleted)" in text and "Secret" not in text
    assert "was deleted with its entry" in client.get(f"/cells/{cell}").text


@pytest.mark.parametrize("state", ["received", "evaluating", "ranked", "rejected"])
def test_the_page_of_a_deleted_entry_says_so(
    client: httpx.Client, stage: Stage, state: str
) -> None:
    entry = stage.entry("attack", "Secret", state=state)
    delete(client, stage, entry)
    page = client.get(f"/submissions/{entry}")
    assert page.status_code == 200
    assert "it was deleted" in page.text and "Secret" not in page.text
    assert f"{entry}/artefact" not in page.text
    for text in (page.text, client.get("/submissions").text):
        assert '<span class="tag">deleted</span>' in text
        assert f'data-state="{state}"' not in text


def test_the_same_bytes_may_come_again(
    client: httpx.Client, stage: Stage, post: Callable[..., httpx.Response], tmp_path: Path
) -> None:
    file = defense_file(tmp_path)
    first = post(DEFENSE, file).json()
    delete(client, stage, first["id"])
    assert not stage.blobs.exists(first["sha256"])
    answer = post(DEFENSE, file)
    assert answer.status_code == 202
    again = answer.json()
    assert again["id"] != first["id"]
    assert (again["attempt"], again["attempts"], again["sha256"]) == (2, 2, first["sha256"])
    assert stage.blobs.exists(again["sha256"])


def test_a_file_of_another_users_entry_stays(
    client: httpx.Client, stage: Stage, post: Callable[..., httpx.Response], tmp_path: Path
) -> None:
    file = defense_file(tmp_path)
    mine, theirs = post(DEFENSE, file).json(), post(DEFENSE, file, "bob").json()
    delete(client, stage, mine["id"])
    url = f"{SUBMISSIONS}/{theirs['id']}/artefact"
    assert client.get(url, headers=stage.bearer("bob")).content == file.read_bytes()


def test_deleting_twice_changes_nothing_more(client: httpx.Client, stage: Stage) -> None:
    entry = stage.entry("attack", "A")
    delete(client, stage, entry)
    before = tag(client)
    assert delete(client, stage, entry).status_code == 200
    assert tag(client) == before
    assert len(on_record(stage, entry)) == 1


@pytest.mark.parametrize(
    ("user", "status", "code"),
    [(None, 401, "token"), ("bob", 403, "not-yours")],
)
def test_a_stranger_may_not_delete(
    client: httpx.Client, stage: Stage, user: str | None, status: int, code: str
) -> None:
    entry = stage.entry("attack", "A")
    problem(delete(client, stage, entry, user), status, code)
    assert client.get(f"{SUBMISSIONS}/{entry}").json()["deleted"] is False


def test_an_owner_deletes_their_own_without_a_reason(client: httpx.Client, stage: Stage) -> None:
    """The name and the place go, the attempt stays counted: one who retracts a bad result and
    tries again is at attempt 2 of 2."""
    entry, kept = stage.entry("attack", "Secret"), stage.entry("attack", "Kept", user="bob")
    answer = client.delete(f"{SUBMISSIONS}/{entry}", headers=stage.bearer())
    assert answer.status_code == 200, answer.text
    assert (answer.json()["name"], answer.json()["deleted"]) == ("(deleted)", True)
    ranked = client.get(PAGE, params={"side": "attack", "view": "all"}).json()["rows"]
    assert [row["entry"]["id"] for row in ranked if row["entry"]] == [kept]
    second = stage.entry("attack", "Again", attempt=2)
    again = client.get(f"{SUBMISSIONS}/{second}").json()
    assert (again["attempt"], again["attempts"]) == (2, 2)
    assert on_record(stage, entry) == [("submission.delete", "ann", None)]


def test_an_admin_deletes_anothers_only_with_a_reason(client: httpx.Client, stage: Stage) -> None:
    url = f"{SUBMISSIONS}/{stage.entry('attack', 'A')}"
    answer = client.delete(url, headers=stage.bearer("admin"))
    assert places(problem(answer, 422, "invalid-fields")) == {"query/reason"}
    assert client.get(url).json()["deleted"] is False


@pytest.mark.parametrize("reason", ["", "  ", "x" * 1001])
def test_a_reason_says_something(client: httpx.Client, stage: Stage, reason: str) -> None:
    entry = stage.entry("attack", "A")
    answer = delete(client, stage, entry, reason=reason)
    assert places(problem(answer, 422, "invalid-fields")) == {"query/reason"}


def test_a_reference_can_not_be_deleted(client: httpx.Client, stage: Stage) -> None:
    entry = stage.entry("attack", "A", is_reference=True)
    for user in ("admin", "ann"):
        problem(delete(client, stage, entry, user), 409, "reference")
    problem(delete(client, stage, "0" * 26), 404, "submission-unknown")


def test_a_blob_store_that_is_away_leaves_the_file_to_be_tidied(
    client: httpx.Client, stage: Stage
) -> None:
    entry = stage.entry("attack", "A")
    digest = client.get(f"{SUBMISSIONS}/{entry}").json()["sha256"]
    path = Path(urlsplit(stage.settings.blob_url).path) / digest[:2] / digest
    path.unlink()
    path.mkdir()  # nothing that can be unlinked
    assert delete(client, stage, entry).json()["deleted"] is True
    shutil.rmtree(path)


# Withdrawing


def test_who_withdraws_anothers_entry_is_on_record(client: httpx.Client, stage: Stage) -> None:
    mine, theirs = stage.entry("attack", "A"), stage.entry("attack", "B", user="bob")
    client.post(f"{SUBMISSIONS}/{mine}/withdraw", headers=stage.bearer())
    for _ in range(2):
        client.post(f"{SUBMISSIONS}/{theirs}/withdraw", headers=stage.bearer("admin"))
    assert on_record(stage, mine) == []
    assert on_record(stage, theirs) == [("submission.withdraw", "admin", None)]


def test_what_was_deleted_is_not_withdrawn(client: httpx.Client, stage: Stage) -> None:
    entry = stage.entry("attack", "A")
    delete(client, stage, entry)
    answer = client.post(f"{SUBMISSIONS}/{entry}/withdraw", headers=stage.bearer())
    problem(answer, 409, "deleted")
