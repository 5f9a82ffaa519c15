"""GET /submissions, GET /submissions/{id}, POST …/withdraw, GET …/artefact."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from grbcore.store.session import now
from tests.api.stage import BOARD, START, Stage, problem

URL = "/api/v1/submissions"


def listed(client: httpx.Client, **query: Any) -> dict[str, Any]:
    answer = client.get(URL, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def names(found: dict[str, Any]) -> list[str]:
    return [entry["name"] for entry in found["submissions"]]


# The list


def test_the_list_is_empty_at_first(client: httpx.Client) -> None:
    assert listed(client) == {"submissions": [], "next": None}


def test_the_newest_comes_first(client: httpx.Client, stage: Stage) -> None:
    for name in ("first", "second", "third"):
        stage.entry("attack", name)
    assert names(listed(client)) == ["third", "second", "first"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"side": "attack"}, ["A"]),
        ({"state": "rejected"}, ["R"]),
        ({"board": BOARD}, ["R", "D", "A"]),
        ({"board": "digits/injection", "side": "defense", "state": "ranked"}, ["D"]),
        ({"board": "grb-cora/injection@1"}, []),
    ],
)
def test_the_list_is_filtered(
    client: httpx.Client, stage: Stage, query: dict[str, str], expected: list[str]
) -> None:
    stage.entry("attack", "A")
    stage.entry("defense", "D")
    stage.entry("defense", "R", state="rejected")
    assert names(listed(client, **query)) == expected


def test_pages_hold_every_submission_once(client: httpx.Client, stage: Stage) -> None:
    for number in range(5):
        stage.entry("attack", str(number))
    seen, cursor = [], None
    for _ in range(3):
        found = listed(client, limit=2, **({"cursor": cursor} if cursor else {}))
        seen += names(found)
        cursor = found["next"]
    assert (seen, cursor) == (["4", "3", "2", "1", "0"], None)


def test_a_full_last_page_has_no_next(client: httpx.Client, stage: Stage) -> None:
    stage.entry("attack", "A")
    stage.entry("attack", "B")
    assert listed(client, limit=2)["next"] is None


def test_a_line_counts_the_newcomers_cells_by_state(client: httpx.Client, stage: Stage) -> None:
    attack = stage.entry("attack", "A")
    newcomer = stage.entry("defense", "D", state="evaluating")
    stage.cell(None, newcomer, {"full": [1]})
    stage.cell(attack, newcomer, state="queued")
    found = listed(client, side="defense")["submissions"][0]["cells"]
    assert found == {"queued": 1, "running": 0, "done": 1, "failed": 0, "dead": 0}


@pytest.mark.parametrize(
    "query",
    [{"side": "x"}, {"state": "done"}, {"cursor": "'; DROP"}, {"limit": "0"}, {"limit": "1000"}],
)
def test_a_wrong_filter_is_422(client: httpx.Client, query: dict[str, str]) -> None:
    body = problem(client.get(URL, params=query), 422, "invalid-fields")
    assert body["violations"][0]["place"] == f"query/{next(iter(query))}"


def test_a_filter_by_an_unknown_board_is_404(client: httpx.Client) -> None:
    problem(client.get(URL, params={"board": "nope"}), 404, "board-unknown")


# One submission


@pytest.mark.parametrize("name", ["0" * 26, "x", "%00", "9" * 400])
@pytest.mark.parametrize("part", ["", "/artefact"])
def test_an_unknown_submission_is_404(client: httpx.Client, name: str, part: str) -> None:
    problem(client.get(f"{URL}/{name}{part}"), 404, "submission-unknown")


def test_a_ranked_submission_shows_its_rank_and_results(client: httpx.Client, stage: Stage) -> None:
    attack = stage.entry("attack", "A", is_reference=True)
    defense = stage.entry("defense", "D")
    stage.cell(None, defense, {"full": [90]})
    stage.cell(attack, defense, {"full": [40, 50, 60]})
    found = client.get(f"{URL}/{defense}").json()
    assert found["rank"] == 1
    means = {cell["attack"]: cell["accuracy"]["full"]["mean"] for cell in found["results"]}
    assert means == {"clean": pytest.approx(0.9), attack: pytest.approx(0.5)}


def test_a_rejected_submission_says_why(client: httpx.Client, stage: Stage) -> None:
    violation = {"code": "finite", "place": "a", "found": "nan", "allowed": "finite values"}
    entry = stage.entry("attack", "A", state="rejected", violations=[violation], reason="refused")
    found = client.get(f"{URL}/{entry}").json()
    assert (found["violations"], found["reason"]) == ([violation], "refused")


def test_times_are_in_utc_with_their_zone(client: httpx.Client, stage: Stage) -> None:
    entry = stage.entry("attack", "A", validated_at=START)
    assert client.get(f"{URL}/{entry}").json()["validated_at"] == "2026-01-01T12:00:00Z"


@pytest.mark.parametrize(
    ("mark", "name"), [("withdrawn_at", "(withdrawn)"), ("hidden_at", "(hidden)")]
)
def test_a_marked_submission_names_nobody(
    client: httpx.Client, stage: Stage, mark: str, name: str
) -> None:
    entry = stage.entry("attack", "Secret", team="Team", description="by Ann", paper_url="http://a")
    stage.change(entry, **{mark: now()})
    for found in (client.get(f"{URL}/{entry}").json(), listed(client)["submissions"][0]):
        assert found["name"] == name
        assert "Secret" not in str(found) and "Author" not in str(found)
        assert "Ann" not in str(found) and "Team" not in str(found)


# Withdrawing


def withdraw(client: httpx.Client, stage: Stage, entry: str, user: str | None) -> httpx.Response:
    headers = stage.bearer(user) if user else {}
    return client.post(f"{URL}/{entry}/withdraw", headers=headers)


@pytest.mark.parametrize("user", ["ann", "admin"])
def test_an_owner_or_an_admin_withdraws(client: httpx.Client, stage: Stage, user: str) -> None:
    entry = stage.entry("attack", "A")
    before = client.get(f"/api/v1/boards/{BOARD}").json()["revision"]
    answer = withdraw(client, stage, entry, user)
    assert answer.status_code == 200
    assert answer.json()["withdrawn"] is True
    assert client.get(f"/api/v1/boards/{BOARD}").json()["revision"] == before + 1


def test_withdrawing_twice_changes_nothing_more(client: httpx.Client, stage: Stage) -> None:
    entry = stage.entry("attack", "A")
    withdraw(client, stage, entry, "ann")
    revision = client.get(f"/api/v1/boards/{BOARD}").json()["revision"]
    assert withdraw(client, stage, entry, "ann").status_code == 200
    assert client.get(f"/api/v1/boards/{BOARD}").json()["revision"] == revision


def test_open_cells_of_a_withdrawn_newcomer_are_dropped(client: httpx.Client, stage: Stage) -> None:
    newcomer = stage.entry("defense", "D", state="evaluating")
    cell = stage.cell(None, newcomer, state="queued")
    withdraw(client, stage, newcomer, "ann")
    assert client.get(f"/api/v1/cells/{cell}").status_code == 404


@pytest.mark.parametrize("state", ["received", "evaluating"])
def test_what_was_withdrawn_on_its_way_says_so(
    client: httpx.Client, stage: Stage, state: str
) -> None:
    entry = stage.entry("defense", "D", state=state)
    answer = withdraw(client, stage, entry, "ann").json()
    assert answer["withdrawn"] and "withdrawn before its evaluation ended" in answer["reason"]
    page = client.get(f"/submissions/{entry}").text
    assert "withdrawn before its evaluation ended" in page
    assert f'data-state="{state}"' not in page
    assert f'data-state="{state}"' not in client.get("/submissions").text


def test_what_was_withdrawn_after_its_end_keeps_its_state(
    client: httpx.Client, stage: Stage
) -> None:
    entry = stage.entry("defense", "D")
    answer = withdraw(client, stage, entry, "ann").json()
    assert (answer["state"], answer["reason"]) == ("ranked", None)


def test_another_user_may_not_withdraw(client: httpx.Client, stage: Stage) -> None:
    entry = stage.entry("attack", "A")
    problem(withdraw(client, stage, entry, "bob"), 403, "not-yours")
    assert client.get(f"{URL}/{entry}").json()["withdrawn"] is False


def test_nobody_withdraws_without_a_token(client: httpx.Client, stage: Stage) -> None:
    problem(withdraw(client, stage, stage.entry("attack", "A"), None), 401, "token")


def test_a_reference_can_not_be_withdrawn(client: httpx.Client, stage: Stage) -> None:
    entry = stage.entry("attack", "A", is_reference=True)
    problem(withdraw(client, stage, entry, "admin"), 409, "reference")


def test_what_does_not_exist_can_not_be_withdrawn(client: httpx.Client, stage: Stage) -> None:
    problem(withdraw(client, stage, "0" * 26, "ann"), 404, "submission-unknown")


# The file


def test_the_file_comes_back_as_an_attachment_named_after_the_entry(
    client: httpx.Client, stage: Stage
) -> None:
    entry = stage.entry("attack", 'My "best" ätt/../ack\r\n')
    answer = client.get(f"{URL}/{entry}/artefact")
    assert answer.content == b"attack 1"
    plain, whole = f"My-best-tt-..-ack-{entry}.npz", f"My-best-%C3%A4tt-..-ack-{entry}.npz"
    said = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{whole}"
    assert answer.headers["content-disposition"] == said
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_the_files_tag_is_its_hash(client: httpx.Client, stage: Stage) -> None:
    entry = stage.entry("defense", "D")
    answer = client.get(f"{URL}/{entry}/artefact")
    tag = f'"{hashlib.sha256(answer.content).hexdigest()}"'
    assert answer.headers["etag"] == tag
    again = client.get(f"{URL}/{entry}/artefact", headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("state", ["received", "rejected"])
def test_a_file_that_is_not_found_valid_is_for_its_owner_and_admins(
    client: httpx.Client, stage: Stage, state: str
) -> None:
    url = f"{URL}/{stage.entry('attack', 'A', state=state)}/artefact"
    problem(client.get(url), 403, "not-public")
    problem(client.get(url, headers=stage.bearer("bob")), 403, "not-public")
    assert client.get(url, headers=stage.bearer("ann")).status_code == 200
    assert client.get(url, headers=stage.bearer("admin")).status_code == 200


@pytest.mark.parametrize("mark", ["withdrawn_at", "hidden_at"])
def test_a_marked_entrys_file_is_gone_for_others(
    client: httpx.Client, stage: Stage, mark: str
) -> None:
    entry = stage.entry("attack", "A")
    stage.change(entry, **{mark: now()})
    problem(client.get(f"{URL}/{entry}/artefact"), 410, "gone")
    assert client.get(f"{URL}/{entry}/artefact", headers=stage.bearer()).status_code == 200


def test_a_hidden_references_file_is_still_there(client: httpx.Client, stage: Stage) -> None:
    entry = stage.entry("attack", "A", is_reference=True)
    stage.change(entry, hidden_at=now())
    assert client.get(f"{URL}/{entry}/artefact").status_code == 200


def test_a_wrong_token_is_401_even_where_none_is_needed(client: httpx.Client, stage: Stage) -> None:
    url = f"{URL}/{stage.entry('attack', 'A')}/artefact"
    problem(client.get(url, headers={"Authorization": "Bearer grb_x"}), 401, "token")


def stored(stage: Stage, sha256: str) -> Path:
    return Path(urlsplit(stage.settings.blob_url).path) / sha256[:2] / sha256


def test_a_missing_file_is_503(client: httpx.Client, stage: Stage) -> None:
    entry = stage.entry("attack", "A")
    stored(stage, client.get(f"{URL}/{entry}").json()["sha256"]).unlink()
    problem(client.get(f"{URL}/{entry}/artefact"), 503, "unavailable")


def test_a_small_damaged_file_is_503(client: httpx.Client, stage: Stage) -> None:
    entry = stage.entry("attack", "A")
    stored(stage, client.get(f"{URL}/{entry}").json()["sha256"]).write_bytes(b"attack 2")
    problem(client.get(f"{URL}/{entry}/artefact"), 503, "unavailable")


def test_a_large_damaged_file_is_never_sent_in_full(client: httpx.Client, stage: Stage) -> None:
    content = bytes(5_000_000)
    sha256 = stage.blobs.put_bytes(content)
    entry = stage.entry("attack", "A")
    stage.change(entry, sha256=sha256, size=len(content))
    stored(stage, sha256).write_bytes(content[:-1] + b"\1")
    with pytest.raises(httpx.RemoteProtocolError):
        client.get(f"{URL}/{entry}/artefact")
