"""The code of the guides runs, one block after another."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
BLOCKS = {
    page.name: re.findall(
        r"^```python run\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    for page in sorted(DOCS.glob("*.md"))
}
PAGES = [name for name, blocks in BLOCKS.items() if blocks]


def test_the_guides_hold_code() -> None:
    assert {"datasets.md", "guide.md", "ranking.md"} <= set(PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_a_pages_code_runs_in_order(page: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", "\n".join(BLOCKS[page])]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 0, done.stderr
