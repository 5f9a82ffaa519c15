"""A browser that is signed in, as far as requests go: it keeps cookies and says whence it asks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from grbcore.settings import Settings
from grbcore.store.accounts import passwords, people
from grbcore.store.session import now
from tests.api.receivers import Mailbox, mailbox
from tests.api.stage import Stage, serve

PASSWORD = "correct horse battery"


class Browser:
    """Pages of the service, as a browser asks for them."""

    def __init__(self, address: str, agent: str = "Firefox 150") -> None:
        headers = {"User-Agent": agent, "Sec-Fetch-Site": "same-origin"}
        self.client = httpx.Client(base_url=f"{address}/api/v1", headers=headers, timeout=30)
        self.csrf = ""

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.client.get(path, **options)

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        """An unsafe request, with the token that our page sends."""
        given = {"X-CSRF-Token": self.csrf, **headers}
        answer = self.client.request(method, path, json=body, headers=given)
        if answer.is_success and "csrf_token" in answer.text:
            found = answer.json()
            self.csrf = (found.get("session") or found)["csrf_token"]
        return answer

    def post(self, path: str, body: Any = None, **headers: str) -> httpx.Response:
        return self.send("POST", path, body, **headers)

    def sign_in(self, name: str = "ann", password: str = PASSWORD) -> httpx.Response:
        return self.post("/auth/sign-in", {"name": name, "password": password})

    def sign_up(self, name: str, password: str = PASSWORD, **more: str) -> httpx.Response:
        return self.post("/auth/sign-up", {"name": name, "password": password, **more})

    @property
    def who(self) -> str | None:
        """Who is signed in."""
        session = self.get("/auth").json()["session"]
        return None if session is None else session["name"]


def give_password(stage: Stage, name: str = "ann", password: str = PASSWORD) -> None:
    """As `grb admin password` does."""
    with stage.sessions.writing() as session:
        owner = people.by_name(session, name)
        assert owner is not None
        kept = passwords.hashed(password)
        people.set_password(session, owner.id, kept, user_id=None, via="cli", now=now())


@contextmanager
def mailing(settings: Settings, **changes: Any) -> Iterator[tuple[str, Mailbox]]:
    """The service with a mail server; its address, and the mails that it sent."""
    with mailbox() as box:
        mails = {
            "smtp_url": f"smtp://127.0.0.1:{box.port}",
            "mail_from": "Board <board@lab.org>",
            "public_url": "http://board.test",
        }
        with serve(settings.model_copy(update={**mails, **changes})) as address:
            yield address, box


def text_of(box: Mailbox, number: int = -1) -> str:
    content: str = box.mails[number].get_content()
    return content


def link(text: str) -> str:
    """The token of the link in a mail."""
    found = re.search(r"(?:#|token=)([\w-]{20,})", text)
    assert found is not None, text
    return found[1]
