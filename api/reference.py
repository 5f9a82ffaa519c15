"""The reference of the API: the OpenAPI description as HTML, for the page at ``/docs``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from fastapi import FastAPI

Json = Mapping[str, Any]

_METHODS = ("get", "post", "put", "patch", "delete")

_EXAMPLE = """curl 'https://SERVER/api/v1/boards/digits/injection@1/leaderboard?side=attack'

curl -H "Authorization: Bearer $GRB_TOKEN" \\
  -F board=digits/injection@1 -F side=defense -F name="My GCN" -F authors="A. Author" \\
  -F file=@gcn.safetensors https://SERVER/api/v1/submissions"""


#: The parts of the API in their order, by the tag of their routes; others come last.
_PARTS = {
    "boards": "Boards",
    "submissions": "Submissions",
    "uploads": "Uploads in parts",
    "cells": "Cells",
    "me": "What is yours",
    "account": "Accounts",
    "service": "The service",
    "admin": "For admins",
}


@dataclass(frozen=True, slots=True)
class Reference:
    """What the reference is called, and the whole of it as HTML."""

    title: str
    html: str


def of(app: FastAPI) -> Reference:
    """The reference of an application, made when it is first asked for."""
    known: Reference | None = getattr(app.state, "reference", None)
    if known is None:
        described = app.openapi()
        known = app.state.reference = Reference(title(described), content(described))
    return known


def title(description: Json) -> str:
    """What the reference is called, with the version of the API."""
    return f"API {description['info']['version']}"


def content(description: Json) -> str:
    """The description as HTML, without a frame and a heading of its own."""
    operations: dict[str, list[tuple[str, str, Json]]] = {tag: [] for tag in _PARTS}
    for each in _each(description):
        operations.setdefault(each[2].get("tags", ["more"])[0], []).append(each)
    named = {tag: _PARTS.get(tag, tag.capitalize()) for tag, found in operations.items() if found}
    body = [
        f"<p>{_words(description['info']['description'])}</p>",
        '<p><a href="/openapi.json">openapi.json</a> describes the same for machines.</p>',
        f"<pre><code>{escape(_EXAMPLE)}</code></pre>",
        "<h2>Parts</h2><ul>",
        *(f'<li><a href="#routes-{tag}">{escape(name)}</a></li>' for tag, name in named.items()),
        '<li><a href="#types">Types</a></li></ul>',
    ]
    for tag, name in named.items():
        body.append(f'<h2 id="routes-{tag}">{escape(name)}</h2>')
        body += _operations(operations[tag])
    body.append('<h2 id="types">Types</h2>')
    body += _types(description.get("components", {}).get("schemas", {}))
    return "".join(body)


def _each(description: Json) -> Iterator[tuple[str, str, Json]]:
    for path, item in description["paths"].items():
        for method in _METHODS:
            if method in item:
                yield path, method, item[method]


def _first_line(operation: Json) -> str:
    return _words(operation.get("description", "").partition("\n")[0])


def _words(text: str) -> str:
    """A description as HTML, with what stands between backticks as code."""
    return re.sub(r"`+([^`]+)`+", r"<code>\1</code>", escape(text)).replace("\n\n", "</p><p>")


def _operations(operations: Sequence[tuple[str, str, Json]]) -> Iterator[str]:
    for path, method, operation in operations:
        name = escape(operation["operationId"])
        shown = f'<span class="method">{method}</span> {escape(path)}'
        yield f"<details><summary><code>{shown}</code> {_first_line(operation)}</summary>"
        yield f'<div id="{name}"><p>{_words(operation.get("description", ""))}</p>'
        if operation.get("security"):
            yield "<p>Takes a token: <code>Authorization: Bearer grb_…</code></p>"
        yield from _parameters(name, operation.get("parameters", []))
        for media, content in operation.get("requestBody", {}).get("content", {}).items():
            yield f"<p>Body: <code>{escape(media)}</code></p>"
            yield from _properties(f"Body of {name}", content["schema"])
        yield from _responses(name, operation.get("responses", {}))
        yield "</div></details>"


def _parameters(name: str, parameters: list[Json]) -> Iterator[str]:
    rows = []
    for parameter in parameters:
        schema = parameter["schema"]
        default = f"; default {schema['default']}" if schema.get("default") is not None else ""
        where = f"{parameter['in']}{', required' if parameter.get('required') else ''}"
        meaning = parameter.get("description", "")
        rows.append((parameter["name"], where, _kind(schema) + escape(default), _words(meaning)))
    if rows:
        heads = ("Parameter", "In", "Type", "Meaning")
        yield from _table(f"Parameters of {name}", heads, rows)


def _properties(label: str, schema: Json) -> Iterator[str]:
    required = schema.get("required", [])
    rows = [
        (name, "required" if name in required else "–", _kind(part))
        for name, part in schema.get("properties", {}).items()
    ]
    if rows:
        yield from _table(label, ("Field", "Needed", "Type"), rows)


def _responses(name: str, responses: Json) -> Iterator[str]:
    rows = []
    for status, response in sorted(responses.items()):
        kinds = [
            _kind(content.get("schema", {})) for content in response.get("content", {}).values()
        ]
        rows.append((status, _words(response["description"]), " or ".join(filter(None, kinds))))
    yield from _table(f"Answers of {name}", ("Status", "Meaning", "Body"), rows)


def _types(schemas: Json) -> Iterator[str]:
    for name, schema in sorted(schemas.items()):
        yield f"<details><summary><code>{escape(name)}</code></summary>"
        yield f'<div id="{escape(name)}">'
        if schema.get("description"):
            yield f"<p>{_words(schema['description'])}</p>"
        yield from _properties(f"Fields of {escape(name)}", schema)
        yield "</div></details>"


def _table(label: str, heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """A table that scrolls by itself; the first column of ``rows`` is text, the others HTML."""
    yield f'<div class="scroll" role="region" tabindex="0" aria-label="{label}">'
    yield "<table><thead><tr>"
    yield "".join(f'<th scope="col">{head}</th>' for head in heads)
    yield "</tr></thead><tbody>"
    for first, *rest in rows:
        yield f'<tr><th scope="row"><code>{escape(first)}</code></th>'
        yield "".join(f"<td>{cell}</td>" for cell in rest)
        yield "</tr>"
    yield "</tbody></table></div>"


def _kind(schema: Json) -> str:
    """A type in words, as HTML, with links to named ones."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    if "anyOf" in schema:
        return " or ".join(_kind(part) for part in schema["anyOf"])
    if "enum" in schema:
        return escape(" | ".join(json.dumps(value) for value in schema["enum"]))
    if "const" in schema:
        return escape(json.dumps(schema["const"]))
    if schema.get("type") == "array":
        parts = schema.get("prefixItems")
        if parts:
            return "[" + ", ".join(_kind(part) for part in parts) + "]"
        return f"list of {_kind(schema.get('items', {}))}"
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), Mapping):
        return f"map to {_kind(schema['additionalProperties'])}"
    kind = schema.get("type", "anything" if not schema else "")
    kind = f"{kind} ({schema['format']})" if "format" in schema else kind
    bounds = [
        f"{word} {schema[key]}"
        for key, word in (
            ("minimum", "at least"),
            ("maximum", "at most"),
            ("minLength", "min. characters"),
            ("maxLength", "max. characters"),
        )
        if key in schema
    ]
    return escape(", ".join([str(kind), *bounds]))
