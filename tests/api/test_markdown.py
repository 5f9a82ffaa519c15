"""Descriptions as HTML: hostile Markdown makes nothing that runs, loads, misleads or takes long."""

from __future__ import annotations

import re
import time
from html.parser import HTMLParser

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.markdown import REL, SCHEMES, render
from tests.api.stage import Stage

LONGEST = 20_000  # characters of a description

#: Everything that may come out.
TAGS = {
    "a", "blockquote", "br", "code", "div", "em", "h3", "h4", "h5", "h6", "hr", "li", "ol",
    "p", "pre", "s", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
ATTRIBUTES = {
    "a": {"href", "title", "rel"},
    "ol": {"start"},
    "th": {"scope"},
    "div": {"class", "role", "aria-label", "tabindex"},
}

HOSTILE = [
    "<script>alert(1)</script>",
    "<SCRIPT SRC=//x.org/a.js>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<svg><style><img src=x onerror=alert(1)></style></svg>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=x'>",
    "<iframe srcdoc='<script>alert(1)</script>'>",
    "<base href='//x.org'>",
    "<meta http-equiv=refresh content='0;url=//x.org'>",
    "<form action=//x.org><input name=token><button>",
    "<details open ontoggle=alert(1)>",
    "<a href=javascript:alert(1)>x</a>",
    "<p style='position:fixed;inset:0'>x</p>",
    "</noscript><script>alert(1)</script>",
    "</div></main><h1 id=content>Fake</h1>",
    "<!--><script>alert(1)</script>-->",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java&#x73;cript:alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](java&Tab;script:alert(1))",
    "[x](java&NewLine;script:alert(1))",
    "[x](&#1;javascript:alert(1))",
    "[x](\x01javascript:alert(1))",
    "[x](\u00a0javascript:alert(1))",
    "[x](javascript&colon;alert(1))",
    "[x](javascript://%0aalert(1))",
    "[x](<javascript:alert(1)>)",
    "[x](vbscript:msgbox(1))",
    "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
    "[x](file:///etc/passwd)",
    "[x](blob:https://x.org/1)",
    "[x](//x.org)",
    "[x](/api/v1/me)",
    "[x](\\\\x.org)",
    "[x](https:javascript:alert(1))",
    "<javascript:alert(1)>",
    "<data:text/html,x>",
    "[x]\n\n[x]: javascript:alert(1)",
    "[x](https://a.org \"onmouseover='alert(1)'\")",
    '[x](https://a.org "\\" onmouseover=alert(1) \\"")',
    '[x](https://a.org/"onmouseover="alert(1))',
    "![x](javascript:alert(1))",
    "![x](data:image/svg+xml,<svg/onload=alert(1)>)",
    "![x](https://tracker.org/pixel.png)",
    "![x](/api/v1/me)",
    "![](https://a.org/'><script>alert(1)</script>)",
    '[![x](https://a.org/a.png "t")](javascript:alert(1))',
    "```<script>\n</code></pre><script>alert(1)</script>\n```",
    "```js onload=alert(1)\nx\n```",
    "`</code><script>alert(1)</script>`",
    "| <script> |\n|---|\n| <img src=x onerror=alert(1)> |",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "\\<script>alert(1)\\</script>",
    "＜script＞alert(1)＜/script＞",
    "\ufeff<script>\u0000alert(1)</script>",
    "<\u0000script>alert(1)</script>",
    "# <script>alert(1)</script>",
    "* [x](https://a.org 'a' onclick=alert(1))",
]


class Shape(HTMLParser):
    """What a browser would find: each tag with its attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def check_harmless(html: str) -> None:
    for tag, attributes in Shape(html).found:
        assert tag in TAGS, tag
        assert set(attributes) <= ATTRIBUTES.get(tag, set()), (tag, attributes)
        if tag == "a":
            assert attributes["rel"] == REL
            address = attributes.get("href")
            assert address is None or re.match(f"({'|'.join(SCHEMES)}):", address, re.IGNORECASE)
        if tag == "div":
            assert attributes["class"] == "scroll"


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_makes_nothing_that_runs_or_loads(text: str) -> None:
    check_harmless(render(text))
    check_harmless(render(f"- > **{text}**\n\n[a](https://a.org) {text}"))


MARKS = ["<", ">", "[", "]", "(", ")", "!", "`", "*", "_", "|", "-", "\n", "\\", "&", ";", ":", "#",
         "'", '"', "a", " ", "/", "javascript:", "https://a", "<script>", "onerror=", "\x00", "\t",
         "&#x6a;", "|-|-|\n", "\u202e", "\ufffd", "~~"]  # fmt: skip


@given(st.lists(st.sampled_from(MARKS), max_size=60).map("".join) | st.text(max_size=200))
def test_any_text_makes_nothing_that_runs_or_loads(text: str) -> None:
    check_harmless(render.__wrapped__(text))


def test_markdown_is_shown_as_what_it_means() -> None:
    text = "A *b* **c** `d`\nnew line\n\n1. one\n\n> said\n\n~~no~~ [x](https://a.org/ü)"
    html = render(text)
    link = f'<a href="https://a.org/%C3%BC" rel="{REL}">x</a>'
    for part in (
        "<p>A <em>b</em> <strong>c</strong> <code>d</code><br>\nnew line</p>",
        "<ol>\n<li>one</li>\n</ol>",
        "<blockquote>\n<p>said</p>\n</blockquote>",
        f"<p><s>no</s> {link}</p>",
    ):
        assert part in html
    assert render("") == ""


def test_headings_stand_below_those_of_the_page_and_leave_no_level_out() -> None:
    html = render("#### deep\n# top\n##\n### below\n## less\n###### least")
    assert re.findall("<(h.)>([a-z]*)<", html) == [
        ("h3", "deep"),
        ("h3", "top"),
        ("h4", "below"),
        ("h4", "less"),
        ("h5", "least"),
    ]


def test_a_picture_is_a_link_to_it() -> None:
    html = render(
        "![a plot](https://a.org/p.png) [![in](https://b.org/q.png)](https://c.org) ![](https://d.org)"
    )
    links = [attributes["href"] for tag, attributes in Shape(html).found if tag == "a"]
    assert links == ["https://a.org/p.png", "https://c.org", "https://d.org"]
    assert ">a plot</a>" in html and ">in</a>" in html and ">https://d.org</a>" in html


def test_no_mark_turns_the_direction_of_a_line() -> None:
    assert render("a\u202egnp.exe\u2066 b\u200f") == "<p>agnp.exe b</p>\n"


@pytest.mark.parametrize(
    "piece",
    [
        "[", "![", "[](", "*", "*a ", "**a*", "_a", "> ", "- ", "`a", "&", "<", "<a ", "\\", "[a][",
        "\\[", "[x](<", "[x](http://", "[x](http://a '", "~~a", "![[]()", "<!--", "# a\n", "a\n-\n",
        "\0", "\n", "***a ", "c* ", "*_", "[a]: http://x '", "<div><", "&#x41;", "<http://a>",
        "[a](http://a)", "(", "> - ", "1. ", "| ", "|-", "|-|\n", "a|", "\u202e", "\r", "[a",
    ],
)  # fmt: skip
def test_no_description_takes_long(piece: str) -> None:
    """Where a parser went through it once for each of its characters, minutes would pass."""
    begun = time.process_time()
    render.__wrapped__((piece * LONGEST)[:LONGEST])
    assert time.process_time() - begun < 5


def test_a_wide_table_of_many_rows_is_left_as_text() -> None:
    """Each row would be filled up to the width of the first: 100 × 9,000 cells from 18 kB."""
    wide = "a|" * 100 + "\n" + "-|" * 100 + "\n" + "x\n" * 9000
    assert "<table>" not in render(wide)
    assert len(render(wide)) < 10 * LONGEST
    assert "<table>" in render("|a|b|\n|-|-|\n" + "|1|2|\n" * 1000)


def test_the_json_and_the_page_hold_the_same_html(client: httpx.Client, stage: Stage) -> None:
    text = "**Bold** <script>alert(1)</script> </noscript> \\1"
    entry = stage.entry("defense", "D", description=text)
    found = client.get(f"/api/v1/submissions/{entry}").json()
    assert found["description"] == text
    assert "<strong>Bold</strong> &lt;script&gt;" in found["description_html"]
    page = client.get(f"/submissions/{entry}").text
    assert found["description_html"] in page and page.count("</noscript>") == 1


def test_of_a_hidden_entry_nothing_is_told(client: httpx.Client, stage: Stage) -> None:
    from grbcore.store.session import now

    entry = stage.entry("defense", "D", description="**mine**", hidden_at=now())
    assert client.get(f"/api/v1/submissions/{entry}").json()["description_html"] == ""
