"""Names of files that are handed out: safe in every browser and on every disk (RFC 6266)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import chain
from typing import Any
from urllib.parse import quote

_LONGEST = 60  # characters of the part that people chose

#: Letters of the Latin alphabet, digits and marks that no system reads a meaning into.
_PLAIN = re.compile(r"[^A-Za-z0-9.+-]+")

#: Of any script: letters, their marks, and numbers.
_KEPT = ("L", "M", "N")


def described(media: str, what: str) -> dict[int | str, dict[str, Any]]:
    """What a route's documentation says of a file that it answers with."""
    return {200: {"description": what, "content": {media: {"schema": {"type": "string"}}}}}


def begun(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The chunks of a blob to send on, the first of which is read now, so that what is wrong with
    it is raised here.

    The last one is held back until the hash over all is known: a damaged file is never sent in
    full.
    """
    held = _held_back(chunks)
    return chain([next(held, b"")], held)


def _held_back(chunks: Iterator[bytes]) -> Iterator[bytes]:
    last = next(chunks, None)
    for chunk in chunks:
        if last is not None:
            yield last
        last = chunk
    if last is not None:
        yield last


def disposition(chosen: str, rest: str) -> str:
    """The ``Content-Disposition`` of a file that is saved, never shown.

    Args:
        chosen: a name that a stranger gave; may hold anything, or nothing.
        rest: what follows it, such as ``-01J….npz``; ASCII, and ours.

    Both forms are there where they differ: every browser reads the second one if it can.
    """
    plain = _trimmed(_PLAIN.sub("-", chosen)) or "file"
    full = _trimmed("".join(map(_kept, unicodedata.normalize("NFC", chosen)))) or plain
    value = f'attachment; filename="{plain}{rest}"'
    if full != plain:
        value += f"; filename*=UTF-8''{quote(full + rest, safe='')}"
    return value


def _kept(character: str) -> str:
    """The character itself, or a dash for what could steer a shell, a path or a reader."""
    if unicodedata.category(character)[0] in _KEPT or character in ".+-":
        return character
    return "-"


def _trimmed(name: str) -> str:
    return re.sub("-+", "-", name)[:_LONGEST].strip("-.")
