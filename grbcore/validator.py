"""The content stage of the checks, in a process of its own: ``python -m grbcore.validator``.

Reads one JSON line ``{"path", "side", "board", "dataset"}``, the last a folder that
`grbcore.datasets.prepare_blind` made, and answers with one line
``{"violations": [{"code", "place", "found", "allowed"}, …]}``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from grbcore import catalog, datasets
from grbcore.submission import check_content


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The violations of the file that ``request`` names."""
    board = catalog.board(request["board"])
    dataset = datasets.load_blind(board.dataset, Path(request["dataset"]))
    found = check_content(Path(request["path"]), side=request["side"], board=board, dataset=dataset)
    return {"violations": [violation.as_dict() for violation in found]}


def main() -> None:
    """Answer one request and end."""
    request = json.loads(sys.stdin.readline())
    sys.stdout.write(json.dumps(answer(request)) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
