"""The mail address of an account, which leads into it: who may set it, move it and end it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta

import httpx
import pytest
from sqlalchemy import update

from grbcore.settings import Settings
from grbcore.store.accounts import people
from grbcore.store.session import now
from grbcore.store.tables import Identity, SessionRow, User
from tests.api.browsing import PASSWORD, Browser, give_password, mailing
from tests.api.receivers import Mailbox, until
from tests.api.stage import Stage, places, problem

SETTINGS = "/me/notifications"


def ann(stage: Stage, change: Callable[[User], None] | None = None) -> User:
    """Ann, who has confirmed an address; ``change`` is stored too."""
    with stage.sessions.writing() as session:
        owner = people.by_name(session, "ann")
        assert owner is not None
        owner.email, owner.email_confirmed_at = "ann@lab.org", now()
        if change is not None:
            change(owner)
    return owner


def linked(stage: Stage) -> None:
    """Have ann sign in elsewhere."""
    at = now()
    row = Identity(issuer="https://lab.org", subject="1", label="ann", created_at=at, used_at=at)
    row.user_id = ann(stage).id
    with stage.sessions.writing() as session:
        session.add(row)


def forget_password(owner: User) -> None:
    owner.password_hash = None


def address_of(stage: Stage) -> str | None:
    with stage.sessions.reading() as session:
        owner = people.by_name(session, "ann")
        assert owner is not None
        return owner.email


@pytest.fixture
def mails(settings: Settings, stage: Stage) -> Iterator[tuple[str, Mailbox]]:
    ann(stage)
    with mailing(settings) as found:
        yield found


@pytest.mark.parametrize("way_in", [give_password, linked])
@pytest.mark.parametrize(
    ("method", "body"),
    [("PUT", {"email": "eve@lab.org"}), ("PUT", {"email": None}), ("DELETE", None)],
)
def test_a_token_neither_moves_nor_ends_an_address_that_leads_into_the_account(
    mails: tuple[str, Mailbox],
    stage: Stage,
    way_in: Callable[[Stage], None],
    method: str,
    body: dict[str, str | None] | None,
) -> None:
    way_in(stage)
    url = f"{mails[0]}/api/v1{SETTINGS}"
    answer = httpx.request(method, url, json=body, headers=stage.bearer())
    problem(answer, 403, "session-needed")
    assert address_of(stage) == "ann@lab.org"


def test_a_token_sets_and_ends_the_webhook_of_an_account_without_an_address(
    client: httpx.Client, stage: Stage
) -> None:
    give_password(stage)
    body = {"email": None, "webhook_url": None}
    mine = {"headers": stage.bearer()}
    assert client.put(f"/api/v1{SETTINGS}", json=body, **mine).status_code == 200
    assert client.delete(f"/api/v1{SETTINGS}", **mine).status_code == 200


@pytest.mark.parametrize("password", [None, "not the planted one"])
def test_a_session_alone_moves_no_address(
    mails: tuple[str, Mailbox], stage: Stage, password: str | None
) -> None:
    give_password(stage)
    browser = Browser(mails[0])
    browser.sign_in()
    answer = browser.send("PUT", SETTINGS, {"email": "eve@lab.org", "password": password})
    assert places(problem(answer, 422, "invalid-fields")) == {"body/password"}
    assert "planted" not in answer.text and address_of(stage) == "ann@lab.org"


def test_without_a_password_an_address_needs_a_sign_in_of_a_moment_ago(
    mails: tuple[str, Mailbox], stage: Stage
) -> None:
    give_password(stage)
    browser = Browser(mails[0])
    browser.sign_in()
    ann(stage, forget_password)
    with stage.sessions.writing() as session:
        early = now() - timedelta(minutes=16)
        session.execute(update(SessionRow).values(created_at=early))
    body = {"email": "eve@lab.org"}
    problem(browser.send("PUT", SETTINGS, body), 403, "sign-in-again")
    with stage.sessions.writing() as session:
        session.execute(update(SessionRow).values(created_at=now()))
    assert browser.send("PUT", SETTINGS, body).status_code == 200


@pytest.mark.parametrize(
    ("method", "body"),
    [("PUT", {"email": "new@lab.org", "password": PASSWORD}), ("DELETE", None)],
)
def test_the_address_before_is_told_that_it_was_changed(
    mails: tuple[str, Mailbox], stage: Stage, method: str, body: dict[str, str] | None
) -> None:
    give_password(stage)
    browser = Browser(mails[0])
    browser.sign_in()
    assert browser.send(method, SETTINGS, body).status_code == 200
    sent = until(lambda: [mail for mail in mails[1].mails if mail["To"] == "ann@lab.org"])
    assert "The mail address was changed" in sent[0]["Subject"]


def test_a_suspension_meanwhile_leaves_the_address(
    mails: tuple[str, Mailbox], stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def suspended(*_: object) -> None:
        def stop(owner: User) -> None:
            owner.suspended_at = now()

        ann(stage, stop)

    monkeypatch.setattr("api.routes.me._check", suspended)
    url = f"{mails[0]}/api/v1{SETTINGS}"
    answer = httpx.put(url, json={"email": "eve@lab.org"}, headers=stage.bearer())
    problem(answer, 409, "suspended")
    assert address_of(stage) == "ann@lab.org"
