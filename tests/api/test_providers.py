"""Signing in at an OpenID Connect issuer and at GitHub, both real servers on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import oidc_provider_mock
import pytest
from sqlalchemy import select

from grbcore.settings import Settings
from grbcore.store.accounts import people
from grbcore.store.session import now
from grbcore.store.tables import AuditRow, Identity, PendingSignIn, User
from tests.api.browsing import Browser, give_password
from tests.api.github import GitHub, github
from tests.api.stage import Stage, problem, serve

CAROL = {
    "email": "carol@lab.org",
    "email_verified": True,
    "preferred_username": "Carol C.",
}


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    with oidc_provider_mock.run_server_in_thread(require_nonce=True) as server:
        yield f"http://localhost:{server.server_port}"


@pytest.fixture
def hub() -> Iterator[GitHub]:
    with github() as made:
        yield made


@pytest.fixture
def chosen(settings: Settings, issuer: str, hub: GitHub) -> Settings:
    given = {
        "oidc_issuer": issuer,
        "oidc_client_id": "board",
        "oidc_client_secret": "planted-oidc-secret",
        "oidc_name": "Lab",
        "github_client_id": "board",
        "github_client_secret": "planted-github-secret",
        "github_url": hub.url,
        "sign_up": "providers",
    }
    return Settings(**{**settings.model_dump(), **given})


@pytest.fixture
def address(chosen: Settings, stage: Stage) -> Iterator[str]:
    with serve(chosen) as found:
        yield found


def claims(issuer: str, subject: str, **about: Any) -> None:
    """What the issuer knows of somebody."""
    httpx.put(f"{issuer}/users/{subject}", json=about).raise_for_status()


def begun(browser: Browser, provider: str = "oidc", **wanted: Any) -> str:
    """The provider's address to which a browser is sent."""
    answer = browser.post(f"/auth/providers/{provider}", wanted)
    assert answer.status_code == 200, answer.text
    url: str = answer.json()["url"]
    return url


def signed(url: str, subject: str = "carol") -> str:
    """Sign in at the provider; the address to which it sends the browser back."""
    method = "GET" if "/login/oauth" in url else "POST"
    answer = httpx.request(method, url, data={"sub": subject} if method == "POST" else None)
    assert answer.status_code in (302, 303), answer.text
    return answer.headers["location"]


def back(browser: Browser, url: str) -> str:
    """Follow that; where our own answer leads."""
    answer = browser.client.get(url, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 303, answer.text
    browser.csrf = ((browser.get("/auth").json()["session"]) or {}).get("csrf_token", "")
    return answer.headers["location"]


def through(browser: Browser, provider: str = "oidc", subject: str = "carol", **wanted: Any) -> str:
    return back(browser, signed(begun(browser, provider, **wanted), subject))


def test_somebody_new_gets_an_account_and_comes_back_to_it(
    address: str, issuer: str, stage: Stage
) -> None:
    claims(issuer, "carol", **CAROL)
    browser = Browser(address)
    assert browser.get("/auth").json()["providers"] == [
        {"id": "oidc", "name": "Lab"},
        {"id": "github", "name": "GitHub"},
    ]
    assert through(browser, next="/boards?view=all") == "/boards?view=all"
    assert browser.who == "carol-c"
    again = Browser(address)
    through(again)
    assert again.who == "carol-c"
    with stage.sessions.reading() as session:
        owner = people.by_name(session, "carol-c")
        assert owner is not None and owner.role == "user"
        assert (owner.email, owner.password_hash) == ("carol@lab.org", None)
        assert len(session.scalars(select(Identity)).all()) == 1
        assert session.scalars(select(PendingSignIn)).all() == []


def test_the_request_has_pkce_a_state_and_a_nonce_that_are_new_each_time(address: str) -> None:
    seen = []
    for _ in range(2):
        asked = parse_qs(urlsplit(begun(Browser(address))).query)
        assert asked["code_challenge_method"] == ["S256"]
        assert asked["response_type"] == ["code"]
        assert asked["redirect_uri"] == [f"{address}/api/v1/auth/providers/oidc/callback"]
        seen += [asked["state"][0], asked["nonce"][0], asked["code_challenge"][0]]
    assert len(set(seen)) == 6


def test_github_tells_who_somebody_is(address: str, hub: GitHub, stage: Stage) -> None:
    """This GitHub compares the PKCE verifier with its challenge."""
    hub.emails = [
        {"email": "other@lab.org", "verified": True, "primary": False},
        {"email": "octo@lab.org", "verified": True, "primary": True},
    ]
    browser = Browser(address)
    assert through(browser, "github") == "/account"
    assert browser.who == "octo.cat"
    assert hub.secrets == ["planted-github-secret"]
    with stage.sessions.reading() as session:
        row = session.scalars(select(Identity)).one()
        assert (row.issuer, row.subject, row.label) == (hub.url, "583231", "Octo.Cat_")
        assert row.user.email == "octo@lab.org"


@pytest.mark.parametrize(("next_", "goes"), [
    ("//evil.org", "/account"),
    ("https://evil.org", "/account"),
    ("/\\evil.org", "/account"),
    ("/account/x", "/account/x"),
])  # fmt: skip
def test_a_sign_in_leads_to_our_own_pages_only(address: str, next_: str, goes: str) -> None:
    assert through(Browser(address), next=next_) == goes


# Taking over accounts


def confirm(stage: Stage, name: str, email: str, *, confirmed: bool = True) -> None:
    with stage.sessions.writing() as session:
        owner = people.by_name(session, name)
        assert owner is not None
        owner.email, owner.email_confirmed_at = email, now() if confirmed else None
        owner.password_hash = "hash"  # somebody signs in to it


def test_an_address_that_a_token_may_have_set_opens_no_account(
    address: str, issuer: str, stage: Stage
) -> None:
    confirm(stage, "ann", "carol@lab.org")
    with stage.sessions.writing() as session:
        owner = people.by_name(session, "ann")
        assert owner is not None
        owner.password_hash = None
    claims(issuer, "carol", **CAROL)
    browser = Browser(address)
    through(browser)
    assert browser.who == "carol-c"


def test_a_verified_address_signs_in_to_the_account_that_has_confirmed_it(
    address: str, issuer: str, stage: Stage
) -> None:
    confirm(stage, "ann", "Carol@lab.org")
    claims(issuer, "carol", **CAROL)
    browser = Browser(address)
    through(browser)
    assert browser.who == "ann"
    with stage.sessions.reading() as session:
        row = session.scalars(select(AuditRow).where(AuditRow.action == "identity.link")).one()
    assert row.details == {"by": "mail address"}


@pytest.mark.parametrize(
    ("verified", "confirmed", "name"),
    [
        (False, True, "ann"),
        ("true", True, "ann"),
        (None, True, "ann"),
        (True, False, "ann"),
        (True, True, "admin"),
    ],
)
def test_otherwise_an_address_opens_no_account(
    address: str, issuer: str, stage: Stage, verified: Any, confirmed: bool, name: str
) -> None:
    """Not verified there, not confirmed here, or an admin's."""
    confirm(stage, name, "carol@lab.org", confirmed=confirmed)
    about = {**CAROL, "email_verified": verified}
    claims(issuer, "carol", **{key: value for key, value in about.items() if value is not None})
    browser = Browser(address)
    through(browser)
    assert browser.who == "carol-c"


def test_an_address_of_two_accounts_opens_neither(address: str, issuer: str, stage: Stage) -> None:
    for name in ("ann", "bob"):
        confirm(stage, name, "carol@lab.org")
    claims(issuer, "carol", **CAROL)
    browser = Browser(address)
    through(browser)
    assert browser.who == "carol-c"


def test_a_suspended_user_comes_in_by_no_other_door(
    address: str, issuer: str, stage: Stage
) -> None:
    claims(issuer, "carol", **CAROL)
    browser = Browser(address)
    through(browser)
    with stage.sessions.writing() as session:
        owner = people.by_name(session, "carol-c")
        assert owner is not None
        people.suspend(session, owner, user_id=None, via="cli", reason=None, now=now())
    assert through(Browser(address)) == "/account/sign-in?problem=suspended"


def test_who_is_signed_in_links_an_identity_and_ends_it(
    address: str, issuer: str, stage: Stage
) -> None:
    claims(issuer, "dave", email="dave@lab.org")
    give_password(stage)
    browser = Browser(address)
    browser.sign_in()
    assert through(browser, subject="dave", link=True) == "/account"
    other = Browser(address)
    through(other, subject="dave")
    assert other.who == "ann"
    (mine,) = browser.get("/me/identities").json()["identities"]
    assert (mine["issuer"], mine["label"]) == (issuer, "dave@lab.org")
    path = f"/me/identities/{mine['id']}"
    assert browser.send("DELETE", path).status_code == 204
    problem(browser.send("DELETE", path), 404, "identity-unknown")


def test_an_identity_of_another_account_is_not_taken_from_it(
    address: str, issuer: str, stage: Stage
) -> None:
    claims(issuer, "carol", **CAROL)
    through(Browser(address))
    give_password(stage)
    browser = Browser(address)
    browser.sign_in()
    assert through(browser, link=True) == "/account?problem=linked-elsewhere"


def test_the_last_way_in_stays(address: str, issuer: str) -> None:
    claims(issuer, "carol", **CAROL)
    browser = Browser(address)
    through(browser)
    (mine,) = browser.get("/me/identities").json()["identities"]
    problem(browser.send("DELETE", f"/me/identities/{mine['id']}"), 409, "last-way-in")


def test_nobody_links_who_is_not_signed_in(address: str, stage: Stage) -> None:
    body = {"link": True}
    problem(Browser(address).post("/auth/providers/oidc", body), 403, "session-needed")


# What comes back


def test_what_comes_back_to_another_browser_signs_nobody_in(address: str, issuer: str) -> None:
    """As somebody does who sends a victim the end of their own sign-in."""
    url = signed(begun(Browser(address)))
    victim = Browser(address)
    assert back(victim, url) == "/account/sign-in?problem=link-ended"
    begun(victim)
    assert back(victim, url) == "/account/sign-in?problem=link-ended"
    assert victim.who is None


def test_what_came_back_once_is_used_up(address: str, issuer: str) -> None:
    claims(issuer, "carol", **CAROL)
    browser = Browser(address)
    url = signed(begun(browser))
    assert back(browser, url) == "/account"
    assert back(browser, url) == "/account/sign-in?problem=link-ended"


def test_a_token_of_another_sign_in_signs_nobody_in(
    address: str, issuer: str, stage: Stage
) -> None:
    browser = Browser(address)
    url = signed(begun(browser))
    with stage.sessions.writing() as session:
        row = session.scalars(select(PendingSignIn)).one()
        row.data = {**row.data, "nonce": "of another"}
    assert back(browser, url) == "/account/sign-in?problem=provider"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda url: url.replace("code=", "code=x"), "provider"),
        (lambda url: url.replace("state=", "state=x"), "link-ended"),
        (lambda url: url.partition("?")[0], "link-ended"),
        (lambda url: url + "&iss=https://evil.org", "provider"),
    ],
)
def test_what_was_changed_on_its_way_signs_nobody_in(
    address: str, issuer: str, change: Any, told: str
) -> None:
    browser = Browser(address)
    url = change(signed(begun(browser)))
    assert back(browser, url) == f"/account/sign-in?problem={told}"
    assert browser.who is None


def test_who_says_no_at_the_provider_is_told_so(address: str) -> None:
    browser = Browser(address)
    answer = httpx.post(begun(browser), data={"action": "deny"})
    state = parse_qs(urlsplit(begun(browser)).query)["state"][0]
    assert "error=access_denied" in answer.headers["location"]
    url = f"{address}/api/v1/auth/providers/oidc/callback?error=access_denied&state={state}"
    assert back(browser, url) == "/account/sign-in?problem=cancelled"


def test_with_closed_sign_up_only_who_is_known_comes_in(
    chosen: Settings, issuer: str, stage: Stage
) -> None:
    claims(issuer, "carol", **CAROL)
    with serve(chosen.model_copy(update={"sign_up": "closed"})) as address:
        assert through(Browser(address)) == "/account/sign-in?problem=sign-up-closed"
    with stage.sessions.reading() as session:
        assert len(session.scalars(select(User)).all()) == 3


def test_a_provider_that_is_away_or_another_is_told(
    chosen: Settings, issuer: str, stage: Stage
) -> None:
    """The second calls itself otherwise than the operator does."""
    for wrong in ("http://127.0.0.1:9", f"{issuer}/"):
        with serve(chosen.model_copy(update={"oidc_issuer": wrong})) as address:
            problem(Browser(address).post("/auth/providers/oidc", {}), 503, "provider")
            problem(Browser(address).post("/auth/providers/other", {}), 404, "provider-unknown")


def test_another_site_begins_no_sign_in(address: str) -> None:
    answer = Browser(address).post("/auth/providers/oidc", {}, **{"Sec-Fetch-Site": "cross-site"})
    problem(answer, 403, "cross-site")
