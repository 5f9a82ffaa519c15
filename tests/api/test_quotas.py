"""Quotas by REST: refusals that say when the next is free, headers, and what a user is told."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from grbcore import catalog
from grbcore.settings import Settings
from grbcore.store.blobs import Blobs, BlobsAway
from grbcore.store.tables import RefusedUpload, Submission
from tests.api.stage import BOARD, DEFENSE, SUBMISSIONS, Stage, defense_file, problem

Post = Callable[..., httpx.Response]
QUOTA = "/api/v1/me/quota"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(
        update={"quota_per_day": 2, "quota_invalid_per_day": 3, "quota_bytes": 100_000}
    )


def files(folder: Path, count: int) -> list[bytes]:
    """So many valid files of different bytes."""
    return [defense_file(folder, value=float(number)).read_bytes() for number in range(count)]


def seconds_left() -> float:
    """Until midnight in UTC."""
    now = datetime.now(UTC)
    start = now.replace(hour=0, minute=0, second=0, microsecond=0)
    return (start + timedelta(days=1) - now).total_seconds()


def test_an_upload_tells_what_is_left(post: Post, tmp_path: Path) -> None:
    content = files(tmp_path, 1)[0]
    answer = post(DEFENSE, content)
    assert answer.status_code == 202
    assert answer.headers["ratelimit-policy"] == (
        '"board-day";q=2;w=86400, "invalid-day";q=3;w=86400, "stored";q=100000;qu="content-bytes"'
    )
    told = answer.headers["ratelimit"]
    found = re.fullmatch(r'"board-day";r=1;t=(\d+), "invalid-day";r=3;t=\1, "stored";r=(\d+)', told)
    assert found, told
    assert abs(int(found[1]) - seconds_left()) < 60
    assert int(found[2]) == 100_000 - len(content)


def test_one_upload_too_many_is_refused_until_midnight(
    post: Post, stage: Stage, tmp_path: Path, client: httpx.Client
) -> None:
    *allowed, another = files(tmp_path, 3)
    for content in allowed:
        assert post(DEFENSE, content).status_code == 202
    answer = post(DEFENSE, another)
    (violation,) = problem(answer, 429, "quota")["violations"]
    assert violation["place"] == f"{BOARD}, today"
    assert violation["found"] == "2 uploads"
    assert violation["allowed"].startswith("2 a day; the next from ")
    assert abs(int(answer.headers["retry-after"]) - seconds_left()) < 60
    assert stage.submissions() == 2
    assert post(DEFENSE, another, user="bob").status_code == 202
    assert 'grb_refusals_total{code="quota"} 1' in client.get("/metrics").text


def test_the_same_file_again_is_the_same_entry_at_no_cost(post: Post, tmp_path: Path) -> None:
    first, second = files(tmp_path, 2)
    created = post(DEFENSE, first).json()["id"]
    post(DEFENSE, second)
    again = post(DEFENSE, first)
    assert (again.status_code, again.json()["id"]) == (200, created)
    assert '"board-day";r=0' in again.headers["ratelimit"]


@pytest.mark.on_postgres
def test_uploads_at_once_get_no_more_than_one_after_the_other(
    post: Post, stage: Stage, tmp_path: Path
) -> None:
    with ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(lambda one: post(DEFENSE, one), files(tmp_path, 6)))
    assert sorted(answer.status_code for answer in answers) == [202, 202, 429, 429, 429, 429]
    assert stage.submissions() == 2


def test_an_invalid_file_costs_no_upload_and_leaves_a_line(
    post: Post, client: httpx.Client, stage: Stage
) -> None:
    problem(post(DEFENSE, b"no weights"), 422, "invalid-file")
    told = client.get(QUOTA, headers=stage.bearer()).json()
    assert told["invalid"] == {"used": 1, "limit": 3, "left": 2}
    assert {board["used"] for board in told["boards"]} == {0}
    with stage.sessions.reading() as session:
        row = session.query(RefusedUpload).one()
        assert (row.board_id, row.size, row.user.name) == (BOARD, 10, "ann")
        assert row.codes == ["format"]


def test_too_many_invalid_files_are_refused_before_they_are_read(
    post: Post, stage: Stage, tmp_path: Path
) -> None:
    for number in range(3):
        problem(post(DEFENSE, bytes([number])), 422, "invalid-file")
    answer = post(DEFENSE, files(tmp_path, 1)[0])
    (violation,) = problem(answer, 429, "quota-invalid")["violations"]
    assert (violation["place"], violation["found"]) == ("invalid files, today", "3")
    assert 0 < int(answer.headers["retry-after"]) <= 86_400
    assert stage.submissions() == 0


def test_a_file_that_is_too_large_counts_as_invalid(
    post: Post, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = catalog.board(BOARD)
    limits = board.limits.model_copy(update={"defense_bytes": 1000})
    monkeypatch.setitem(catalog.boards(), BOARD, board.model_copy(update={"limits": limits}))
    problem(post(DEFENSE, bytes(1001)), 413, "too-large")
    with stage.sessions.reading() as session:
        row = session.query(RefusedUpload).one()
        assert (row.board_id, row.codes) == (None, ["size"])
        assert 1001 < row.size < 3000  # the whole form, as announced


def test_a_file_for_which_there_is_no_room_is_refused(
    post: Post, stage: Stage, tmp_path: Path
) -> None:
    large = defense_file(tmp_path, hidden=512).read_bytes()
    assert len(large) > 100_000
    answer = post(DEFENSE, large)
    (violation,) = problem(answer, 403, "quota-bytes")["violations"]
    assert violation["found"] == f"0 bytes stored and {len(large)} more"
    assert violation["allowed"] == "100000 bytes"
    assert "retry-after" not in answer.headers
    assert stage.submissions() == 0


def test_an_upload_that_the_blob_store_spoiled_costs_nothing(
    post: Post, client: httpx.Client, stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise BlobsAway("the blob store does not answer")

    content = files(tmp_path, 1)[0]
    with monkeypatch.context() as broken:
        broken.setattr(Blobs, "put_file", away)
        problem(post(DEFENSE, content), 503, "unavailable")
    told = client.get(QUOTA, headers=stage.bearer()).json()
    assert {board["used"] for board in told["boards"]} == {0}
    assert (told["invalid"]["used"], told["stored_bytes"]["used"]) == (0, 0)
    assert post(DEFENSE, content).status_code == 202


def test_a_user_sees_what_is_used_of_each_board(
    post: Post, client: httpx.Client, stage: Stage, tmp_path: Path
) -> None:
    content = files(tmp_path, 1)[0]
    post(DEFENSE, content)
    told = client.get(QUOTA, headers=stage.bearer()).json()
    boards = {board.pop("board"): board for board in told["boards"]}
    assert boards[BOARD] == {"used": 1, "limit": 2, "left": 1}
    assert {board["used"] for name, board in boards.items() if name != BOARD} == {0}
    assert told["stored_bytes"]["used"] == len(content)
    assert not told["exempt"]
    assert datetime.fromisoformat(told["frees_at"]) - datetime.fromisoformat(told["day"]) == (
        timedelta(days=1)
    )


def test_an_admin_is_exempt(post: Post, client: httpx.Client, stage: Stage, tmp_path: Path) -> None:
    for content in files(tmp_path, 3):
        answer = post(DEFENSE, content, user="admin")
        assert answer.status_code == 202
        assert "ratelimit" not in answer.headers
    told = client.get(QUOTA, headers=stage.bearer("admin")).json()
    assert told["exempt"]


def test_a_quota_needs_a_token(client: httpx.Client) -> None:
    problem(client.get(QUOTA), 401, "token")


def test_a_rejected_file_that_is_gone_answers_410(client: httpx.Client, stage: Stage) -> None:
    entry = stage.entry("attack", "A", state="rejected", file_removed_at=datetime.now(UTC))
    with stage.sessions.reading() as session:
        assert session.get_one(Submission, entry).state == "rejected"
    body = problem(
        client.get(f"{SUBMISSIONS}/{entry}/artefact", headers=stage.bearer()), 410, "gone"
    )
    assert "rejected" in body["message"]
