"""What is said of a file before its bytes: in tus' metadata, or as JSON, which has room for more.

A header may have 16 KiB and a proxy may allow less; a description has 20,000 characters.
"""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

from starlette.requests import Request

from api import tus, uploads
from api.errors import ApiError, field

_MOST = 256 * 1024  # bytes of a body
_SHA256 = re.compile("[0-9a-fA-F]{64}")


async def announced(request: Request, metadata: str | None) -> tuple[dict[str, str], str | None]:
    """The fields, as the form has them, and the SHA-256 of the file where it is told.

    Raises:
        ApiError: 408, 413, 415 or 422.
    """
    said = tus.metadata(metadata or "")
    for name, text in (await _json_fields(request)).items():
        if name in said:
            raise field(f"body/{name[:40]}", "the field in Upload-Metadata too", "each field once")
        said[name] = text
    sha256 = said.pop("sha256", "").strip()
    if sha256 and not _SHA256.fullmatch(sha256):
        raise field("body/sha256", repr(sha256[:80]), "64 hexadecimal digits")
    return said, sha256.lower() or None


async def _json_fields(request: Request) -> dict[str, str]:
    body = await _body(request)
    if not body:
        return {}
    kind = request.headers.get("content-type", "nothing").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise ApiError(
            415,
            "media-type",
            f"content type: found {kind[:100]}, allowed: application/json, or no body: the bytes "
            "of the file follow by PATCH",
        )
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        raise field("body", "no JSON", "an object of fields") from None
    if not isinstance(found, dict):
        raise field("body", "JSON that is no object", "an object of fields")
    return {name: _text(name, value) for name, value in found.items() if value is not None}


def _text(name: str, value: Any) -> str:
    place = f"body/{name[:40]}"
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        raise field(place, repr(value)[:80], "a text")
    try:
        value.encode()
    except UnicodeEncodeError:  # half of a pair of surrogates
        raise field(place, "half a character", "text in Unicode") from None
    if "\0" in value:
        raise field(place, "a NUL character", "text without one")
    return value


async def _body(request: Request) -> bytes:
    found = bytearray()
    try:
        async with asyncio.timeout(uploads.PATIENCE):
            async for chunk in request.stream():
                found += chunk
                if len(found) > _MOST:
                    raise ApiError(
                        413,
                        "too-large",
                        f"body: found more than {_MOST} bytes, allowed: at most {_MOST} bytes",
                        headers={"Connection": "close"},
                    )
    except TimeoutError:
        message = f"the fields did not arrive within {uploads.PATIENCE:g} s"
        raise ApiError(408, "timeout", message, headers={"Connection": "close"}) from None
    return bytes(found)
