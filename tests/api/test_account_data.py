"""What is kept of a user, for that user; the end of it; and what admins do about accounts."""

from __future__ import annotations

import httpx
import pytest

from grbcore.store.accounts import people
from grbcore.store.session import now
from grbcore.store.tables import RefusedUpload, UploadRow
from tests.api.browsing import PASSWORD, Browser, give_password
from tests.api.stage import BOARD, Stage, places, problem


@pytest.fixture
def ann(server: str, stage: Stage) -> Browser:
    """A browser in which ann is signed in."""
    give_password(stage)
    browser = Browser(server)
    assert browser.sign_in().status_code == 200
    return browser


def uploaded(stage: Stage) -> tuple[str, str]:
    """A file of ann's that was refused, and one that is on its way; their ids."""
    at = now()
    with stage.sessions.writing() as session:
        owner = people.by_name(session, "ann")
        assert owner is not None
        refused = RefusedUpload(user_id=owner.id, codes=["zip"], size=9, refused_at=at)
        upload = UploadRow(user_id=owner.id, board_id=BOARD, side="defense", fields={})
        upload.size, upload.place, upload.created_at, upload.expires_at = 9, "x", at, at
        session.add_all([refused, upload])
        session.flush()
        return refused.id, upload.id


def test_an_export_holds_what_is_kept_and_no_secret(ann: Browser, stage: Stage) -> None:
    mine, other = stage.entry("defense", "Ann's"), stage.entry("defense", "Bob's", user="bob")
    refused, upload = uploaded(stage)
    token = ann.post("/me/tokens", {"name": "laptop", "scopes": ["read"]}).json()["token"]
    answer = ann.get("/me/export")
    found = answer.json()
    assert answer.headers["content-disposition"] == 'attachment; filename="account.json"'
    assert found["account"]["name"] == "ann"
    assert [one["id"] for one in found["submissions"]] == [mine]
    assert [one["id"] for one in found["uploads"]] == [upload]
    assert [one["id"] for one in found["refused_uploads"]] == [refused]
    assert [one["agent"] for one in found["sessions"]] == ["Firefox 150"]
    assert "laptop" in [one["name"] for one in found["tokens"]]
    assert "session.begin" in [one["action"] for one in found["audit"]]
    secrets = (token, "$argon2", *ann.client.cookies.values(), other)
    assert not any(secret in answer.text for secret in secrets)
    assert "digest" not in answer.text and "hash" not in answer.text


def test_a_deleted_account_leaves_its_rank_and_no_name(
    ann: Browser, stage: Stage, client: httpx.Client
) -> None:
    entry = stage.entry("defense", "Ann's", team="Ann's team")
    stage.entry("attack", "waits", state="received")
    gone = {"name": "ann", "password": PASSWORD}
    answer = ann.post("/me/account/delete", {**gone, "name": "bob"})
    assert places(problem(answer, 422, "invalid-fields")) == {"body/name"}
    answer = ann.post("/me/account/delete", {**gone, "password": "not the planted one"})
    assert places(problem(answer, 422, "invalid-fields")) == {"body/password"}
    assert "planted" not in answer.text
    assert ann.post("/me/account/delete", gone).status_code == 204
    assert ann.who is None
    problem(ann.sign_in(), 401, "sign-in")
    problem(client.get("/api/v1/whoami", headers=stage.bearer("ann")), 401, "token")
    shown = client.get(f"/api/v1/submissions/{entry}")
    body = shown.json()
    assert (body["name"], body["authors"]) == ("(anonymous)", "(deleted account)")
    assert (body["submitter"], body["state"]) == ("(deleted account)", "ranked")
    assert "Ann" not in shown.text
    listed = client.get("/api/v1/submissions").text
    assert "Ann" not in listed and "(deleted)" in listed


def test_a_token_deletes_no_account(client: httpx.Client, stage: Stage) -> None:
    body = {"name": "ann"}
    answer = client.post("/api/v1/me/account/delete", json=body, headers=stage.bearer())
    problem(answer, 403, "session-needed")


# Admins


def test_admins_see_accounts_part_by_part(client: httpx.Client, stage: Stage) -> None:
    give_password(stage)
    admin = {"headers": stage.bearer("admin")}
    first = client.get("/api/v1/admin/users?limit=2", **admin).json()
    rest = client.get(f"/api/v1/admin/users?limit=2&cursor={first['next']}", **admin).json()
    assert (len(first["users"]), len(rest["users"]), rest["next"]) == (2, 1, None)
    found = {one["name"]: one for one in first["users"] + rest["users"]}
    assert {name: one["has_password"] for name, one in found.items()} == {
        "admin": False, "ann": True, "bob": False
    }  # fmt: skip
    problem(client.get("/api/v1/admin/users", headers=stage.bearer()), 403, "not-admin")


def test_an_admin_stops_an_account_and_lets_it_go_on(
    client: httpx.Client, stage: Stage, ann: Browser
) -> None:
    with stage.sessions.reading() as session:
        owner = people.by_name(session, "ann")
        admin = people.by_name(session, "admin")
    assert owner is not None and admin is not None
    by = {"headers": stage.bearer("admin"), "json": {"reason": "spam"}}
    path = "/api/v1/admin/users"
    answer = client.post(f"{path}/{owner.id}/suspend", **by)
    assert answer.status_code == 200 and answer.json()["suspended_at"]
    assert ann.who is None
    problem(ann.sign_in(), 403, "suspended")
    assert client.post(f"{path}/{owner.id}/unsuspend", **by).json()["suspended_at"] is None
    assert ann.sign_in().status_code == 200
    problem(client.post(f"{path}/{admin.id}/suspend", **by), 409, "last-admin")
    problem(client.post(f"{path}/nobody/suspend", **by), 404, "user-unknown")
