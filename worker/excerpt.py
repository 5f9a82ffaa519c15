"""What a child wrote to stderr, and why work fails here, so that everybody can be shown it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import grbcore
from grbcore import logs

#: Bytes that are kept, the last ones.
LONGEST = 4000

_TERMINAL = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])")

#: Control characters but line ends and tabs, and marks that turn the direction of a text.
_UNSEEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)

#: Folders at the start of a path, except in the address of a web page.
_FOLDERS = re.compile(r"(?<![\w.:/…~>-])/(?:[\w.+@~-]+/)+(?=[\w.+@~-])")

#: An address up to the last part of its path.
_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]*://(?:[^\s/]+/)*", re.IGNORECASE)

#: What the library of blob stores adds to an error, for its developers.
_DEBUG = "\n\nDebug source:"

_PACKAGES = re.compile(r"/[^\s\"':]*/(?:site|dist)-packages/")


def clean(raw: bytes, scratch: Path) -> str | None:
    """The last `LONGEST` bytes as text; None where nothing was written.

    No control characters, no tokens, no passwords, and of paths on this host only what says
    something: the child's scratch folder is ``.``, modules begin with their package, of others
    only the last part stays.
    """
    text = raw.decode(errors="replace").replace("\r\n", "\n").replace("\r", "\n")
    text = _UNSEEN.sub("", _TERMINAL.sub("", text))
    text = text.replace(str(scratch.resolve()), ".").replace(str(scratch), ".")
    return _end(_without_folders(text)) or None


def public(trouble: str) -> str:
    """What is wrong with this host, without its folders, the addresses it uses and secrets."""
    return _without_folders(_ADDRESS.sub("…/", trouble.partition(_DEBUG)[0]))


def _without_folders(text: str) -> str:
    text = _PACKAGES.sub("", text)
    for folder in _roots():
        text = text.replace(f"{folder}/", "")
    return logs.redact(_FOLDERS.sub("…/", text)).strip()


def _roots() -> Iterator[str]:
    """Where modules are: the checkout, and Python's own."""
    yield str(Path(grbcore.__file__).resolve().parents[1])
    yield str(Path(sys.modules["re"].__file__ or "").resolve().parents[1])


def _end(text: str) -> str:
    """The last `LONGEST` bytes, from the start of a line where there is one."""
    encoded = text.encode()
    if len(encoded) <= LONGEST:
        return text
    end = encoded[-(LONGEST - len("…\n".encode())) :].decode(errors="ignore")
    first, newline, rest = end.partition("\n")
    return f"…\n{rest if newline and rest else first}"
