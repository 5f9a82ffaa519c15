"""``/docs``: the OpenAPI description as one page of HTML, without scripts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from fastapi.responses import HTMLResponse

from api.routes import styles

Json = Mapping[str, Any]

_METHODS = ("get", "post", "put", "patch", "delete")

_EXAMPLE = """curl 'https://SERVER/api/v1/boards/digits/injection@1/leaderboard?side=attack'

curl -H "Authorization: Bearer $GRB_TOKEN" \\
  -F board=digits/injection@1 -F side=defense -F name="My GCN" -F authors="A. Author" \\
  -F file=@gcn.safetensors https://SERVER/api/v1/submissions"""


def page(description: Json) -> HTMLResponse:
    """The description, rendered."""
    info = description["info"]
    title = escape(f"{info['title']}: API {info['version']}")
    body = [
        f"<h1>{title}</h1><p>{escape(info['description'])}</p>",
        '<p><a href="/openapi.json">openapi.json</a> describes the same for machines. '
        '<a href="/">Back to the boards.</a></p>',
        f"<pre>{escape(_EXAMPLE)}</pre>",
        "<h2>Routes</h2>",
        *_contents(description),
        *_operations(description),
        "<h2>Types</h2>",
        *_types(description.get("components", {}).get("schemas", {})),
    ]
    html = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<link rel="stylesheet" href="{styles.ADDRESS}"></head>'
        f"<body><main>{''.join(body)}</main></body></html>"
    )
    return HTMLResponse(html)


def _each(description: Json) -> Iterator[tuple[str, str, Json]]:
    for path, item in description["paths"].items():
        for method in _METHODS:
            if method in item:
                yield path, method, item[method]


def _contents(description: Json) -> Iterator[str]:
    yield "<ul>"
    for path, method, operation in _each(description):
        name = escape(operation["operationId"])
        shown = f'<span class="method">{method}</span> {escape(path)}'
        yield f'<li><a href="#{name}"><code>{shown}</code></a> {_first_line(operation)}</li>'
    yield "</ul>"


def _first_line(operation: Json) -> str:
    return escape(operation.get("description", "").partition("\n")[0])


def _operations(description: Json) -> Iterator[str]:
    for path, method, operation in _each(description):
        name = escape(operation["operationId"])
        shown = f'<span class="method">{method}</span> {escape(path)}'
        yield f'<section><h3 id="{name}"><code>{shown}</code></h3>'
        yield f"<p>{escape(operation.get('description', ''))}</p>"
        if operation.get("security"):
            yield "<p>Takes a token: <code>Authorization: Bearer grb_…</code></p>"
        yield from _parameters(operation.get("parameters", []))
        for media, content in operation.get("requestBody", {}).get("content", {}).items():
            yield f"<p>Body: <code>{escape(media)}</code></p>"
            yield from _properties(content["schema"])
        yield from _responses(operation.get("responses", {}))
        yield "</section>"


def _parameters(parameters: list[Json]) -> Iterator[str]:
    rows = []
    for parameter in parameters:
        schema = parameter["schema"]
        default = f"; default {schema['default']}" if schema.get("default") is not None else ""
        where = f"{parameter['in']}{', required' if parameter.get('required') else ''}"
        meaning = parameter.get("description", "")
        rows.append((parameter["name"], where, _kind(schema) + escape(default), escape(meaning)))
    if rows:
        yield from _table(("Parameter", "In", "Type", "Meaning"), rows)


def _properties(schema: Json) -> Iterator[str]:
    required = schema.get("required", [])
    rows = [
        (name, "required" if name in required else "", _kind(part))
        for name, part in schema.get("properties", {}).items()
    ]
    yield from _table(("Field", "", "Type"), rows)


def _responses(responses: Json) -> Iterator[str]:
    rows = []
    for status, response in sorted(responses.items()):
        kinds = [
            _kind(content.get("schema", {})) for content in response.get("content", {}).values()
        ]
        rows.append((status, escape(response["description"]), " or ".join(filter(None, kinds))))
    yield from _table(("Status", "Meaning", "Body"), rows)


def _types(schemas: Json) -> Iterator[str]:
    for name, schema in sorted(schemas.items()):
        yield f'<h3 id="{escape(name)}"><code>{escape(name)}</code></h3>'
        yield f"<p>{escape(schema.get('description', ''))}</p>"
        yield from _properties(schema)


def _table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """A table; the first column of ``rows`` is plain text, the others are HTML."""
    yield "<table><thead><tr>"
    yield "".join(f'<th scope="col">{head}</th>' for head in heads)
    yield "</tr></thead><tbody>"
    for first, *rest in rows:
        yield f'<tr><th scope="row"><code>{escape(first)}</code></th>'
        yield "".join(f"<td>{cell}</td>" for cell in rest)
        yield "</tr>"
    yield "</tbody></table>"


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
