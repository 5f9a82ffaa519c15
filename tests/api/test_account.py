"""What a user does with their own account: password, sessions, tokens."""

from __future__ import annotations

from datetime import timedelta

import httpx
import pytest
from sqlalchemy import select, update

from api.routes import account
from grbcore.store import tokens
from grbcore.store.accounts import closing, passwords, people
from grbcore.store.session import now
from grbcore.store.tables import AuditRow, SessionRow, Token
from tests.api.browsing import PASSWORD, Browser, give_password
from tests.api.stage import Stage, places, problem

NEW = "another horse battery"


@pytest.fixture
def ann(server: str, stage: Stage) -> Browser:
    """A browser in which ann is signed in."""
    give_password(stage)
    browser = Browser(server)
    assert browser.sign_in().status_code == 200
    return browser


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def made(browser: Browser, *scopes: str, days: int | None = None) -> dict[str, str]:
    """A token of these scopes, as it was shown."""
    wanted = {"name": "laptop", "scopes": scopes, "expires_in_days": days}
    answer = browser.post("/me/tokens", wanted)
    assert answer.status_code == 201, answer.text
    shown: dict[str, str] = answer.json()
    return shown


# Tokens


def test_a_token_is_shown_once_and_listed_without_itself(ann: Browser) -> None:
    shown = made(ann, "read", "submit", days=30)
    assert shown["token"].startswith("grb_")
    answer = ann.get("/me/tokens")
    first = answer.json()["tokens"][0]
    assert (first["name"], first["scopes"]) == ("laptop", ["read", "submit"])
    assert first["expires_at"] > first["created_at"] and first["last_used_at"] is None
    assert shown["token"] not in answer.text


def test_a_token_does_what_its_scopes_say_and_no_more(ann: Browser, client: httpx.Client) -> None:
    submit = bearer(made(ann, "submit")["token"])
    read = bearer(made(ann, "read")["token"])
    assert client.get("/api/v1/whoami", headers=read).json()["scopes"] == ["read"]
    problem(client.get("/api/v1/whoami", headers=submit), 403, "scope")
    problem(client.post("/api/v1/submissions", headers=read), 403, "scope")
    problem(client.post("/api/v1/submissions", headers=submit), 415, "media-type")
    problem(client.delete("/api/v1/me/notifications", headers=read), 403, "scope")
    problem(client.get("/api/v1/admin/audit", headers=read), 403, "not-admin")


def test_a_token_of_an_admin_without_the_scope_is_no_admins(
    stage: Stage, client: httpx.Client
) -> None:
    with stage.sessions.writing() as session:
        token = tokens.issue(session, "admin", scopes=["read", "manage"], now=now())
    entry = stage.entry("defense", "Ann's")
    problem(client.get("/api/v1/admin/audit", headers=bearer(token)), 403, "scope")
    withdraw = f"/api/v1/submissions/{entry}/withdraw"
    problem(client.post(withdraw, headers=bearer(token)), 403, "not-yours")
    assert client.get("/api/v1/whoami", headers=bearer(token)).json()["role"] == "user"
    assert client.post(withdraw, headers=stage.bearer("admin")).status_code == 200


def test_a_token_that_has_run_out_is_401(ann: Browser, client: httpx.Client, stage: Stage) -> None:
    shown = made(ann, "read", days=1)
    with stage.sessions.writing() as session:
        row = session.get_one(Token, shown["id"])
        row.expires_at = now() - timedelta(seconds=1)
    problem(client.get("/api/v1/whoami", headers=bearer(shown["token"])), 401, "token")


def test_a_revoked_token_ends_at_once_and_only_ones_own_is(
    ann: Browser, client: httpx.Client, stage: Stage
) -> None:
    shown = made(ann, "read")
    path = f"/me/tokens/{shown['id']}"
    problem(client.delete(f"/api/v1{path}", headers=stage.bearer("bob")), 404, "token-unknown")
    assert ann.send("DELETE", path).status_code == 204
    problem(ann.send("DELETE", path), 404, "token-unknown")
    problem(ann.send("DELETE", "/me/tokens/x"), 404, "token-unknown")
    problem(client.get("/api/v1/whoami", headers=bearer(shown["token"])), 401, "token")


def test_a_token_makes_no_token_and_changes_no_password(client: httpx.Client, stage: Stage) -> None:
    mine = {"headers": stage.bearer("ann")}
    body = {"name": "x", "scopes": ["read"]}
    problem(client.post("/api/v1/me/tokens", json=body, **mine), 403, "session-needed")
    body = {"new": NEW}
    problem(client.put("/api/v1/me/password", json=body, **mine), 403, "session-needed")


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"name": "x", "scopes": []}, "body/scopes"),
        ({"name": "x", "scopes": ["fly"]}, "body/scopes/0"),
        ({"name": "x", "scopes": ["admin"]}, "body/scopes"),
        ({"name": " ", "scopes": ["read"]}, "body/name"),
        ({"name": "a\nb", "scopes": ["read"]}, "body/name"),
        ({"name": "x", "scopes": ["read"], "expires_in_days": 0}, "body/expires_in_days"),
        ({"name": "x", "scopes": ["read"], "expires_in_days": 400}, "body/expires_in_days"),
    ],
)
def test_a_token_that_can_not_be_is_refused(ann: Browser, body: dict, place: str) -> None:
    assert places(problem(ann.post("/me/tokens", body), 422, "invalid-fields")) == {place}


def test_there_is_an_end_to_tokens(ann: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(account, "MOST_TOKENS", 3)  # of which `stage` made one
    made(ann, "read")
    made(ann, "read")
    problem(ann.post("/me/tokens", {"name": "x", "scopes": ["read"]}), 409, "too-many-tokens")


def test_that_a_token_was_used_is_noted_to_some_minutes(
    ann: Browser, client: httpx.Client, stage: Stage
) -> None:
    shown = made(ann, "read")
    for _ in range(2):
        client.get("/api/v1/whoami", headers=bearer(shown["token"]))
    with stage.sessions.reading() as session:
        used = session.get_one(Token, shown["id"]).last_used_at
    assert used is not None
    client.get("/api/v1/whoami", headers=bearer(shown["token"]))
    with stage.sessions.reading() as session:
        assert session.get_one(Token, shown["id"]).last_used_at == used


# Sessions


def test_sessions_are_listed_and_ended(ann: Browser, server: str) -> None:
    phone = Browser(server, agent="Phone")
    phone.sign_in()
    listed = phone.get("/me/sessions").json()["sessions"]
    assert {(one["agent"], one["current"]) for one in listed} == {
        ("Phone", True),
        ("Firefox 150", False),
    }
    (other,) = [one["id"] for one in listed if not one["current"]]
    assert phone.send("DELETE", f"/me/sessions/{other}").status_code == 204
    problem(phone.send("DELETE", f"/me/sessions/{other}"), 404, "session-unknown")
    assert (ann.who, phone.who) == (None, "ann")


def test_nobody_ends_the_session_of_another(
    ann: Browser, client: httpx.Client, stage: Stage
) -> None:
    (mine,) = ann.get("/me/sessions").json()["sessions"]
    path = f"/api/v1/me/sessions/{mine['id']}"
    problem(client.delete(path, headers=stage.bearer("bob")), 404, "session-unknown")
    assert ann.who == "ann"


def test_all_other_sessions_end_at_once(ann: Browser, server: str) -> None:
    others = [Browser(server) for _ in range(2)]
    for browser in others:
        browser.sign_in()
    assert ann.send("DELETE", "/me/sessions").json() == {"ended": 2}
    assert [browser.who for browser in (ann, *others)] == ["ann", None, None]


# Password


def test_another_password_ends_other_sessions_and_renews_this_one(
    ann: Browser, server: str
) -> None:
    other = Browser(server)
    other.sign_in()
    before = dict(ann.client.cookies)
    answer = ann.send("PUT", "/me/password", {"current": PASSWORD, "new": NEW})
    assert answer.status_code == 200
    assert (ann.who, other.who) == ("ann", None)
    assert dict(ann.client.cookies) != before
    problem(httpx.get(f"{server}/api/v1/whoami", cookies=before), 401, "token")
    problem(other.sign_in(), 401, "sign-in")
    assert other.sign_in(password=NEW).status_code == 200


@pytest.mark.parametrize(
    ("current", "new", "place"),
    [
        (None, NEW, "body/current"),
        ("not the planted one", NEW, "body/current"),
        (PASSWORD, "short", "body/new"),
    ],
)
def test_a_password_is_not_changed_without_the_old_and_a_good_one(
    ann: Browser, current: str | None, new: str, place: str
) -> None:
    answer = ann.send("PUT", "/me/password", {"current": current, "new": new})
    assert places(problem(answer, 422, "invalid-fields")) == {place}
    assert "planted" not in answer.text


def test_a_session_does_not_help_to_guess_the_password(ann: Browser) -> None:
    body = {"current": "a wrong password", "new": NEW}
    found = [ann.send("PUT", "/me/password", body).status_code for _ in range(9)]
    assert found == [422] * 8 + [429]


def test_who_has_no_password_sets_one_soon_after_signing_in(ann: Browser, stage: Stage) -> None:
    """As somebody does who signs in elsewhere."""
    with stage.sessions.writing() as session:
        owner = people.by_name(session, "ann")
        assert owner is not None
        owner.password_hash = None
        early = now() - timedelta(minutes=16)
        session.execute(update(SessionRow).values(created_at=early))
    problem(ann.send("PUT", "/me/password", {"new": NEW}), 403, "sign-in-again")
    with stage.sessions.writing() as session:
        session.execute(update(SessionRow).values(created_at=now()))
    assert ann.send("PUT", "/me/password", {"new": NEW}).status_code == 200


@pytest.mark.parametrize("end", ["suspend", "close"])
def test_an_account_that_is_stopped_meanwhile_gets_no_password_and_no_session(
    ann: Browser, stage: Stage, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    hashed = passwords.hashed

    def slowly(password: str) -> str:
        with stage.sessions.writing() as session:
            owner = people.by_name(session, "ann")
            assert owner is not None
            if end == "suspend":
                people.suspend(session, owner, user_id=None, via="cli", reason=None, now=now())
            else:
                closing.close(session, owner.id, user_id=None, via="cli", now=now())
        return hashed(password)

    monkeypatch.setattr(passwords, "hashed", slowly)
    answer = ann.send("PUT", "/me/password", {"current": PASSWORD, "new": NEW})
    problem(answer, 409, "suspended")
    with stage.sessions.reading() as session:
        assert session.scalars(select(SessionRow)).all() == []


def test_what_concerns_security_is_on_record_without_a_secret(ann: Browser, stage: Stage) -> None:
    shown = made(ann, "read", "submit")
    ann.send("DELETE", f"/me/tokens/{shown['id']}")
    ann.send("PUT", "/me/password", {"current": PASSWORD, "new": NEW})
    with stage.sessions.reading() as session:
        rows = session.execute(select(AuditRow.__table__).order_by(AuditRow.id)).all()
    assert [row.action for row in rows] == [
        "password.change",  # as the operator set it
        "session.begin",
        "token.make",
        "token.revoke",
        "password.change",
        "session.begin",
    ]
    written = "".join(map(str, rows))
    assert not any(secret in written for secret in (PASSWORD, NEW, shown["token"], "ann"))
