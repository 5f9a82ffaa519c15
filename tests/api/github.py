"""A GitHub of our own on loopback: OAuth 2 as its documentation has it, PKCE checked."""

from __future__ import annotations

import base64
import hashlib
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import flask
from werkzeug.serving import make_server


class GitHub:
    """Who is signed in there, and what it knows of them."""

    def __init__(self) -> None:
        self.url = ""
        self.user: dict[str, Any] = {"id": 583231, "login": "Octo.Cat_"}
        self.emails: list[dict[str, Any]] = []
        self.codes: dict[str, dict[str, str]] = {}
        self.tokens: set[str] = set()
        self.secrets: list[str] = []  # that the service sent

    def app(self) -> flask.Flask:
        app = flask.Flask("github")

        @app.get("/login/oauth/authorize")
        def authorize() -> flask.typing.ResponseReturnValue:
            asked = flask.request.args
            code = secrets.token_hex(10)
            self.codes[code] = dict(asked)
            return flask.redirect(f"{asked['redirect_uri']}?code={code}&state={asked['state']}")

        @app.post("/login/oauth/access_token")
        def access_token() -> flask.typing.ResponseReturnValue:
            given = flask.request.form
            asked = self.codes.pop(given["code"], None)
            digest = hashlib.sha256(given["code_verifier"].encode()).digest()
            challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
            basic = flask.request.authorization
            self.secrets.append(str(basic.password) if basic else given.get("client_secret", ""))
            good = asked is not None and asked["code_challenge"] == challenge
            if not good or asked is None or asked["redirect_uri"] != given["redirect_uri"]:
                return flask.jsonify(error="bad_verification_code")
            token = secrets.token_hex(10)
            self.tokens.add(token)
            return flask.jsonify(access_token=token, token_type="bearer", scope="")

        @app.get("/api/v3/user")
        def user() -> flask.typing.ResponseReturnValue:
            return flask.jsonify(self.user) if self._known() else ("", 401)

        @app.get("/api/v3/user/emails")
        def emails() -> flask.typing.ResponseReturnValue:
            return flask.jsonify(self.emails) if self._known() else ("", 401)

        return app

    def _known(self) -> bool:
        return flask.request.headers["Authorization"].removeprefix("Bearer ") in self.tokens


@contextmanager
def github() -> Iterator[GitHub]:
    """One that runs."""
    made = GitHub()
    server = make_server("127.0.0.1", 0, made.app(), threaded=True)
    made.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        thread.join(10)
        server.server_close()
