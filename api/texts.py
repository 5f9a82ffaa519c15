"""The documents of ``docs/``, rendered for the site.

They are read from the repository that the service runs from, once; where it comes without them the
list is empty.  Links between them lead to their pages here, headings can be linked to as on any
forge, and pictures are those of ``docs/pictures``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import nh3
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

FOLDER = Path(__file__).resolve().parent.parent / "docs"
ADDRESS = "/guide"

#: Which documents stand where, in the order of the list; others come last, under `MORE`.
PARTS = {
    "Take part": ("rules", "datasets", "guide", "errors", "notifications"),
    "Understand": (
        "ranking",
        "arena",
        "flags",
        "snapshots",
        "reproduction",
        "reproduction-splits",
        "reproduction-graph-level",
        "measurements",
        "modification-attacks",
        "attack-agreement",
    ),
    "Look": ("visualise",),
    "Run a service": ("operations", "security", "re-evaluation"),
}  # fmt: skip
MORE, DECISIONS = "More", "Decisions"
_DECISION = "adr-"

#: Shown by a page of its own, not in the list.
ABOUT = "about"

_TAGS = {
    "a", "blockquote", "br", "code", "div", "em", "h2", "h3", "h4", "h5", "h6", "hr", "img", "li",
    "ol", "p", "pre", "s", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
_TABLE = {"class": "scroll", "role": "region", "tabindex": "0"}
_ATTRIBUTES = {
    "a": {"href", "title"},
    "div": {*_TABLE, "aria-label"},
    "img": {"src", "alt"},
    "ol": {"start"},
    "th": {"scope"},
    **{f"h{level}": {"id"} for level in range(2, 7)},
}


@dataclass(frozen=True, slots=True)
class Text:
    """A document: its name in the address, its title, its part of the list, its Markdown."""

    name: str
    title: str
    part: str
    body: str  # without the title

    @property
    def html(self) -> str:
        """The document as HTML that a page may show."""
        return _html(self.name, self.body)


def texts(folder: Path = FOLDER) -> dict[str, Text]:
    """Every document by name, in the order of the list; empty where there are none."""
    return _texts(folder)


def picture(name: str, folder: Path = FOLDER) -> Path | None:
    """The file of a picture of a document; None where there is none of this name."""
    if re.fullmatch(r"[a-z0-9-]+\.(png|svg)", name) is None:
        return None
    file = folder / "pictures" / name
    return file if file.is_file() else None


@cache
def _texts(folder: Path) -> dict[str, Text]:
    found = {path.stem: path for path in sorted(folder.glob("*.md"))}
    found |= {_DECISION + path.stem: path for path in sorted(folder.glob("adr/*.md"))}
    parts = {name: part for part, names in PARTS.items() for name in names}
    order = [name for name in parts if name in found]
    order += [name for name in found if name not in parts]
    return {name: _text(name, found[name], parts.get(name)) for name in order}


def _text(name: str, path: Path, part: str | None) -> Text:
    head, _, body = path.read_text("utf-8").partition("\n")
    fallback = DECISIONS if name.startswith(_DECISION) else MORE
    return Text(name, head.removeprefix("# ").strip(), part or fallback, body)


@cache
def _html(name: str, body: str) -> str:
    html = _READER.render(body, {"folder": "adr" if name.startswith(_DECISION) else ""})
    return nh3.clean(
        html,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        url_relative="pass_through",
        link_rel="noopener noreferrer",
    )


def _resolved(address: str, folder: str) -> str | None:
    """Where a link of a document leads on this site; None where that is nowhere."""
    if re.match(r"(https?|mailto):|#|/", address):
        return address
    path, _, fragment = address.partition("#")
    tail = f"#{fragment}" if fragment else ""
    up = path.startswith("../")
    path = path.removeprefix("../")
    if path.startswith("pictures/"):
        return f"{ADDRESS}/{path}"
    if not path.endswith(".md") or (up and folder == ""):
        return None
    decision = path.startswith("adr/") or (folder == "adr" and not up)
    stem = path.removeprefix("adr/").removesuffix(".md")
    return f"{ADDRESS}/{_DECISION if decision else ''}{stem}{tail}"


def _tidy(state: StateCore) -> None:
    folder: str = state.env.get("folder", "")
    seen: dict[str, int] = {}
    state.tokens = list(_framed(state.tokens))
    for place, token in enumerate(state.tokens):
        if token.type == "heading_open":
            token.attrs["id"] = _anchor(state.tokens[place + 1].content, seen)
        token.children = token.children and list(_links(token.children, folder))


def _anchor(words: str, seen: dict[str, int]) -> str:
    """The id of a heading, as forges give it."""
    plain = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
    seen[plain] = seen.get(plain, -1) + 1
    return f"{plain}-{seen[plain]}" if seen[plain] else plain


def _framed(tokens: list[Token]) -> Iterator[Token]:
    """Tables in a region that scrolls by itself, with the keyboard too."""
    count = 0
    for place, token in enumerate(tokens):
        if token.type == "table_open":
            count += 1
            frame = {**_TABLE, "aria-label": f"Table {count}"}
            yield Token("frame_open", "div", 1, attrs={**frame}, block=True)
        if token.type == "th_open":
            token.attrs["scope"] = "col"
            if not tokens[place + 1].content:  # the corner of a table heads nothing
                token.tag = tokens[place + 2].tag = "td"
        yield token
        if token.type == "table_close":
            yield Token("frame_close", "div", -1, block=True)


def _links(tokens: list[Token], folder: str) -> Iterator[Token]:
    """The same with links that lead somewhere here; others are their words alone."""
    dropped = False
    for token in tokens:
        if token.type == "link_open":
            address = _resolved(str(token.attrs["href"]), folder)
            dropped = address is None
            if address is not None:
                token.attrs["href"] = address
        if token.type == "image":
            token.attrs["src"] = _resolved(str(token.attrs["src"]), folder) or ""
            token.attrs["alt"] = token.content
        if not (dropped and token.type.startswith("link_")):
            yield token
        dropped = dropped and token.type != "link_close"


_READER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
_READER.core.ruler.push("tidied", _tidy)
