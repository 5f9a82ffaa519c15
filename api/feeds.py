"""An Atom feed of what happens on a board (RFC 4287)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from xml.etree import ElementTree

_ATOM = "http://www.w3.org/2005/Atom"

#: What XML 1.0 has no way to write, escaped or not.
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that happened; ``address`` is its page, and what tells it from others."""

    address: str
    title: str
    summary: str
    author: str
    at: datetime


def feed(*, title: str, page: str, address: str, began: datetime, items: Sequence[Item]) -> bytes:
    """The feed as UTF-8.

    Args:
        title: what it is about.
        page: the address of the page of the board.
        address: its own.
        began: when it last changed where there is no item.
        items: latest first.
    """
    root = ElementTree.Element("feed", {"xmlns": _ATOM})
    _add(root, "id", address)
    _add(root, "title", title)
    _add(root, "updated", _moment(max((item.at for item in items), default=began)))
    ElementTree.SubElement(root, "link", {"rel": "self", "href": address})
    ElementTree.SubElement(root, "link", {"rel": "alternate", "href": page})
    for item in items:
        entry = ElementTree.SubElement(root, "entry")
        _add(entry, "id", item.address)
        _add(entry, "title", item.title)
        _add(entry, "updated", _moment(item.at))
        ElementTree.SubElement(entry, "link", {"rel": "alternate", "href": item.address})
        _add(ElementTree.SubElement(entry, "author"), "name", item.author)
        _add(entry, "summary", item.summary)
    found: bytes = ElementTree.tostring(root, "utf-8", xml_declaration=True)
    return found


def _add(parent: ElementTree.Element, name: str, text: str) -> None:
    ElementTree.SubElement(parent, name).text = _UNWRITABLE.sub("\ufffd", text)


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
