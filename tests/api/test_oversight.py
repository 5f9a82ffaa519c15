"""What admins look through by REST."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.api.stage import BOARD, DEFENSE, Stage, defense_file, problem

ADMIN = "/api/v1/admin"
LISTS = ("users", "uploads", "entries")
Get = Callable[..., Any]


@pytest.fixture
def get(client: httpx.Client, stage: Stage) -> Get:
    """Reads a list as an admin."""

    def read(path: str, **query: str | int) -> Any:
        answer = client.get(f"{ADMIN}/{path}", params=query, headers=stage.bearer("admin"))
        assert answer.status_code == 200, answer.text
        return answer.json()

    return read


@pytest.fixture
def patch(client: httpx.Client, stage: Stage) -> Callable[..., httpx.Response]:
    def change(user: str, body: dict[str, Any], by: str = "admin") -> httpx.Response:
        return client.patch(f"{ADMIN}/users/{user}", json=body, headers=stage.bearer(by))

    return change


@pytest.mark.parametrize("path", LISTS)
def test_only_admins_look(client: httpx.Client, stage: Stage, path: str) -> None:
    problem(client.get(f"{ADMIN}/{path}"), 401, "token")
    problem(client.get(f"{ADMIN}/{path}", headers=stage.bearer()), 403, "not-admin")


def test_users_are_listed_with_their_quotas(post, get: Get, tmp_path: Path) -> None:
    post(DEFENSE, defense_file(tmp_path))
    users = {user["name"]: user for user in get("users")["users"]}
    assert {"ann", "bob", "admin"} <= users.keys()
    ann = users["ann"]
    assert (ann["entries"], ann["role"], ann["suspended"]) == (1, "user", False)
    assert ann["quota"]["boards"] == [{"board": BOARD, "used": 1, "limit": 20, "left": 19}]
    assert ann["quota_per_day"] is None
    assert users["bob"]["last_upload_at"] is None and users["admin"]["quota"]["exempt"]
    assert [user["name"] for user in get("users", name="AN")["users"]] == ["ann"]


def test_lists_are_paged(get: Get, stage: Stage) -> None:
    for number in range(3):
        stage.entry("attack", f"A{number}")
    for path, wanted in (("users", 3), ("entries", 3)):
        seen: list[str] = []
        cursor: dict[str, str] = {}
        while True:
            page = get(path, limit=2, **cursor)
            assert len(page[path]) <= 2
            seen += [row["id"] for row in page[path]]
            if page["next"] is None:
                break
            cursor = {"cursor": page["next"]}
        assert len(seen) == len(set(seen)) >= wanted
        assert seen == sorted(seen, reverse=True)


def test_refused_and_rejected_uploads_are_listed_with_their_codes(
    post, get: Get, stage: Stage
) -> None:
    fault = {"code": "finite", "place": "w", "found": "nan", "allowed": "finite weights"}
    at = datetime.now(UTC)
    entry = stage.entry("defense", "D", state="rejected", violations=[fault], validated_at=at)
    problem(post(DEFENSE, b"no weights"), 422, "invalid-file")
    found = {upload["stage"]: upload for upload in get("uploads")["uploads"]}
    assert (found["header"]["codes"], found["header"]["bytes"]) == (["format"], 10)
    assert (found["header"]["user"], found["header"]["board"]) == ("ann", BOARD)
    assert (found["content"]["id"], found["content"]["codes"]) == (entry, ["finite"])
    assert found["content"]["url"] == f"/submissions/{entry}"
    assert get("uploads", user=found["header"]["user_id"])["uploads"]
    problem_board = get("uploads", board="digits/modification@1")
    assert problem_board == {"uploads": [], "next": None}


def test_entries_are_listed_with_what_marks_hide_from_others(get: Get, stage: Stage) -> None:
    hidden = stage.entry("attack", "Hidden", hidden_at=datetime.now(UTC))
    stage.entry("defense", "Shown")
    (row,) = get("entries", mark="hidden")["entries"]
    assert (row["id"], row["name"], row["user"]) == (hidden, "Hidden", "ann")
    assert [one["name"] for one in get("entries", side="defense")["entries"]] == ["Shown"]
    assert get("entries", state="failed")["entries"] == []


def test_an_admin_allows_a_user_more(
    patch: Callable[..., httpx.Response], get: Get, client: httpx.Client, stage: Stage
) -> None:
    (ann,) = get("users", name="ann")["users"]
    answer = patch(ann["id"], {"quota_per_day": 50, "reason": "a workshop"})
    assert answer.status_code == 200
    assert answer.json()["quota_per_day"] == 50
    told = client.get("/api/v1/me/quota", headers=stage.bearer()).json()
    assert {board["limit"] for board in told["boards"]} == {50}
    (line,) = get("audit", subject_kind="user")["entries"]
    assert (line["action"], line["reason"]) == ("user.quota", "a workshop")


def test_an_admin_has_a_users_day_begin_anew(
    post, patch: Callable[..., httpx.Response], get: Get, tmp_path: Path
) -> None:
    post(DEFENSE, defense_file(tmp_path))
    (ann,) = get("users", name="ann")["users"]
    body = patch(ann["id"], {"reset": True, "reason": "our fault"}).json()
    assert body["quota"]["boards"] == []
    assert body["quota_reset_at"] is not None


def test_a_change_needs_a_reason_an_admin_and_a_user(
    patch: Callable[..., httpx.Response], get: Get
) -> None:
    (ann,) = get("users", name="ann")["users"]
    problem(patch(ann["id"], {"quota_per_day": 5}), 422, "invalid-fields")
    problem(patch(ann["id"], {"quota_per_day": -5, "reason": "x"}), 422, "invalid-fields")
    problem(patch(ann["id"], {"reset": True, "reason": "x"}, by="ann"), 403, "not-admin")
    for unknown in ("0" * 26, "nobody"):
        problem(patch(unknown, {"reset": True, "reason": "x"}), 404, "user-unknown")
