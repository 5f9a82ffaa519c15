"""Signing up, in and out, and setting a password anew."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from grbcore.settings import Settings
from grbcore.store.accounts import passwords, people, throttle
from grbcore.store.session import now
from grbcore.store.tables import AuditRow, SessionRow
from tests.api.browsing import PASSWORD, Browser, give_password, link, mailing, text_of
from tests.api.stage import Stage, places, problem, serve


@pytest.fixture
def browser(server: str, stage: Stage) -> Browser:
    """At a service where ann has a password and nobody can sign up."""
    give_password(stage)
    return Browser(server)


@pytest.fixture
def opened(stage: Stage) -> Iterator[str]:
    """A service where anybody can sign up."""
    with serve(stage.settings.model_copy(update={"sign_up": "open"})) as address:
        yield address


def wait_for(condition: Any, seconds: float = 10) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


# Signing in and out


def test_who_signs_in_is_known_until_they_sign_out(browser: Browser) -> None:
    assert browser.who is None
    answer = browser.sign_in()
    assert answer.status_code == 200
    assert (answer.json()["name"], answer.json()["role"]) == ("ann", "user")
    assert browser.who == "ann"
    assert browser.get("/whoami").json()["scopes"] == ["read", "submit", "manage"]
    assert browser.post("/auth/sign-out").status_code == 204
    assert browser.who is None


def test_signing_out_ends_the_session_also_for_a_copied_cookie(browser: Browser) -> None:
    browser.sign_in()
    cookies = dict(browser.client.cookies)
    browser.post("/auth/sign-out")
    problem(httpx.get(browser.client.base_url.join("whoami"), cookies=cookies), 401, "token")


def test_the_cookie_is_out_of_the_reach_of_scripts_and_of_other_sites(browser: Browser) -> None:
    answer = browser.sign_in()
    (cookie,) = answer.headers.get_list("set-cookie")
    assert cookie.startswith("grb-session=")
    assert {"HttpOnly", "Path=/", "SameSite=lax"} <= set(cookie.split("; "))
    assert "Domain" not in cookie
    assert answer.headers["cache-control"] == "no-store"


def test_behind_tls_the_cookie_is_of_this_host_alone(stage: Stage) -> None:
    give_password(stage)
    settings = stage.settings.model_copy(update={"public_url": "https://board.org"})
    with serve(settings) as address:
        answer = Browser(address).sign_in()
    (cookie,) = answer.headers.get_list("set-cookie")
    assert cookie.startswith("__Host-grb=")
    assert {"HttpOnly", "Path=/", "SameSite=lax", "Secure"} <= set(cookie.split("; "))
    assert "Domain" not in cookie


def test_each_sign_in_has_a_session_of_its_own_and_ends_the_one_before(
    browser: Browser, server: str, stage: Stage
) -> None:
    browser.sign_in()
    first = dict(browser.client.cookies)
    browser.sign_in()
    assert dict(browser.client.cookies) != first
    problem(httpx.get(f"{server}/api/v1/whoami", cookies=first), 401, "token")
    with stage.sessions.reading() as session:
        assert len(session.scalars(select(SessionRow)).all()) == 1


def test_a_cookie_that_was_planted_is_not_taken_up(browser: Browser) -> None:
    browser.client.cookies.set("grb-session", "planted", "127.0.0.1", "/")
    browser.sign_in()
    assert "planted" not in browser.client.cookies.values()


@pytest.mark.parametrize(
    ("name", "password"),
    [("ann", "another horse battery"), ("nobody", PASSWORD), ("bob", PASSWORD), ("", "")],
)
def test_a_wrong_name_and_a_wrong_password_are_told_alike(
    browser: Browser, name: str, password: str
) -> None:
    """bob has no password."""
    body = problem(browser.sign_in(name, password), 401, "sign-in")
    assert body["message"].startswith("sign in: found another name or password")


def test_a_wrong_name_costs_the_same_computation_as_a_wrong_password(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[str] = []
    verify = passwords._HASHER.verify

    def counted(kept: str, password: bytes) -> bool:
        compared.append(kept.rpartition("$")[0].rpartition("$")[0])  # the parameters
        return verify(kept, password)

    monkeypatch.setattr(passwords, "_HASHER", SimpleNamespace(verify=counted))
    for name in ("ann", "bob", "nobody"):
        assert browser.sign_in(name, "another horse battery").status_code == 401
    assert len(compared) == 3 and len(set(compared)) == 1


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": "ann"},
        {"name": "ann", "password": ["planted secret"]},
        {"name": "ann", "password": "planted secret", "more": "planted secret"},
        {"name": "ann", "passwort": "planted secret"},
        "planted secret",
        {"name": "ann", "password": "planted secret" * 30},
    ],
)
def test_an_error_never_repeats_what_may_be_a_password(browser: Browser, body: Any) -> None:
    answer = browser.post("/auth/sign-in", body)
    problem(answer, 422, "invalid-fields")
    assert "planted" not in answer.text


@pytest.mark.parametrize("text", ["\x00", "\ud800", "a\x00b", "ü" * 80])
def test_odd_texts_are_no_name_and_no_password(browser: Browser, text: str) -> None:
    body = json.dumps({"name": text, "password": text}).encode()
    headers = {"Content-Type": "application/json"}
    answer = browser.client.post("/auth/sign-in", content=body, headers=headers)
    assert answer.status_code in (401, 422)


def test_after_eight_wrong_passwords_even_the_right_one_waits(
    browser: Browser, stage: Stage
) -> None:
    for _ in range(8):
        assert browser.sign_in(password="another horse battery").status_code == 401
    answer = browser.sign_in()
    problem(answer, 429, "throttled")
    assert 0 < int(answer.headers["retry-after"]) <= 900
    with stage.sessions.reading() as session:
        actions = session.scalars(select(AuditRow.action)).all()
        owner = people.by_name(session, "ann")
        row = session.scalars(select(AuditRow).where(AuditRow.action == "throttle.sign-in")).one()
    assert actions.count("throttle.sign-in") == 1
    assert owner is not None and row.subject_id == owner.id


def test_failures_before_a_success_are_on_record(browser: Browser, stage: Stage) -> None:
    for _ in range(3):
        browser.sign_in(password="another horse battery")
    browser.sign_in()
    with stage.sessions.reading() as session:
        row = session.scalars(select(AuditRow).where(AuditRow.action == "session.begin")).one()
    assert row.details == {"failures_before": 3}


def test_a_suspended_user_is_told_so_only_by_the_right_password(
    browser: Browser, stage: Stage
) -> None:
    browser.sign_in()
    with stage.sessions.writing() as session:
        owner = people.by_name(session, "ann")
        assert owner is not None
        people.suspend(session, owner, user_id=None, via="cli", reason=None, now=now())
    assert browser.who is None
    problem(browser.sign_in(password="another horse battery"), 401, "sign-in")
    problem(browser.sign_in(), 403, "suspended")
    problem(browser.get("/whoami", headers=stage.bearer("ann")), 401, "token")


# What other sites send


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site", "Origin": "https://other.board.org"}, 403),
        ({"Origin": "https://evil.org"}, 403),
        ({"Origin": "null"}, 403),
        ({}, 200),
    ],
)
def test_another_site_can_sign_nobody_in(
    server: str, stage: Stage, headers: dict[str, str], status: int
) -> None:
    give_password(stage)
    body = {"name": "ann", "password": PASSWORD}
    answer = httpx.post(f"{server}/api/v1/auth/sign-in", json=body, headers=headers)
    assert answer.status_code == status


def test_a_form_of_another_site_can_sign_nobody_in(server: str, stage: Stage) -> None:
    give_password(stage)
    text = b'{"name": "ann", "password": "correct horse battery"}'
    headers = {"Content-Type": "text/plain"}
    answer = httpx.post(f"{server}/api/v1/auth/sign-in", content=text, headers=headers)
    problem(answer, 422, "invalid-fields")


def test_our_own_page_is_known_by_its_address_where_a_browser_says_no_more(
    server: str, stage: Stage
) -> None:
    give_password(stage)
    body = {"name": "ann", "password": PASSWORD}
    answer = httpx.post(f"{server}/api/v1/auth/sign-in", json=body, headers={"Origin": server})
    assert answer.status_code == 200


@pytest.mark.parametrize("token", ["", "another", "é"])
def test_a_cookie_alone_changes_nothing(browser: Browser, token: str) -> None:
    browser.sign_in()
    headers = {"X-CSRF-Token": token.encode()} if token else {}
    answer = browser.client.delete("/me/notifications", headers=headers)
    problem(answer, 403, "csrf")
    problem(browser.client.post("/auth/sign-out", headers=headers), 403, "csrf")
    assert browser.who == "ann"


def test_with_the_token_but_from_another_site_a_cookie_changes_nothing(browser: Browser) -> None:
    browser.sign_in()
    answer = browser.send("DELETE", "/me/notifications", **{"Sec-Fetch-Site": "cross-site"})
    problem(answer, 403, "cross-site")


def test_the_token_of_one_session_is_not_that_of_another(browser: Browser, server: str) -> None:
    browser.sign_in()
    other = Browser(server)
    other.sign_in()
    other.csrf = browser.csrf
    problem(other.send("DELETE", "/me/notifications"), 403, "csrf")


def test_a_signed_in_browser_uploads_as_a_token_does(browser: Browser, stage: Stage) -> None:
    browser.sign_in()
    answer = browser.post("/submissions")
    problem(answer, 415, "media-type")
    assert browser.send("DELETE", "/me/notifications").status_code == 200


def test_a_bearer_token_needs_no_csrf_token(client: httpx.Client, stage: Stage) -> None:
    answer = client.delete("/api/v1/me/notifications", headers=stage.bearer())
    assert answer.status_code == 200


# Signing up


def test_nobody_signs_up_unless_the_operator_lets_them(browser: Browser) -> None:
    assert browser.get("/auth").json()["sign_up"] == "closed"
    problem(browser.sign_up("eve"), 403, "sign-up-closed")


def test_who_signs_up_is_signed_in(opened: str) -> None:
    browser = Browser(opened)
    answer = browser.sign_up("eve")
    assert answer.status_code == 201
    assert browser.who == "eve"
    assert Browser(opened).sign_in("Eve").status_code == 200


def test_everything_that_is_wrong_with_a_new_account_is_told_at_once(opened: str) -> None:
    answer = Browser(opened).sign_up("Admin", "planted", email="no address")
    body = problem(answer, 422, "invalid-fields")
    assert places(body) == {"body/name", "body/password", "body/email"}
    assert "planted" not in answer.text


@pytest.mark.parametrize("name", ["ann", "admin", "cli:root"])
def test_a_name_that_is_taken_is_refused(opened: str, name: str) -> None:
    assert places(problem(Browser(opened).sign_up(name), 422, "invalid-fields")) == {"body/name"}


@pytest.mark.on_postgres
def test_two_who_want_the_same_name_at_once_do_not_both_get_it(opened: str) -> None:
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda _: Browser(opened).sign_up("eve").status_code, range(4)))
    assert sorted(found) == [201, 422, 422, 422]


def test_an_address_makes_so_many_accounts_and_no_more(
    opened: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = throttle.Rule("sign-up", 2, throttle.SIGN_UP.span)
    monkeypatch.setattr(throttle, "SIGN_UP", rule)
    found = [Browser(opened).sign_up(f"eve{number}").status_code for number in range(3)]
    assert found == [201, 201, 429]


def test_an_address_is_confirmed_before_the_first_sign_in_where_the_operator_asks_it(
    settings: Settings, stage: Stage
) -> None:
    with mailing(settings, sign_up="open", confirm_email=True) as (address, box):
        browser = Browser(address)
        assert places(problem(browser.sign_up("eve"), 422, "invalid-fields")) == {"body/email"}
        answer = browser.sign_up("eve", email="eve@lab.org")
        assert answer.json() == {"session": None, "confirm": "eve@lab.org"}
        wait_for(lambda: box.mails)
        assert "Somebody signed up as “eve”" in text_of(box)
        problem(browser.sign_in("eve"), 403, "unconfirmed")
        token = link(text_of(box))
        assert httpx.post(f"{address}/confirm-email?token={token}").status_code == 200
        assert browser.sign_in("eve").status_code == 200


def test_an_address_that_is_known_is_answered_as_any_other(
    settings: Settings, stage: Stage
) -> None:
    with mailing(settings, sign_up="open") as (address, box):
        first = Browser(address).sign_up("eve", email="eve@lab.org")
        wait_for(lambda: box.mails)
        httpx.post(f"{address}/confirm-email?token={link(text_of(box))}")
        second = Browser(address).sign_up("eva", email="eve@lab.org")
    assert first.status_code == second.status_code == 201
    assert first.json()["confirm"] == second.json()["confirm"]


# Another password by mail


def confirmed(stage: Stage, name: str = "ann", address: str = "ann@lab.org") -> None:
    give_password(stage, name)
    with stage.sessions.writing() as session:
        owner = people.by_name(session, name)
        assert owner is not None
        owner.email, owner.email_confirmed_at = address, now()


def test_a_link_in_a_mail_sets_another_password_once_and_ends_every_session(
    settings: Settings, stage: Stage
) -> None:
    confirmed(stage)
    with mailing(settings) as (address, box):
        browser = Browser(address)
        browser.sign_in()
        assert Browser(address).post("/auth/reset", {"email": "Ann@lab.org"}).status_code == 202
        wait_for(lambda: box.mails)
        text = text_of(box)
        assert "http://board.test/account/reset#" in text
        body = {"token": link(text), "password": "another horse battery"}
        weak = browser.post("/auth/reset/password", {**body, "password": "short"})
        assert places(problem(weak, 422, "invalid-fields")) == {"body/password"}
        assert browser.post("/auth/reset/password", body).status_code == 204
        assert browser.who is None
        problem(browser.post("/auth/reset/password", body), 404, "link-ended")
        problem(browser.sign_in(), 401, "sign-in")
        assert browser.sign_in(password="another horse battery").status_code == 200
        wait_for(lambda: len(box.mails) == 2)
    assert "The password was changed of your account “ann”" in text_of(box)


@pytest.mark.parametrize("address", ["nobody@lab.org", "bob@lab.org"])
def test_whether_an_address_is_known_is_not_told(
    settings: Settings, stage: Stage, address: str
) -> None:
    """bob's address is not confirmed."""
    confirmed(stage)
    confirmed(stage, "bob", "bob@lab.org")
    with stage.sessions.writing() as session:
        owner = people.by_name(session, "bob")
        assert owner is not None
        owner.email_confirmed_at = None
    with mailing(settings) as (server, box):
        known = Browser(server).post("/auth/reset", {"email": "ann@lab.org"})
        wait_for(lambda: box.mails)
        other = Browser(server).post("/auth/reset", {"email": address})
        time.sleep(0.3)
    assert (known.status_code, known.text) == (other.status_code, other.text)
    assert box.addressees == [["ann@lab.org"]]


def test_a_mailbox_gets_so_many_links_and_no_more(settings: Settings, stage: Stage) -> None:
    confirmed(stage)
    with mailing(settings) as (address, box):
        found = [
            Browser(address).post("/auth/reset", {"email": "ann@lab.org"}).status_code
            for _ in range(4)
        ]
        wait_for(lambda: box.mails)
        time.sleep(0.3)
    assert found == [202, 202, 202, 429]
    assert len(box.mails) == 1


def test_without_mail_nobody_resets(browser: Browser) -> None:
    problem(browser.post("/auth/reset", {"email": "ann@lab.org"}), 409, "mail-off")


def test_a_link_that_was_never_sent_sets_nothing(browser: Browser) -> None:
    body = {"token": "x" * 43, "password": "another horse battery"}
    problem(browser.post("/auth/reset/password", body), 404, "link-ended")
