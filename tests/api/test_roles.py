"""POST /admin/users/{id}/role: who is an admin, and what that does to sessions and tokens."""

from __future__ import annotations

import httpx
import pytest

from grbcore.store import audit
from tests.api.browsing import PASSWORD, Browser, give_password
from tests.api.stage import Stage, places, problem

LOG = "/admin/audit"


@pytest.fixture
def admin(server: str, stage: Stage) -> Browser:
    """A browser in which the admin is signed in; ann has a password too."""
    give_password(stage, "admin")
    give_password(stage)
    browser = Browser(server)
    assert browser.sign_in("admin").status_code == 200
    return browser


def user_of(admin: Browser, name: str = "ann") -> str:
    found: str = admin.get("/admin/users", params={"name": name}).json()["users"][0]["id"]
    return found


def give(admin: Browser, role: str, user: str = "", **more: str) -> httpx.Response:
    asked = {"role": role, "reason": f"made {role}", "password": PASSWORD, **more}
    return admin.post(f"/admin/users/{user or user_of(admin)}/role", asked)


def test_an_admin_makes_another_whose_sessions_end_and_whose_tokens_gain_nothing(
    admin: Browser, server: str, client: httpx.Client, stage: Stage
) -> None:
    ann = Browser(server)
    ann.sign_in()
    answer = give(admin, "admin")
    assert (answer.status_code, answer.json()["role"]) == (200, "admin"), answer.text
    assert ann.who is None
    problem(client.get(f"/api/v1{LOG}", headers=stage.bearer("ann")), 403, "scope")
    ann.sign_in()
    assert ann.get(LOG).status_code == 200
    with stage.sessions.reading() as session:
        rows = audit.entries(session, subject_id=user_of(admin), action="role.", limit=9)
        said = [(row.user.name, row.reason, row.details) for row in rows if row.user]
    assert said == [("admin", "made admin", {"role": "admin"})]


def test_who_is_no_admin_any_more_loses_it_for_good(
    admin: Browser, server: str, client: httpx.Client, stage: Stage
) -> None:
    give(admin, "admin")
    ann = Browser(server)
    ann.sign_in()
    tokens = []
    for scopes in (["read", "admin"], ["admin"]):
        wanted = {"name": "t", "scopes": scopes, "expires_in_days": None}
        shown = ann.post("/me/tokens", wanted).json()["token"]
        tokens.append({"Authorization": f"Bearer {shown}"})
    assert client.get(f"/api/v1{LOG}", headers=tokens[0]).status_code == 200
    assert give(admin, "user").json()["role"] == "user"
    assert ann.who is None
    give(admin, "admin")  # and again: what the tokens lost does not come back
    problem(client.get(f"/api/v1{LOG}", headers=tokens[0]), 403, "scope")
    problem(client.get(f"/api/v1{LOG}", headers=tokens[1]), 401, "token")


def test_nobody_changes_their_own_role(admin: Browser) -> None:
    problem(give(admin, "user", user_of(admin, "admin")), 409, "own-role")
    assert admin.get(LOG).status_code == 200


def test_a_role_takes_the_password_of_who_gives_it(admin: Browser) -> None:
    for password in ("", "another password"):
        answer = problem(give(admin, "admin", password=password), 422, "invalid-fields")
        assert places(answer) == {"body/password"}
    assert problem(give(admin, "owner"), 422, "invalid-fields")["violations"]


def test_a_token_gives_no_role(client: httpx.Client, admin: Browser, stage: Stage) -> None:
    url = f"/api/v1/admin/users/{user_of(admin)}/role"
    body = {"role": "admin", "reason": "r"}
    answer = client.post(url, json=body, headers=stage.bearer("admin"))
    problem(answer, 403, "session-needed")
