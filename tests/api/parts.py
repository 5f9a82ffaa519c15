"""A client of uploads in parts that does what a test tells it to."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import httpx

from api.tus import CONTENT_TYPE
from tests.api.stage import Stage

UPLOADS = "/api/v1/uploads"


def metadata(fields: Mapping[str, str]) -> str:
    """As tus clients send it."""
    return ",".join(f"{k} {base64.b64encode(v.encode()).decode()}" for k, v in fields.items())


class Sender:
    """Brings one file as a user."""

    def __init__(self, client: httpx.Client, stage: Stage, user: str = "ann") -> None:
        self.client = client
        self.headers = {**stage.bearer(user), "Tus-Resumable": "1.0.0"}
        self.location = ""

    def begin(self, fields: Mapping[str, str], size: int, **headers: str) -> httpx.Response:
        said = {"Upload-Length": str(size), "Upload-Metadata": metadata(fields)}
        answer = self.client.post(UPLOADS, headers={**self.headers, **said, **headers})
        self.location = answer.headers.get("location", "")
        return answer

    def bring(self, offset: int, content: Any, **headers: str) -> httpx.Response:
        said = {"Upload-Offset": str(offset), "Content-Type": CONTENT_TYPE}
        return self.client.patch(
            self.location, content=content, headers={**self.headers, **said, **headers}
        )

    def ask(self) -> httpx.Response:
        return self.client.head(self.location, headers=self.headers)

    def offset(self) -> int:
        answer = self.ask()
        assert answer.status_code == 200, answer.status_code
        return int(answer.headers["upload-offset"])

    def end(self) -> httpx.Response:
        return self.client.delete(self.location, headers=self.headers)

    def all(self, **query: str) -> list[dict[str, Any]]:
        answer = self.client.get(UPLOADS, headers=self.headers, params=query)
        assert answer.status_code == 200, answer.text
        found: list[dict[str, Any]] = answer.json()["uploads"]
        return found
