"""The content stage of the checks, in a process of its own: ``python -m grbcore.validator``.

Reads one JSON line ``{"path", "side", "board", "dataset"}``, the last a folder that
`grbcore.datasets.prepare_blind` made, and answers with one line
``{"violations": [{"code", "place", "found", "allowed"}, …], "canonical", "spent"}``: the canonical
hash of a valid file, else null, and what a valid attack spends of its budget
(`grbcore.spending.spending`), else null.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from grbcore import catalog, datasets
from grbcore.catalog import Board
from grbcore.datasets import Dataset
from grbcore.spending import Spending, spending
from grbcore.submission import canonical_hash, check_content, read_attack


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The violations of the file that ``request`` names, its canonical hash, and what it spends."""
    board = catalog.board(request["board"])
    dataset = datasets.load_blind(board.dataset, Path(request["dataset"]))
    path, side = Path(request["path"]), request["side"]
    found = check_content(path, side=side, board=board, dataset=dataset)
    canonical = None if found else canonical_hash(path, side=side, board=board, nodes=dataset.nodes)
    spent = _spent(path, board, dataset) if side == "attack" and not found else None
    violations = [violation.as_dict() for violation in found]
    return {"violations": violations, "canonical": canonical, "spent": spent}


def _spent(path: Path, board: Board, dataset: Dataset) -> Spending:
    with path.open("rb") as file:
        return spending(read_attack(file, board), dataset)


def main() -> None:
    """Answer one request and end."""
    request = json.loads(sys.stdin.readline())
    sys.stdout.write(json.dumps(answer(request)) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
