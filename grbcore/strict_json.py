"""JSON that every reader understands alike: no name twice, no NaN, no half of a surrogate pair.

Python's reader takes the last of two values of one name, ``NaN`` and ``Infinity``, and escapes of
characters that are none; others take the first, or refuse.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any


class Repeated(ValueError):
    """Names that are given more than once in one object; sorted."""

    def __init__(self, names: list[str]) -> None:
        super().__init__(", ".join(names))
        self.names = names


def parse(text: bytes) -> Any:
    """The value of a JSON text in UTF-8.

    Raises:
        Repeated: a name is given twice, at any depth.
        ValueError: it is no JSON, nested too deeply, or says NaN or Infinity.
    """
    twice: list[str] = []

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            counts = Counter(name for name, _ in pairs)
            twice.extend(name for name, count in counts.items() if count > 1)
        return found

    def no_number(word: str) -> Any:
        raise ValueError(f"found {word}, allowed: finite numbers")

    try:
        value = json.loads(text.decode("utf-8"), object_pairs_hook=unique, parse_constant=no_number)
    except RecursionError:
        raise ValueError("found a value nested too deeply") from None
    if twice:
        raise Repeated(sorted(twice))
    return value


def is_text(value: str) -> bool:
    """Whether these are characters, none of them half of a surrogate pair."""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
