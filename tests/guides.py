"""The commands that a page of docs/ tells."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1] / "docs"


def commands(page: str) -> list[str]:
    """Each line of the page's blocks of shell, in order."""
    text = (DOCS / page).read_text("utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [line for block in blocks for line in block.splitlines()]
