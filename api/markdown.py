"""What people write of their entries, as HTML that anybody's browser may show.

Two kept libraries, one behind the other: markdown-it-py reads CommonMark without raw HTML, nh3
lets through the tags and attributes listed here and no other.  Nothing of it loads anything: a
picture becomes a link to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import nh3
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

SCHEMES = frozenset({"http", "https", "mailto"})

#: On every link that a stranger wrote.
REL = "nofollow noopener noreferrer ugc"

_TAGS = {
    "a", "blockquote", "br", "code", "div", "em", "h3", "h4", "h5", "h6", "hr", "li", "ol",
    "p", "pre", "s", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip

#: A text with more lines × columns than this has no tables: each row is filled up to the widest.
_MOST_CELLS = 20_000

#: A table may be wider than a narrow screen: it scrolls by itself, with the keyboard too.
_TABLE = {"class": "scroll", "role": "region", "aria-label": "Table", "tabindex": "0"}

#: The page has headings of its own above.
_FIRST_LEVEL = 3

_SCHEME = re.compile(rf"({'|'.join(sorted(SCHEMES))}):", re.IGNORECASE)

#: Turn the direction of what follows; they serve to make a text look like another one.
_DIRECTIONS = dict.fromkeys(
    [*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C]
)


@lru_cache(maxsize=512)
def render(text: str) -> str:
    """A description as HTML: empty for an empty one.

    Args:
        text: CommonMark with tables and ~~struck~~ words; a new line is a new line.
    """
    lines = text.translate(_DIRECTIONS).splitlines()
    cells = len(lines) * (1 + max((line.count("|") for line in lines), default=0))
    reader = _READER if cells <= _MOST_CELLS else _WITHOUT_TABLES
    html = reader.render("\n".join(lines))
    return nh3.clean(
        html,
        tags=_TAGS,
        attributes={"a": {"href", "title"}, "ol": {"start"}, "th": {"scope"}},
        tag_attribute_values={"div": {name: {value} for name, value in _TABLE.items()}},
        url_schemes=set(SCHEMES),
        url_relative="deny",
        link_rel=REL,
    )


def _reader(*extras: str) -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False, "breaks": True, "maxNesting": 20})
    reader.enable(extras)
    reader.validateLink = lambda url: _SCHEME.match(url) is not None  # type: ignore[method-assign]
    reader.core.ruler.push("tidied", _tidy)
    return reader


def _tidy(state: StateCore) -> None:
    """Fit what was read into a page: headings below its own, no pictures, tables that scroll."""
    state.tokens = list(_framed(_headings(state.tokens)))
    for token in state.tokens:
        if token.children is not None:
            token.children = list(_without_pictures(token.children))


def _headings(tokens: list[Token]) -> Iterator[Token]:
    """Levels from `_FIRST_LEVEL` on, none left out on the way down; an empty heading is none."""
    given: list[int] = []  # the levels, as written, of the headings that enclose this one
    dropped = False
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            dropped = not tokens[place + 1].content.strip()
            if not dropped:
                level = int(token.tag[1:])
                given = [*(one for one in given if one < level), level]
        if not dropped:
            if token.type.startswith("heading_"):
                token.tag = f"h{min(_FIRST_LEVEL + len(given) - 1, 6)}"
            yield token
        dropped = dropped and token.type != "heading_close"


def _framed(tokens: Iterator[Token]) -> Iterator[Token]:
    for token in tokens:
        if token.type == "table_open":
            yield Token("frame_open", "div", 1, attrs=dict(_TABLE), block=True)
        if token.type == "th_open":
            token.attrs = {"scope": "col"}
        yield token
        if token.type == "table_close":
            yield Token("frame_close", "div", -1, block=True)


def _without_pictures(tokens: list[Token]) -> Iterator[Token]:
    """Links in the place of pictures, text within links; a link without a text has its address."""
    inside = False
    for place, token in enumerate(tokens):
        if token.type == "image":
            words = token.content.strip() or str(token.attrs["src"])
            yield from [_text(words)] if inside else _link(str(token.attrs["src"]), words)
            continue
        yield token
        inside = token.type == "link_open" or (inside and token.type != "link_close")
        if token.type == "link_open" and tokens[place + 1].type == "link_close":
            yield _text(str(token.attrs["href"]))


def _link(address: str, words: str) -> list[Token]:
    opened = Token("link_open", "a", 1, attrs={"href": address})
    return [opened, _text(words), Token("link_close", "a", -1)]


def _text(words: str) -> Token:
    return Token("text", "", 0, content=words)


_READER = _reader("table", "strikethrough")
_WITHOUT_TABLES = _reader("strikethrough")
