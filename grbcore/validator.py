"""The content stage of the checks, in a process of its own: ``python -m grbcore.validator``.

Reads one JSON line ``{"path", "side", "board", "dataset"}``, the last a folder that
`grbcore.datasets.prepare_blind` made, and answers with one line
``{"violations": [{"code", "place", "found", "allowed"}, …], "canonical", "spent", "shift",
"sketch"}``: the canonical hash of a valid file; what a valid attack spends of its budget
(`grbcore.spending.spending`), how far it is from the clean graph (`grbcore.shift`) and its sketch;
else null, as ``shift`` of attacks on whole graphs.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from grbcore import catalog, datasets
from grbcore.catalog import Board
from grbcore.datasets import Dataset
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.shift import measure_shift
from grbcore.sketch import sketch
from grbcore.spending import spending
from grbcore.submission import canonical_hash, check_content, read_attack


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The violations of the file that ``request`` names; of a valid one what is told of it."""
    board = catalog.board(request["board"])
    dataset = datasets.load_blind(board.dataset, Path(request["dataset"]))
    path, side = Path(request["path"]), request["side"]
    found = check_content(path, side=side, board=board, dataset=dataset)
    canonical = None if found else canonical_hash(path, side=side, board=board, dataset=dataset)
    told: dict[str, Any] = dict.fromkeys(("spent", "shift", "sketch"))
    if side == "attack" and not found:
        told = describe(path, board, dataset)
    return {
        "violations": [violation.as_dict() for violation in found],
        "canonical": canonical,
        **told,
    }


def describe(path: Path, board: Board, dataset: Dataset | GraphDataset) -> dict[str, Any]:
    """What is told of an attack's file, which has been found valid: ``spent``, ``shift`` and
    ``sketch``, as an answer has them; of whole graphs ``shift`` is null."""
    with path.open("rb") as file:
        attack = read_attack(file, board)
    main, shift, nodes = attack.get(board.main, ()), None, 0
    if isinstance(dataset, Dataset):
        shift, nodes = measure_shift(dataset, main), dataset.nodes
    return {
        "spent": spending(attack, dataset),
        "shift": None if shift is None else shift.model_dump(mode="json"),
        "sketch": sketch(main, nodes) if main else None,
    }


def main() -> None:
    """Answer one request and end."""
    request = json.loads(sys.stdin.readline())
    sys.stdout.write(json.dumps(answer(request)) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
