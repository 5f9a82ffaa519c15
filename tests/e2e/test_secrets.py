"""Secrets stay where they belong: planted in every setting and request, they are found nowhere.

The real processes run at the most talkative level while every part of the service fails in turn.
"""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
import redis
from sqlalchemy import create_engine

from grbcore.cli.up import api_command, listen
from grbcore.settings import Settings
from grbcore.store.tables import Base
from tests.api.stage import DEFENSE, defense_file
from tests.e2e.stack import BOARD, ROOT, Stack, ready, wait_for
from tests.servers import S3, Redis, wait_until
from tests.store import databases

#: One for each place; letters that no encoding changes, and a mark that finds them all.
MARK = "pl4nted"


def planted(place: str) -> str:
    return f"{MARK}{place}{MARK}x9"


#: What no process of the service may tell anybody.
DATABASE, BROKER, S3_KEY, SMTP = map(planted, ("database", "broker", "s3", "smtp"))
#: What a request may bring, wherever a confused client puts it.
PASSWORD, COOKIE, QUERY = map(planted, ("password", "cookie", "query"))


class Planted:
    """A service whose every secret is known, and what it was seen to say."""

    def __init__(self, folder: Path, stack: Stack, broker: Redis, store: S3) -> None:
        self.folder = folder
        self.stack = stack
        self.broker = broker
        self.store = store
        #: Each with what it is.
        self.secrets = dict.fromkeys((DATABASE, BROKER, S3_KEY, SMTP), "setting")
        self.secrets |= dict.fromkeys((PASSWORD, COOKIE, QUERY), "request")
        self.answers: list[str] = []

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        """Send a request, as the admin unless it says otherwise, and keep the answer."""
        headers = {"Authorization": f"Bearer {self.stack.token}", "Cookie": f"session={COOKIE}"}
        answer = httpx.request(
            method,
            self.stack.address + path,
            timeout=60,
            **{**more, "headers": {**headers, **more.get("headers", {})}},
        )
        self.answers.append(f"{answer.status_code} {answer.headers} {answer.text}")
        return answer

    def leaks(self, text: str) -> list[str]:
        """The secrets that a text holds, as they are, encoded, or in part."""
        found = []
        for secret in self.secrets:
            forms = {secret, quote(secret), base64.b64encode(secret.encode()).decode().rstrip("=")}
            found += [secret for form in forms if form in text]
        return found


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Planted]:
    folder = tmp_path_factory.mktemp("planted")
    broker, store = Redis(), S3()
    with databases.postgres(migrated=False) as url:
        variables = {
            "GRB_DATABASE_URL": url.replace("postgres@", f"postgres:{DATABASE}@"),
            "GRB_BROKER_URL": broker.url.replace("://", f"://:{BROKER}@"),
            "GRB_BLOB_URL": store.url,
            **store.environment,
            "AWS_SECRET_ACCESS_KEY": S3_KEY,
            "GRB_SMTP_URL": f"smtps://grb:{SMTP}@127.0.0.1:9",  # nobody listens there
            "GRB_MAIL_FROM": "Board <board@lab.org>",
            "GRB_PUBLIC_URL": "https://board.org",
            "GRB_SIGN_UP": "open",
            "GRB_WEBHOOK_PRIVATE": "1",
            "GRB_LOG_LEVEL": "DEBUG",
        }
        # settings of later days that are secrets as a whole
        for name in Settings.model_fields:
            variable = f"GRB_{name.upper()}"
            if re.search("secret|password|_key$", name) and variable not in variables:
                variables[variable] = planted(name)
        stack = Stack(folder, variables)
        found = Planted(folder, stack, broker, store)
        found.secrets |= {text: "setting" for text in variables.values() if text.startswith(MARK)}
        try:
            for server, name in ((broker, "redis"), (store, "the S3 server")):
                server.start()
                wait_until(name, server.answers)
            store.make_bucket()
            redis.Redis.from_url(broker.url).config_set("requirepass", BROKER)
            stack.grb("board", "sync")
            stack.token = stack.grb("admin", "token").stdout.strip().splitlines()[-1]
            found.secrets[stack.token] = "token"
            with listen("127.0.0.1", 0) as trial:
                port = trial.getsockname()[1]
            stack.environment["GRB_PORT"] = str(port)
            stack.start("api", api_command())
            stack.start_worker()
            stack.address = f"http://127.0.0.1:{port}"
            wait_for("the API", lambda: ready(stack.address), 60)
            _use(found)
            yield found
        finally:
            stack.close()
            broker.close()
            store.close()


def _use(service: Planted) -> None:
    """Use everything, well and badly, with all parts there and with each away."""
    ask, stack = service.ask, service.stack
    set_up = {"webhook_url": "http://127.0.0.1:9/hook", "email": "ann@lab.org"}
    secret = ask("PUT", "/api/v1/me/notifications", json=set_up).json()["webhook_secret"]
    service.answers.clear()  # the one answer that tells it, once
    service.secrets |= dict.fromkeys((secret, secret.removeprefix("whsec_")), "webhook")
    ask("POST", "/api/v1/me/notifications/test")

    file = defense_file(service.folder)
    with file.open("rb") as content:
        sent = ask("POST", "/api/v1/submissions", data=DEFENSE, files={"file": ("f", content)})
    assert sent.status_code == 202, sent.text
    entry = sent.json()["id"]
    wait_for("the file's check", lambda: stack.get(f"/submissions/{entry}")["validated_at"])
    _badly(service, entry)
    _account(service)
    for words in (("board", "export", BOARD, "board"), ("admin", "backup", "backup")):
        done = stack.grb(*words)  # in the folder of the stack
        service.answers.append(done.stdout + done.stderr)
    wait_for("a notice", lambda: ask("GET", "/api/v1/me/notices").json()["notices"])
    for away in (service.broker, service.store):
        away.kill()
        with file.open("rb") as content:
            ask("POST", "/api/v1/submissions", data=DEFENSE, files={"file": ("f", content)})
        ask("GET", f"/api/v1/submissions/{entry}/artefact")
        ask("GET", "/api/v1/ready")
        if away is service.store:
            service.store.revive()
        else:
            service.broker.start()  # without its password now
            wait_until("redis", service.broker.answers)
            ask("GET", "/api/v1/ready")


def _account(service: Planted) -> None:
    """An account with a password, a session and a token; then all of it wrongly."""
    first, second = planted("account"), planted("another")
    service.secrets |= dict.fromkeys((first, second), "password")
    browser = {"Sec-Fetch-Site": "same-origin"}

    def told_once(method: str, path: str, body: dict[str, Any]) -> Any:
        answer = httpx.request(
            method,
            f"{service.stack.address}/api/v1{path}",
            json=body,
            headers=browser,
            timeout=60,
        )
        assert answer.is_success, answer.text
        if "set-cookie" in answer.headers:
            name, _, value = answer.headers["set-cookie"].split(";")[0].partition("=")
            service.secrets[value] = "session"
            browser["Cookie"] = f"{name}={value}"
        found = answer.json()
        known = found.get("session") or found
        if "csrf_token" in known:
            service.secrets[known["csrf_token"]] = "csrf"
            browser["X-CSRF-Token"] = known["csrf_token"]
        return found

    told_once("POST", "/auth/sign-up", {"name": "signy", "password": first, "email": "s@lab.org"})
    told_once("PUT", "/me/password", {"current": first, "new": second})
    told_once("POST", "/auth/sign-in", {"name": "signy", "password": second})
    token = {"name": "laptop", "scopes": ["read"], "expires_in_days": None}
    service.secrets[told_once("POST", "/me/tokens", token)["token"]] = "token"

    for path in ("/me", "/me/export", "/me/sessions", "/me/tokens", "/me/identities"):
        answer = httpx.get(f"{service.stack.address}/api/v1{path}", headers=browser, timeout=60)
        assert answer.is_success, answer.text
        service.answers.append(answer.text)
    wrong = {"name": "signy", "password": first}
    for path, body in (
        ("/auth/sign-in", wrong),
        ("/auth/sign-up", wrong),
        ("/auth/reset", {"name": "signy", "email": "s@lab.org", "password": second}),
        ("/auth/reset/password", {"token": first, "password": second}),
        ("/me/account/delete", wrong),
    ):
        service.ask("POST", f"/api/v1{path}", json=body, headers=browser)
    service.ask(
        "PUT", "/api/v1/me/password", json={"current": first, "new": first}, headers=browser
    )


def _badly(service: Planted, entry: str) -> None:
    """Every route with secrets where they don't belong, readable and not."""
    secrets = {"password": PASSWORD, "token": PASSWORD, "client_secret": PASSWORD}
    description = service.ask("GET", "/openapi.json").json()
    for path, item in description["paths"].items():
        if path.endswith("/events"):
            continue
        place = path.replace("{dataset}", "digits").replace("{scenario}", "injection@1")
        place = re.sub(r"{(?!submission_id)\w+}", "0" * 26, place)
        place = place.replace("{submission_id}", entry)
        for method in {"get", "post", "put", "patch"} & set(item):
            address = f"{place}?token={QUERY}&code={QUERY}&limit=none"
            wrong = {"Authorization": f"Bearer grb_{PASSWORD}"}
            service.ask(method, address)
            service.ask(method, place, headers=wrong)
            if method != "get":
                service.ask(method, place, json=secrets)
                service.ask(method, place, json={"notifications": [secrets], "reason": 1})
                cut = json.dumps(secrets)[:-2]
                service.ask(
                    method, place, content=cut, headers={"Content-Type": "application/json"}
                )
    service.ask("GET", f"/confirm-email?token={QUERY}")
    service.ask("GET", "/metrics")


def test_no_log_tells_a_secret(service: Planted) -> None:
    for name in ("api", "worker"):
        log = service.stack.log(name)
        assert "DEBUG" in log, "the test needs the most talkative level"
        assert service.leaks(log) == []


def test_the_service_was_in_all_the_trouble_that_the_test_means(service: Planted) -> None:
    log = service.stack.log("api")
    assert "broker does not answer" in log and "blob store" in log
    assert "no answer" in "".join(service.answers)  # of the mail server, in a notice
    statuses = {answer[:3] for answer in service.answers}
    assert {"200", "401", "404", "422", "503"} <= statuses


def test_no_answer_repeats_a_secret(service: Planted) -> None:
    for answer in service.answers:
        assert service.leaks(answer) == [], answer[:600]


def test_the_audit_log_the_events_and_the_notices_tell_none(service: Planted) -> None:
    everything = [
        service.ask("GET", path).text
        for path in ("/api/v1/admin/audit", "/api/v1/me/notices", "/api/v1/me", "/metrics")
    ]
    entry = service.stack.get("/submissions")["submissions"][0]["id"]
    everything.append(service.ask("GET", f"/api/v1/submissions/{entry}").text)
    with httpx.stream(
        "GET", f"{service.stack.address}/api/v1/submissions/{entry}/events", timeout=30
    ) as stream:
        everything.append(next(stream.iter_text()))
    assert service.leaks("".join(everything)) == []


def test_the_doctor_tells_none(service: Planted) -> None:
    for variables in (
        {},
        {
            "GRB_DATABASE_URL": f"postgresql+psycopg://grb:{DATABASE}@127.0.0.1:9/grb",
            "GRB_BROKER_URL": f"redis://:{BROKER}@127.0.0.1:9/0",
        },
        {"GRB_DATABASE_URL": f"mysql://grb:{DATABASE}@127.0.0.1/grb", "GRB_SMTP_URL": SMTP},
    ):
        said = run(service, variables, "-m", "grbcore.cli", "doctor")
        assert said and service.leaks(said) == []


@pytest.mark.parametrize("process", ["api", "worker"])
def test_a_process_that_does_not_start_tells_none(service: Planted, process: str) -> None:
    for name, value in (
        ("GRB_DATABASE_URL", f"mysql://grb:{DATABASE}@127.0.0.1/grb"),
        ("GRB_BROKER_URL", BROKER),
        ("GRB_PORT", "none"),
    ):
        said = run(service, {name: value}, "-m", process)
        assert name in said and service.leaks(said) == []


def test_a_board_that_is_exported_holds_none(service: Planted) -> None:
    said = (service.folder / "board").read_bytes().decode("latin-1")  # a plain tar
    assert BOARD in said and service.leaks(said) == []


def test_the_database_and_so_its_backups_hold_only_what_signs_webhooks(service: Planted) -> None:
    """A webhook's secret signs what is sent, so it is kept as it is; tokens are hashes."""
    engine = create_engine(service.stack.environment["GRB_DATABASE_URL"])
    with engine.connect() as connection:
        for table in Base.metadata.sorted_tables:
            said = repr(connection.execute(table.select()).all())
            allowed = {"webhook"} if table.name == "users" else set()
            assert {service.secrets[leak] for leak in service.leaks(said)} <= allowed, table.name
    engine.dispose()
    written = [path for path in (service.folder / "backup").rglob("*") if path.is_file()]
    assert len(written) > 2
    for path in written:
        found = service.leaks(path.read_bytes().decode("latin-1"))
        assert {service.secrets[leak] for leak in found} <= {"webhook"}, path


def test_a_child_of_the_worker_is_given_none(service: Planted) -> None:
    code = (
        "import os, json; from pathlib import Path; from grbcore.settings import Settings;"
        "from worker.child import environment;"
        "print(json.dumps(environment(Settings(), Path('.'), os.environ, visible=None)))"
    )
    said = run(service, {}, "-c", code)
    assert "PATH" in json.loads(said) and service.leaks(said) == []


def run(service: Planted, variables: dict[str, str], *arguments: str) -> str:
    """What a process says that ends by itself."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, **service.stack.environment, **variables},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.stdout + done.stderr
