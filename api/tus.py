"""The tus protocol 1.0: what its headers say.  https://tus.io/protocols/resumable-upload

Extensions: creation, expiration, termination, checksum.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute

from api.errors import ApiError, field

VERSION = "1.0.0"
EXTENSIONS = "creation,expiration,termination,checksum"
#: The protocol asks for sha1 at least.
ALGORITHMS = ("sha256", "sha1")

#: The type of a body that goes to the end of an upload.
CONTENT_TYPE = "application/offset+octet-stream"

#: What clients send of a file beside our fields.
_OF_FILES = ("filename", "filetype")

_KEY = re.compile(r"[!-+\--~]+")


class Route(APIRoute):
    """Answers with the protocol's version, errors too, and refuses other versions."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handler = super().get_route_handler()

        async def answer(request: Request) -> Response:
            asked = request.headers.get("tus-resumable", VERSION)
            if asked != VERSION and request.method != "OPTIONS":
                raise ApiError(
                    412,
                    "tus-version",
                    f"Tus-Resumable: found {asked[:40]!r}, allowed: {VERSION}",
                    headers={"Tus-Version": VERSION, "Tus-Resumable": VERSION},
                )
            try:
                response = await handler(request)
            except ApiError as error:
                error.headers["Tus-Resumable"] = VERSION
                raise
            response.headers["Tus-Resumable"] = VERSION
            return response

        return answer


def metadata(header: str) -> dict[str, str]:
    """The texts of an ``Upload-Metadata`` header; what it tells of the file itself is left out.

    Raises:
        ApiError: 422 for a pair that can't be read.
    """
    found: dict[str, str] = {}
    for pair in header.split(",") if header.strip() else ():
        key, _, value = pair.strip().partition(" ")
        place = f"header/Upload-Metadata/{key[:40]}"
        if not _KEY.fullmatch(key):
            raise field("header/Upload-Metadata", repr(pair[:40]), "pairs of a key and base64")
        if key in found:
            raise field(place, "the field twice", "each field once")
        try:
            text = base64.b64decode(value.strip(), validate=True).decode("utf-8")
        except (binascii.Error, UnicodeDecodeError):
            raise field(place, repr(value[:40]), "text in UTF-8, in base64") from None
        if "\0" in text:
            raise field(place, "a NUL character", "text without one")
        found[key] = text
    return {key: text for key, text in found.items() if key not in _OF_FILES}


@dataclass(frozen=True, slots=True)
class Checksum:
    """What the body of one request hashes to."""

    algorithm: str
    digest: bytes

    def new(self) -> hashlib._Hash:
        return hashlib.new(self.algorithm, usedforsecurity=False)


def checksum(header: str) -> Checksum:
    """What an ``Upload-Checksum`` header says.

    Raises:
        ApiError: 400, as the protocol wants it.
    """
    algorithm, _, value = header.strip().partition(" ")
    if algorithm not in ALGORITHMS:
        allowed = " or ".join(ALGORITHMS)
        raise ApiError(
            400, "bad-request", f"Upload-Checksum: found {algorithm[:40]!r}, allowed: {allowed}"
        )
    try:
        digest = base64.b64decode(value.strip(), validate=True)
    except binascii.Error:
        digest = b""
    if len(digest) != hashlib.new(algorithm, usedforsecurity=False).digest_size:
        raise ApiError(
            400,
            "bad-request",
            f"Upload-Checksum: found {value[:100]!r}, allowed: {algorithm} in base64",
        )
    return Checksum(algorithm, digest)


def capabilities(most: int) -> dict[str, str]:
    """The headers that tell a client what this server does; ``most``: bytes of a file."""
    return {
        "Tus-Version": VERSION,
        "Tus-Extension": EXTENSIONS,
        "Tus-Checksum-Algorithm": ",".join(ALGORITHMS),
        "Tus-Max-Size": str(most),
    }


def expires(moment: datetime) -> str:
    """A time as ``Upload-Expires`` wants it."""
    return format_datetime(moment, usegmt=True)
