"""The description of the API: what its routes say, and the answers that any of them may give."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from api import errors

#: Before a route sees a request: it can't be read, or its ``Host`` or its head is refused.
ANY = errors.responses(400, 431)

#: Where a request has a body: it is too large.
BODY = errors.responses(413)

_METHODS = ("get", "post", "put", "patch", "delete")


def install(app: FastAPI) -> None:
    """Add to the application's description what no route can know."""
    written = app.openapi

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            description = written()
            for item in description["paths"].values():
                for method in _METHODS:
                    if method in item:
                        _complete(item[method])
        return written()

    app.openapi = described  # type: ignore[method-assign]


def _complete(operation: dict[str, Any]) -> None:
    known = {**ANY, **(BODY if "requestBody" in operation else {})}
    for status, answer in known.items():
        operation["responses"].setdefault(
            str(status),
            {
                "description": answer["description"],
                "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}
                },
            },
        )
