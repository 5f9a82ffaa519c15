"""The content stage of the checks, in a process of its own: ``python -m grbcore.validator``.

Reads one JSON line ``{"path", "side", "board", "dataset"}``, the last a folder that
`grbcore.datasets.prepare_blind` made, and answers with one line
``{"violations": [{"code", "place", "found", "allowed"}, …], "canonical", "sketch"}``: the canonical
hash of a valid file and the sketch of a valid attack, else null.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from grbcore import catalog, datasets
from grbcore.sketch import sketch
from grbcore.submission import canonical_hash, check_content, read_attack


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The violations of the file that ``request`` names, its canonical hash and its sketch."""
    board = catalog.board(request["board"])
    dataset = datasets.load_blind(board.dataset, Path(request["dataset"]))
    path, side = Path(request["path"]), request["side"]
    found = check_content(path, side=side, board=board, dataset=dataset)
    canonical = None if found else canonical_hash(path, side=side, board=board, nodes=dataset.nodes)
    sketched = None
    if not found and side == "attack":
        with path.open("rb") as file:
            sketched = sketch(read_attack(file, board)["full"], dataset.nodes)
    violations = [violation.as_dict() for violation in found]
    return {"violations": violations, "canonical": canonical, "sketch": sketched}


def main() -> None:
    """Answer one request and end."""
    request = json.loads(sys.stdin.readline())
    sys.stdout.write(json.dumps(answer(request)) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
