"""Users are told what became of their submissions: from the settings to what arrives."""

from __future__ import annotations

import json
import re
import threading
from datetime import timedelta
from typing import Any

import httpx
import pytest
import typer
from click.testing import Result
from sqlalchemy import select
from standardwebhooks import Webhook
from typer.testing import CliRunner

from api import couriers
from api.couriers import Couriers
from api.mail import Mail
from api.routes import me
from api.webhooks import Webhooks
from grbcore.cli import notify as command
from grbcore.settings import Settings
from grbcore.store import addresses, notices, tokens
from grbcore.store.locks import lock_board
from grbcore.store.session import Sessions, now
from grbcore.store.tables import NoticeRow, Submission, User
from tests.api.receivers import Mailbox, Receiver, mailbox, receiver, until
from tests.api.stage import BOARD, Stage, problem, serve

ME = "/api/v1/me"
SETTINGS = f"{ME}/notifications"


@pytest.fixture
def hook():
    with receiver() as started:
        yield started


@pytest.fixture
def box():
    with mailbox() as started:
        yield started


@pytest.fixture
def settings(settings: Settings, box: Mailbox) -> Settings:
    """A lab's: webhooks of its own network, and a mail server."""
    changes = {
        "webhook_private": True,
        "smtp_url": f"smtp://127.0.0.1:{box.port}",
        "mail_from": "Board <board@lab.org>",
        "public_url": "https://board.org",
    }
    return Settings(**{**settings.model_dump(), **changes})


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(couriers, "PAUSE", 0.05)
    monkeypatch.setattr(notices, "PAUSES", 5 * (timedelta(seconds=0.1),))


@pytest.fixture
def ann(client: httpx.Client, stage: Stage) -> httpx.Client:
    """A client with the token of ann."""
    client.headers.update(stage.bearer("ann"))
    return client


def ranked(stage: Stage, name: str = "My GCN", user: str = "ann") -> str:
    """An entry of this user that was ranked just now, as a worker would note it; its id."""
    entry = stage.entry("defense", name, user=user)
    with stage.sessions.writing() as session:
        lock_board(session, BOARD)
        notices.tell(session, session.get_one(Submission, entry), notices.RANKED, now())
    return entry


def link_of(box: Mailbox) -> str:
    """Path and query of the link in the one mail that came."""
    [message] = box.mails
    found = re.search(r"https://board\.org(/confirm-email\?token=\S+)", message.get_content())
    assert found is not None
    return found[1]


def confirmed(ann: httpx.Client, box: Mailbox) -> None:
    """Let ann be told by mail."""
    assert ann.put(SETTINGS, json={"email": "ann@lab.org"}).json()["mail_sent"]
    assert ann.post(link_of(box)).status_code == 200
    box.mails.clear()


def told(ann: httpx.Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = ann.get(f"{ME}/notices").json()["notices"]
    return found


def is_sent(ann: httpx.Client) -> bool:
    return [notice["state"] for notice in told(ann)] == ["sent"]


# By webhook


def test_a_ranked_entry_is_told_by_a_webhook_that_can_be_verified(
    ann: httpx.Client, stage: Stage, hook: Receiver
) -> None:
    answer = ann.put(SETTINGS, json={"webhook_url": hook.url})
    assert answer.status_code == 200, answer.text
    secret = answer.json()["webhook_secret"]
    entry = ranked(stage)
    [(headers, body)] = until(lambda: hook.got)
    said = Webhook(secret).verify(body, headers)
    assert said["type"] == "submission.ranked"
    assert said["data"] == {
        "id": entry,
        "board": BOARD,
        "side": "defense",
        "name": "My GCN",
        "state": "ranked",
        "reason": None,
        "url": f"https://board.org/submissions/{entry}",
    }
    until(lambda: is_sent(ann))
    assert told(ann)[0]["id"] == headers["webhook-id"]


def test_a_receiver_that_was_down_is_told_when_it_is_back(ann: httpx.Client, stage: Stage) -> None:
    with receiver() as hook:
        port = int(hook.url.split(":")[2].split("/")[0])
        ann.put(SETTINGS, json={"webhook_url": hook.url})
    ranked(stage)
    until(lambda: told(ann)[0]["attempts"] >= 1)
    notice = told(ann)[0]
    assert notice["state"] == "waiting" and "found no connection" in notice["problem"]
    with receiver(port=port) as hook:
        until(lambda: hook.got)
        until(lambda: is_sent(ann))
        assert len(hook.got) == 1


def test_a_notice_keeps_its_id_over_its_tries_and_is_given_up(
    ann: httpx.Client, stage: Stage, hook: Receiver
) -> None:
    ann.put(SETTINGS, json={"webhook_url": hook.url})
    hook.statuses = 10 * [500]
    ranked(stage)
    until(lambda: told(ann)[0]["state"] == "failed")
    assert told(ann)[0]["problem"].startswith("found the answer 500")
    assert len(hook.got) == 6
    assert len({headers["webhook-id"] for headers, _ in hook.got}) == 1


def test_one_who_hangs_delays_nobody_else(ann: httpx.Client, stage: Stage, hook: Receiver) -> None:
    with receiver() as other:
        ann.put(SETTINGS, json={"webhook_url": hook.url})
        ann.put(SETTINGS, json={"webhook_url": other.url}, headers=stage.bearer("bob"))
        hook.silent = True
        for number in range(5):
            ranked(stage, f"Ann's {number}")
        until(lambda: hook.got)
        ranked(stage, "Bob's", "bob")
        until(lambda: other.got)
        assert ann.get("/api/v1/health").status_code == 200
        assert len(hook.got) == 1


def test_a_service_that_stops_leaves_what_hangs_to_another(
    settings: Settings, stage: Stage, hook: Receiver
) -> None:
    with stage.sessions.writing() as session:
        owner = tokens.user(session, "ann")
        assert owner is not None
        addresses.set_webhook(session, owner, hook.url)
    hook.silent = True
    with serve(settings):
        ranked(stage)
        until(lambda: hook.got)
    with stage.sessions.writing() as session:  # as if the lease had ended
        row = session.scalars(select(NoticeRow)).one()
        assert row.state == "waiting" and row.lease_until is not None
        row.lease_until = now() - timedelta(seconds=1)
    hook.silent = False
    with serve(settings):
        until(lambda: len(hook.got) == 2)
    assert len({headers["webhook-id"] for headers, _ in hook.got}) == 1


@pytest.mark.on_postgres
def test_many_deliverers_send_each_notice_once(
    settings: Settings, stage: Stage, sessions: Sessions, hook: Receiver
) -> None:
    with stage.sessions.writing() as session:
        for user in ("ann", "bob", "admin"):
            owner = tokens.user(session, user)
            assert owner is not None
            addresses.set_webhook(session, owner, hook.url)
    entries = {
        ranked(stage, f"{user} {number}", user)
        for user in ("ann", "bob", "admin")
        for number in range(4)
    }

    def deliver() -> None:
        mine = Couriers(settings, sessions)
        while mine.deliver_one():
            pass

    threads = [threading.Thread(target=deliver) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    deliver()
    got = [json.loads(body)["data"]["id"] for _, body in hook.got]
    assert len(got) == 12 and set(got) == entries


def test_an_error_of_our_own_is_noted_and_tried_again(
    settings: Settings, stage: Stage, sessions: Sessions, hook: Receiver
) -> None:
    def broken(host: str, port: int) -> list[str]:
        return ["no address at all"]

    with stage.sessions.writing() as session:
        owner = tokens.user(session, "ann")
        assert owner is not None
        addresses.set_webhook(session, owner, hook.url)
    ranked(stage)
    assert Couriers(settings, sessions, Webhooks(resolve=broken)).deliver_one()
    with stage.sessions.reading() as session:
        row = session.scalars(select(NoticeRow)).one()
    assert (row.state, row.attempts, row.lease_token) == ("waiting", 1, None)


# By mail


def test_a_confirmed_address_is_told_by_mail(ann: httpx.Client, stage: Stage, box: Mailbox) -> None:
    confirmed(ann, box)
    entry = ranked(stage)
    [message] = until(lambda: box.mails)
    assert message["To"] == "ann@lab.org"
    assert "is ranked" in message["Subject"]
    assert f"https://board.org/submissions/{entry}" in message.get_content()


def test_an_address_that_is_not_confirmed_gets_one_mail_only(
    ann: httpx.Client, stage: Stage, box: Mailbox
) -> None:
    answer = ann.put(SETTINGS, json={"email": "ann@lab.org"}).json()
    assert (answer["email"], answer["email_confirmed"]) == ("ann@lab.org", False)
    ranked(stage)
    assert [notice["event"] for notice in told(ann)] == ["email.confirm"]
    assert len(box.mails) == 1


def test_following_the_link_confirms_nothing_until_the_button_is_pressed(
    ann: httpx.Client, box: Mailbox
) -> None:
    ann.put(SETTINGS, json={"email": "ann@lab.org"})
    link = link_of(box)
    shown = httpx.get(f"{ann.base_url}".rstrip("/") + link)
    assert shown.status_code == 200 and "ann@lab.org" in shown.text
    assert f'action="{link}"' in shown.text
    assert shown.headers["referrer-policy"] == "no-referrer"
    assert "form-action 'self'" in shown.headers["content-security-policy"]
    assert not ann.get(ME).json()["notifications"]["email_confirmed"]
    assert "is confirmed" in httpx.post(f"{ann.base_url}".rstrip("/") + link).text
    assert ann.get(ME).json()["notifications"]["email_confirmed"]
    assert "is confirmed" in ann.get(link).text


@pytest.mark.parametrize("token", ["", "nothing", "x" * 200])
def test_a_link_that_is_unknown_says_what_to_do(client: httpx.Client, token: str) -> None:
    for ask in (client.get, client.post):
        answer = ask(f"/confirm-email?token={token}")
        assert answer.status_code == 404
        assert "grb notify --email" in answer.text


def test_names_are_escaped_in_the_page(
    client: httpx.Client, stage: Stage, box: Mailbox, sessions: Sessions
) -> None:
    with sessions.writing() as session:
        token = tokens.issue(session, "<script>alert(1)</script>", now=now())
    headers = {"Authorization": f"Bearer {token}"}
    client.put(SETTINGS, json={"email": "ann@lab.org"}, headers=headers)
    assert "<script>" not in client.get(link_of(box)).text


def test_one_mail_with_a_link_each_ten_minutes(
    ann: httpx.Client, box: Mailbox, sessions: Sessions
) -> None:
    assert ann.put(SETTINGS, json={"email": "ann@lab.org"}).json()["mail_sent"]
    again = ann.put(SETTINGS, json={"email": "ann@lab.org"})
    assert again.status_code == 200 and not again.json()["mail_sent"]
    other = ann.put(SETTINGS, json={"email": "eve@lab.org"})
    problem(other, 429, "too-soon")
    assert 0 < int(other.headers["retry-after"]) <= 600
    ann.delete(SETTINGS)
    problem(ann.put(SETTINGS, json={"email": "eve@lab.org"}), 429, "too-soon")
    assert len(box.mails) == 1
    with sessions.writing() as session:
        session.scalars(select(NoticeRow)).one().created_at = now() - timedelta(minutes=10)
    assert ann.put(SETTINGS, json={"email": "eve@lab.org"}).json()["mail_sent"]
    assert len(box.mails) == 2


def test_a_refused_change_changes_nothing(ann: httpx.Client, hook: Receiver, box: Mailbox) -> None:
    ann.put(SETTINGS, json={"email": "ann@lab.org"})
    both = {"email": "eve@lab.org", "webhook_url": hook.url}
    problem(ann.put(SETTINGS, json=both), 429, "too-soon")
    found = ann.get(ME).json()["notifications"]
    assert (found["webhook_url"], found["email"]) == (None, "ann@lab.org")


def test_a_mail_server_that_refuses_is_told_beside_the_secret(
    ann: httpx.Client, hook: Receiver, box: Mailbox
) -> None:
    box.refuses = "550 no such mailbox"
    answer = ann.put(SETTINGS, json={"email": "ann@lab.org", "webhook_url": hook.url}).json()
    assert answer["webhook_secret"].startswith("whsec_")
    assert not answer["mail_sent"] and "550 no such mailbox" in answer["mail_problem"]
    assert told(ann)[0]["state"] == "failed"


def test_mail_is_refused_where_it_is_off(stage: Stage, settings: Settings) -> None:
    off = Settings(**{**settings.model_dump(), "smtp_url": ""})
    with serve(off) as address, httpx.Client(base_url=address) as client:
        client.headers.update(stage.bearer("ann"))
        body = problem(client.put(SETTINGS, json={"email": "ann@lab.org"}), 409, "mail-off")
        assert "GRB_SMTP_URL" in body["message"]
        assert not client.get(ME).json()["notifications"]["mail_available"]


# The settings


def test_the_secret_is_shown_once(ann: httpx.Client, hook: Receiver) -> None:
    first = ann.put(SETTINGS, json={"webhook_url": hook.url}).json()["webhook_secret"]
    assert ann.put(SETTINGS, json={"webhook_url": hook.url}).json()["webhook_secret"] is None
    assert "whsec_" not in ann.get(ME).text
    change = {"webhook_url": hook.url, "rotate_secret": True}
    assert ann.put(SETTINGS, json=change).json()["webhook_secret"] not in (None, first)


def test_what_is_left_out_stays_and_null_ends_it(
    ann: httpx.Client, hook: Receiver, box: Mailbox
) -> None:
    ann.put(SETTINGS, json={"webhook_url": hook.url})
    found = ann.put(SETTINGS, json={"email": "ann@lab.org"}).json()
    assert found["webhook_url"] == hook.url
    found = ann.put(SETTINGS, json={"webhook_url": None}).json()
    assert (found["webhook_url"], found["email"]) == (None, "ann@lab.org")


def test_deleting_the_settings_forgets_them(
    ann: httpx.Client, hook: Receiver, box: Mailbox, sessions: Sessions
) -> None:
    ann.put(SETTINGS, json={"webhook_url": hook.url, "email": "ann@lab.org"})
    link = link_of(box)
    found = ann.delete(SETTINGS).json()
    assert (found["webhook_url"], found["email"]) == (None, None)
    assert ann.post(link).status_code == 404
    with sessions.reading() as session:
        user = session.scalars(select(User).where(User.name == "ann")).one()
    assert (user.webhook_secret, user.email_digest) == (None, None)


@pytest.mark.parametrize("fields", [{"webhook": "x"}, {"email": 3}, {"rotate_secret": True}])
def test_wrong_fields_are_told(ann: httpx.Client, fields: dict[str, Any]) -> None:
    problem(ann.put(SETTINGS, json=fields), 422, "invalid-fields")


@pytest.mark.parametrize("email", ["ann", "ann@lab.org\r\nBcc: eve@lab.org", "a@b.c, d@e.f"])
def test_what_is_no_address_is_refused(ann: httpx.Client, box: Mailbox, email: str) -> None:
    body = problem(ann.put(SETTINGS, json={"email": email}), 422, "invalid-fields")
    assert body["violations"][0]["place"] == "body/email"
    assert box.mails == []


def test_a_private_address_is_refused_where_the_service_is_public(
    stage: Stage, settings: Settings, hook: Receiver
) -> None:
    public = Settings(**{**settings.model_dump(), "webhook_private": False})
    with serve(public) as address, httpx.Client(base_url=address) as client:
        client.headers.update(stage.bearer("ann"))
        for url in (hook.url, "https://127.0.0.1/", "https://localhost/", "https://[::1]/"):
            body = problem(client.put(SETTINGS, json={"webhook_url": url}), 422, "invalid-fields")
            assert body["violations"][0]["place"] == "body/webhook_url"
        assert client.get(ME).json()["notifications"]["webhook_url"] is None


def test_everything_of_a_user_needs_their_token(client: httpx.Client) -> None:
    for method, path in (
        ("GET", ME),
        ("GET", f"{ME}/notices"),
        ("PUT", SETTINGS),
        ("DELETE", SETTINGS),
        ("POST", f"{SETTINGS}/test"),
    ):
        problem(client.request(method, path, json={} if method == "PUT" else None), 401, "token")


def test_a_user_sees_their_own_notices_only(
    ann: httpx.Client, stage: Stage, hook: Receiver
) -> None:
    ann.put(SETTINGS, json={"webhook_url": hook.url})
    ranked(stage)
    assert len(told(ann)) == 1
    assert ann.get(f"{ME}/notices", headers=stage.bearer("bob")).json() == {"notices": []}


def test_a_body_beyond_any_sense_is_refused(ann: httpx.Client) -> None:
    big = b"[" + 100_000 * b" " + b"]"
    problem(ann.put(SETTINGS, content=big), 413, "too-large")
    problem(ann.put(SETTINGS, content=iter([big[:50_000], big[50_000:]])), 413, "too-large")


# Trying it


def test_a_test_tells_what_came_back(ann: httpx.Client, hook: Receiver, box: Mailbox) -> None:
    confirmed(ann, box)
    secret = ann.put(SETTINGS, json={"webhook_url": hook.url}).json()["webhook_secret"]
    hook.statuses = [503]
    results = ann.post(f"{SETTINGS}/test").json()["results"]
    webhook = next(result for result in results if result["channel"] == "webhook")
    mail = next(result for result in results if result["channel"] == "mail")
    assert not webhook["delivered"] and "503 Service Unavailable" in webhook["answer"]
    assert mail["delivered"] and len(box.mails) == 1
    [(headers, body)] = hook.got
    assert Webhook(secret).verify(body, headers)["type"] == "test"
    assert {notice["state"] for notice in told(ann) if notice["event"] == "test"} == {
        "sent",
        "failed",
    }


def test_a_failed_test_is_not_sent_again(ann: httpx.Client, stage: Stage, hook: Receiver) -> None:
    ann.put(SETTINGS, json={"webhook_url": hook.url})
    hook.statuses = [500]
    ann.post(f"{SETTINGS}/test")
    entry = ranked(stage)
    until(lambda: len(hook.got) == 2)
    assert json.loads(hook.got[1][1])["data"]["id"] == entry


def test_tests_are_few(ann: httpx.Client, hook: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    ann.put(SETTINGS, json={"webhook_url": hook.url})
    assert ann.post(f"{SETTINGS}/test").json()["results"][0]["delivered"]
    problem(ann.post(f"{SETTINGS}/test"), 429, "too-soon")
    monkeypatch.setitem(me.REST, me.TEST, timedelta(0))
    assert ann.post(f"{SETTINGS}/test").status_code == 200


def test_a_test_needs_a_channel(ann: httpx.Client, box: Mailbox) -> None:
    problem(ann.post(f"{SETTINGS}/test"), 409, "no-channel")
    ann.put(SETTINGS, json={"email": "ann@lab.org"})
    problem(ann.post(f"{SETTINGS}/test"), 409, "no-channel")
    assert len(box.mails) == 1


# What an operator sees


def test_metrics_count_what_waits_and_what_was_given_up(
    ann: httpx.Client, stage: Stage, hook: Receiver
) -> None:
    ann.put(SETTINGS, json={"webhook_url": hook.url})
    assert "grb_notices_waiting 0\n" in ann.get("/metrics").text
    hook.statuses = 6 * [500]
    ranked(stage)
    until(lambda: "grb_notices_failed_24h 1\n" in ann.get("/metrics").text)


def test_mails_need_a_sender_and_the_address_of_the_service() -> None:
    with pytest.raises(ValueError, match="GRB_PUBLIC_URL"):
        Settings(smtp_url="smtp://lab.org", mail_from="board@lab.org")
    with pytest.raises(ValueError, match="a mailbox"):
        Settings(smtp_url="smtp://lab.org", public_url="https://board.org")
    chosen = Settings(
        smtp_url="smtp://lab.org", public_url="https://board.org/", mail_from="board@lab.org"
    )
    assert Mail(chosen).is_on and chosen.public_url == "https://board.org"


# The command


@pytest.fixture
def grb(server: str, stage: Stage, monkeypatch: pytest.MonkeyPatch):
    """Runs ``grb notify`` as ann, against the server of this test."""
    monkeypatch.setenv("GRB_SERVER", server)
    monkeypatch.setenv("GRB_TOKEN", stage.tokens["ann"])
    monkeypatch.setattr(command.console, "width", 200)
    app = typer.Typer()
    app.command()(command.notify)

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(app, arguments)

    return run


def test_the_command_sets_tests_shows_and_ends(
    grb, ann: httpx.Client, hook: Receiver, box: Mailbox
) -> None:
    result = grb("--webhook", hook.url, "--email", "ann@lab.org", "--test")
    assert result.exit_code == 0, result.output
    assert "secret: whsec_" in result.output
    assert "mail: ann@lab.org, not confirmed yet" in result.output
    assert "webhook: 204 No Content" in result.output
    shown = grb().output
    assert f"webhook: {hook.url}" in shown and "whsec_" not in shown
    assert "email.confirm" in shown and "test" in shown
    assert "secret: whsec_" in grb("--rotate").output
    assert "nothing any more" in grb("--off").output
    assert ann.get(ME).json()["notifications"]["webhook_url"] is None


def test_the_command_tells_what_is_refused(grb, hook: Receiver) -> None:
    result = grb("--webhook", "ftp://lab.org")
    assert result.exit_code == 1
    assert "body/webhook_url: found 'ftp://lab.org'" in result.stderr
    hook.statuses = [500]
    result = grb("--webhook", hook.url, "--test")
    assert result.exit_code == 1
    assert "found the answer 500" in result.stdout
    assert "--off alone" in grb("--off", "--test").stderr
