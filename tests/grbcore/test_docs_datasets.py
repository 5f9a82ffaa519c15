"""The code of docs/datasets.md runs, one block after another."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "datasets.md"
BLOCKS = re.findall(
    r"^```python run\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE
)


def test_the_pages_code_runs_in_order(tmp_path: Path) -> None:
    assert len(BLOCKS) == 3
    command = [sys.executable, "-c", "\n".join(BLOCKS)]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
