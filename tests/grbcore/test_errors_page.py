"""docs/errors.md lists every code that a check may give, and no other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grbcore.violations import CODES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "errors.md"
ROWS = re.findall(r"^\| `([a-z-]+)` \| (.+?) \| `(.+)` \|$", PAGE.read_text("utf-8"), re.MULTILINE)


def test_the_page_lists_exactly_the_codes() -> None:
    assert [code for code, _, _ in ROWS] == list(CODES)


@pytest.mark.parametrize(("code", "explanation", "example"), ROWS)
def test_each_code_is_explained_as_in_the_program_with_an_example(
    code: str, explanation: str, example: str
) -> None:
    assert explanation == CODES[code]
    assert re.fullmatch(r".+: found .+; allowed: .+", example)
